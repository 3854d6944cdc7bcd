package agenda

import (
	"maps"
	"slices"
	"strings"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/dashboard/web"
	"daybook/app/fault"
	"daybook/app/payment"
	"daybook/app/record"
	"daybook/views"
	"daybook/views/dash"
)

func (c call) booking() error {
	b, err := c.Rooms.Booking(c.Context(), c.Actor, c.PathValue("id"))
	if err != nil {
		return err
	}
	return c.showBooking(&b, nil)
}

func (c call) showBooking(b *record.Booking, e *fault.Error) error {
	v, err := c.bookingDetail(b)
	if err != nil {
		return err
	}
	if e != nil {
		v.Said, v.SaidBad = c.Sentence(e), true
	}
	return c.Show(web.RefusedStatus(e), dash.BookingShown(v))
}

// bookingDetail is a booking with all that can be done about it.
func (c call) bookingDetail(b *record.Booking) (v dash.BookingDetail, err error) {
	history, err := c.Rooms.History(c.Context(), c.Actor, b.ID.String())
	if err != nil {
		return v, err
	}
	v = dash.BookingDetail{Frame: c.Frame(b.Invitee.Name, "bookings"), ID: b.ID.String(), State: c.StateBadge(b)}
	v.Live = true
	v.When = c.Locale.Date(c.At(b.Start)) + ", " + c.Span(b.Start, b.End)
	v.Zone = c.Setup.Workspace.TimeZone
	outlook, err := c.Rooms.Payment.FeeOutlook(c.Context(), c.Actor, b.ID.String())
	if err != nil {
		return v, err
	}
	v.Facts, v.Answers = c.bookingFacts(b, outlook), c.bookingAnswers(b)
	c.bookingActions(b, outlook, &v)
	if err := c.bookingMoney(b, &v); err != nil {
		return v, err
	}
	for _, h := range slices.Backward(history) {
		v.History = append(v.History, c.historyRow(h))
	}
	return v, nil
}

func (c call) bookingFacts(b *record.Booking, outlook payment.FeeOutlook) []dash.Fact {
	facts := []dash.Fact{{Name: c.T("dash_type"), Value: c.TypeTitle(b)}, {Name: c.T("dash_host"),
		Value: b.Host.Name}}
	add := func(name, value, url string) {
		if value != "" {
			facts = append(facts, dash.Fact{Name: name, Value: value, URL: url})
		}
	}
	if !strings.HasSuffix(b.Invitee.Email, "@invalid") {
		add(c.T("dash_email"), b.Invitee.Email, views.MailTo(b.Invitee.Email))
	}
	add(c.T("dash_phone"), b.Invitee.Phone, "tel:"+web.Dialled(b.Invitee.Phone))
	if z := b.Invitee.TimeZone; z != "" && z != c.Setup.Workspace.TimeZone {
		if at, err := c.inZone(b.Start, z); err == nil {
			add(c.T("dash_their_time"), at, "")
		}
	}
	add(c.T("dash_where"), b.Location, "")
	add(c.T("dash_price"), c.Money(b.Price), "")
	if p := b.Payment; p != nil && p.Kind == record.ForPrice {
		add(c.T("dash_payment"), stateWords(p.Status)+paymentNote(c, p), "")
	}
	if b.NoShowFee != nil {
		add(c.T("dash_pay_fee"), c.Money(b.NoShowFee)+c.feeNote(outlook), "")
	}
	if b.NoShow != nil && b.NoShow.Fee != nil {
		f := b.NoShow.Fee
		add(c.T("dash_fee"), c.Money(&catalog.Money{Amount: f.Amount,
			Currency: f.Currency})+", "+stateWords(f.Status), "")
	}
	if c.May(app.MaySeeContacts) && !strings.HasSuffix(b.Invitee.Email, "@invalid") {
		add(c.T("dash_contact"), c.T("dash_contact_all", "Name", b.Invitee.Name),
			dash.ContactPath(b.ContactID.String()))
	}
	add(c.T("dash_number"), b.ID.String(), "")
	return facts
}

