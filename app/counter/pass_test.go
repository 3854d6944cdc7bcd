package counter_test

import (
	"context"
	"fmt"
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
	"daybook/app/money"
	"daybook/app/pass"
	"daybook/app/when"
)

// passOf makes a pass that is on sale.
func passOf(t *testing.T, w *apptest.Salon, name string, price int64, terms catalog.PassTerms) catalog.ProductID {
	t.Helper()
	p, err := w.Shop.ChangeProduct(t.Context(), w.Owner, "", func(_ *catalog.Setup, p *catalog.Product) error {
		p.Name, p.Price.Amount, p.Pass = name, price, &terms
		return nil
	})
	w.Must(err)
	return p.ID
}

func soldPass(p catalog.ProductID) counter.SaleLineInput {
	return counter.SaleLineInput{Kind: counter.PassLine, ProductID: p.String()}
}

func voucher(n int64) counter.SaleLineInput {
	return counter.SaleLineInput{Kind: counter.VoucherLine, Amount: &n, For: "Mia"}
}

func cash(n int64) []counter.SalePaymentInput {
	return []counter.SalePaymentInput{{Method: booking.ByCash, Amount: n}}
}

func byPass(p string) []counter.SalePaymentInput { return []counter.SalePaymentInput{{Pass: p}} }

// sold sells lines for cash and returns the sale and its first pass.
func sold(t *testing.T, w *apptest.Salon, contact string, n int64, lines ...counter.SaleLineInput) (counter.Sale, pass.Pass) {
	t.Helper()
	sale, err := w.Counter.Sell(t.Context(), w.Owner, counter.SaleInput{Lines: lines, ContactID: contact, Payments: cash(n)})
	w.Must(err)
	return sale, passNow(t, w, sale.Lines[0].PassID.String())
}

func passNow(t *testing.T, w *apptest.Salon, ref string) pass.Pass {
	t.Helper()
	p, err := w.Pass.Pass(t.Context(), w.Owner, ref)
	w.Must(err)
	return p
}

// ledgerOf is the ledger of a pass in a line; its sum must be the balance.
func ledgerOf(t *testing.T, w *apptest.Salon, ref string) string {
	t.Helper()
	page, err := w.Pass.PassEntries(t.Context(), w.Owner, ref, "", nil)
	w.Must(err)
	sum, text := int64(0), ""
	for _, e := range page.Data {
		sum += e.Delta
		text += fmt.Sprintf(" %+d", e.Delta)
		if e.TakesBack != 0 {
			text += "b"
		}
	}
	if p := passNow(t, w, ref); p.Balance != sum {
		t.Errorf("the balance is %d, the sum of the ledger %d", p.Balance, sum)
	}
	return strings.TrimSpace(text)
}

func reasonOf(err error) string {
	if e := fault.As(err); e != nil {
		return string(e.Code) + " " + e.Reason
	}
	return fmt.Sprint(err)
}

