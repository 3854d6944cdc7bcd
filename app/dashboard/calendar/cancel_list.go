package calendar

import (
	"cmp"
	"net/url"
	"slices"
	"strings"

	"daybook/app/booking"
	"daybook/app/bulk"
	"daybook/app/catalog"
	"daybook/app/dashboard/web"
	"daybook/app/fault"
	"daybook/app/money"
	"daybook/views"
	"daybook/views/dash"
)

// listToCancel shows what would be cancelled.
func (c call) listToCancel() error {
	a, err := c.asked()
	if err != nil {
		return err
	}
	return a.show(nil, nil)
}

// show shows the list, with what was typed and why it was refused.
func (a *asked) show(typed url.Values, e *fault.Error) error {
	v := dash.CancelPage{Frame: a.Frame(a.T("cancel_all_title"), "bookings"), What: a.what, Action: a.url, KeepURL: a.back,
		Intro: a.T("cancel_all_text")}
	if a.day {
		v.Choose, v.ChooseURL = a.choice(), dash.CancelPath
	}
	if a.wrong != nil {
		v.Problem = a.Fill([]dash.Group{{Inputs: v.Choose}}, nil, a.wrong)
		for _, in := range dash.Wrong([]dash.Group{{Inputs: v.Choose}}) {
			v.Problem += in.Label + ": " + in.Error
		}
		return a.Show(422, dash.CancelSeveral(v))
	}
	var found []booking.Booking
	if !a.gone {
		var err error
		if found, err = a.Subjects.Bulk.Within(a.Context(), a.Actor, a.scope, bulk.Most+1); err != nil {
			return err
		}
	}
	if len(found) == 0 && !a.day {
		return a.Redirect(a.back, "") // nothing is in the time off any more
	}
	if v.More = len(found) > bulk.Most; v.More {
		found = found[:bulk.Most]
	}
	if !a.day {
		v.MoveFirst, v.Title, v.Intro = true, a.T("cancel_off_title", "Count", len(found)), a.T("cancel_off_text")
	}
	waiting, err := a.Subjects.Bulk.WaitingCancellations(a.Context(), a.Actor)
	if err != nil {
		return err
	}
	sum, online := sums{refund: typed.Has("refund")}, purse{}
	for i := range found {
		b := &found[i]
		row, err := a.row(b)
		if err != nil {
			return err
		}
		row.Listed = b.ID.String() + "~" + bulk.Version(b)
		row.MoveURL = web.WithQuery(dash.BookingMovePath(b.ID.String()), url.Values{"back": {a.url}})
		if _, waits := waiting[b.ID]; waits {
			row.Fixed, row.Note = true, a.T("cancel_waits")
		} else if bulk.InTheChair(b, a.Subjects.Now()) {
			row.Fixed, row.Note = true, a.T("cancel_in_chair")
		}
		v.Choosable = v.Choosable || !row.Fixed
		v.Previews = v.Previews || row.Mailed && !row.Fixed
		all := typed.Get("do") == "all"
		if row.Chosen = !row.Fixed && (all || slices.Contains(typed["booking"], row.ID)); row.Chosen {
			sum.add(a, b, &row)
		}
		online.put(onlineOf(b))
		v.Rows = append(v.Rows, row)
	}
	v.Sums = sum.texts(a)
	a.form(&v, typed, e, online.any())
	if v.Mails, err = a.mails(found, v.Rows, typed.Get("message")); err != nil {
		return err
	}
	return a.Show(web.RefusedStatus(e), dash.CancelSeveral(v))
}

// choice returns the form for whose bookings, and when.
func (a *asked) choice() (all []dash.Input) {
	if !a.Actor.Own() {
		hosts := dash.Input{Name: "host", Label: a.T("cancel_whose"), Kind: "select",
			Options: append([]dash.Option{{Label: a.T("cancel_everybody")}}, a.HostOptions()...)}
		if a.host != nil {
			hosts.Value = a.host.ID.String()
		}
		all = append(all, hosts)
	}
	return append(all, dash.Input{Name: "date", Label: a.T("cancel_day"), Kind: "date", Value: a.date},
		dash.Input{Name: "from", Label: a.T("cancel_from"), Kind: "time", Value: a.from},
		dash.Input{Name: "to", Label: a.T("cancel_to"), Kind: "time", Value: a.to})
}

// form is the message and what else is done.
func (a *asked) form(v *dash.CancelPage, typed url.Values, e *fault.Error, paidOnline bool) {
	inputs := []dash.Input{{Name: "message", Label: a.T("cancel_message"), Kind: "area",
		Hint: a.T("cancel_message_hint")}}
	if paidOnline {
		inputs = append(inputs, dash.Input{Name: "refund", Label: a.T("cancel_all_refund"), Kind: "check", Checked: true})
	}
	if a.Setup.Workspace.Waits {
		inputs = append(inputs, dash.Input{Name: "offers", Label: a.T("freed_offer_all"), Kind: "check", Hint: a.T("freed_offer_all_hint")})
	}
	if a.mayBlock() {
		inputs = append(inputs, dash.Input{Name: "block", Label: a.T("cancel_block", "What", a.what), Kind: "check",
			Hint: a.T("cancel_block_hint")})
	}
	v.Groups = []dash.Group{{Inputs: inputs}}
	v.Problem = a.Fill(v.Groups, typed, e)
}

