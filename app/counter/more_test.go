package counter_test

import (
	"fmt"
	netmail "net/mail"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/counter"
	"daybook/app/fault"
	"daybook/app/mail"
	"daybook/app/money"
	"daybook/app/report"
	"daybook/app/webhook"
)

// 64 payments of many bookings and hosts at once, some refused and some given back: the numbers of the receipts have no
// gap and none comes twice, and nobody is kept waiting for good.
func TestContestReceiptsHaveNoGaps(t *testing.T) {
	w := salon(t)
	w.Taxed(money.Tax{Mode: money.TaxIncluded, Rate: 19000}, 4500, "cut")
	var bookings []booking.Booking
	for i := range 8 {
		bookings = append(bookings, w.Booked("cut", fmt.Sprintf("1T%02d", 9+i/2), fmt.Sprintf("p%d", i)))
	}
	var all sync.WaitGroup
	for i := range 64 {
		all.Go(func() {
			id := bookings[i%len(bookings)].ID.String()
			b, err := w.Counter.Record(t.Context(), w.Owner, id, counter.Input{Amount: 4500, Method: booking.ByCash})
			if fault.Is(err, fault.BadRequest) { // another one was first
				b, err = w.Counter.Record(t.Context(), w.Owner, id, counter.Input{Tip: int64(i), Method: booking.ByCash})
			}
			if err != nil && !fault.Is(err, fault.BadRequest) {
				t.Error(err)
			}
			if i%5 == 0 && err == nil {
				_, err = w.Counter.GiveBack(t.Context(), w.Owner, b.Payments[len(b.Payments)-1].ID.String(), nil)
				if err != nil && !fault.Is(err, fault.Conflict) {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	limit := 100
	page, err := w.Counter.Receipts(t.Context(), w.Owner, counter.ReceiptQuery{Limit: &limit})
	w.Must(err)
	var numbers []int64
	reversed, reversals := 0, 0
	for _, r := range page.Data {
		numbers = append(numbers, r.NumberInYear)
		if r.ReversedBy != nil {
			reversed++
		}
		if r.Kind == counter.Reversal {
			reversals++
		}
	}
	slices.Sort(numbers)
	for i, n := range numbers {
		if n != int64(i+1) {
			t.Fatalf("the numbers are %v", numbers)
		}
	}
	if len(numbers) < 40 || reversals == 0 || reversed != reversals || page.HasMore {
		t.Errorf("%d receipts, %d reversals of %d", len(numbers), reversals, reversed)
	}
	sum, open, owed := int64(0), int64(0), int64(0) // open stands on no receipt yet
	for _, b := range bookings {
		b, err := w.Booking(t.Context(), w.API, b.ID.String())
		w.Must(err)
		for _, p := range b.Payments {
			amount, tip := p.Left()
			sum += amount + tip
			if p.Receipt == nil {
				open += amount + tip
			}
		}
		owed += b.Paid.Amount + b.Due.Amount
	}
	if owed != 8*4500 {
		t.Errorf("paid and due are %d together, want %d", owed, 8*4500)
	}
	received := int64(0)
	for _, r := range page.Data {
		received += r.Total
	}
	day, err := w.Counter.Day(t.Context(), w.Owner, "")
	w.Must(err)
	if day.Cash != sum || received+open != sum {
		t.Errorf("bookings have %d, the ledger %d, receipts %d, and %d is open", sum, day.Cash, received, open)
	}
}

// Who may take money, and give back what was taken when; and that invitees and read-only keys never may.
func TestWhoTakesMoney(t *testing.T) {
	w := salon(t)
	w.Taxed(money.Tax{Mode: money.TaxIncluded}, 4500, "cut")
	b := w.Booked("cut", "1T09", "bo")
	staff := app.Actor{Kind: booking.ByOwner, Workspace: w.Workspace.ID, User: 8, Role: app.StaffRole, Host: b.Host.ID}
	other, reads := staff, w.API
	other.Host++
	reads.ReadOnly = true
	_, invitee, err := w.BookingByToken(t.Context(), b.ManageURL[len("/booking/"):])
	w.Must(err)
	in := counter.Input{Amount: 4500, Method: booking.ByCash}
	take := func(a app.Actor) (booking.Booking, error) { return w.Counter.Record(t.Context(), a, b.ID.String(), in) }
	_, err = take(other)
	w.Refused(err, fault.NotFound, "")
	_, err = take(reads)
	w.Refused(err, fault.Forbidden, "read_only_key")
	_, err = take(invitee)
	w.Refused(err, fault.Forbidden, "")
	b, err = take(staff)
	w.Must(err)
	payment := b.Payments[0].ID.String()
	_, err = w.Counter.GiveBack(t.Context(), other, payment, nil)
	w.Refused(err, fault.NotFound, "")
	_, err = w.Counter.Receipt(t.Context(), other, b.Payments[0].Receipt.String())
	w.Refused(err, fault.NotFound, "")
	page, err := w.Counter.Receipts(t.Context(), other, counter.ReceiptQuery{})
	w.Must(err)
	if len(page.Data) != 0 {
		t.Errorf("another host's staff see %v", page.Data)
	}
	w.Clock.Set(apptest.Monday.Truncate(24 * time.Hour).Add(23*time.Hour + 30*time.Minute)) // the next day in Berlin
	_, err = w.Counter.GiveBack(t.Context(), staff, payment, nil)
	w.Refused(err, fault.Forbidden, "role")
	_, err = w.Counter.GiveBack(t.Context(), w.Owner, payment, nil)
	w.Must(err)
}

// A receipt stays when its contact is erased, without the person; what was noted of the money goes, too.
func TestReceiptsStayWithoutThePerson(t *testing.T) {
	w := salon(t)
	w.Taxed(money.Tax{Mode: money.TaxAdded, Name: "Sales tax", Rate: 8875}, 4500, "cut")
	b := w.Booked("cut", "1T09", "bo")
	b, err := w.Counter.Record(t.Context(), w.Owner, b.ID.String(), counter.Input{Amount: 4899, Method: booking.ByCard, Note: "of Bo"})
	w.Must(err)
	if got := amounts(b); got != "paid 4899 due 0 [card 4899+0-0 true]" {
		t.Error(got)
	}
	id := b.Payments[0].Receipt.String()
	r, err := w.Counter.Receipt(t.Context(), w.Owner, id)
	w.Must(err)
	if r.Customer != b.Invitee.Name || len(r.Taxes) != 1 || r.Taxes[0].Net != 4500 || r.Taxes[0].Tax != 399 ||
		r.Taxes[0].Name != "Sales tax" || r.Business.Address != "Main Street 1" || !strings.Contains(r.Notice, "no certified") {
		t.Errorf("the receipt is %+v", r)
	}
	_, err = w.Cancel(t.Context(), w.Owner, b.ID.String(), app.CancelInput{}) // a contact with a booking ahead stays
	w.Must(err)
	stored, err := w.Store.Reader(t.Context()).Booking(w.Workspace.ID, b.ID)
	w.Must(err)
	w.Must(w.People.DeleteContact(t.Context(), w.Owner, stored.ContactID.String()))
	for more := true; more; {
		w.Must(w.Store.Write(t.Context(), func(tx app.Tx) (err error) {
			more, err = tx.SweepErasure(10)
			return err
		}))
	}
	kept, err := w.Counter.Receipt(t.Context(), w.Owner, id)
	w.Must(err)
	if kept.Customer != "" || kept.Number != r.Number || kept.Total != r.Total {
		t.Errorf("what stays is %+v", kept)
	}
	b, err = w.Booking(t.Context(), w.API, b.ID.String())
	w.Must(err)
	if b.Payments[0].Note != "" || b.Payments[0].Amount != 4899 {
		t.Errorf("the booking has %+v", b.Payments)
	}
}

// Money that is taken while the contact is erased stays on the booking, and the contact's name does not come back.
func TestContestErasingAndMoney(t *testing.T) {
	w := salon(t)
	w.Taxed(money.Tax{Mode: money.TaxIncluded, Rate: 19000}, 4500, "cut")
	var bookings []booking.Booking
	for i := range 24 {
		bookings = append(bookings, w.Booked("cut", fmt.Sprintf("%dT%02d", 1+i/6, 8+i%6), "bo"))
	}
	w.Clock.Set(apptest.Monday.Truncate(24*time.Hour).AddDate(0, 0, 30).Add(10 * time.Hour)) // they are over: a contact with a booking ahead stays
	stored, err := w.Store.Reader(t.Context()).Booking(w.Workspace.ID, bookings[0].ID)
	w.Must(err)
	w.Must(w.People.DeleteContact(t.Context(), w.Owner, stored.ContactID.String()))
	other := w.Another()
	var all sync.WaitGroup
	for i := range 4 {
		all.Go(func() {
			for j := i; j < len(bookings); j += 4 {
				_, err := other.Counter.Record(t.Context(), w.Owner, bookings[j].ID.String(),
					counter.Input{Amount: 4500, Method: booking.ByCash})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	for more := true; more; {
		w.Must(w.Store.Write(t.Context(), func(tx app.Tx) (err error) {
			more, err = tx.SweepErasure(2)
			return err
		}))
	}
	all.Wait()
	for _, b := range bookings {
		if b = w.Again(b); amounts(b) != "paid 4500 due 0 [cash 4500+0-0 true]" || !b.Invitee.Erased() {
			t.Errorf("%s of %s", amounts(b), b.Invitee.Email)
		}
	}
}

// Money at the counter is told to endpoints that name it, and to no other; and it is revenue, by how it was paid.
func TestCounterMoneyIsTold(t *testing.T) {
	w := salon(t)
	w.Taxed(money.Tax{Mode: money.TaxIncluded}, 4500, "cut")
	named := map[string]bool{}
	for _, events := range [][]string{{"*"}, {"booking.created"}, {"payment.recorded", "payment.voided"}} {
		e, err := w.Webhook.CreateEndpoint(t.Context(), w.Owner, webhook.EndpointInput{URL: "https://93.184.216.34/hook", Events: events})
		w.Must(err)
		named[e.ID.String()] = len(events) == 2
	}
	b := w.Booked("cut", "1T09", "bo")
	for _, in := range []counter.Input{{Amount: 3000, Method: booking.ByCash, Tip: 200}, {Amount: 1500, Method: booking.ByVoucher}} {
		var err error
		b, err = w.Counter.Record(t.Context(), w.Owner, b.ID.String(), in)
		w.Must(err)
	}
	_, err := w.Counter.GiveBack(t.Context(), w.Owner, b.Payments[1].ID.String(), nil)
	w.Must(err)
	deliveries, err := w.Webhook.Deliveries(t.Context(), w.Owner, webhook.ListDeliveriesInput{})
	w.Must(err)
	told := map[catalog.EventKind]int{}
	for _, d := range deliveries.Data {
		if strings.HasPrefix(string(d.Event), "payment.") {
			if told[d.Event]++; !named[d.EndpointID.String()] {
				t.Errorf("%s was sent to an endpoint that does not name it", d.Event)
			}
		}
	}
	if told[catalog.PaymentRecorded] != 2 || told[catalog.PaymentVoided] != 1 {
		t.Errorf("told %v", told)
	}
	a, err := w.Report.Analytics(t.Context(), w.Owner, report.AnalyticsInput{})
	w.Must(err)
	got := fmt.Sprint(a.Revenue, a.RevenueByMethod, a.Tips, a.Value, a.ByDay[0].Revenue, a.ByHost[0].Revenue)
	if want := "[{3200 EUR}] [{cash {3200 EUR}} {voucher {0 EUR}}] [{200 EUR}] [{4500 EUR}] [{3200 EUR}] [{3200 EUR}]"; got != want {
		t.Errorf("analytics: %s, want %s", got, want)
	}
}

// A receipt has a line for the service and one for each add-on, for all seats, however the tax is counted: they add up to
// the cent. A part of the price is one line. The analytics count a party as one booking, with its price once.
func TestReceiptLines(t *testing.T) {
	w := salon(t)
	w.Taxed(money.Tax{Mode: money.TaxIncluded, Rate: 19000, Name: "VAT"}, 1050, "class")
	w.Alter("class", func(e *catalog.EventType) {
		e.Seats = 6
		e.AddOns = []catalog.AddOn{{ID: "mat", Title: "Mat", Price: &money.Money{Amount: 350, Currency: "EUR"}}, {ID: "tea", Title: "Tea"}}
	})
	book := func(person, start string, seats int) booking.Booking {
		t.Helper()
		in := apptest.Input("class", start, person)
		in.Seats, in.AddOns, in.Host = seats, []string{"mat", "tea"}, catalog.HostID(1).String()
		b, err := w.Book(t.Context(), w.API, in)
		w.Must(err)
		return b
	}
	take := func(b booking.Booking, amount, tip int64) {
		t.Helper()
		_, err := w.Counter.Record(t.Context(), w.Owner, b.ID.String(), counter.Input{Amount: amount, Tip: tip, Method: booking.ByCash})
		w.Must(err)
	}
	// has compares the lines of the booking's receipts, the oldest first, and checks their sums and taxes.
	has := func(b booking.Booking, want ...string) (ids []string) {
		t.Helper()
		page, err := w.Counter.Receipts(t.Context(), w.Owner, counter.ReceiptQuery{Booking: b.ID.String()})
		w.Must(err)
		var got []string
		for _, r := range slices.Backward(page.Data) {
			text, total, untaxed := "", int64(0), int64(0)
			for _, l := range r.Lines {
				text += fmt.Sprintf("%s %d x %s %d; ", l.Kind, l.Quantity, l.Text, l.Amount)
				total += l.Amount
				if l.TaxRate == nil {
					untaxed += l.Amount
				}
			}
			if x := r.Taxes[0]; total != r.Total || x.Gross != total-untaxed || r.Kind == counter.Issued && x.Tax != x.Rate.Within(x.Gross) {
				t.Errorf("%s: %s make %d, total %d, tax %+v", r.Number, text, total, r.Total, x)
			}
			got, ids = append(got, text), append(ids, r.ID.String())
		}
		if !slices.Equal(got, want) {
			t.Errorf("receipts\n%q, want\n%q", got, want)
		}
		return ids
	}
	party := book("bo", "1T09", 3)
	take(party, 4200, 100)
	const lines = "service 3 x Class 3150; service 3 x Mat 1050; service 3 x Tea 0; tip 0 x  100; "
	ids := has(party, lines)
	w.Must(w.Counter.MailReceipt(t.Context(), w.Owner, ids[0], "books@mail.example"))
	page, err := w.Mail.Mails(t.Context(), w.Owner, mail.ListInput{Booking: party.ID.String(), State: "waiting"})
	w.Must(err)
	i := slices.IndexFunc(page.Data, func(m mail.Mail) bool { return m.Kind == catalog.MailReceipt })
	if i < 0 {
		t.Fatalf("no receipt in %+v", page.Data)
	}
	text, err := mail.Compose(t.Context(), w.Mail, &page.Data[i], netmail.Address{})
	w.Must(err)
	for _, want := range []string{"Class, 3 × €10.50 (19 %)", "€31.50", "Mat, 3 × €3.50 (19 %)", "€10.50", "Tea, 3 × €0.00", "€43.00"} {
		if !strings.Contains(text.Text, want) {
			t.Errorf("the mail has no %q:\n%s", want, text.Text)
		}
	}

	single := book("cy", "1T09", 1) // of the same session
	take(single, 400, 0)
	_, err = w.Counter.IssueReceipt(t.Context(), w.Owner, single.ID.String())
	w.Must(err)
	take(single, 1000, 0)
	has(single, "service 0 x Class + Mat + Tea 400; ", "service 0 x Class + Mat + Tea 1000; ")
	a, err := w.Report.Analytics(t.Context(), w.Owner, report.AnalyticsInput{})
	w.Must(err)
	got := fmt.Sprint(a.Totals.Total, a.Value, a.Revenue, a.ByHost[0].Totals.Total, a.ByDay[0].Value, a.ByEventType[0].Value)
	if want := "2 [{5600 EUR}] [{5700 EUR}] 2 [{5600 EUR}] [{5600 EUR}]"; got != want {
		t.Errorf("analytics: %s, want %s", got, want)
	}
	week, err := w.Report.WeekFigures(t.Context(), w.Owner, party.Start.Time(), party.End.Time())
	w.Must(err)
	if week.Booked != 2 || week.Value["EUR"] != 5600 {
		t.Errorf("the week: %+v", week)
	}

	// On top, each line's tax is rounded by itself: the largest line makes up for that.
	w.Taxed(money.Tax{Mode: money.TaxAdded, Rate: 19000}, 100, "other")
	dear := book("di", "1T11", 3)
	take(dear, 4998, 0)
	lastly := has(dear, "service 3 x Class 3748; service 3 x Mat 1250; service 3 x Tea 0; ")
	now, err := w.Booking(t.Context(), w.Owner, dear.ID.String())
	w.Must(err)
	_, err = w.Counter.GiveBack(t.Context(), w.Owner, now.Payments[0].ID.String(), nil)
	w.Must(err)
	if has(dear, "service 3 x Class 3748; service 3 x Mat 1250; service 3 x Tea 0; ",
		"service 3 x Class -3748; service 3 x Mat -1250; service 3 x Tea 0; "); len(lastly) != 1 {
		t.Errorf("%q", lastly)
	}
}
