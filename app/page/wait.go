package page

import (
	"net/http"
	"strings"
	"time"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/mail"
	"daybook/app/waitlist"
	"daybook/app/when"
	"daybook/views"
)

// What the buttons of the page of somebody on the waitlist say.
const (
	doConfirm = "confirm"
	doTake    = "take"
	doRefuse  = "refuse"
	doLeave   = "leave"
)

// askWait shows how an entry of the waitlist stands.
func (d *Decisions) askWait(w http.ResponseWriter, r *http.Request) {
	d.showWait(w, r, http.StatusOK, nil, form{})
}

// wait does what the button says, and shows how the entry stands then. A second click changes nothing.
func (d *Decisions) wait(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	ctx, token := r.Context(), r.PathValue("token")
	var err error
	var f form
	switch r.PostFormValue("do") {
	case doConfirm:
		err = d.service.Waitlist.Confirm(ctx, token)
	case doTake:
		f, err = d.take(r, token)
	case doRefuse:
		err = d.service.Waitlist.Refuse(ctx, token)
	case doLeave:
		if err = d.service.Waitlist.LeaveWaitlist(ctx, token); err == nil {
			d.sayLeft(w, r)
			return
		}
	default:
		d.showWait(w, r, http.StatusBadRequest, nil, f)
		return
	}
	if len(f.wrong) > 0 {
		d.showWait(w, r, http.StatusUnprocessableEntity, nil, f)
		return
	}
	if refused := fault.Refusal(err); refused != nil && (refused.Code == fault.Conflict || refused.Code == fault.BadRequest) {
		d.showWait(w, r, http.StatusConflict, refused, f)
		return
	}
	if err != nil {
		d.refuse(w, r, err)
		return
	}
	d.showWait(w, r, http.StatusOK, nil, f)
}

// take takes what is offered with what the form says, unless something is wrong in that or missing.
func (d *Decisions) take(r *http.Request, token string) (f form, err error) {
	f.values = r.PostForm
	e, setup, err := d.service.Waitlist.ByToken(r.Context(), token)
	if err != nil {
		return f, err
	}
	asked, _ := e.Asked(setup)
	in := waitlist.TakeInput{Email: strings.TrimSpace(f.values.Get("email")), Phone: strings.TrimSpace(f.values.Get("phone")), Answers: answered(asked, f.values), ContactFields: written(setup, f.values)}
	if e.Status == waitlist.Offered {
		f.wrong = wrongIn(pageOf(r, setup).Locale, setup, asked, in.Input(&e, asked), f.values)
	}
	if len(f.wrong) == 0 {
		_, err = d.service.Waitlist.Take(r.Context(), token, in)
	}
	return f, err
}

// sayLeft says that somebody waits no more, also where their entry is gone because it was never confirmed.
func (d *Decisions) sayLeft(w http.ResponseWriter, r *http.Request) {
	page := pageOf(r, nil)
	d.say(w, r, page, "check", page.T("wait_left"), page.T("wait_left_text"))
}

func (d *Decisions) showWait(w http.ResponseWriter, r *http.Request, status int, refused *fault.Error, f form) {
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
	asks, waits := "wait_ask_text", "wait_on_text"
	if e.TellsAll(setup) {
		asks, waits = "wait_ask_text_open", "wait_on_text_open"
	}
	switch {
	case e.Status == waitlist.Unconfirmed:
		p.Heading, p.Text = page.T("wait_ask"), page.T(asks, "Name", name)
		p.Buttons = []views.WaitButton{{Do: doConfirm, Label: page.T("wait_confirm"), Main: true}, {Do: doLeave, Label: page.T("wait_leave")}}
	case e.Status == waitlist.Offered && e.Taken():
		p.Heading, p.Text = page.T("wait_pay"), page.T("wait_pay_text")
	case e.Status == waitlist.Offered && e.Offer != nil && e.Offer.Until > when.At(d.service.Now()):
		d.showOffer(&p, setup, &e, f)
	case e.Status == waitlist.Booked:
		p.Icon, p.Heading, p.Text = "check", page.T("wait_booked"), page.T("wait_booked_text")
	case e.Status.Live():
		p.Heading, p.Text = page.T("wait_on"), page.T(waits, "Name", name)
		p.Buttons = []views.WaitButton{{Do: doLeave, Label: page.T("wait_leave")}}
	case e.EndedBy == waitlist.ByLeaving:
		p.Icon, p.Heading, p.Text = "check", page.T("wait_left"), page.T("wait_left_text")
	default:
		p.Icon, p.Heading, p.Text = "check", page.T("wait_over"), page.T("wait_over_text", "Name", name)
		p.Links = []views.Link{{Label: page.T("see_all", "Name", name), URL: page.Workspace.URL}}
	}
	if url, err := d.bookedURL(r, &e); err != nil {
		d.refuse(w, r, err)
		return
	} else if url != "" {
		p.Links = append(p.Links, views.Link{Label: page.T("wait_to_booking"), URL: url})
	}
	switch {
	case refused == nil:
	case refused.Reason == "too_many_waiting":
		p.Problem = page.T("wait_too_many")
	case refused.Reason == "waitlist_full":
		p.Problem = page.T("wait_full")
	default:
		p.Problem = page.T("wait_offer_over")
	}
	p.Title = p.Heading
	d.render(w, r, status, views.WaitView(p))
}

