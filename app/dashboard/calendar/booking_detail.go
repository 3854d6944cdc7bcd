package calendar

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/dashboard/web"
	"daybook/app/fault"
	"daybook/app/money"
	"daybook/app/payment"
	"daybook/app/when"
	"daybook/views"
	"daybook/views/dash"
)

// detail returns a booking with all that can be done about it.
func (c call) detail(b *booking.Booking) (v dash.BookingDetail, err error) {
	history, err := c.Subjects.History(c.Context(), c.Actor, b.ID.String())
	if err != nil {
		return v, err
	}
	v = dash.BookingDetail{Frame: c.Frame(c.Invitee(b), "bookings"), ID: b.ID.String()}
	if err := c.Cancelling(&v.Frame, false); err != nil {
		return v, err
	}
	if !c.BeingCancelled(b) {
		v.Cancelling = nil
	}
	v.State, v.Over = c.StateBadge(b), b.End.Time().Before(c.Subjects.Now())
	v.Live = true
	v.When = c.Locale.Date(c.At(b.Start)) + ", " + c.Span(b.Start, b.End)
	v.Zone = c.Setup.Workspace.TimeZone
	outlook, err := c.Subjects.Payment.FeeOutlook(c.Context(), c.Actor, b.ID.String())
	if err != nil {
		return v, err
	}
	texts, err := c.Subjects.Text.Tells(c.Context(), b, catalog.TextMoved)
	if err != nil {
		return v, err
	}
	v.Facts, v.Answers = c.bookingFacts(b, outlook, texts), append(c.bookingAnswers(b), c.bookingFields(b)...)
	also, err := c.visitFacts(b, dash.BookingPath)
	if err != nil {
		return v, err
	}
	v.Facts = append(v.Facts, also...)
	if err := c.seriesRows(b, &v); err != nil {
		return v, err
	}
	c.links(b, &v)
	if v.SoonURL, v.SoonLabel, err = c.soonAgain(b); err != nil {
		return v, err
	}
	if err := c.offers(b, outlook, &v); err != nil {
		return v, err
	}
	if err := c.bookingMoney(b, &v); err != nil {
		return v, err
	}
	if v.Till, err = c.tillOf(b, dash.BookingPath(v.ID)); err != nil {
		return v, err
	}
	if v.Customer, err = c.customer(b); err != nil {
		return v, err
	}
	for i, h := range slices.Backward(history) {
		row := c.historyRow(h)
		if i > 0 && h.Action == booking.ActRescheduled && h.Start == history[i-1].Start {
			row.What = c.changedAt(h, history[i-1])
		}
		v.History = append(v.History, row)
	}
	return v, nil
}

func (c call) bookingFacts(b *booking.Booking, outlook payment.FeeOutlook, texts bool) []dash.Fact {
	facts := []dash.Fact{{Name: c.T("dash_type"), Value: c.TypeTitle(b)}, {Name: c.T("dash_host"),
		Value: b.Host.Name, Portrait: c.HostPortrait(b)}}
	add := func(name, value, url string) {
		if value != "" {
			facts = append(facts, dash.Fact{Name: name, Value: value, URL: url})
		}
	}
	if !strings.HasSuffix(b.Invitee.Email, "@invalid") {
		add(c.T("dash_email"), b.Invitee.Email, views.MailTo(b.Invitee.Email))
	}
	if b.Invitee.Email == "" && b.Status.Live() {
		if texts {
			add(c.T("contact_by_text"), c.T("contact_by_text_text"), "")
		} else {
			add(c.T("contact_no_mail"), c.T("contact_no_mail_text"), "")
		}
		add(c.T("contact_manage_link"), b.ManageURL, b.ManageURL)
	}
	add(c.T("dash_phone"), c.Phone(b.Invitee.Phone), "tel:"+web.Dialled(b.Invitee.Phone))
	if z := b.Invitee.TimeZone; z != "" && z != c.Setup.Workspace.TimeZone {
		if at, err := c.inZone(b.Start, z); err == nil {
			add(c.T("dash_their_time"), at, "")
		}
	}
	c.chosenFacts(b, add)
	facts = append(facts, c.where(b)...)
	facts = append(facts, c.ResourceFacts(b)...)
	add(c.T("dash_price"), c.Money(b.Price), "")
	if p := b.Payment; p != nil && p.Kind != booking.ForCard {
		name := "dash_payment"
		if p.Kind == booking.ForDeposit {
			name = "deposit_name"
		}
		add(c.T(name), c.stateWords(p.Status)+paymentNote(c, p), "")
	}
	if link := b.PayLink; link != nil {
		add(c.T("series_pay_link"), c.Money(&money.Money{Amount: link.Amount, Currency: link.Currency}), link.URL)
	}
	if b.NoShowFee != nil {
		add(c.T("dash_pay_fee"), c.Money(b.NoShowFee)+c.feeNote(outlook), "")
	}
	if b.LateFee != nil && b.Status.Live() {
		add(c.T("deposit_late_fee"), c.T("deposit_panel_late", "Fee", c.Money(b.LateFee), "Until",
			c.Day(c.At(b.FreeUntil()))+", "+c.Clock(b.FreeUntil())), "")
	}
	if f := b.FeeCharged(); f != nil {
		name := "dash_fee"
		if b.Cancellation != nil {
			name = "deposit_late_fee"
		}
		add(c.T(name), c.Money(&money.Money{Amount: f.Amount, Currency: f.Currency})+", "+c.stateWords(f.Status), "")
	}
	add(c.T("coming_fact"), c.comingText(b), "")
	add(c.T("dash_number"), b.ID.String(), "")
	return facts
}

