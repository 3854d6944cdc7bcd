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
func book(c *call) error {
	e, err := c.enterEvent()
	if err != nil || e == nil {
		return err
	}
	if err := c.r.ParseForm(); err != nil {
		return formError(err)
	}
	f := form{values: c.r.PostForm}
	c.takeForm(&f)
	e, gone, err := c.chooseByForm(e, f)
	if err != nil {
		return err
	}
	if c.query.With != "" {
		b, lost := c.basket(e)
		return c.bookVisit(b, e, f, gone || lost)
	}
	if f.values.Has(Field) {
		return c.keep(e, f)
	}
	in := c.input(e, f)
	if gone {
		return c.notOffered(e, in, f)
	}
	if in.PayWith != nil && asksForDates(f) {
		f.wrong = c.wrong(e, in, f)
		f.wrong[passField] = c.locale.T("voucher_one")
		return c.again(http.StatusUnprocessableEntity, e, f)
	}
	if asksForDates(f) && f.start != 0 {
		return c.takeSeries(seriesForm{series: c.seriesOfOne(e, f), purpose: e.Slug,
			again: func(status int, f form) error { return c.again(status, e, f) },
			input: func(f form) (booking.BookInput, map[string]string) { return in, c.wrong(e, in, f) },
			to:    func(first *booking.Booking) string { return views.BookingPath(token(first), c.booked(f)) },
		}, f)
	}
	if f.wrong = c.wrong(e, in, f); len(f.wrong) > 0 {
		return c.again(http.StatusUnprocessableEntity, e, f)
	}
	if f.start == 0 {
		return c.offerOthers(http.StatusUnprocessableEntity, e, f, true)
	}
	bits, err := c.work()
	if err != nil {
		return err
	}
	key, done := c.r.PostForm.Get(gate.FormKeyField), c.r.PostForm.Get(gate.ProofField)
	asked := gate.Form{Client: c.client(), Proves: bits > 0,
		Purpose: c.slug() + "/" + e.Slug + "@" + f.start.String() + "/" +
			cmp.Or(fault.EmailKey(in.Invitee.Email), in.Invitee.Phone)}
	if c.challenge.Genuine(key) {
		asked.Key = key
	}
	switch met := c.challenge.Met(key, done, bits); {
	case c.r.PostForm.Get(views.HoneypotName) != "" || !met && done != "":
		return c.failed(e, f)
	case !met && c.r.PostForm.Has(views.ByMailName):
		asked.Proves = false
		return c.bookByMail(e, in, f, asked)
	case !met: // the form was shown before work was asked for
		f.problem, f.again = c.locale.T("challenge_again"), true
		return c.again(http.StatusUnprocessableEntity, e, f)
	}
	if err := c.service.FindPass(c.r.Context(), c.actor, in.PayWith); err != nil {
		return c.refused(e, in, f, err)
	}
	return c.bookOnce(e, in, f, asked)
}

// work returns how many zero bits the proof of work of a booking must have; 0 is none. Whoever came by an invitation
// link was let in by the business, however many others book.
func (c *call) work() (bits int, err error) {
	if c.link != "" || c.draft != nil {
		return c.challenge.Bits(), nil
	}
	return c.service.Gate.Work(c.r.Context(), c.setup.Workspace.ID, c.challenge.Bits(), c.bookingsPerHour)
}

// bookByMail is for visitors without JavaScript, who can't do the work that is asked for: they get a mail whose link
// books. Until then their time is held for 30 minutes, and that is all. Where no mail can reach them, the business must
// confirm the booking.
func (c *call) bookByMail(e *catalog.EventType, in booking.BookInput, f form, asked gate.Form) error {
	ctx := c.r.Context()
	if in.Invitee.Email == "" || c.link != "" {
		in.NeedsOK = true
		return c.bookOnce(e, in, f, asked)
	}
	if err := c.service.Gate.Count(ctx, asked.Client); err != nil {
		return err
	}
	in.PayWith = nil // a code isn't kept in clear until then; it can pay on site
	ask := guest.Asked{From: asked.Address, ByPage: true, BookInput: in}
	if c.wantsTexts(f) {
		ask.Texts = c.textsWording()
	}
	_, err := c.service.Guest.Ask(ctx, c.setup, ask)
	refused := fault.Refusal(err)
	switch {
	case err == nil:
		return c.showMessage(http.StatusOK, views.ConfirmByMail(c.page(), in.Invitee.Email))
	case refused == nil:
		return err
	case refused.Reason == "page_only": // no mail goes out
		in.NeedsOK, asked.Client = true, gate.Client{} // it was counted
		return c.bookOnce(e, in, f, asked)
	case refused.Reason == "too_many_mails" || refused.Reason == "too_many_holds" || refused.Reason == "request_waits":
		f.problem = c.locale.T("challenge_wait")
		return c.again(http.StatusConflict, e, f)
	}
	return c.refused(e, in, f, err)
}

