package dashboard

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/money"
	"daybook/app/payment"
	"daybook/app/payment/stripe"
	"daybook/app/payment/stripetest"
	"daybook/views/dash"
)

// stripe is a stand-in that the world takes payments with.
func (w *world) stripe() *stripetest.Server {
	s := stripetest.New(w.T)
	s.Now = w.Clock.Now
	w.Payment.SetProvider(stripe.New(s.URL))
	return s
}

func TestPaymentSettings(t *testing.T) {
	w := newWorld(t)
	w.stripe()
	b := w.asOwner()
	const page = "/dashboard/settings/payments"
	b.wants(b.get(page), 200, "Not connected", w.server.URL+"/api/stripe/demo", "!Disconnect Stripe", `type="password"`)
	// A refused key is told of, and neither kept nor shown.
	b.wants(b.post(page, "secretKey", "pk_test_0123456789", "signingSecret", "whsec_secret_0123456789"), 422, "publishable key", "!pk_test_0123456789", "!whsec_secret")
	b.wants(b.post(page, "secretKey", "sk_test_wrong_0123456789", "signingSecret", "whsec_secret_0123456789"), 422, "Stripe refused this key", "Not connected", "!sk_test_wrong", "!whsec_secret")
	b.wants(b.post(page, "secretKey", stripetest.Key, "signingSecret", "nothing-secret"), 422, "whsec_", "!"+stripetest.Key, "!nothing-secret")
	if w.Payment.TakesCards(w.Owner.Workspace) {
		t.Fatal("a refused key connects")
	}
	b.wants(b.post(page, "secretKey", stripetest.Key, "signingSecret", stripetest.SigningSecret), 303)
	b.wants(b.get(page+"?said=connected"), 200, "Stripe is connected.", "Test mode", "acct_stand_in", "None yet", "Send a test event", "checkout.session.completed\ncheckout.session.async_payment_succeeded\n", "Disconnect Stripe", "!"+stripetest.Key, "!"+stripetest.SigningSecret)
	b.wants(b.post(page, "secretKey", "sk_test_wrong_0123456789", "signingSecret", "whsec_secret_0123456789"), 422, "Test mode", "!sk_test_wrong", "!whsec_secret")
	for _, other := range []*visitor{w.manager(), w.staff(w.setup().Hosts[0].ID)} {
		other.wants(other.get(page), 403, "!acct_stand_in")
		other.wants(other.post(page, "secretKey", stripetest.Key, "signingSecret", stripetest.SigningSecret), 403)
		other.wants(other.post(page+"/disconnect"), 403)
		other.wants(other.get("/dashboard"), 200, "!"+page)
	}
	if !w.Payment.TakesCards(w.Owner.Workspace) {
		t.Fatal("not connected any more")
	}
	b.wants(b.post(page+"/disconnect"), 303)
	b.wants(b.post(page+"/disconnect"), 303)
	b.wants(b.get(page), 200, "Not connected")
}

// works does what is queued for Stripe.
func (w *world) works() {
	w.T.Helper()
	for range 10 { // a booking's are claimed one at a time
		jobs, err := w.Payment.ClaimPaymentJobs(w.T.Context(), 10, time.Minute)
		w.Must(err)
		for _, j := range jobs {
			w.Must(w.Payment.RunPaymentJob(w.T.Context(), j))
		}
	}
}

// bookPaid connects the salon and books something that is paid online.
func (w *world) bookPaid(price money.Money, fee *money.Money) booking.Booking {
	w.T.Helper()
	ws, err := w.WorkspaceBySlug(w.T.Context(), w.salon.Workspace)
	w.Must(err)
	e := catalog.NewEventType()
	e.ID, e.WorkspaceID, e.Slug, e.Title, e.DurationMinutes, e.SlotStepMinutes = 77, ws.ID, "paid", "Paid", 30, 30
	e.Price, e.NoShowFee, e.Payment, e.Hosts = &price, fee, catalog.PayOnline, []catalog.HostRef{{ID: w.setup().Hosts[0].ID}}
	w.Must(w.Store.Write(w.T.Context(), func(tx app.Tx) error { return tx.InsertEventType(&e) }))
	_, err = w.Payment.ConnectPayments(w.T.Context(), app.Operator(ws.ID), payment.Keys{SecretKey: stripetest.Key, SigningSecret: stripetest.SigningSecret})
	w.Must(err)
	booked, err := w.Book(w.T.Context(), app.Actor{Kind: booking.ByInvitee, Workspace: ws.ID}, booking.BookInput{EventType: "paid", Start: w.open("paid"), Invitee: booking.Invitee{Name: "Eva", Email: "eva@mail.example"}})
	w.Must(err)
	return booked
}

