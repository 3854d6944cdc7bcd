package agenda

import (
	"fmt"
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
	facts := []dash.Fact{{Name: "Event type", Value: c.TypeTitle(b)}, {Name: "Host", Value: b.Host.Name}}
	add := func(name, value, url string) {
		if value != "" {
			facts = append(facts, dash.Fact{Name: name, Value: value, URL: url})
		}
	}
	if !strings.HasSuffix(b.Invitee.Email, "@invalid") {
		add("E-mail", b.Invitee.Email, views.MailTo(b.Invitee.Email))
	}
	add("Phone", b.Invitee.Phone, "tel:"+dialled(b.Invitee.Phone))
	if z := b.Invitee.TimeZone; z != "" && z != c.Setup.Workspace.TimeZone {
		if at, err := c.inZone(b.Start, z); err == nil {
			add("Their time", at, "")
		}
	}
	add("Where", b.Location, "")
	add("Price", c.Money(b.Price), "")
	if p := b.Payment; p != nil && p.Kind == record.ForPrice {
		add("Payment", stateWords(p.Status)+paymentNote(c, p), "")
	}
	if b.NoShowFee != nil {
		add("No-show fee", c.Money(b.NoShowFee)+feeNotes[outlook], "")
	}
	if b.NoShow != nil && b.NoShow.Fee != nil {
		f := b.NoShow.Fee
		add("Fee", c.Money(&catalog.Money{Amount: f.Amount, Currency: f.Currency})+", "+stateWords(f.Status), "")
	}
	if c.May(app.MaySeeContacts) && !strings.HasSuffix(b.Invitee.Email, "@invalid") {
		add("Contact", "All bookings of "+b.Invitee.Name, dash.ContactPath(b.ContactID.String()))
	}
	add("Number", b.ID.String(), "")
	return facts
}

// feeNotes say why a no-show fee can't be charged.
var feeNotes = map[payment.FeeOutlook]string{
	payment.FeeNoCard: ", can’t be charged: no card was saved", payment.FeeWaits: ", can’t be charged until Stripe is " +
		"connected again",
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
				facts = append(facts, dash.Fact{Name: q.Label, Value: answerText(a)})
				delete(rest, q.Key)
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(rest)) {
		facts = append(facts, dash.Fact{Name: key, Value: answerText(rest[key])})
	}
	if b.Notes != "" {
		facts = append(facts, dash.Fact{Name: "Notes", Value: b.Notes})
	}
	for _, key := range slices.Sorted(maps.Keys(b.Metadata)) {
		facts = append(facts, dash.Fact{Name: key, Value: b.Metadata[key]})
	}
	return facts
}

func answerText(a any) string {
	switch v := a.(type) {
	case bool:
		if v {
			return "Yes"
		}
		return "No"
	case nil:
		return "–"
	}
	return fmt.Sprint(a)
}

// bookingActions are what can be done with the booking in its state.
func (c call) bookingActions(b *record.Booking, outlook payment.FeeOutlook, v *dash.BookingDetail) {
	id := b.ID.String()
	reason := func(hint string) dash.Input {
		return dash.Input{Name: "reason", Label: "Reason", Kind: "area", Rows: 2, Hint: hint}
	}
	if b.Status == record.Pending && b.PendingReason != nil {
		if *b.PendingReason == record.ForPayment {
			v.Note = "Waits for the payment; lapses " + c.Until(b.ExpiresAt) + "."
		} else {
			v.Note = "Waits for your approval; expires " + c.Until(b.ExpiresAt) + "."
			v.ConfirmURL = dash.BookingConfirmPath(id)
		}
		v.Actions = append(v.Actions,
			dash.Danger{Title: "Decline booking", Text: "The time will be free again, and the invitee is told.",
				Action: dash.BookingDeclinePath(id),
				Submit: "Decline booking", Inputs: []dash.Input{reason("The invitee can read it.")}})
	}
	if b.Status.Live() {
		v.MoveURL = dash.BookingMovePath(id)
	}
	if c.May(app.MayMarkVisit) {
		c.visitActions(b, outlook, v)
	}
	if b.Status.Stands() && b.Status.MayBecome(record.Cancelled) {
		cancel := dash.Danger{Title: "Cancel booking", Text: "The time will be free again, and the invitee is told.",
			Action: dash.BookingCancelPath(id),
			Submit: "Cancel booking", Inputs: []dash.Input{reason("The invitee can read it.")}}
		if p := b.Payment; p != nil && (p.Status == "paid" || p.Status == "partially_refunded") {
			cancel.Inputs = append(cancel.Inputs,
				dash.Input{Name: "refund", Label: "Refund the payment", Kind: "check", Checked: true})
		}
		v.Actions = append(v.Actions, cancel)
	}
	if e := c.Setup.EventTypeByID(b.EventTypeID); e != nil && e.Active &&
		!strings.HasSuffix(b.Invitee.Email, "@invalid") && !b.Status.Live() {
		v.AgainURL = web.WithQuery(dash.NewBookingPath, map[string][]string{"type": {e.Slug}, "again": {id}})
	}
	if b.Cancellation != nil && b.Cancellation.Reason != "" {
		v.Note = "Cancelled: " + b.Cancellation.Reason
	}
}

