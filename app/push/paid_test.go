package push_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/money"
	"daybook/app/payment"
	"daybook/app/payment/stripe"
	"daybook/app/payment/stripetest"
	"daybook/app/push"
)

// till is the stand-in for Stripe of a bed whose workspace takes payments by it.
type till struct {
	*bed
	stripe *stripetest.Server
	doors  *http.ServeMux
}

func newTill(x *bed) *till {
	l := &till{x, stripetest.New(x.T), http.NewServeMux()}
	l.stripe.Now = x.Clock.Now
	x.Payment.SetProvider(stripe.New(l.stripe.URL))
	_, err := x.Payment.ConnectPayments(x.T.Context(), app.Operator(x.Workspace.ID),
		payment.Keys{SecretKey: stripetest.Key, SigningSecret: stripetest.SigningSecret})
	x.Must(err)
	log := slog.New(slog.DiscardHandler)
	l.doors.Handle("/api/stripe/{workspace}", stripe.Hook(x.Payment, log))
	l.doors.Handle("/booking/{token}/pay", payment.Pay(x.Payment, log, nil))
	return l
}

// leave opens the payment page of a booking and leaves it open.
func (l *till) leave(b booking.Booking) (session string) {
	l.T.Helper()
	w := httptest.NewRecorder()
	path := b.ManageURL[strings.LastIndex(b.ManageURL, "/booking/"):] + "/pay"
	l.doors.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
	session, ok := strings.CutPrefix(w.Header().Get("Location"), "https://checkout.stripe.test/")
	if !ok {
		l.T.Fatalf("pay: %d %s", w.Code, w.Body)
	}
	return session
}

// pay completes a payment page, of which Daybook learns by tell.
func (l *till) pay(session string) {
	l.T.Helper()
	l.stripe.Pay(l.T, session, stripetest.Good)
}

func (l *till) tell() {
	l.T.Helper()
	for i := range l.stripe.Events() {
		l.stripe.Send(l.T, l.doors, "/api/stripe/salon", i)
	}
}

// The team hears of a booking that must be paid, or needs a card, once that is settled: of none that ends before, and of
// one whose money comes late when it takes place after all.
func TestNotificationsWaitForThePayment(t *testing.T) {
	x := newBed(t)
	l := newTill(x)
	money := &money.Money{Amount: 4500, Currency: "EUR"}
	x.Offer("paid", 60, func(e *catalog.EventType) { e.Price, e.Payment, e.MinimumNoticeMinutes = money, catalog.PayOnline, 0 })
	x.Offer("card", 60, func(e *catalog.EventType) { e.NoShowFee, e.MinimumNoticeMinutes = money, 0 })
	x.service.add(x.Salon, x.owner, x.session, "/owner", push.Wishes{Kinds: push.Kinds, Names: true})
	seen := 0
	hears := func(when string, titles ...string) { // and then a test, behind which nothing of before can come
		t.Helper()
		apptest.Eventually(t, "the changes are read", func() bool {
			n, err := x.Push.WriteMessages(t.Context(), 100)
			x.Must(err)
			return n == 0
		})
		x.Must(x.Push.Try(t.Context(), x.owner, x.devices(x.owner)[0].ID.String()))
		got := x.service.notes(t, seen+len(titles)+1)[seen:]
		seen += len(got)
		var texts []string
		for _, n := range got {
			if n.Title != x.Workspace.Name {
				texts = append(texts, n.Title)
			}
		}
		if !slices.Equal(texts, titles) {
			t.Errorf("%s: %q instead of %q", when, texts, titles)
		}
	}
	late := func() { // half an hour passes
		t.Helper()
		x.Clock.Advance(31 * time.Minute)
		_, err := x.Lapse(t.Context(), 100)
		x.Must(err)
	}
	abandoned := x.Booked("paid", apptest.Hours(3), "Ida")
	l.leave(abandoned)
	late()
	hears("an abandoned payment page")
	withdrawn := x.Booked("paid", apptest.Hours(3), "Ida")
	_, err := x.Cancel(t.Context(), app.Actor{Kind: booking.ByInvitee, Workspace: x.Workspace.ID, Booking: withdrawn.ID},
		withdrawn.ID.String(), app.CancelInput{})
	x.Must(err)
	hears("cancelled before it was paid")
	carded := x.Booked("card", apptest.Hours(4), "Eva")
	l.pay(l.leave(carded))
	l.tell()
	hears("a saved card", "Neue Buchung")
	slow := x.Booked("paid", apptest.Hours(5), "Uwe")
	l.pay(l.leave(slow))
	late()
	hears("a payment that Daybook has not heard of")
	l.tell()
	hears("a late payment", "Neue Buchung")
	_, err = x.Cancel(t.Context(), x.API, slow.ID.String(), app.CancelInput{})
	x.Must(err)
	hears("cancelled after it was paid", "Buchung abgesagt")
}