// paysFor is the invitee on the payment page.
func (w *world) paysFor(s *stripetest.Server, booked booking.Booking, card stripetest.Card) {
	w.T.Helper()
	token := booked.ManageURL[strings.LastIndexByte(booked.ManageURL, '/')+1:]
	_, err := w.Payment.CheckoutURL(w.T.Context(), token)
	w.Must(err)
	s.Pay(w.T, s.Session(w.T, -1), card)
	_, err = w.Payment.CheckoutDone(w.T.Context(), token)
	w.Must(err)
}

// The page says when the last event that Stripe signed with the secret that is saved arrived: none yet after another was
// saved.
func TestStripesEventsArrive(t *testing.T) {
	w := newWorld(t)
	w.stripe()
	w.bookPaid(money.Money{Amount: 4500, Currency: "EUR"}, nil)
	b := w.asOwner()
	page := dash.PaymentsPath
	b.wants(b.get(page), 200, "Do events arrive?", "None yet")
	w.Clock.Advance(time.Minute)
	w.Must(w.Payment.AcceptProviderEvent(t.Context(), w.Workspace.ID, payment.ProviderEvent{ID: "evt_1", Kind: "charge.refunded"}))
	w.Clock.Advance(5 * time.Minute)
	b.wants(b.get(page), 200, "last event: 5 minutes ago", "charge.refunded", "They arrive", "!None yet")
	b.wants(b.post(page, "secretKey", stripetest.Key, "signingSecret", stripetest.SigningSecret), 303)
	b.wants(b.get(page), 200, "None yet", "!They arrive")
	if page := b.get(page).body; !strings.Contains(page, `class="copied copied-lines"`) || strings.Count(page, "charge.dispute.closed") != 2 {
		t.Error("the events are no list to copy")
	}
	tab := w.browse()
	tab.signIn(w)
	for _, width := range []int64{390, 1440} {
		tab.look("light", width, 900)
		tab.open(page)
		shot(tab, fmt.Sprintf("stripe-%d", width))
	}
}

func TestRefundOfAFee(t *testing.T) {
	for _, card := range []stripetest.Card{stripetest.Good, stripetest.Declined} {
		w := newWorld(t)
		s := w.stripe()
		booked := w.bookPaid(money.Money{Amount: 4500, Currency: "EUR"}, &money.Money{Amount: 2500, Currency: "EUR"})
		w.paysFor(s, booked, card)
		page := "/dashboard/bookings/" + booked.ID.String()
		w.Clock.Advance(booked.Start.Time().Sub(w.Clock.Now()) + time.Hour)
		b := w.asOwner()
		b.wants(b.post(page+"/no-show"), 303)
		w.works()
		if card != stripetest.Good {
			b.wants(b.get(page), 200, "Failed: €25", "To pay the fee", booked.ManageURL+"/pay", "!of=fee")
			continue
		}
		b.wants(b.get(page), 200, "Paid: €25", "!To pay the fee", page+"/refund?of=fee", page+"/refund?of=price")
		b.wants(b.post(page+"/refund?of=fee", "amount", "25"), 303)
		w.works()
		b.wants(b.get(page), 200, "Refunded: €25", "Paid: €45", "!of=fee", page+"/refund?of=price")
		if given := s.Refunds(); len(given) != 1 || given[0] != 2500 {
			t.Error(given)
		}
	}
}

