package calendar

import (
	"crypto/rand"
	"net/url"
	"slices"
	"strings"

	"daybook/app/booking"
	"daybook/app/bulk"
	"daybook/app/dashboard/web"
	"daybook/views"
	"daybook/views/dash"
)

// cancelListed asks whether the chosen bookings are to be cancelled, and orders that when it was asked. Other buttons of the
// form show the list again: with the mail, with all of them ticked, or as it was.
func (c call) cancelListed() error {
	a, err := c.asked()
	if err != nil {
		return err
	}
	form, err := c.Posted()
	if err != nil {
		return err
	}
	do := form.Get("do")
	if a.wrong != nil || a.gone || do == "mail" || do == "all" || do == "list" {
		return a.show(form, nil)
	}
	in := bulk.CancelInput{Scope: a.scope, Form: form.Get("form"), Message: form.Get("message"),
		Refund: form.Has("refund"), Offers: form.Has("offers")}
	for _, l := range form["listed"] {
		id, version, _ := strings.Cut(l, "~")
		in.Listed = append(in.Listed,
			bulk.SeenBooking{ID: id, Version: version, Chosen: slices.Contains(form["booking"], id)})
	}
	if form.Has("block") && a.mayBlock() {
		in.Close = a.closing()
	}
	if e := web.Refused(in.Check()); e != nil {
		return a.show(form, e)
	}
	if do != "yes" || in.Form == "" {
		return a.ask(&in, form)
	}
	made, err := c.Subjects.Bulk.CancelListed(c.Context(), c.Actor, in)
	if e := web.Refused(err); e != nil {
		return a.show(form, e)
	}
	if err != nil {
		return err
	}
	return c.Redirect(dash.CancellationPath(made.ID.String()), "")
}

// ask shows what cancelling the chosen bookings means, and asks whether to do it.
func (a *asked) ask(in *bulk.CancelInput, form url.Values) error {
	v := dash.CancelAsk{Frame: a.Frame("", "bookings"), What: a.what, Action: a.url}
	sum := sums{refund: in.Refund}
	for _, l := range in.Listed {
		if !l.Chosen {
			continue
		}
		b, err := a.Subjects.Booking(a.Context(), a.Actor, l.ID)
		if web.Refused(err) != nil {
			continue // it was never listed, or is another host's by now: Cancel leaves it
		}
		if err != nil {
			return err
		}
		if b.Status == booking.Cancelled || bulk.InTheChair(&b, a.Subjects.Now()) || bulk.Version(&b) != l.Version {
			v.Changed++
			continue
		}
		row, err := a.row(&b)
		if err != nil {
			return err
		}
		sum.add(a, &b, &row)
		v.Rows = append(v.Rows, row)
	}
	v.Title, v.Sums = a.T("cancel_ask", "Count", len(v.Rows)), sum.means(a)
	v.Submit = a.T("cancel_ask_yes", "Count", len(v.Rows))
	if in.Close != nil {
		v.Sums = append(v.Sums, a.T("cancel_ask_closes", "What", a.what))
	}
	for _, name := range []string{"listed", "booking", "message", "refund", "offers", "block"} {
		for _, value := range form[name] {
			v.Hidden = append(v.Hidden, views.Pair{Name: name, Value: value})
		}
	}
	v.Hidden = append(v.Hidden, views.Pair{Name: "form", Value: rand.Text()})
	return a.Show(200, dash.CancelAsked(v))
}

// means is texts without how many are chosen, and says so where nobody is told and where no money goes back.
func (s *sums) means(a *asked) (all []string) {
	if len(s.mailed)+len(s.texted) == 0 {
		all = append(all, a.T("cancel_sum_nobody"))
	}
	n := s.chosen
	s.chosen = 0
	all = append(all, s.texts(a)...)
	if s.chosen = n; !s.online.any() && !s.byHand.any() {
		all = append(all, a.T("cancel_sum_no_money"))
	}
	return all
}