// row returns a booking, who is told and how, and what money goes back.
func (a *asked) row(b *booking.Booking) (row dash.CancelRow, err error) {
	row.BookingRow = a.Row(b)
	if b.EndsDeclined() {
		row.Note = a.T("cancel_declines")
	}
	if row.Mailed, err = a.Subjects.Mail.TellsOfEnding(a.Context(), b, b.EndsDeclined()); err != nil {
		return row, err
	}
	if row.Texted, err = a.Subjects.Text.Tells(a.Context(), b, catalog.TextCancelled); err != nil {
		return row, err
	}
	a.tell(b, &row)
	if left := onlineOf(b); left.Amount > 0 {
		row.Money = append(row.Money, a.T("cancel_online", "Amount", a.Money(&left)))
	}
	if left := byHand(b); left.Amount > 0 {
		row.Money = append(row.Money, a.T("cancel_hand", "Amount", a.Money(&left)))
	}
	return row, nil
}

// tell says how the booking's invitee hears of it.
func (a *asked) tell(b *booking.Booking, row *dash.CancelRow) {
	reached := b.Invitee.Email != "" && !b.Invitee.Erased()
	switch {
	case row.Texted:
		row.Told = a.T("cancel_by_text", "Phone", a.Phone(b.Invitee.Phone))
	case row.Mailed:
		row.Told = a.T("cancel_mail", "Email", b.Invitee.Email)
	case b.Invitee.Phone != "":
		row.Told, row.TellURL = a.T("cancel_call", "Phone", a.Phone(b.Invitee.Phone)), "tel:"+web.Dialled(b.Invitee.Phone)
	case reached:
		row.Told, row.TellURL = a.T("cancel_write", "Email", b.Invitee.Email), views.MailTo(b.Invitee.Email)
	default:
		row.Told = a.T("cancel_untold")
	}
}

// onlineOf returns what was paid of the booking online and has not gone back.
func onlineOf(b *booking.Booking) money.Money {
	paid, back := b.PaidOnline()
	if paid == 0 {
		return money.Money{}
	}
	return money.Money{Amount: paid - back, Currency: b.Payment.Currency}
}

// byHand returns what was taken for the booking at the counter and has not been given back.
func byHand(b *booking.Booking) (left money.Money) {
	for i := range b.Payments {
		amount, tip := b.Payments[i].Left()
		left.Amount, left.Currency = left.Amount+amount+tip, b.Payments[i].Currency
	}
	return left
}

// purse is money by its currency.
type purse map[string]int64

func (p purse) any() bool { return len(p) > 0 }

func (p *purse) put(m money.Money) {
	if m.Amount == 0 {
		return
	}
	if *p == nil {
		*p = purse{}
	}
	(*p)[m.Currency] += m.Amount
}

func (p purse) text(c *web.Call) string {
	var all []string
	for currency, amount := range p {
		all = append(all, c.Money(&money.Money{Amount: amount, Currency: currency}))
	}
	slices.Sort(all)
	return strings.Join(all, " + ")
}

// sums are what cancelling the chosen bookings means.
type sums struct {
	refund                         bool // what was paid online goes back
	chosen                         int
	mailed, texted, toCall, untold people
	online, byHand                 purse
}

// people are customers, each once.
type people map[string]bool

func (p *people) put(b *booking.Booking) {
	if *p == nil {
		*p = people{}
	}
	who := b.ContactID.String()
	if b.ContactID == 0 {
		who = b.ID.String()
	}
	(*p)[who] = true
}

func (s *sums) add(a *asked, b *booking.Booking, row *dash.CancelRow) {
	s.chosen++
	switch {
	case row.Texted:
		s.texted.put(b)
	case row.Mailed:
		s.mailed.put(b)
	case row.TellURL != "":
		s.toCall.put(b)
	default:
		s.untold.put(b)
	}
	if s.refund || b.Status == booking.Pending { // what a request has paid always goes back
		s.online.put(onlineOf(b))
	}
	s.byHand.put(byHand(b))
}

func (s *sums) texts(a *asked) (all []string) {
	count := func(key string, n int) {
		if n > 0 {
			all = append(all, a.T(key, "Count", n))
		}
	}
	count("cancel_chosen", s.chosen)
	count("cancel_sum_mail", len(s.mailed))
	count("cancel_sum_text", len(s.texted))
	count("cancel_sum_call", len(s.toCall))
	count("cancel_sum_untold", len(s.untold))
	if s.online.any() {
		all = append(all, a.T("cancel_online", "Amount", s.online.text(a.Call)))
	}
	if s.byHand.any() {
		all = append(all, a.T("cancel_hand", "Amount", s.byHand.text(a.Call)))
	}
	return all
}

// mails returns what the chosen are told, once for each language.
func (a *asked) mails(found []booking.Booking, rows []dash.CancelRow, message string) (all []dash.MailText, err error) {
	for i := range found {
		b := &found[i]
		locale := views.MatchLocale(cmp.Or(b.Invitee.Locale, a.Setup.Workspace.Settings.Locale), "")
		if !rows[i].Chosen || !rows[i].Mailed ||
			slices.ContainsFunc(all, func(m dash.MailText) bool { return m.Lang == locale.Tag }) {
			continue
		}
		m, err := a.Subjects.Mail.PreviewEnding(a.Context(), a.Actor, rows[i].ID, message)
		if err != nil {
			return nil, err
		}
		all = append(all, dash.MailText{Lang: locale.Tag, Title: a.T("cancel_mail_as", "Name", a.Invitee(b),
			"Language", locale.Name), Subject: m.Subject, Text: m.Text})
	}
	return all, nil
}