// Ten cuts are sold to Bo, taxed then. Each cut takes a credit, whatever it costs, and is a line below zero on its receipt; a
// refund gives it back, and what is left of the pass can be given back once.
func TestPassOfCredits(t *testing.T) {
	w := salon(t)
	w.Taxed(money.Tax{Mode: money.TaxIncluded, Name: "VAT", Rate: 19000}, 4500, "cut")
	ctx, b := t.Context(), w.Booked("cut", "1T09", "bo")
	cut := catalog.EventTypeID(b.EventTypeID)
	ten := passOf(t, w, "Ten cuts", 40000, catalog.PassTerms{Credits: 10, EventTypes: []catalog.EventTypeID{cut}, Days: 365})
	sale, p := sold(t, w, b.ContactID.String(), 40000, soldPass(ten))
	if p.Kind != pass.Credits || p.Balance != 10 || p.ContactID == nil || *p.ContactID != b.ContactID || p.Code != pass.NoCode || p.Status != pass.Active ||
		!p.TaxedWhenSold || p.EndsAt == 0 {
		t.Errorf("%+v", p)
	}
	if got, want := written(t, w, sale), "2026-1 receipt 40000: [pass Ten cuts 40000 19%] 19%=6387 cash 40000"; got != want {
		t.Errorf("%s, not %s", got, want)
	}
	paid, err := w.Counter.Sell(ctx, w.Owner, counter.SaleInput{Lines: []counter.SaleLineInput{service(b), tip(300)},
		Payments: append(byPass(p.ID.String()), cash(300)...)})
	w.Must(err)
	if got, want := sums(paid), "paid total 4800 paid 4800 due 0 back 0 [service 4500-0-0=4500, 4500] [tip 300-0-0=300, 300]"; got != want {
		t.Errorf("%s, not %s", got, want)
	}
	if got, want := written(t, w, paid), "2026-2 receipt 300: [service Cut 4500 19%] [tip  300 -%] [redeemed Ten cuts -4500 19%] 19%=0 cash 300"; got != want {
		t.Errorf("%s, not %s", got, want)
	}
	now, err := w.Service.Booking(ctx, w.Owner, b.ID.String())
	w.Must(err)
	if now.Due.Amount != 0 || now.Paid.Amount != 4500 || now.Payments[0].Pass == nil || now.Payments[0].Pass.Credits != 1 {
		t.Errorf("%+v", now.Payments)
	}
	if got := ledgerOf(t, w, p.ID.String()); got != "+10 -1" {
		t.Error(got)
	}
	if day, err := w.Counter.Day(ctx, w.Owner, ""); err != nil || len(day.Takings) != 1 || day.Takings[0].Amount != 40300 {
		t.Errorf("the day counts the pass's use: %+v %v", day.Takings, err)
	}
	half := int64(2000)
	if _, err := w.Counter.GiveBack(ctx, w.Owner, now.Payments[0].ID.String(), &half); reasonOf(err) != "bad_request invalid" {
		t.Errorf("half a credit is given back: %v", err)
	}
	if _, err := w.Counter.GiveBack(ctx, w.Owner, now.Payments[0].ID.String(), nil); err != nil {
		t.Fatal(err)
	}
	if got := ledgerOf(t, w, p.ID.String()); got != "+10 -1 +1b" {
		t.Error(got)
	}
	_, err = w.Counter.Record(ctx, w.Owner, b.ID.String(), counter.Input{Method: booking.ByVoucher, Pass: p.ID.String()})
	w.Must(err)
	_, err = w.Counter.RefundSale(ctx, w.Owner, sale.ID.String(), counter.SaleRefundInput{})
	if e := fault.As(err); e == nil || e.Reason != "pass_used" || fmt.Sprint(e.Details["left"]) != "36000" {
		t.Errorf("a used pass is given back whole: %v", err)
	}
	rest := int64(36000)
	_, err = w.Counter.RefundSale(ctx, w.Owner, sale.ID.String(), counter.SaleRefundInput{Amount: &rest})
	w.Must(err)
	other := w.Booked("cut", "1T11", "bo")
	if _, err := w.Counter.Record(ctx, w.Owner, other.ID.String(), counter.Input{Method: booking.ByVoucher, Pass: p.ID.String()}); reasonOf(err) != "conflict pass_blocked" {
		t.Errorf("a pass that was given back pays: %v", err)
	}
}

