package page

import (
	"bytes"
	"cmp"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/gate"
	"daybook/app/guest"
	"daybook/app/id"
	"daybook/app/when"
	"daybook/views"
)

// book handles the booking form. The confirmation is a page of its own, so that reloading it books nothing.
func book(v *visit) error {
	e, err := v.enterEvent()
	if err != nil || e == nil {
		return err
	}
	if err := v.r.ParseForm(); err != nil {
		return formError(err)
	}
	f := form{values: v.r.PostForm}
	v.takeForm(&f)
	e, gone, err := v.chooseByForm(e, f)
	if err != nil {
		return err
	}
	if f.values.Has(Field) {
		return v.keep(e, f)
	}
	in := v.input(e, f)
	if gone {
		return v.notOffered(e, in, f)
	}
	if f.wrong = v.wrong(e, in, f); len(f.wrong) > 0 {
		return v.again(http.StatusUnprocessableEntity, e, f)
	}
	if f.start == 0 {
		return v.offerOthers(http.StatusUnprocessableEntity, e, f, true)
	}
	bits, err := v.work()
	if err != nil {
		return err
	}
	key, done := v.r.PostForm.Get(gate.FormKeyField), v.r.PostForm.Get(gate.ProofField)
	asked := gate.Form{Client: v.client(), Proves: bits > 0,
		Purpose: v.slug() + "/" + e.Slug + "@" + f.start.String() + "/" +
			cmp.Or(fault.EmailKey(in.Invitee.Email), in.Invitee.Phone)}
	if v.challenge.Genuine(key) {
		asked.Key = key
	}
	switch met := v.challenge.Met(key, done, bits); {
	case v.r.PostForm.Get(views.HoneypotName) != "" || !met && done != "":
		return v.failed(e, f)
	case !met && v.r.PostForm.Has(views.ByMailName):
		asked.Proves = false
		return v.bookByMail(e, in, f, asked)
	case !met: // the form was shown before work was asked for
		f.problem, f.again = v.locale.T("challenge_again"), true
		return v.again(http.StatusUnprocessableEntity, e, f)
	}
	return v.bookOnce(e, in, f, asked)
}

// work is how many zero bits the proof of work of a booking must have; 0 is none. Whoever came by an invitation link was
// let in by the business, however many others book.
func (v *visit) work() (bits int, err error) {
	if v.link != "" || v.draft != nil {
		return v.challenge.Bits(), nil
	}
	return v.service.Form.Work(v.r.Context(), v.setup.Workspace.ID, v.challenge.Bits(), v.bookingsPerHour)
}

// bookByMail is for visitors without JavaScript, who can't do the work that is asked for: they get a mail whose link
// books. Until then their time is held for 30 minutes, and that is all. Where no mail can reach them, the business must
// confirm the booking.
func (v *visit) bookByMail(e *catalog.EventType, in booking.BookInput, f form, asked gate.Form) error {
	ctx := v.r.Context()
	if in.Invitee.Email == "" || v.link != "" {
		in.NeedsOK = true
		return v.bookOnce(e, in, f, asked)
	}
	if err := v.service.Form.Count(ctx, asked.Client); err != nil {
		return err
	}
	_, err := v.service.Guest.Ask(ctx, v.setup, guest.Asked{From: asked.Address, ByPage: true, BookInput: in})
	refused := fault.Refusal(err)
	switch {
	case err == nil:
		return v.show(http.StatusOK, views.MessageView(views.ConfirmByMail(v.page(), in.Invitee.Email)))
	case refused == nil:
		return err
	case refused.Reason == "page_only": // no mail goes out
		in.NeedsOK, asked.Client = true, gate.Client{} // it was counted
		return v.bookOnce(e, in, f, asked)
	case refused.Reason == "too_many_mails" || refused.Reason == "too_many_holds" || refused.Reason == "request_waits":
		f.problem = v.locale.T("challenge_wait")
		return v.again(http.StatusConflict, e, f)
	}
	return v.refused(e, in, f, err)
}

// keep holds the time of the form for who fills it in, where the owner wants that, and answers the id of the hold.
func (v *visit) keep(e *catalog.EventType, f form) (err error) {
	id := ""
	if v.setup.Workspace.Settings.HoldsTimes && v.challenge.Genuine(f.values.Get(gate.FormKeyField)) {
		id, err = Time(v.r.Context(), v.service, v.actor, v.client(), f.values.Get(Field), v.input(e, f))
	}
	if v.personal = true; err == nil {
		v.headers()
		v.w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		v.send(http.StatusOK, bytes.NewBufferString(id))
	}
	return err
}