var historyWords = map[record.Action]string{
	"created": "Booked", "confirmed": "Approved", "rescheduled": "Moved", "cancelled": "Cancelled", "declined": "Declined",
	"lapsed": "Lapsed",
	"paid":   "Paid", "refunded": "Refunded",
	"card_saved": "Card saved", "payment_processing": "Payment on its way", "payment_failed": "Payment failed",
	"paid_late": "Paid too late; the payment is refunded", "paid_twice": "Paid twice; the second payment is refunded",
	"refund_asked": "Refund requested", "refund_failed": "Refund failed", "fee_paid": "No-show fee charged",
	"fee_failed":          "No-show fee not charged",
	"fee_requires_action": "No-show fee not charged: the cardholder must confirm it", "disputed": "Payment disputed",
}

func (c call) historyRow(h record.HistoryEntry) dash.HistoryRow {
	what := historyWords[h.Action]
	switch h.Action {
	case record.ActArrived, record.ActArrivalUndone, record.ActDone, record.ActDoneUndone, record.ActNoShow,
		record.ActNoShowUndone:
		what = c.T("today_history_" + string(h.Action))
	}
	if what == "" {
		what = stateWords(string(h.Action))
	}
	switch h.Action {
	case "rescheduled":
		what += " to " + c.Day(c.At(h.Start)) + ", " + c.Clock(h.Start)
	case "created":
		what += " for " + c.Day(c.At(h.Start)) + ", " + c.Clock(h.Start)
	}
	if h.Amount != nil {
		what += ": " + c.Money(h.Amount)
	}
	return dash.HistoryRow{What: what, Who: c.who(h), When: c.Day(c.At(h.At)) + ", " + c.Clock(h.At), Reason: h.Reason}
}

// systemActors name who did what nobody did in Daybook. Actions that are not listed are automatic.
var systemActors = map[record.Action]string{
	"paid": "by the invitee", "card_saved": "by the invitee", "payment_processing": "by the invitee",
	"paid_late": "by the invitee", "paid_twice": "by the invitee",
	"payment_failed": "reported by Stripe", "refunded": "by Stripe", "refund_failed": "reported by Stripe",
	"fee_paid":   "by Stripe",
	"fee_failed": "reported by Stripe", "fee_requires_action": "reported by Stripe", "disputed": "at the invitee’s bank",
}

// who names the person or system that did it, as far as the history knows.
func (c call) who(h record.HistoryEntry) string {
	switch h.Actor {
	case record.ByInvitee:
		return "by the invitee"
	case record.ByOwner:
		if h.By == c.Actor.User.String() && h.By != "" {
			return "by you"
		}
		return "by the business"
	case record.ByAPI:
		return "by the API"
	case record.ByAgent:
		return "by an agent"
	}
	if who, known := systemActors[h.Action]; known {
		return who
	}
	return "automatically"
}
