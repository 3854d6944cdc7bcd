package payment_test

import (
	"fmt"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/payment"
	"daybook/app/payment/stripetest"
)

func TestRefundInParts(t *testing.T) {
	b := newBed(t)
	b.offer("cut", nil)
	k := b.paid("cut", 3, "eva", stripetest.Good)
	refund := func(amount int64) error {
		_, err := b.Payment.Refund(t.Context(), b.Owner, k.ID.String(), &amount)
		return err
	}
	b.Must(refund(1000))
	if err := refund(4000); !fault.Is(err, fault.BadRequest) {
		t.Fatalf("more than is left: %v", err)
	}
	b.wantPayment(k, "paid", 0) // Stripe has not confirmed it yet
	b.settle()
	b.wantPayment(k, "partially_refunded", 1000)
	card, err := b.People.Card(t.Context(), b.Owner, k.ContactID.String())
	if b.Must(err); fmt.Sprint(card.Spent) != "[{3500 EUR}]" {
		t.Errorf("the card says that %v was spent", card.Spent)
	}
	_, err = b.Payment.Refund(t.Context(), b.Owner, k.ID.String(), nil)
	b.Must(err)
	if _, err := b.Payment.Refund(t.Context(), b.Owner, k.ID.String(), nil); fault.As(err) == nil || fault.As(err).Reason != "nothing_to_refund" {
		t.Fatal(err)
	}
	b.settle()
	b.tell()
	b.settle()
	b.wantPayment(k, "refunded", 4500)
	b.wantRefunds(1000, 3500)
	b.want(k, booking.Confirmed)
	b.wantEvents("payment.succeeded booking succeeded", "booking.created", "payment.refunded booking partially_refunded", "payment.refunded booking refunded")
	invitee := app.Actor{Kind: booking.ByInvitee, Workspace: b.Workspace.ID, Booking: k.ID}
	if _, err := b.Payment.Refund(t.Context(), invitee, k.ID.String(), nil); !fault.Is(err, fault.Forbidden) {
		t.Error(err)
	}
	reader := app.Actor{Kind: booking.ByAPI, Workspace: b.Workspace.ID, ReadOnly: true}
	if _, err := b.Payment.Refund(t.Context(), reader, k.ID.String(), nil); !fault.Is(err, fault.Forbidden) {
		t.Error(err)
	}
}

func TestRefundOnCancellation(t *testing.T) {
	yes, no := true, false
	for _, c := range []struct {
		rule    catalog.RefundRule
		notice  int
		by      booking.ActorKind
		asked   *bool
		refunds bool
	}{
		{catalog.RefundNever, 0, booking.ByAPI, nil, true},
		{catalog.RefundNever, 0, booking.ByOwner, &yes, true},
		{catalog.RefundAlways, 0, booking.ByAgent, &no, false},
		{catalog.RefundAlways, 0, booking.ByInvitee, nil, true},
		{catalog.RefundAlways, 0, booking.ByInvitee, &no, true}, // not for the invitee to say
		{catalog.RefundWithinNotice, 60, booking.ByInvitee, nil, true},
		{catalog.RefundNever, 60, booking.ByInvitee, nil, false},
		{catalog.RefundNever, 60, booking.ByInvitee, &yes, false},
	} {
		b := newBed(t)
		b.offer("cut", func(e *catalog.EventType) { e.RefundOnCancel, e.CancellationNoticeMinutes = c.rule, c.notice })
		k := b.paid("cut", 3, "eva", stripetest.Good)
		actor := app.Actor{Kind: c.by, Workspace: b.Workspace.ID}
		if c.by == booking.ByInvitee {
			actor.Booking = k.ID
		}
		for range 2 { // the second changes nothing
			_, err := b.Cancel(t.Context(), actor, k.ID.String(), app.CancelInput{Refund: c.asked})
			b.Must(err)
		}
		b.settle()
		want := "paid"
		if c.refunds {
			want = "refunded"
		}
		if got := b.Again(k).Payment.Status; got != want {
			t.Errorf("%s, %s, asked %v: %s", c.rule, c.by, c.asked, got)
		}
		if n := len(b.stripe.Refunds()); c.refunds != (n == 1) {
			t.Errorf("%s, %s: %d refunds", c.rule, c.by, n)
		}
	}
}