// notOffered shows the form as it was typed, with the nearest choice that there is in place of one that is gone.
func (v *visit) notOffered(e *catalog.EventType, in booking.BookInput, f form) error {
	f.wrong, f.problem = v.wrong(e, in, f), v.locale.T("choice_gone")
	return v.again(http.StatusUnprocessableEntity, e, f)
}

// failed shows the form as it was typed, and does not say why.
func (v *visit) failed(e *catalog.EventType, f form) error {
	f.problem = v.locale.T("failed_text")
	return v.again(http.StatusUnprocessableEntity, e, f)
}

// client is who sends the form.
func (v *visit) client() gate.Client {
	return gate.Client{Address: v.clientIP(v.r.Context()), Most: v.bookingsPerHour}
}

// takeForm reads the zone and the start from the form; the rest of the query may be missing.
func (v *visit) takeForm(f *form) {
	if zone := f.values.Get("timeZone"); zone != "" {
		v.query.TimeZone = zone
		v.readZone("")
	}
	start := f.values.Get("start")
	if start == "" {
		start = v.query.Start
	}
	if at, err := when.Parse(start); err == nil {
		f.start = at
	}
	if with, err := id.Parse[catalog.HostIDKind](f.values.Get(withField)); err == nil && v.host == nil {
		f.with = with
	}
	// What was typed is kept when another time is picked.
	sent := views.ReadQuery(f.values)
	v.query.Prefill = sent.Prefill
	v.query.Start, v.query.Date, v.query.Month = "", "", ""
}

// input is the form as the Service expects it.
func (v *visit) input(e *catalog.EventType, f form) booking.BookInput {
	in := booking.BookInput{
		Invitation: v.link, Hold: f.values.Get(Hold),
		EventType: e.Slug, Start: f.start.String(), Notes: f.values.Get("notes"), Answers: map[string]any{},
		Metadata: v.query.Metadata(),
		Invitee: booking.Invitee{
			Name: f.values.Get("name"), Email: strings.TrimSpace(f.values.Get("email")),
			Phone: strings.TrimSpace(f.values.Get("phone")), TimeZone: v.zone.String(), Locale: v.locale.Tag,
		},
	}
	if in.Host = v.hostRef(); in.Host == "" && f.with != 0 {
		in.Host, in.AnyHost = f.with.String(), true
	}
	in.AddOns, in.Seats, in.Participants = v.choice.AddOns, v.choice.Seats, names(f.values.Get(participantsField))
	for _, q := range e.Questions {
		value := strings.TrimSpace(f.values.Get(views.QuestionPrefix + q.Key))
		switch {
		case q.Type == "checkbox":
			in.Answers[q.Key] = ticked(value)
		case value != "":
			in.Answers[q.Key] = value
		}
		if q.Type == "phone" && in.Invitee.Phone == "" {
			in.Invitee.Phone = value
		}
	}
	return in
}

// bookOnce books, unless this same form has already done so.
func (v *visit) bookOnce(e *catalog.EventType, in booking.BookInput, f form, asked gate.Form) error {
	ctx := v.r.Context()
	b, err := v.service.Form.Book(ctx, asked, func(tx app.Tx) (booking.Booking, error) {
		return Book(in, func(in booking.BookInput) (booking.Booking, error) {
			return v.service.In(tx).Book(ctx, v.actor, in)
		})
	})
	switch {
	case errors.Is(err, gate.ErrSpent):
		return v.failed(e, f)
	case err != nil:
		return v.refused(e, in, f, err)
	}
	v.service.Present(v.setup, v.actor, &b)
	q := v.query.Look()
	q.TimeZone, q.Fresh, q.UTM = "", true, [len(q.UTM)]string{}
	return v.redirect(views.BookingPath(token(&b), q))
}

// personal are the messages for who has booked an event type as often as one person may, and for whom nobody can say
// whether the time is free.
var personal = map[string]string{"person_upcoming": "limit_page_upcoming", "person_day_full": "limit_page_day",
	"person_week_full": "limit_page_week", "calendar_unknown": "calsync_page_unknown"}

