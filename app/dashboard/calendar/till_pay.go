package calendar

import (
	"cmp"
	"net/url"
	"strings"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/counter"
	"daybook/app/dashboard/web"
	"daybook/app/fault"
	"daybook/app/money"
	"daybook/views"
	"daybook/views/dash"
)

func (c call) payForm() error {
	b, err := c.Subjects.Booking(c.Context(), c.Actor, c.PathValue("id"))
	if err != nil {
		return err
	}
	return c.showPay(&b, c.URL.Query(), nil, nil)
}

// visitItems returns all of the visit of the booking that the member sees, or the booking alone.
func (c call) visitItems(b *booking.Booking) ([]booking.Booking, error) {
	alone := []booking.Booking{*b}
	if b.Visit == nil || b.Visit.Of < 2 {
		return alone, nil
	}
	v, err := c.Subjects.Visit(c.Context(), c.Actor, b.Visit.ID.String())
	if fault.Is(err, fault.NotFound) { // its first booking was deleted
		return alone, nil
	}
	return v.Items, err
}

// tillOf returns the money of a booking, and what takes all that is due for its visit.
func (c call) tillOf(b *booking.Booking, back string) (*dash.BookingTill, error) {
	v := c.BookingTill(b, back)
	if v != nil {
		v.Imported = c.importedMoney(b)
	}
	all, err := c.visitItems(b)
	if err != nil || v == nil || len(all) < 2 {
		return v, err
	}
	due, _ := counter.Due(all)
	if due == nil || b.Due != nil && b.Due.Amount == due.Amount {
		return v, nil
	}
	if v.All = c.PayVisit(all, b, back); v.All != nil {
		v.AllText = c.T("till_visit_due", "Amount", c.Money(due))
	}
	return v, nil
}

// importedMoney returns what another program said of the money of an imported booking: it stands in its internal note.
func (c call) importedMoney(b *booking.Booking) string {
	if b.Imported == nil || b.InternalNote == "" || b.Due == nil || b.Due.Amount == 0 {
		return ""
	}
	return c.T("movein_elsewhere", "Note", strings.ReplaceAll(b.InternalNote, "\n", " · "))
}

// showPay is the form for an amount: what is due, unless something was typed already. asked says where to go back to, and
// whether it is for all of a visit.
func (c call) showPay(b *booking.Booking, asked, typed url.Values, e *fault.Error) error {
	id := b.ID.String()
	back := web.BackTo(asked.Get("back"), dash.BookingPath(id))
	v := dash.PayPage{Frame: c.Frame(c.T("till_take_from", "Name", c.Invitee(b)), "bookings"), BackURL: back,
		BackLabel: c.T("dash_booking"), Action: dash.BookingPayPath(id), Back: back, Method: string(booking.ByCash),
		Text:  c.TypeTitle(b) + ", " + c.Day(c.At(b.Start)) + ", " + c.Span(b.Start, b.End),
		State: cmp.Or(c.PaidText(b), c.T("till_nothing_due")), Imported: c.importedMoney(b)}
	if strings.HasPrefix(back, dash.TodayPath+"?") || back == dash.TodayPath {
		v.BackLabel = c.T("shell_today")
	} else if dash.IsCalendar(back) {
		v.BackLabel = c.T("calendar_title")
	}
	if b.Status.Stands() {
		v.SellURL = web.WithQuery(dash.SellPath, url.Values{"booking": {id}})
	}
	currency, owed := b.Currency(c.Setup), b.Due
	if all, err := c.visitItems(b); err != nil {
		return err
	} else if asked.Get("visit") != "" && len(all) > 1 {
		var titles []string
		for i := range all {
			if all[i].Status.Stands() {
				titles = append(titles, c.TypeTitle(&all[i]))
			}
		}
		due, paid := counter.Due(all)
		v.Visit, owed = true, due
		v.Text = strings.Join(titles, ", ") + ", " + c.Day(c.At(b.Start))
		v.State = cmp.Or(c.PaidText(&booking.Booking{Due: due, Paid: paid}), c.T("till_nothing_due"))
	}
	amount := dash.Input{Name: "amount", Label: c.T("till_amount"), Required: true, Suffix: currency, Half: true,
		Hint: c.T("till_amount_hint"), Autocomplete: "off", Decimal: true}
	if owed != nil && owed.Amount > 0 {
		v.Due = c.Money(owed)
		amount.Value = web.AmountText(owed)
	}
	if v.Due == "" {
		amount.Hint, amount.Required = c.T("till_tip_only"), false
	}
	v.Groups = []dash.Group{{Inputs: []dash.Input{amount,
		{Name: "tip", Label: c.T("till_tip"), Suffix: currency, Half: true, Autocomplete: "off", Decimal: true},
		{Name: "note", Label: c.T("till_note"), Hint: c.T("till_note_hint"), Autocomplete: "off"}}}}
	if v.Due != "" && !v.Visit {
		v.ByPass = c.byPass(v.Action, typed)
		v.ByPass.Hidden = []views.Pair{{Name: "back", Value: back}}
		if b.ContactID != 0 {
			var err error
			if v.ByPass.Passes, err = c.passesOf(b.ContactID, currency, []catalog.EventTypeID{b.EventTypeID}); err != nil {
				return err
			}
		}
	}
	if typed != nil && !typed.Has("pass") {
		v.Method = cmp.Or(typed.Get("method"), v.Method)
	}
	for _, m := range booking.Methods {
		v.Methods = append(v.Methods, dash.Option{Value: string(m), Label: c.MethodName(m)})
	}
	if typed.Has("pass") {
		typed = nil // the other form stays as it was
	}
	v.Problem = c.Fill(v.Groups, typed, c.inWords(e))
	return c.Show(web.RefusedStatus(e), dash.TakePayment(v))
}