func TestRefundMadeAtStripe(t *testing.T) {
	b := newBed(t)
	b.offer("cut", nil)
	k := b.paid("cut", 3, "eva", stripetest.Good)
	intent := b.stripe.Intents("succeeded")[0]
	b.stripe.RefundByHand(t, intent, 1500)
	b.settle()
	b.wantPayment(k, "partially_refunded", 1500)
	b.stripe.RefundByHand(t, intent, 3000)
	b.settle()
	b.settle()
	b.wantPayment(k, "refunded", 4500)
	b.wantEvents("payment.succeeded booking succeeded", "booking.created", "payment.refunded booking partially_refunded", "payment.refunded booking refunded")
	b.wantRefunds(1500, 3000)
}

// A refund that Stripe has accepted but that does not arrive is told only once it has.
func TestRefundOnItsWay(t *testing.T) {
	b := newBed(t)
	b.offer("cut", nil)
	k := b.paid("cut", 3, "eva", stripetest.Good)
	b.stripe.RefundByHand(t, b.stripe.Intents("succeeded")[0], 4500)
	b.stripe.SetRefund(0, "pending")
	b.settle()
	b.wantPayment(k, "paid", 0)
	if _, err := b.Payment.Refund(t.Context(), b.Owner, k.ID.String(), nil); fault.As(err) == nil || fault.As(err).Reason != "nothing_to_refund" {
		t.Fatal(err)
	}
	b.stripe.SetRefund(0, "succeeded")
	b.settle()
	b.wantPayment(k, "refunded", 4500)
	b.stripe.SetRefund(0, "failed")
	b.settle()
	b.wantPayment(k, "paid", 0)
}

func TestRefusedRefundIsRecorded(t *testing.T) {
	b := newBed(t)
	b.offer("cut", nil)
	k := b.paid("cut", 3, "eva", stripetest.Good)
	_, err := b.Payment.Refund(t.Context(), b.Owner, k.ID.String(), nil)
	b.Must(err)
	b.stripe.RefundByHand(t, b.stripe.Intents("succeeded")[0], 4000) // before us
	b.work()
	b.tell()
	b.work()
	b.wantPayment(k, "partially_refunded", 4000)
	b.wantRefunds(4000)
	all, err := b.Payment.BookingPayments(t.Context(), b.Owner, k.ID.String())
	b.Must(err)
	if len(all) != 1 || all[0].Error == "" {
		t.Errorf("not recorded: %+v", all)
	}
}

func TestDispute(t *testing.T) {
	b := newBed(t)
	b.offer("cut", nil)
	k := b.paid("cut", 3, "eva", stripetest.Good)
	intent := b.stripe.Intents("succeeded")[0]
	for _, status := range []string{"needs_response", "lost"} {
		b.stripe.Dispute(intent, status)
		b.settle()
		page, err := b.Payment.Payments(t.Context(), b.Owner, true, nil, "")
		b.Must(err)
		if len(page.Data) != 1 || page.Data[0].Dispute != status || page.Data[0].BookingID != k.ID {
			t.Errorf("disputes: %+v", page.Data)
		}
	}
	history, err := b.History(t.Context(), b.Owner, k.ID.String())
	b.Must(err)
	if last := history[len(history)-1]; last.Action != "disputed" || last.Reason != "lost" {
		t.Errorf("history: %+v", last)
	}
}

func TestKeyThatNoLongerWorksIsWaitedFor(t *testing.T) {
	b := newBed(t)
	b.offer("cut", nil)
	k := b.paid("cut", 3, "eva", stripetest.Good)
	_, err := b.Payment.Refund(t.Context(), b.Owner, k.ID.String(), nil)
	b.Must(err)
	b.Must(b.Payment.DisconnectPayments(t.Context(), app.Operator(b.Workspace.ID)))
	b.work()
	b.wantPayment(k, "paid", 0)
	_, err = b.Payment.ConnectPayments(t.Context(), app.Operator(b.Workspace.ID), payment.Keys{SecretKey: stripetest.Key, SigningSecret: stripetest.SigningSecret})
	b.Must(err)
	b.Clock.Advance(time.Hour)
	b.settle()
	b.wantPayment(k, "refunded", 4500)
}