// refused shows why the Service did not book.
func (v *visit) refused(e *catalog.EventType, in booking.BookInput, f form, err error) error {
	wrong := fault.Refusal(err)
	switch {
	case wrong != nil && strings.HasPrefix(wrong.Reason, byLink):
		return v.notInvited(err)
	case wrong == nil || wrong.Code == fault.NotFound || wrong.Code == fault.RateLimited:
		return err
	case wrong.Reason == "already_booked":
		// The time is open to others (one that isn't was refused as taken, whoever asked). A person who only knows an
		// address must not see its bookings: the link was sent there by mail.
		if in.Invitee.Email == "" {
			return v.show(http.StatusConflict, views.MessageView(views.AlreadyByPhone(v.page())))
		}
		return v.show(http.StatusConflict, views.MessageView(views.Already(v.page())))
	case wrong.Reason == "inactive":
		return v.closed()
	case wrong.Reason == "slot_taken":
		return v.offerOthers(http.StatusConflict, e, f, false)
	case personal[wrong.Reason] != "":
		f.problem = v.locale.T(personal[wrong.Reason])
		return v.again(http.StatusConflict, e, f)
	case wrong.Reason == "day_full" || wrong.Reason == "too_soon":
		return v.offerOthers(http.StatusConflict, e, f, true)
	case ofChoice(wrong):
		return v.notOffered(e, in, f)
	case wrong.Field == "start":
		return v.offerOthers(http.StatusBadRequest, e, f, true)
	}
	v.log.WarnContext(v.r.Context(), "a booking form was refused", "field", wrong.Field, "reason", wrong.Reason)
	return v.failed(e, f)
}

// offerOthers shows the form as it was typed, with the next open times. closed says that the time was closed rather
// than taken by someone else.
func (v *visit) offerOthers(status int, e *catalog.EventType, f form, closed bool) error {
	if err := v.offerTimes(v.r.Context(), e, &f); err != nil {
		return err
	}
	f.taken.Closed = closed
	if f.start == 0 || f.start < when.At(v.service.Now()) {
		f.start = when.At(v.service.Now())
	}
	return v.again(status, e, f)
}

// again shows the form as it was typed, with its errors.
func (v *visit) again(status int, e *catalog.EventType, f form) error {
	return v.showDetails(status, e, f)
}

// wrong says for each field, in the visitor's language, how to correct it.
func (v *visit) wrong(e *catalog.EventType, in booking.BookInput, f form) map[string]string {
	wrong := map[string]string{}
	for _, problem := range in.Problems(e, v.setup.Workspace.PhoneCountry()) {
		name := fieldName(problem.Field)
		wrong[name] = v.sentence(e, name, strings.TrimSpace(f.values.Get(name)))
		if problem.Reason == "contact_missing" && e.Asks() == catalog.AskEither {
			wrong[name] = v.locale.T("contact_error_either")
		}
	}
	if text := v.wrongNames(&in); text != "" {
		wrong[participantsField] = text
	}
	if v.holdsCard(e) && !ticked(f.values.Get(consentField)) {
		wrong[consentField] = v.locale.T("error_checkbox")
	}
	return wrong
}

// fieldName is the field of the form that asks for an input of the Service.
func fieldName(field string) string {
	if key, is := strings.CutPrefix(field, "answers."); is {
		return views.QuestionPrefix + key
	}
	return strings.TrimPrefix(field, "invitee.")
}

// maxLength is how many characters the Service accepts in a field.
var maxLength = map[string]int{"name": fault.MaxName, "email": fault.MaxEmail, "notes": booking.MaxNotes,
	"text": catalog.MaxAnswer, "long_text": catalog.MaxLongAnswer, "phone": fault.MaxPhone}

func (v *visit) sentence(e *catalog.EventType, name, value string) string {
	kind := name
	for _, q := range e.Questions {
		if views.QuestionPrefix+q.Key == name {
			kind = q.Type
		}
	}
	switch n := maxLength[kind]; {
	case kind == "checkbox":
		return v.locale.T("error_checkbox")
	case kind == "choice":
		return v.locale.T("error_choice")
	case value == "":
		return v.locale.T("error_required")
	case kind == "email":
		return v.locale.T("error_email")
	case kind == "phone":
		return v.locale.T("error_phone")
	case len([]rune(value)) > n:
		return v.locale.T("error_too_long", "Count", n)
	}
	return v.locale.T("error_characters")
}

// formError is the error for a body that can't be read as a form.
func formError(err error) error {
	if _, is := err.(url.EscapeError); is {
		return fault.New(fault.BadRequest, "", "%v", err)
	}
	return err
}