// A voucher of a shop with one rate is taxed when it is sold and its use no more; of a shop with several it is a payment, unless the
// shop says which. Both pay for products, too, and keep what is left.
func TestVoucher(t *testing.T) {
	for _, how := range []struct {
		several  bool
		says     money.VoucherTax
		whenSold bool
		used     string // the receipt of what it pays for
	}{
		{false, "", true, "200: [service Cut 4500 19%] [product Shampoo 1290 19%] [tip  200 -%] [redeemed  -4500 19%] [redeemed  -1290 19%] 19%=0 cash 200"},
		{true, "", false, "5990: [service Cut 4500 19%] [product Shampoo 1290 7%] [tip  200 -%] 19%=718 7%=84 voucher 5790 cash 200"},
		{false, money.VouchersUsed, false, "5990: [service Cut 4500 19%] [product Shampoo 1290 19%] [tip  200 -%] 19%=924 voucher 5790 cash 200"},
		{true, money.VouchersSold, true, "200: [service Cut 4500 19%] [product Shampoo 1290 7%] [tip  200 -%] [redeemed  -4500 19%] [redeemed  -1290 7%] 19%=0 7%=0 cash 200"},
	} {
		t.Run(fmt.Sprint("several rates ", how.several, " ", how.says), func(t *testing.T) {
			w, several := salon(t), how.several
			w.Taxed(money.Tax{Mode: money.TaxIncluded, Name: "VAT", Rate: 19000, Vouchers: how.says}, 4500, "cut")
			ctx, b := t.Context(), w.Booked("cut", "1T09", "bo")
			var rate *money.Rate
			if several {
				seven := money.Rate(7000)
				rate = &seven
			}
			shampoo := product(t, w, "Shampoo", 1290, 5, rate)
			sale, p := sold(t, w, "", 10000, voucher(10000))
			if p.Voucher != true || p.Code != pass.NewCode || p.TaxedWhenSold != how.whenSold || p.For != "Mia" || p.EndsAt != 0 {
				t.Errorf("%+v", p)
			}
			want := "2026-1 receipt 10000: [voucher  10000 19%] 19%=1597 cash 10000"
			if !how.whenSold {
				want = "2026-1 receipt 10000: [voucher  10000 -%] cash 10000"
			}
			if got := written(t, w, sale); got != want {
				t.Errorf("%s, not %s", got, want)
			}
			code, _, err := w.Pass.PassCode(ctx, w.Owner, p.ID.String())
			w.Must(err)
			if len(code) != 19 || passNow(t, w, p.ID.String()).Code != pass.HasCode {
				t.Error(code)
			}
			paid, err := w.Counter.Sell(ctx, w.Owner, counter.SaleInput{Lines: []counter.SaleLineInput{service(b), goods(shampoo, 1), tip(200)},
				Payments: append(byPass(strings.ToLower(strings.ReplaceAll(code, "-", " "))), cash(200)...)})
			w.Must(err)
			want = "2026-2 receipt " + how.used
			if got := written(t, w, paid); got != want {
				t.Errorf("%s, not %s", got, want)
			}
			again, _, err := w.Pass.PassCode(ctx, w.Owner, p.ID.String())
			w.Must(err)
			if _, err := w.Pass.PassWithCode(ctx, w.Owner, code); again == code || reasonOf(err) != "conflict pass_replaced" {
				t.Errorf("the old code is good: %v", err)
			}
			if found, err := w.Pass.PassWithCode(ctx, w.Owner, again); err != nil || found.Balance != 4210 {
				t.Errorf("%+v %v", found, err)
			}
			owed, err := w.Pass.Owed(ctx, w.Owner)
			if err != nil || len(owed) != 1 || owed[0] != (pass.Owed{Currency: "EUR", Passes: 1, Amount: 4210}) {
				t.Errorf("%+v %v", owed, err)
			}
			// All of it goes back, to the voucher first.
			_, err = w.Counter.RefundSale(ctx, w.Owner, paid.ID.String(), counter.SaleRefundInput{})
			w.Must(err)
			if got := ledgerOf(t, w, p.ID.String()); got != "+10000 -4500 -1290 +4500b +1290b" {
				t.Error(got)
			}
			_, err = w.Counter.RefundSale(ctx, w.Owner, sale.ID.String(), counter.SaleRefundInput{})
			w.Must(err)
			if p := passNow(t, w, p.ID.String()); p.Status != pass.Blocked {
				t.Errorf("%+v", p)
			}
		})
	}
}

// What is given back of a sale in which a voucher was sold, too, comes off the service first: the voucher stays good.
func TestRefundBesideAVoucher(t *testing.T) {
	w := salon(t)
	w.Taxed(money.Tax{Mode: money.TaxIncluded, Name: "VAT", Rate: 19000}, 4500, "cut")
	ctx, b := t.Context(), w.Booked("cut", "1T09", "bo")
	sale, p := sold(t, w, "", 9500, voucher(5000), service(b))
	five := int64(500)
	after, err := w.Counter.RefundSale(ctx, w.Owner, sale.ID.String(), counter.SaleRefundInput{Amount: &five})
	w.Must(err)
	if after.Lines[0].Refunded != 0 || after.Lines[1].Refunded != 500 || passNow(t, w, p.ID.String()).Status != pass.Active {
		t.Errorf("%s %+v", sums(after), passNow(t, w, p.ID.String()))
	}
}

