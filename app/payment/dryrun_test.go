package payment_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/address"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/money"
	"daybook/app/payment"
	"daybook/app/payment/stripetest"
	"daybook/app/subjects"
	"daybook/store/enginetest"
)

// dry is what a command would do, held to change no row and to ask Stripe nothing.
func (b *bed) dry(do func(context.Context, *subjects.Set) (any, error)) subjects.DryMoney {
	b.T.Helper()
	raw := enginetest.Raw(b.T, b.Store.Engine)
	before, asked := enginetest.Dump(b.T, raw), b.stripe.Requests("")
	run, err := b.Set.DryRun(b.T.Context(), b.API, do)
	b.Must(err)
	if changed := enginetest.Differences(before, enginetest.Dump(b.T, raw)); changed != "" || b.stripe.Requests("") != asked {
		b.T.Errorf("a dry run changed: %s\n%d requests", changed, b.stripe.Requests("")-asked)
	}
	return run.Money
}

func (b *bed) wantMoney(what string, got *money.Money, want int64) {
	b.T.Helper()
	if got == nil && want == 0 {
		return
	}
	if got == nil || *got != *eur(want) {
		b.T.Errorf("%s: %v, want %d", what, got, want)
	}
}

// A dry run tells the fee that the saved card is charged for a no-show, and what undoing that gives back; then the
// call itself does so.
func TestDryRunTellsTheFee(t *testing.T) {
	b := newBed(t)
	b.offer("fee", feeOnly)
	k := b.held("fee", stripetest.Good)
	id := k.ID.String()
	m := b.dry(func(ctx context.Context, in *subjects.Set) (any, error) { return in.MarkNoShow(ctx, b.API, id) })
	b.wantMoney("the fee", m.Fee, 2500)
	b.wantMoney("now", m.Now, 0)
	b.wantMoney("given back", m.Refund, 0)
	b.settle()
	if b.want(k, booking.Confirmed); len(b.stripe.Intents("succeeded")) != 0 {
		t.Error("a dry run charged the card")
	}
	k = b.mark(k)
	b.settle()
	b.wantFee(k, "succeeded")
	m = b.dry(func(ctx context.Context, in *subjects.Set) (any, error) {
		return in.UndoMark(ctx, b.Owner, id, app.NoShowMark)
	})
	b.wantMoney("a fee for undoing", m.Fee, 0)
	b.wantMoney("given back", m.Refund, 2500)
}

// Nor does one of a late cancellation take its fee, which is there only where it is to be charged.
func TestDryRunTellsTheLateFee(t *testing.T) {
	b := newBed(t)
	b.offer("cut", func(e *catalog.EventType) { lateFee(e); fee(e) })
	k := b.paid("cut", 3, "eva", stripetest.Good)
	b.Clock.Advance(2 * time.Hour)
	for _, charge := range []bool{true, false} {
		m := b.dry(func(ctx context.Context, in *subjects.Set) (any, error) {
			return in.Cancel(ctx, b.API, k.ID.String(), app.CancelInput{ChargeLateFee: charge})
		})
		b.wantMoney("the fee", m.Fee, map[bool]int64{true: 2000}[charge])
	}
}

// A command that would ask Stripe is refused within a transaction before the first packet: a dry run of it fails.
func TestDryRunNeverReachesStripe(t *testing.T) {
	b := newBed(t)
	asked := b.stripe.Requests("")
	_, err := b.Set.DryRun(t.Context(), b.Owner, func(ctx context.Context, in *subjects.Set) (any, error) {
		_, err := in.Payment.ConnectPayments(ctx, app.Operator(b.Workspace.ID), payment.Keys{SecretKey: stripetest.Key, SigningSecret: stripetest.SigningSecret})
		if err == nil {
			t.Error("Stripe answered from within")
		}
		return nil, nil // even where the command takes no for an answer
	})
	if !errors.Is(err, address.ErrWithin) || b.stripe.Requests("") != asked {
		t.Errorf("%v, %d requests", err, b.stripe.Requests("")-asked)
	}
}