// visitFacts are the other bookings of the same visit that stand, each with its page, of which page returns the address.
func (c call) visitFacts(b *booking.Booking, page func(id string) string) (facts []dash.Fact, err error) {
	if b.Visit == nil {
		return nil, nil
	}
	visit, err := c.Subjects.Visit(c.Context(), c.Actor, b.Visit.ID.String())
	if fault.Is(err, fault.NotFound) { // its first booking was deleted
		return nil, nil
	}
	for _, other := range visit.Live() {
		if other.ID != b.ID {
			facts = append(facts, dash.Fact{Name: c.T("visit_also"), URL: page(other.ID.String()),
				Value: c.Span(other.Start, other.End) + " · " + c.TypeTitle(&other) + " · " + other.Host.Name})
		}
	}
	return facts, err
}

// feeNotes say why a no-show fee can't be charged.
var feeNotes = map[payment.FeeOutlook]string{payment.FeeNoCard: "dash_fee_no_card",
	payment.FeeWaits: "dash_fee_waits"}

func (c call) inZone(i when.Instant, name string) (string, error) {
	zone, err := time.LoadLocation(name)
	if err != nil {
		return "", err
	}
	t := i.Time().In(zone)
	return c.Locale.ShortDay(t) + ", " + c.Locale.Time(t, "") + " (" + name + ")", nil
}

func (c call) feeNote(outlook payment.FeeOutlook) string {
	if key, wrong := feeNotes[outlook]; wrong {
		return c.T(key)
	}
	return ""
}

func paymentNote(c call, p *booking.Payment) string {
	text := ", " + c.Money(&money.Money{Amount: p.Amount, Currency: p.Currency})
	if p.RefundedAmount > 0 {
		back := c.Money(&money.Money{Amount: p.RefundedAmount, Currency: p.Currency})
		text += " (" + c.T("dash_pay_back", "Amount", back) + ")"
	}
	return text
}

// stateKeys are the words for how a payment or a fee stands, see booking.PaymentStates and booking.FeeStates.
var stateKeys = map[string]string{
	"unpaid": "dash_pay_unpaid", "processing": "dash_pay_processing", "paid": "dash_pay_paid",
	"refunded": "dash_pay_refunded", "partially_refunded": "dash_pay_partly", "failed": "dash_pay_failed",
	"requires_action": "dash_pay_holder", "pending": "dash_pay_charging", "succeeded": "dash_pay_paid",
}

func (c call) stateWords(s string) string { return c.T(stateKeys[s]) }

// bookingAnswers returns the notes and the answers, in the current order of the questions.
func (c call) bookingAnswers(b *booking.Booking) []dash.Fact {
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
	if b.InternalNote != "" {
		facts = append(facts, dash.Fact{Name: c.T("edit_internal"), Value: b.InternalNote})
	}
	for _, key := range slices.Sorted(maps.Keys(b.Metadata)) {
		facts = append(facts, dash.Fact{Name: key, Value: b.Metadata[key]})
	}
	return facts
}