// A pass pays for a new booking in its transaction; the business's cancellation gives it back, an invitee's late one eats it. What
// comes back to a pass that ended lives for 30 days.
func TestPayWithPass(t *testing.T) {
	w := salon(t)
	w.Taxed(money.Tax{Mode: money.TaxIncluded, Name: "VAT", Rate: 19000}, 4500, "cut")
	ctx, b := t.Context(), w.Booked("cut", "1T09", "bo")
	five := passOf(t, w, "Five cuts", 20000, catalog.PassTerms{Credits: 5, EventTypes: []catalog.EventTypeID{b.EventTypeID}, Days: 10})
	_, p := sold(t, w, b.ContactID.String(), 20000, soldPass(five))
	book := func(day, who string) (booking.Booking, error) {
		in := apptest.Input("cut", day, who)
		in.PayWith = &booking.PayWith{Pass: p.ID.String()}
		return w.Service.Book(ctx, w.Owner, in)
	}
	first, err := book("1T13", "bo")
	w.Must(err)
	if first.Due.Amount != 0 || first.Payments[0].Receipt == nil || first.Status != booking.Confirmed {
		t.Errorf("%+v", first)
	}
	if _, err := book("1T14", "mia"); reasonOf(err) != "conflict pass_not_theirs" {
		t.Errorf("somebody else's pass pays: %v", err)
	}
	if got := ledgerOf(t, w, p.ID.String()); got != "+5 -1" {
		t.Error(got)
	}
	w.Clock.Advance(12 * 24 * time.Hour)
	if _, err := book("15T14", "bo"); reasonOf(err) != "conflict pass_ended" {
		t.Errorf("a pass that ended pays: %v", err)
	}
	w.Clock.Advance(-12 * 24 * time.Hour)
	second, err := book("2T13", "bo")
	w.Must(err)
	cancelled, err := w.Service.Cancel(ctx, w.Owner, second.ID.String(), booking.CancelInput{})
	w.Must(err)
	if got := ledgerOf(t, w, p.ID.String()); got != "+5 -1 -1 +1b" || cancelled.Paid.Amount != 0 {
		t.Errorf("%s %+v", got, cancelled.Paid)
	}
	r, err := w.Counter.Receipts(ctx, w.Owner, counter.ReceiptQuery{Booking: second.ID.String()})
	if err != nil || len(r.Data) != 2 || r.Data[0].Kind != counter.Reversal {
		t.Errorf("%+v %v", r.Data, err)
	}
	w.Alter("cut", func(e *catalog.EventType) { e.RefundOnCancel = catalog.RefundNever })
	invitee := app.Actor{Kind: booking.ByInvitee, Workspace: w.Workspace.ID, Booking: first.ID}
	_, err = w.Service.Cancel(ctx, invitee, first.ID.String(), booking.CancelInput{})
	w.Must(err)
	if got := ledgerOf(t, w, p.ID.String()); got != "+5 -1 -1 +1b" {
		t.Errorf("a cancellation that refunds nothing gives a credit back: %s", got)
	}
	w.Alter("cut", func(e *catalog.EventType) { e.RefundOnCancel = catalog.RefundAlways })
	third, err := book("2T15", "bo")
	w.Must(err)
	w.Clock.Advance(11 * 24 * time.Hour)
	_, err = w.Service.Cancel(ctx, w.Owner, third.ID.String(), booking.CancelInput{})
	w.Must(err)
	if now := passNow(t, w, p.ID.String()); now.Status != pass.Active || now.EndsAt != when.At(w.Clock.Now()).Add(30*24*time.Hour) {
		t.Errorf("a credit came back to %+v", now)
	}
}