// inWords returns an error of the till in the member's language.
func (c call) inWords(e *fault.Error) *fault.Error {
	if e == nil {
		return nil
	}
	said := *e
	say := func(field, key string) { said = *e.Saying(c.T(key)).About(field) }
	switch {
	case e.Reason == "overpaid":
		say("amount", "till_overpaid")
	case e.Reason == "wrong_state":
		say("", "till_not_open")
	case e.Field == "amount" && strings.HasPrefix(e.Text().Format, "is required"):
		say("amount", "till_no_amount")
	case e.Field == "counted" && strings.HasPrefix(e.Text().Format, "is required"):
		say("counted", "till_no_count")
	case e.Field == "amount" || e.Field == "tip" || e.Field == "counted" || e.Field == "opening":
		say(e.Field, "till_bad_amount")
	}
	said.Others = nil
	for _, x := range e.Others {
		said.Others = append(said.Others, c.inWords(x))
	}
	return &said
}

// pay takes money for a booking: what the form says, or what was due when its button was shown.
func (c call) pay() error {
	form, err := c.Posted()
	if err != nil {
		return err
	}
	id := c.PathValue("id")
	b, err := c.Subjects.Booking(c.Context(), c.Actor, id)
	if err != nil {
		return err
	}
	r := web.Reader{Form: form, Currency: b.Currency(c.Setup)}
	in := counter.Input{Amount: amountOf(r.Money("amount")), Tip: amountOf(r.Money("tip")), Currency: r.Currency,
		Method: booking.Method(form.Get("method")), Note: form.Get("note")}
	if r.Err != nil {
		return c.showPay(&b, form, form, fault.As(r.Err))
	}
	if form.Has("pass") {
		in = counter.Input{Method: booking.ByVoucher, Pass: strings.TrimSpace(form.Get("pass"))}
		if in.Pass == "" {
			return c.showPay(&b, form, form, fault.As(fault.Invalid("pass", "is required")))
		}
	} else if form.Get("visit") != "" && b.Visit != nil {
		return c.payVisit(&b, form, in)
	}
	after, err := c.Subjects.Counter.Record(c.Context(), c.Actor, id, in)
	switch e := refusedPay(err); {
	case e != nil && e.Reason == "overpaid" && form.Has("due") && (b.Due == nil || b.Due.Amount == 0):
		return c.Redirect(web.BackTo(form.Get("back"), dash.BookingPath(id)), "") // tapped twice, it is paid
	case e != nil:
		return c.showPay(&b, form, form, e)
	case err != nil:
		return err
	}
	return c.went(&after, form.Get("back"), "took")
}

// payVisit takes money for all of the booking's visit.
func (c call) payVisit(b *booking.Booking, form url.Values, in counter.Input) error {
	all, err := c.visitItems(b)
	if err != nil {
		return err
	}
	due, _ := counter.Due(all)
	_, err = c.Subjects.Counter.RecordVisit(c.Context(), c.Actor, b.Visit.ID.String(), in)
	back := web.BackTo(form.Get("back"), dash.BookingPath(b.ID.String()))
	switch e := web.Refused(err); {
	case e != nil && e.Reason == "overpaid" && form.Has("due") && due == nil:
		return c.Redirect(back, "") // tapped twice, it is paid
	case e != nil:
		return c.showPay(b, form, form, e)
	case err != nil:
		return err
	}
	if u, err := url.Parse(back); err == nil && u.Path == dash.TodayPath {
		return c.Redirect(back, "took."+b.ID.String()+wholeVisit)
	}
	return c.Redirect(back, "took")
}

func amountOf(m *money.Money) int64 {
	if m == nil {
		return 0
	}
	return m.Amount
}

// went goes back to where money was taken or given back. Today says whose it was, and offers to undo it.
func (c call) went(b *booking.Booking, back, said string) error {
	back = web.BackTo(back, dash.BookingPath(b.ID.String()))
	if u, err := url.Parse(back); err == nil && u.Path == dash.TodayPath {
		return c.Redirect(back, said+"."+b.ID.String())
	}
	return c.Redirect(back, said)
}

// giveBack takes a payment back, all of it or the amount of the form.
func (c call) giveBack() error {
	form, err := c.Posted()
	if err != nil {
		return err
	}
	q := c.URL.Query()
	back := q.Get("back")
	b, err := c.Subjects.Booking(c.Context(), c.Actor, q.Get("booking"))
	if err != nil {
		return err
	}
	var amount *int64
	if form.Has("amount") {
		r := web.Reader{Form: form, Currency: b.Currency(c.Setup)}
		n := amountOf(r.Money("amount"))
		if amount = &n; r.Err != nil {
			return c.refusedBack(&b, back, fault.As(r.Err))
		}
	}
	after, err := c.Subjects.Counter.GiveBack(c.Context(), c.Actor, c.PathValue("id"), amount)
	if e := web.Refused(err); e != nil {
		return c.refusedBack(&b, back, e)
	}
	if err != nil {
		return err
	}
	return c.went(&after, back, "gave")
}

// refusedBack is the page of a booking where giving money back was refused, with the form for it and what was typed.
func (c call) refusedBack(b *booking.Booking, back string, e *fault.Error) error {
	v, err := c.detail(b)
	if err != nil {
		return err
	}
	v.Said, v.SaidBad = c.Sentence(e), true
	if v.Till, err = c.tillOf(b, web.BackTo(back, dash.BookingPath(v.ID))); err != nil {
		return err
	}
	if v.Till != nil {
		for _, row := range v.Till.Rows {
			if row.Back != nil {
				c.reopen(row.Back, e)
			}
		}
	}
	return c.Show(web.RefusedStatus(e), dash.BookingShown(v))
}
