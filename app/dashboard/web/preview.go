package web

import (
	"net/http"
	"strings"

	"github.com/a-h/templ"

	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/mail/smtp"
	"daybook/views/dash"
)

// ShowPreview answers a form that asks how the booking page would look, without saving anything: with the page of that
// set-up, in the member's language, or with what is wrong in the form. Frames of this server's pages may show the answer.
func (c *Call) ShowPreview(s *catalog.Setup, eventType string, wrong *fault.Error) error {
	switch {
	case wrong != nil:
		texts := make([]string, 0, 1+len(wrong.Others))
		for _, e := range Parts(wrong) {
			texts = append(texts, c.Sentence(e))
		}
		return c.ShowFramed(http.StatusUnprocessableEntity, dash.PreviewProblem(c.Frame("", ""), texts))
	case c.Preview == nil:
		return fault.Missing("preview", eventType)
	}
	c.Header().Del("X-Frame-Options")
	r := c.Request
	if q := r.URL.Query(); q.Get("lang") == "" { // another one was chosen in the preview
		r = r.Clone(c.Context())
		q.Set("lang", c.Locale.Tag)
		r.URL.RawQuery = q.Encode()
	}
	c.Preview(c.ResponseWriter, r, s, eventType)
	return nil
}

// ShowFramed answers with a page that frames of this server's pages may show.
func (c *Call) ShowFramed(status int, page templ.Component) error {
	c.Framed(strings.Replace(c.Header().Get("Content-Security-Policy"), "frame-ancestors 'none'", "frame-ancestors 'self'", 1))
	return c.Show(status, page)
}

// ShowMail shows a mail as its reader gets it, in the frame of a page. Nothing in it can run, load or lead elsewhere.
func (c *Call) ShowMail(m *smtp.Message) error {
	c.Framed("default-src 'none'; style-src 'self' 'unsafe-inline'; base-uri 'none'; form-action 'none'; " +
		"frame-ancestors 'self'")
	return c.Show(http.StatusOK, dash.ReadMail(c.Frame("", ""), dash.ShownMail{From: m.From.Name, Subject: m.Subject,
		HTML: m.HTML}))
}

// Framed lets the pages of this server frame the answer, which has that policy.
func (c *Call) Framed(policy string) {
	c.Header().Set("Content-Security-Policy", policy)
	c.Header().Set("X-Frame-Options", "SAMEORIGIN")
}