// showOffer shows what an entry is offered, what the person must still say to take it, and what they agree to by that.
func (d *Decisions) showOffer(p *views.WaitPage, setup *catalog.Setup, e *waitlist.Entry, f form) {
	o, zone := e.Offer, setup.Zone
	if z, ok := catalog.Zone(e.Invitee.TimeZone); ok {
		zone = z
	}
	start, end := o.Start.Time().In(zone), o.End.Time().In(zone)
	p.Heading = p.T("wait_offered")
	p.Text = p.T("wait_offered_text", "Name", setup.Workspace.Name, "Time", p.Locale.Time(o.Until.Time().In(zone), ""))
	p.Facts[1].Value = views.Capital(p.Locale.Date(start)) + "\n" + p.T("mail_time_in", "Time", p.Locale.Span(start, end, ""), "Zone", views.ZoneLabel(zone, start))
	if h := setup.Host(o.Host); h != nil && len(e.Items) == 1 {
		p.Facts = append(p.Facts, views.MailFact{Label: p.T("mail_with"), Value: h.Name})
	}
	for _, item := range e.Items {
		s := setup.EventType(item.EventType)
		if s == nil || !setup.AsksForFee(s) {
			continue
		}
		if fee := shownMoney(s.NoShowFee); fee != nil {
			p.Notes = append(p.Notes, p.T("fee_consent", "Amount", p.Locale.Money(*fee)))
		}
		if fee := shownMoney(s.LateCancellationFee); fee != nil {
			p.Notes = append(p.Notes, p.T("deposit_late_rule", "Notice", p.Locale.Duration(time.Duration(s.CancellationNoticeMinutes)*time.Minute), "Fee", p.Locale.Money(*fee)))
		}
	}
	asked, own := e.Asked(setup)
	if asked.AsksFor == catalog.AskBoth && e.Invitee.Email == "" {
		p.Fields = append(p.Fields, views.Field{Name: "email", Kind: views.Email, Label: p.T("field_email"), Required: true, Autocomplete: "email"})
	}
	if asked.AsksFor == catalog.AskBoth && e.Invitee.Phone == "" {
		p.Fields = append(p.Fields, views.Field{Name: "phone", Kind: views.Phone, Label: p.T("field_phone"), Required: true, Autocomplete: "tel"})
	}
	p.Fields = append(p.Fields, questionFields(asked, own)...)
	for i := range p.Fields {
		g := &p.Fields[i]
		g.Value, g.Error = f.values.Get(g.Name), f.wrong[g.Name]
		if g.Kind == views.Phone && g.Value == "" {
			g.Value = e.Invitee.Phone
		}
	}
	p.Buttons = []views.WaitButton{{Do: doTake, Label: p.T("wait_take"), Main: true}, {Do: doRefuse, Label: p.T("wait_refuse")},
		{Do: doLeave, Label: p.T("wait_leave")}}
}

// bookedURL returns the page of what an entry has become; "" where it has become nothing.
func (d *Decisions) bookedURL(r *http.Request, e *waitlist.Entry) (string, error) {
	first, actor := e.BookingID, app.Actor{Kind: booking.BySystem, Workspace: e.WorkspaceID}
	if e.VisitID != 0 {
		v, err := d.service.Visit(r.Context(), actor, e.VisitID.String())
		if err != nil && !fault.Is(err, fault.NotFound) {
			return "", err
		}
		return v.ManageURL, nil
	}
	if first == 0 {
		return "", nil
	}
	b, err := d.service.Booking(r.Context(), actor, first.String())
	if err != nil && !fault.Is(err, fault.NotFound) {
		return "", err
	}
	return b.ManageURL, nil
}
