package page

import (
	"net/http"
	"strings"

	"daybook/app/fault"
	"daybook/app/mail"
	"daybook/app/waitlist"
	"daybook/views"
)

// What the buttons of the page of somebody on the waitlist say.
const (
	doConfirm = "confirm"
	doLeave   = "leave"
)

// askWait shows how an entry of the waitlist stands.
func (d *Decisions) askWait(w http.ResponseWriter, r *http.Request) {
	d.showWait(w, r, http.StatusOK, nil)
}

// wait does what the button says, and shows how the entry stands then. A second click changes nothing.
func (d *Decisions) wait(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, maxDecision)
	ctx, token := r.Context(), r.PathValue("token")
	var err error
	switch r.PostFormValue("do") {
	case doConfirm:
		err = d.service.Waitlist.Confirm(ctx, token)
	case doLeave:
		if err = d.service.Waitlist.LeaveWaitlist(ctx, token); err == nil {
			d.sayLeft(w, r)
			return
		}
	default:
		d.showWait(w, r, http.StatusBadRequest, nil)
		return
	}
	if refused := fault.Refusal(err); refused != nil && refused.Code == fault.Conflict {
		d.showWait(w, r, http.StatusConflict, refused)
		return
	}
	if err != nil {
		d.refuse(w, r, err)
		return
	}
	d.showWait(w, r, http.StatusOK, nil)
}

// sayLeft says that somebody waits no more, also where their entry is gone because it was never confirmed.
func (d *Decisions) sayLeft(w http.ResponseWriter, r *http.Request) {
	page := pageOf(r, nil)
	d.say(w, r, page, "check", page.T("wait_left"), page.T("wait_left_text"))
}

func (d *Decisions) showWait(w http.ResponseWriter, r *http.Request, status int, refused *fault.Error) {
	e, setup, err := d.service.Waitlist.ByToken(r.Context(), r.PathValue("token"))
	if err != nil {
		d.refuse(w, r, err)
		return
	}
	page := pageOf(r, setup)
	name := setup.Workspace.Name
	p := views.WaitPage{Page: page, Action: r.URL.Path, Icon: "hourglass", Facts: []views.MailFact{
		{Label: page.T("mail_what"), Value: strings.Join(mail.WaitServices(setup, &e), "\n")},
		{Label: page.T("mail_when"), Value: strings.Join(page.Locale.Wishes(mail.WaitWishes(&e)), "\n")},
	}}
	switch {
	case e.Status == waitlist.Unconfirmed:
		p.Heading, p.Text = page.T("wait_ask"), page.T("wait_ask_text", "Name", name)
		p.Buttons = []views.WaitButton{{Do: doConfirm, Label: page.T("wait_confirm"), Main: true}, {Do: doLeave, Label: page.T("wait_leave")}}
	case e.Status.Live():
		p.Heading, p.Text = page.T("wait_on"), page.T("wait_on_text", "Name", name)
		p.Buttons = []views.WaitButton{{Do: doLeave, Label: page.T("wait_leave")}}
	case e.EndedBy == waitlist.ByLeaving:
		p.Icon, p.Heading, p.Text = "check", page.T("wait_left"), page.T("wait_left_text")
	default:
		p.Icon, p.Heading, p.Text = "check", page.T("wait_over"), page.T("wait_over_text", "Name", name)
		p.Links = []views.Link{{Label: page.T("see_all", "Name", name), URL: page.Workspace.URL}}
	}
	if refused != nil && refused.Reason == "too_many_waiting" {
		p.Problem = page.T("wait_too_many")
	} else if refused != nil {
		p.Problem = page.T("wait_full")
	}
	p.Title = p.Heading
	d.render(w, r, status, views.WaitView(p))
}
