package dashboard

import (
	"testing"
	"time"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/money"
	"daybook/app/payment"
	"daybook/app/payment/stripetest"
)

// The form of an event type sets a deposit and a late cancellation fee; the page of a booking shows both, and charges the
// fee where the business says so.
func TestDepositAndLateFee(t *testing.T) {
	w := newWorld(t)
	s := w.stripe()
	b := w.asOwner()
	form := []string{"title", "Paid", "slug", "paid", "durationMinutes", "30", "slotStepMinutes", "30", "seats", "1",
		"bookingWindowDays", "60", "minimumNoticeMinutes", "180", "bufferBeforeMinutes", "0", "bufferAfterMinutes", "0",
		"refundOnCancel", "within_notice", "hosts", w.setup().Hosts[0].ID.String(), "price", "45"}
	save := func(more ...string) []string { return append(form[:len(form):len(form)], more...) }
	const page = "/dashboard/types/new"
	for _, c := range []struct {
		more []string
		says string
	}{
		{save("payment", "online", "deposit", "20", "depositUnit", "percent"), "With a deposit the rest is paid on site."},
		{save("payment", "on_site", "deposit", "101", "depositUnit", "percent"), "from 1 to 100"},
		{save("payment", "on_site", "deposit", "46", "depositUnit", "amount"), "The deposit is at most the price"},
		{save("payment", "on_site", "lateCancellationFee", "20", "cancellationNoticeMinutes", "0"), "also set until when"},
	} {
		b.wants(b.post(page, c.more...), 422, c.says)
	}
	all := save("payment", "on_site", "deposit", "20", "depositUnit", "percent", "lateCancellationFee", "20",
		"cancellationNoticeMinutes", "120")
	b.wants(b.post(page, all...), 303) // and says that nothing is charged without Stripe
	e := w.setup().EventType("paid")
	if e.Deposit == nil || e.Deposit.Percent != 20 || e.LateCancellationFee == nil || e.LateCancellationFee.Amount != 2000 {
		t.Fatalf("saved %+v, %+v", e.Deposit, e.LateCancellationFee)
	}
	b.wants(b.get("/dashboard/types/"+e.ID.String()), 200, `name="deposit"`, "Stripe is not connected")
	_, err := w.Payment.ConnectPayments(t.Context(), app.Operator(w.Owner.Workspace),
		payment.Keys{SecretKey: stripetest.Key, SigningSecret: stripetest.SigningSecret})
	w.Must(err)
	booked, err := w.Book(t.Context(), app.Actor{Kind: booking.ByInvitee, Workspace: w.Owner.Workspace}, booking.BookInput{
		EventType: "paid", Start: w.open("paid"), Invitee: booking.Invitee{Name: "Eva", Email: "eva@mail.example"}})
	w.Must(err)
	w.paysFor(s, booked, stripetest.Good)
	at := "/dashboard/bookings/" + booked.ID.String()
	b.wants(b.get(at), 200, "Deposit", "Paid: €9", "Late cancellation fee", "€20, from", "!chargeLateFee")
	b.wants(b.post(at+"/cancel", "chargeLateFee", "on"), 422, "Nothing can be charged")
	w.Clock.Set(booked.FreeCancel.Time().Add(time.Minute))
	b.wants(b.get(at), 200, `name="chargeLateFee"`, "Charge the late cancellation fee of €20")
	b.wants(b.post(at+"/cancel", "asksRefund", "1", "chargeLateFee", "on"), 303)
	w.works()
	b.wants(b.get(at), 200, "Late cancellation fee charged", "Paid: €20", "/refund?of=fee", "/refund?of=price")
	now, err := w.Booking(t.Context(), w.Owner, booked.ID.String())
	w.Must(err)
	if f := now.Cancellation.Fee; f == nil || f.Status != "succeeded" || *now.Deposit != (money.Money{Amount: 900, Currency: "EUR"}) {
		t.Errorf("fee %+v, deposit %v", f, now.Deposit)
	}
}