// Of 64 who spend one pass at the same time over two servers, as many do as it has credits.
func TestContestOfPass(t *testing.T) {
	w := salon(t)
	w.Taxed(money.Tax{Mode: money.TaxIncluded, Name: "VAT", Rate: 19000}, 4500, "cut")
	b := w.Booked("cut", "1T09", "bo")
	three := passOf(t, w, "Three cuts", 12000, catalog.PassTerms{Credits: 3})
	sale, p := sold(t, w, "", 12000, soldPass(three))
	other := w.Another().Counter
	var all []string
	for day := 1; len(all) < 16; day++ {
		for hour := 9; hour < 17 && len(all) < 16; hour++ {
			if day == 1 && hour == 9 {
				continue
			}
			if made, err := w.Service.Book(t.Context(), w.Owner, apptest.Input("cut", fmt.Sprintf("%dT%02d", day, hour), fmt.Sprintf("b%d-%d", day, hour))); err == nil {
				all = append(all, made.ID.String())
			}
		}
	}
	all = append(all, b.ID.String())
	var wg sync.WaitGroup
	for i := range 64 {
		wg.Go(func() {
			at, ctx := w.Counter, context.Background()
			if i%2 == 1 {
				at = other
			}
			if i == 40 { // it may be given back as far as it isn't used, and blocked then
				_, _ = at.RefundSale(ctx, w.Owner, sale.ID.String(), counter.SaleRefundInput{})
				return
			}
			_, _ = at.Record(ctx, w.Owner, all[i%len(all)], counter.Input{Method: booking.ByVoucher, Pass: p.ID.String()})
		})
	}
	wg.Wait()
	paid := int64(0)
	for _, ref := range all {
		b, err := w.Service.Booking(t.Context(), w.Owner, ref)
		w.Must(err)
		for i := range b.Payments {
			if b.Payments[i].Pass != nil {
				paid += b.Payments[i].Pass.Credits
			}
		}
	}
	now := passNow(t, w, p.ID.String())
	ledgerOf(t, w, p.ID.String())
	if now.Balance != 3-paid || now.Status != pass.Blocked && paid != 3 || now.Status == pass.Blocked && paid != 0 {
		t.Errorf("%d were paid, %+v", paid, now)
	}
}

// An edit to a service that the pass doesn't pay for gives the credit back, and the price is due; to a dearer one that it pays for,
// the credit pays all of it.
func TestEditOfWhatAPassPaid(t *testing.T) {
	w := salon(t)
	w.Taxed(money.Tax{Mode: money.TaxIncluded, Name: "VAT", Rate: 19000}, 4500, "cut")
	dear := w.Offer("dear", 60, func(e *catalog.EventType) { e.Price = &money.Money{Amount: 9000, Currency: "EUR"} })
	w.Offer("wash", 60, func(e *catalog.EventType) { e.Price = &money.Money{Amount: 2000, Currency: "EUR"} })
	ctx, b := t.Context(), w.Booked("cut", "1T09", "bo")
	ten := passOf(t, w, "Ten cuts", 40000, catalog.PassTerms{Credits: 10, EventTypes: []catalog.EventTypeID{b.EventTypeID, dear.ID}})
	_, p := sold(t, w, b.ContactID.String(), 40000, soldPass(ten))
	_, err := w.Counter.Record(ctx, w.Owner, b.ID.String(), counter.Input{Method: booking.ByVoucher, Pass: p.ID.String()})
	w.Must(err)
	for _, to := range []struct {
		slug, ledger string
		due          int64
	}{{"dear", "+10 -1 +1b -1", 0}, {"wash", "+10 -1 +1b -1 +1b", 2000}} {
		now, err := w.Service.Edit(ctx, w.Owner, b.ID.String(), booking.EditInput{EventType: &to.slug, Override: []string{"outside_hours", "off_grid"}}, "")
		w.Must(err)
		if got := ledgerOf(t, w, p.ID.String()); got != to.ledger || now.Due.Amount != to.due {
			t.Errorf("%s: %s, due %d", to.slug, got, now.Due.Amount)
		}
	}
}
