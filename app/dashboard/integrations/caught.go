package integrations

import (
	"io"
	"net/http"
	"strconv"
	"strings"

	"daybook/app/fault"
	"daybook/app/mail/catch"
	"daybook/app/when"
	"daybook/views/dash"
)

// caughtMail returns the mail of the URL. The error is not_found for one that isn't kept, and wherever mails are sent.
func (c call) caughtMail() (m catch.Mail, err error) {
	ref := c.PathValue("id")
	id, err := strconv.Atoi(ref)
	if c.Caught == nil || err != nil {
		return m, fault.Missing("mail", ref)
	}
	m, ok := c.Caught.Mail(id)
	if !ok {
		return m, fault.Missing("mail", ref)
	}
	return m, nil
}

// caught lists the mails of a demo. On a path with an id that one is open beside them.
func (c call) caught() error {
	if c.Caught == nil {
		return fault.Missing("page", c.URL.Path)
	}
	v := dash.CaughtPage{Frame: c.Frame(c.T("caught_title"), "caught")}
	if c.PathValue("id") != "" {
		m, err := c.caughtMail()
		if err != nil {
			return err
		}
		v.Open = c.openedMail(&m)
	}
	for _, m := range c.Caught.Mails() {
		v.Mails = append(v.Mails, dash.CaughtRow{URL: dash.CaughtMailPath(m.ID), To: m.To, Subject: m.Subject,
			When: c.Ago(when.At(m.At)), Current: v.Open != nil && v.Open.FrameURL == dash.CaughtReadPath(m.ID)})
	}
	return c.Show(http.StatusOK, dash.Caught(v))
}

func (c call) openedMail(m *catch.Mail) *dash.CaughtMail {
	v := dash.CaughtMail{From: m.From, To: m.To, Subject: m.Subject, When: c.Ago(when.At(m.At)),
		FrameURL: dash.CaughtReadPath(m.ID)}
	for n, i := range m.Invitations {
		at := i.Start.In(c.Zone())
		text := i.Title + " · " + c.Day(at) + ", " + c.Locale.Time(at, "")
		if i.Method == "CANCEL" {
			text = c.Locale.Labelled(c.T("caught_taken"), text)
		}
		v.Invitations = append(v.Invitations, dash.CaughtInvitation{Text: text, URL: dash.CaughtInvitePath(m.ID, n)})
	}
	return &v
}

// readCaught is the mail as its reader's program shows it: nothing in it runs or loads, and links open beside the page.
func (c call) readCaught() error {
	m, err := c.caughtMail()
	if err != nil {
		return err
	}
	c.Framed("default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; " +
		"sandbox allow-popups allow-popups-to-escape-sandbox")
	c.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, err = io.WriteString(c.ResponseWriter, strings.Replace(m.HTML, "<head>", `<head><base target="_blank"/>`, 1))
	return err
}

// caughtInvitation is an invitation as a file.
func (c call) caughtInvitation() error {
	m, err := c.caughtMail()
	if err != nil {
		return err
	}
	n, err := strconv.Atoi(c.PathValue("n"))
	if err != nil || n < 0 || n >= len(m.Invitations) {
		return fault.Missing("invitation", c.PathValue("n"))
	}
	c.Attach("invite.ics", "text/calendar; charset=utf-8")
	_, err = io.WriteString(c.ResponseWriter, m.Invitations[n].Text)
	return err
}