func TestRefundOnABookingsPage(t *testing.T) {
	w := newWorld(t)
	s := w.stripe()
	host := w.setup().Hosts[0]
	booked := w.bookPaid(money.Money{Amount: 4500, Currency: "EUR"}, nil)
	page := "/dashboard/bookings/" + booked.ID.String()
	b := w.manager()
	b.wants(b.get(page), 200, "Unpaid: €45", "!"+page+"/refund")
	b.wants(b.post(page+"/refund?of=price", "amount", "5"), 409, "Nothing is left")
	w.paysFor(s, booked, stripetest.Good)

	b.wants(b.get(page), 200, "Paid: €45", page+"/refund?of=price", `value="45"`, "!of=fee")
	staff := w.staff(host.ID)
	staff.wants(staff.get(page), 200, "Paid: €45", "!"+page+"/refund")
	staff.wants(staff.post(page+"/refund?of=price", "amount", "5"), 403)
	for _, amount := range []string{"", "0", "-5", "x", "45.001", "45.01", "99999999999999999999"} {
		b.wants(b.post(page+"/refund?of=price", "amount", amount), 422, "of the")
	}
	b.wants(b.post(page+"/refund?of=fee", "amount", "5"), 409, "Nothing is left")
	b.wants(b.post(page+"/refund?of=price", "amount", "10,50"), 303)
	b.wants(b.get(page), 200, "Refund requested: €10.50", `value="34.50"`) // what is asked for is not offered again
	b.wants(b.post(page+"/refund?of=price", "amount", "34.51"), 422, "Only €34.50 of the payment is left")
	w.works()
	b.wants(b.get(page), 200, "Refunded: €10.50", "by Stripe", "!by itself")
	b.wants(b.get(page), 200, "Partly refunded: €45", "€10.50 went back", `value="34.50"`)
	b.wants(b.getIn("de", page), 200, "Teilweise erstattet, 45", "10,50\u00a0€ erstattet", "!Partially", "!went back", "!(paid ")
	b.wants(b.getIn("de", page+"/move"), 200, "!now on")
	b.wants(b.post(page+"/refund?of=price", "amount", "34.50"), 303)
	b.wants(b.post(page+"/refund?of=price", "amount", "34.50"), 409, "Nothing is left to refund") // the button was pressed twice
	w.works()
	b.wants(b.get(page), 200, "Refunded: €45", "!"+page+"/refund")
	if given := s.Refunds(); len(given) != 2 || given[0] != 1050 || given[1] != 3450 {
		t.Error(given)
	}
	owner := w.asOwner()
	owner.wants(owner.get("/dashboard/settings/payments"), 200, "Refunded", "€45", page)
	owner.wants(owner.get("/dashboard/settings/payments?state=disputed"), 200, "No disputes", "!"+page)
}

// The dashboard announces no fee that can't be charged, and does not say "online" where it means on site.
func TestNothingIsChargedWithoutStripe(t *testing.T) {
	w := newWorld(t)
	s := w.stripe()
	b := w.asOwner()
	typed := []string{"title", "Perm", "slug", "perm", "durationMinutes", "30", "slotStepMinutes", "30", "bookingWindowDays", "60", "seats", "1",
		"price", "45", "payment", "online", "noShowFee", "25", "refundOnCancel", "always", "hosts", w.setup().Hosts[0].ID.String()}
	b.wants(b.get("/dashboard/types/new"), 200, "Stripe is not connected. Until it is, prices are paid on site and fees are not charged")
	res := b.post("/dashboard/types/new", typed...)
	if to := res.header.Get("Location"); res.status != 303 || !strings.Contains(to, "said=saved-not-charged") {
		t.Fatalf("%d to %s", res.status, to)
	}
	booked, err := w.Book(t.Context(), w.Owner, booking.BookInput{EventType: "perm", Start: w.open("perm"), Invitee: booking.Invitee{Name: "Eva", Email: "eva@mail.example"}})
	w.Must(err)
	page := "/dashboard/bookings/" + booked.ID.String()
	w.Clock.Advance(booked.Start.Time().Sub(w.Clock.Now()) + time.Hour)
	b = w.asOwner()
	b.wants(b.get(page), 200, "The no-show fee of €25 is not charged, because no card was saved", "!will be charged")
	b.wants(b.post(page+"/no-show"), 303)
	b.wants(b.get(page), 200, "€25, can’t be charged: no card was saved")

	paid := w.bookPaid(money.Money{Amount: 4500, Currency: "EUR"}, &money.Money{Amount: 2500, Currency: "EUR"})
	b.wants(b.get("/dashboard/types/new"), 200, "!Stripe is not connected")
	b.wants(b.get("/dashboard/settings/payments?check"), 200, "the key is valid")
	w.paysFor(s, paid, stripetest.Good)
	w.Clock.Advance(paid.Start.Time().Sub(w.Clock.Now()) + time.Hour)
	b = w.asOwner()
	page = "/dashboard/bookings/" + paid.ID.String()
	b.wants(b.get(page), 200, "The no-show fee of €25 is charged to the saved card", "Paid")
	w.Must(w.Payment.DisconnectPayments(t.Context(), app.Operator(w.setup().Workspace.ID)))
	b.wants(b.get(page), 200, "The no-show fee of €25 is charged once Stripe is connected again")
}

// Stripe that can't be reached is not the key's fault.
func TestStripeOutOfReach(t *testing.T) {
	w := newWorld(t)
	w.Payment.SetProvider(stripe.New("http://127.0.0.1:1"))
	b := w.asOwner()
	b.wants(b.post("/dashboard/settings/payments", "secretKey", stripetest.Key, "signingSecret", stripetest.SigningSecret), 409,
		"Stripe could not be reached", "Nothing was saved", "!refused", "!does not take")
}