// keep holds the time of the form of one service.
func (c *call) keep(e *catalog.EventType, f form) error {
	in := c.input(e, f)
	return c.keepFor(f, c.client(), app.HoldInput{EventType: in.EventType, Start: in.Start, Host: in.Host, AddOns: in.AddOns,
		Seats: in.Seats, Visitor: &app.HoldVisitor{Email: in.Invitee.Email, Before: in.Hold}})
}

// keepFor holds the time of the form for who fills it in, where the owner wants that, and answers the id of the hold.
func (c *call) keepFor(f form, who gate.Client, in app.HoldInput) (err error) {
	id := ""
	if c.setup.Workspace.Settings.HoldsTimes && c.challenge.Genuine(f.values.Get(gate.FormKeyField)) {
		id, err = Time(c.r.Context(), c.service, c.actor, who, f.values.Get(Field), in)
	}
	if c.personal = true; err == nil {
		c.headers()
		c.w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		c.send(http.StatusOK, bytes.NewBufferString(id))
	}
	return err
}

// notOffered shows the form as it was typed, with the nearest choice that there is in place of one that is gone.
func (c *call) notOffered(e *catalog.EventType, in booking.BookInput, f form) error {
	f.wrong, f.problem = c.wrong(e, in, f), c.locale.T("choice_gone")
	return c.again(http.StatusUnprocessableEntity, e, f)
}

// failed shows the form as it was typed, and does not say why.
func (c *call) failed(e *catalog.EventType, f form) error {
	f.problem = c.locale.T("failed_text")
	return c.again(http.StatusUnprocessableEntity, e, f)
}

// client returns who sends the form.
func (c *call) client() gate.Client {
	return gate.Client{Address: c.clientIP(c.r.Context()), Most: c.bookingsPerHour}
}

// takeForm reads the zone and the start from the form; the rest of the query may be missing.
func (c *call) takeForm(f *form) {
	if zone := f.values.Get("timeZone"); zone != "" {
		c.query.TimeZone = zone
		c.readZone("")
	}
	start := f.values.Get("start")
	if start == "" {
		start = c.query.Start
	}
	if at, err := when.Parse(start); err == nil {
		f.start = at
	}
	if with, err := id.Parse[catalog.HostIDKind](f.values.Get(withField)); err == nil && c.host == nil {
		f.with = with
	}
	// What was typed is kept when another time is picked.
	sent := views.ReadQuery(f.values)
	c.query.Prefill = sent.Prefill
	c.query.Start, c.query.Date, c.query.Month = "", "", ""
}

// input returns the form as the Service expects it.
func (c *call) input(e *catalog.EventType, f form) booking.BookInput {
	in := booking.BookInput{
		Invitation: c.link, Hold: f.values.Get(Hold),
		EventType: e.Slug, Start: f.start.String(), Notes: f.values.Get("notes"),
		Metadata: c.query.Metadata(),
		Invitee: booking.Invitee{
			Name: f.values.Get("name"), Email: strings.TrimSpace(f.values.Get("email")),
			Phone: strings.TrimSpace(f.values.Get("phone")), TimeZone: c.zone.String(), Locale: c.locale.Tag,
		},
	}
	if code := strings.TrimSpace(f.values.Get(passField)); code != "" {
		in.PayWith = &booking.PayWith{Pass: code}
	}
	if in.Host = c.hostRef(); in.Host == "" && f.with != 0 {
		in.Host, in.AnyHost = f.with.String(), true
	}
	in.AddOns, in.Seats, in.Participants = c.choice.AddOns, c.choice.Seats, names(f.values.Get(participantsField))
	for _, q := range e.Questions {
		if q.Type == "phone" && in.Invitee.Phone == "" {
			in.Invitee.Phone = strings.TrimSpace(f.values.Get(views.QuestionPrefix + q.Key))
		}
	}
	in.Answers, in.ContactFields, in.MustGive = answered(e, f.values), written(c.setup, f.values), true
	return in
}