// feeNotes say why a no-show fee can't be charged.
var feeNotes = map[payment.FeeOutlook]string{payment.FeeNoCard: "dash_fee_no_card",
	payment.FeeWaits: "dash_fee_waits"}

func (c call) feeNote(outlook payment.FeeOutlook) string {
	if key, wrong := feeNotes[outlook]; wrong {
		return c.T(key)
	}
	return ""
}

func paymentNote(c call, p *record.Payment) string {
	text := ", " + c.Money(&catalog.Money{Amount: p.Amount, Currency: p.Currency})
	if p.RefundedAmount > 0 {
		text += " (" + c.Money(&catalog.Money{Amount: p.RefundedAmount, Currency: p.Currency}) + " went back)"
	}
	return text
}

// stateWords turns a status such as partially_refunded into words.
func stateWords(s string) string {
	s = strings.ReplaceAll(s, "_", " ")
	return strings.ToUpper(s[:min(1, len(s))]) + s[min(1, len(s)):]
}

// bookingAnswers are the notes and the answers, in the current order of the questions.
func (c call) bookingAnswers(b *record.Booking) []dash.Fact {
	var facts []dash.Fact
	rest := maps.Clone(b.Answers)
	if e := c.Setup.EventTypeByID(b.EventTypeID); e != nil {
		for _, q := range e.Questions {
			if a, has := rest[q.Key]; has {
				facts = append(facts, dash.Fact{Name: q.Label, Value: c.AnswerText(a)})
				delete(rest, q.Key)
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(rest)) {
		facts = append(facts, dash.Fact{Name: key, Value: c.AnswerText(rest[key])})
	}
	if b.Notes != "" {
		facts = append(facts, dash.Fact{Name: c.T("dash_notes"), Value: b.Notes})
	}
	for _, key := range slices.Sorted(maps.Keys(b.Metadata)) {
		facts = append(facts, dash.Fact{Name: key, Value: b.Metadata[key]})
	}
	return facts
}

// bookingActions are what can be done with the booking in its state.
func (c call) bookingActions(b *record.Booking, outlook payment.FeeOutlook, v *dash.BookingDetail) {
	id := b.ID.String()
	reason := func(hint string) dash.Input {
		return dash.Input{Name: "reason", Label: c.T("dash_reason"), Kind: "area", Rows: 2, Hint: hint}
	}
	if b.Status == record.Pending && b.PendingReason != nil {
		if *b.PendingReason == record.ForPayment {
			v.Note = c.T("dash_wait_pay", "When", c.Until(b.ExpiresAt))
		} else {
			v.Note = c.T("dash_wait_approval", "When", c.Until(b.ExpiresAt))
			v.ConfirmURL = dash.BookingConfirmPath(id)
		}
		v.Actions = append(v.Actions,
			dash.Danger{Title: c.T("dash_decline"), Text: c.T("dash_told"),
				Action: dash.BookingDeclinePath(id),
				Submit: c.T("dash_decline"), Inputs: []dash.Input{reason(c.T("dash_told_reason"))}})
	}
	if b.Status.Live() {
		v.MoveURL = dash.BookingMovePath(id)
	}
	if c.May(app.MayMarkVisit) {
		c.visitActions(b, outlook, v)
	}
	if b.Status.Stands() && b.Status.MayBecome(record.Cancelled) {
		cancel := dash.Danger{Title: c.T("dash_cancel_booking"), Text: c.T("dash_told"),
			Action: dash.BookingCancelPath(id),
			Submit: c.T("dash_cancel_booking"), Inputs: []dash.Input{reason(c.T("dash_told_reason"))}}
		if p := b.Payment; p != nil && (p.Status == "paid" || p.Status == "partially_refunded") {
			cancel.Inputs = append(cancel.Inputs,
				dash.Input{Name: "refund", Label: c.T("dash_refund_payment"), Kind: "check", Checked: true})
		}
		v.Actions = append(v.Actions, cancel)
	}
	if e := c.Setup.EventTypeByID(b.EventTypeID); e != nil && e.Active &&
		!strings.HasSuffix(b.Invitee.Email, "@invalid") && !b.Status.Live() {
		v.AgainURL = web.WithQuery(dash.NewBookingPath, map[string][]string{"type": {e.Slug}, "again": {id}})
	}
	if b.Cancellation != nil && b.Cancellation.Reason != "" {
		v.Note = c.T("dash_cancelled_why", "Reason", b.Cancellation.Reason)
	}
}

// historyWords are the messages of what happened to a booking.
var historyWords = map[record.Action]string{
	"created":             "dash_history_created",
	"confirmed":           "dash_history_confirmed",
	"rescheduled":         "dash_history_rescheduled",
	"cancelled":           "dash_history_cancelled",
	"declined":            "dash_history_declined",
	"lapsed":              "dash_history_lapsed",
	"paid":                "dash_history_paid",
	"refunded":            "dash_history_refunded",
	"card_saved":          "dash_history_card_saved",
	"payment_processing":  "dash_history_payment_processing",
	"payment_failed":      "dash_history_payment_failed",
	"paid_late":           "dash_history_paid_late",
	"paid_twice":          "dash_history_paid_twice",
	"refund_asked":        "dash_history_refund_asked",
	"refund_failed":       "dash_history_refund_failed",
	"fee_paid":            "dash_history_fee_paid",
	"fee_failed":          "dash_history_fee_failed",
	"fee_requires_action": "dash_history_fee_requires_action",
	"disputed":            "dash_history_disputed",
}

func (c call) historyRow(h record.HistoryEntry) dash.HistoryRow {
	what := stateWords(string(h.Action))
	switch h.Action {
	case record.ActArrived, record.ActArrivalUndone, record.ActDone, record.ActDoneUndone, record.ActNoShow,
		record.ActNoShowUndone:
		what = c.T("today_history_" + string(h.Action))
	default:
		if key, known := historyWords[h.Action]; known {
			what = c.T(key, "When", c.Day(c.At(h.Start))+", "+c.Clock(h.Start))
		}
	}
	if h.Amount != nil {
		what += ": " + c.Money(h.Amount)
	}
	return dash.HistoryRow{What: what, Who: c.who(h), When: c.Day(c.At(h.At)) + ", " + c.Clock(h.At),
		Reason: h.Reason}
}

// systemActors name who did what nobody did in Daybook. Actions that are not listed are automatic.
var systemActors = map[record.Action]string{
	"paid": "dash_by_invitee", "card_saved": "dash_by_invitee", "payment_processing": "dash_by_invitee",
	"paid_late": "dash_by_invitee", "paid_twice": "dash_by_invitee",
	"payment_failed": "dash_reported_stripe", "refunded": "dash_by_stripe", "refund_failed": "dash_reported_stripe",
	"fee_paid":   "dash_by_stripe",
	"fee_failed": "dash_reported_stripe", "fee_requires_action": "dash_reported_stripe", "disputed": "dash_at_bank",
}

// who names the person or system that did it, as far as the history knows.
func (c call) who(h record.HistoryEntry) string {
	switch h.Actor {
	case record.ByInvitee:
		return c.T("dash_by_invitee")
	case record.ByOwner:
		if h.By == c.Actor.User.String() && h.By != "" {
			return c.T("dash_by_you")
		}
		return c.T("dash_by_business")
	case record.ByAPI:
		return c.T("dash_by_api")
	case record.ByAgent:
		return c.T("dash_by_agent")
	}
	if who, known := systemActors[h.Action]; known {
		return c.T(who)
	}
	return c.T("dash_by_itself")
}