// links are the pages on which something is done with the booking in its state, and what it waits for.
func (c call) links(b *booking.Booking, v *dash.BookingDetail) {
	if b.Status == booking.Pending && b.PendingReason != nil {
		key := "dash_wait_approval"
		if *b.PendingReason == booking.ForPayment {
			key = "dash_wait_pay"
		}
		v.Note = c.T(key, "When", c.Until(b.ExpiresAt))
		if b.Visit != nil && b.Visit.Of > 1 {
			v.Note += " " + c.T("decide_visit")
		}
	}
	if b.Status.Live() {
		v.MoveURL = dash.BookingMovePath(v.ID)
	}
	if e := c.Setup.EventTypeByID(b.EventTypeID); e != nil && (e.Active || c.May(app.MayWaive)) &&
		!strings.HasSuffix(b.Invitee.Email, "@invalid") {
		v.AgainURL = web.WithQuery(dash.NewBookingPath, map[string][]string{"type": {e.Slug}, "again": {v.ID}})
	}
	if b.Cancellation != nil && b.Cancellation.Reason != "" {
		v.Note = c.T("dash_cancelled_why", "Reason", b.Cancellation.Reason)
	}
}

// bookingMoney shows the payments of a booking, and the forms to refund them.
func (c call) bookingMoney(b *booking.Booking, v *dash.BookingDetail) error {
	all, err := c.Subjects.Payment.BookingPayments(c.Context(), c.Actor, b.ID.String())
	if err != nil {
		return err
	}
	for i := range all {
		p := &all[i]
		f := dash.Fact{Name: c.PaymentName(p), Value: c.Locale.Labelled(c.PaymentBadge(p).Text, c.PaymentText(p))}
		if p.PaidAt != 0 {
			f.Value += " (" + c.Day(c.At(p.PaidAt)) + ", " + c.Clock(p.PaidAt) + ")"
		}
		v.Payments = append(v.Payments, f)
	}
	if f := b.FeeCharged(); f != nil && f.URL != "" {
		v.Payments = append(v.Payments, dash.Fact{Name: c.T("dash_fee_pay"), Value: f.URL, URL: f.URL})
	}
	if !c.May(app.MayRefund) {
		return nil
	}
	price, fee, err := c.Subjects.Payment.Refundable(c.Context(), c.Actor, b.ID.String())
	if err != nil {
		return err
	}
	for _, r := range []struct {
		of, title string
		left      *money.Money
	}{{"price", c.T("dash_refund"), price}, {"fee", c.T("dash_refund_fee"), fee}} {
		if r.left == nil {
			continue
		}
		v.Actions = append(v.Actions, dash.Danger{
			Title: r.title, Text: c.T("dash_refund_left", "Amount", c.Money(r.left)),
			Action: dash.BookingRefundPath(b.ID.String(), r.of), Submit: c.T("dash_refund_do"),
			Inputs: []dash.Input{{ID: "refund-" + r.of, Name: "amount", Label: c.T("dash_amount"), Required: true,
				Value: web.AmountText(r.left), Suffix: r.left.Currency}},
		})
	}
	return nil
}

// chosenFacts adds what was chosen with a booking, and leads to the others of its session.
func (c call) chosenFacts(b *booking.Booking, add func(name, value, url string)) {
	var extras []string
	for _, a := range b.AddOns {
		extras = append(extras, a.Title)
	}
	add(c.T("choice_addons"), strings.Join(extras, ", "), "")
	if e := c.Setup.EventTypeByID(b.EventTypeID); b.Seats > 1 || e != nil && e.Seats > 1 {
		add(c.T("choice_seats"), strconv.Itoa(b.Seats), "")
		add(c.T("choice_person"), strings.Join(b.Participants, ", "), "")
		add(c.T("choice_session"), c.T("choice_session_all"), dash.BookingSessionPath(b.ID.String()))
	}
}

// where says where the booking takes place, with the way into its video room.
func (c call) where(b *booking.Booking) []dash.Fact {
	f := dash.Fact{Name: c.T("dash_where"), Value: b.Location}
	if w := b.Where; w != nil {
		f.Value = c.Locale.Where(views.Where{Kind: string(w.Kind), Text: w.Text, Number: c.Phone(b.Invitee.Phone),
			Team: true})
		if room := b.VideoRoom(); room != "" {
			f.Value, f.URL = c.T("where_join"), room
		}
	}
	if f.Value == "" {
		return nil
	}
	return []dash.Fact{f}
}

// bookingFields returns what the invitee wrote in the workspace's own fields.
func (c call) bookingFields(b *booking.Booking) (facts []dash.Fact) {
	for _, f := range c.Setup.Workspace.Settings.ContactFields {
		if value := b.ContactFields[f.Key]; value != "" {
			facts = append(facts, dash.Fact{Name: f.Label, Value: c.FieldText(&f, value)})
		}
	}
	return facts
}