// answered returns the answers of a form to the event type's questions.
func answered(e *catalog.EventType, values url.Values) map[string]any {
	answers := map[string]any{}
	for _, q := range e.Questions {
		value := strings.TrimSpace(values.Get(views.QuestionPrefix + q.Key))
		switch {
		case q.Type == "checkbox":
			answers[q.Key] = ticked(value)
		case value != "":
			answers[q.Key] = value
		}
	}
	return answers
}

// written returns what a form has in the workspace's own fields; nil is nothing.
func written(setup *catalog.Setup, values url.Values) (fields map[string]any) {
	for _, own := range setup.Workspace.Settings.FormFields() {
		if value := strings.TrimSpace(values.Get(views.OwnFieldPrefix + own.Key)); value != "" {
			if fields == nil {
				fields = map[string]any{}
			}
			fields[own.Key] = value
		}
	}
	return fields
}

// bookOnce books, unless this same form has already done so.
func (c *call) bookOnce(e *catalog.EventType, in booking.BookInput, f form, asked gate.Form) error {
	ctx := c.r.Context()
	b, err := c.service.Gate.Book(ctx, asked, func(tx app.Tx) (booking.Booking, error) {
		in := in
		return Book(in.Hold, func(hold string) (booking.Booking, error) {
			in.Hold = hold
			b, err := c.service.In(tx).Book(ctx, c.actor, in)
			if err == nil {
				err = c.tickTexts(tx, &b, f)
			}
			return b, err
		})
	})
	switch {
	case errors.Is(err, gate.ErrSpent):
		return c.failed(e, f)
	case err != nil:
		return c.refused(e, in, f, err)
	}
	c.service.Present(c.setup, c.actor, &b)
	return c.redirect(views.BookingPath(token(&b), c.booked(f)))
}

// booked returns the query of the page of what was booked a moment ago.
func (c *call) booked(f form) views.Query {
	q := c.query.Look()
	q.TimeZone, q.Fresh, q.UTM = "", true, [len(q.UTM)]string{}
	q.Texts = c.wantsTexts(f)
	return q
}

// personal are the messages for who has booked an event type as often as one person may, and for whom nobody can say
// whether the time is free.
var personal = map[string]string{"requirement": "limit_page_requirement", "person_upcoming": "limit_page_upcoming", "person_day_full": "limit_page_day",
	"person_week_full": "limit_page_week", "calendar_unknown": "calsync_page_unknown"}

// refused shows why the Service did not book.
func (c *call) refused(e *catalog.EventType, in booking.BookInput, f form, err error) error {
	wrong := fault.Refusal(err)
	switch {
	case wrong != nil && strings.HasPrefix(wrong.Reason, byLink):
		return c.notInvited(err)
	case wrong != nil && wrong.Code != fault.RateLimited && in.PayWith != nil && (strings.HasPrefix(wrong.Reason, "pass_") || strings.HasPrefix(wrong.Field, "payWith")):
		f.wrong = map[string]string{passField: c.noPass(wrong)}
		return c.again(http.StatusUnprocessableEntity, e, f)
	case wrong == nil || wrong.Code == fault.NotFound || wrong.Code == fault.RateLimited:
		return err
	case wrong.Reason == "already_booked":
		return c.already(in.Invitee.Email)
	case wrong.Reason == "inactive":
		return c.closed()
	case wrong.Reason == "slot_taken":
		return c.offerOthers(http.StatusConflict, e, f, false)
	case personal[wrong.Reason] != "":
		f.problem = c.locale.T(personal[wrong.Reason])
		return c.again(http.StatusConflict, e, f)
	case wrong.Reason == "day_full" || wrong.Reason == "too_soon":
		return c.offerOthers(http.StatusConflict, e, f, true)
	case ofChoice(wrong):
		return c.notOffered(e, in, f)
	case wrong.Field == "start":
		return c.offerOthers(http.StatusBadRequest, e, f, true)
	}
	c.log.WarnContext(c.r.Context(), "a booking form was refused", "field", wrong.Field, "reason", wrong.Reason)
	return c.failed(e, f)
}

// offerOthers shows the form as it was typed, with the next open times. closed says that the time was closed rather
// than taken by someone else.
func (c *call) offerOthers(status int, e *catalog.EventType, f form, closed bool) error {
	if err := c.offerTimes(c.r.Context(), e, &f); err != nil {
		return err
	}
	f.taken.Closed = closed
	if f.start == 0 || f.start < when.At(c.service.Now()) {
		f.start = when.At(c.service.Now())
	}
	return c.again(status, e, f)
}

// again shows the form as it was typed, with its errors.
func (c *call) again(status int, e *catalog.EventType, f form) error {
	return c.showDetails(status, e, f)
}

// wrong says for each field, in the visitor's language, how to correct it.
func (c *call) wrong(e *catalog.EventType, in booking.BookInput, f form) map[string]string {
	wrong := wrongIn(c.locale, c.setup, e, in, f.values)
	if text := c.wrongNames(&in); text != "" {
		wrong[participantsField] = text
	}
	if c.takesFee(e) && !ticked(f.values.Get(consentField)) {
		wrong[consentField] = c.locale.T("error_checkbox")
	}
	return wrong
}

// wrongIn says for each field that asks about the invitee what is wrong in it, in the words of the locale.
func wrongIn(l *views.Locale, setup *catalog.Setup, e *catalog.EventType, in booking.BookInput, values url.Values) map[string]string {
	wrong := map[string]string{}
	for _, problem := range in.Problems(e, setup.Workspace.PhoneCountry()) {
		name := fieldName(problem.Field)
		wrong[name] = sentence(l, e, name, strings.TrimSpace(values.Get(name)))
		if problem.Reason == "contact_missing" && e.Asks() == catalog.AskEither {
			wrong[name] = l.T("contact_error_either")
		}
	}
	_, err := setup.Workspace.Settings.CheckWritten(in.ContactFields, in.MustGive)
	if e := fault.As(err); e != nil {
		for _, problem := range append([]*fault.Error{e}, e.Others...) {
			name := fieldName(problem.Field)
			wrong[name] = ownSentence(l, setup, name, strings.TrimSpace(values.Get(name)))
		}
	}
	return wrong
}

// fieldName returns the field of the form that asks for an input of the Service.
func fieldName(field string) string {
	if key, is := strings.CutPrefix(field, "answers."); is {
		return views.QuestionPrefix + key
	}
	if key, is := strings.CutPrefix(field, "contactFields."); is {
		return views.OwnFieldPrefix + key
	}
	return strings.TrimPrefix(field, "invitee.")
}

// maxLength is how many characters the Service accepts in a field.
var maxLength = map[string]int{"name": fault.MaxName, "email": fault.MaxEmail, "notes": booking.MaxNotes,
	"text": catalog.MaxAnswer, "long_text": catalog.MaxLongAnswer, "phone": fault.MaxPhone}

func sentence(l *views.Locale, e *catalog.EventType, name, value string) string {
	kind := name
	for _, q := range e.Questions {
		if views.QuestionPrefix+q.Key == name {
			kind = q.Type
		}
	}
	switch n := maxLength[kind]; {
	case kind == "checkbox":
		return l.T("error_checkbox")
	case kind == "choice":
		return l.T("error_choice")
	case value == "":
		return l.T("error_required")
	case kind == "email":
		return l.T("error_email")
	case kind == "phone":
		return l.T("error_phone")
	case len([]rune(value)) > n:
		return l.T("error_too_long", "Count", n)
	}
	return l.T("error_characters")
}

// ownSentence says what is wrong with what was written in one of the workspace's own fields.
func ownSentence(l *views.Locale, setup *catalog.Setup, name, value string) string {
	f, _ := setup.Workspace.Settings.ContactField(strings.TrimPrefix(name, views.OwnFieldPrefix))
	switch {
	case f == nil:
		return l.T("error_characters")
	case f.Type == catalog.ChoiceField:
		return l.T("error_choice")
	case value == "":
		return l.T("error_required")
	case f.Type == catalog.NumberField:
		return l.T("field_number_fault")
	case f.Type == catalog.DateField:
		return l.T("field_date_fault")
	case len([]rune(value)) > catalog.MaxFieldValue:
		return l.T("error_too_long", "Count", catalog.MaxFieldValue)
	}
	return l.T("error_characters")
}

// formError is the error for a body that can't be read as a form.
func formError(err error) error {
	if _, is := err.(url.EscapeError); is {
		return fault.New(fault.BadRequest, "", "%v", err)
	}
	return err
}

// already says that somebody with that address, or without one that telephone number, has booked this before. The time is open
// to others (one that isn't was refused as taken, whoever asked). A person who only knows an address must not see its bookings:
// the link was sent there by mail.
func (c *call) already(email string) error {
	message := views.Already
	if email == "" {
		message = views.AlreadyByPhone
	}
	return c.showMessage(http.StatusConflict, message(c.page()))
}
