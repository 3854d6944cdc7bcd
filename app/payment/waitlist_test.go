package payment_test

import (
	"testing"
	"time"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/mail/smtp"
	"daybook/app/payment/stripetest"
	"daybook/app/waitlist"
)

// What is taken and to be paid online is theirs until it is paid or lapses: nobody ends that offer meanwhile, and a lapse
// counts as silence and frees the time once.
func TestOfferIsPaid(t *testing.T) {
	for name, pays := range map[string]bool{"pays": true, "lets it lapse": false} {
		t.Run(name, func(t *testing.T) {
			b := newBed(t)
			ctx := t.Context()
			b.Clock.Set(apptest.Monday.Add(9 * time.Hour))
			b.Mail.ShareMailServer(&smtp.Server{Host: "mail.example", Port: 587})
			b.offer("dye", nil)
			waits := func(person string) waitlist.Entry {
				t.Helper()
				day := apptest.Monday.AddDate(0, 0, 1).Format("2006-01-02")
				e, err := b.Waitlist.Join(ctx, b.Owner, waitlist.Input{Items: []waitlist.Item{{EventType: "dye"}}, Wishes: []waitlist.Wish{{From: day, To: day}},
					Invitee: booking.Invitee{Name: person, Email: person + "@mail.example"}})
				b.Must(err)
				return e
			}
			carries := func() { t.Helper(); b.Must(b.Waitlist.CarryOut(ctx)) }
			now := func(e waitlist.Entry) waitlist.Entry {
				t.Helper()
				e, err := b.Waitlist.WaitlistEntry(ctx, b.Owner, e.ID.String())
				b.Must(err)
				return e
			}
			e, next := waits("bo"), waits("cem")
			gone := b.book("dye", 36, "gone")
			carries()
			_, err := b.Cancel(ctx, b.Owner, gone.ID.String(), app.CancelInput{})
			b.Must(err)
			carries()
			setup, err := b.Setup(b.Workspace.ID)
			b.Must(err)
			taken, err := b.Waitlist.Take(ctx, waitlist.Token(setup, e.ID), waitlist.TakeInput{})
			b.Must(err)
			if taken.Booking.Status != booking.Pending || now(e).Status != waitlist.Offered {
				t.Fatalf("taken: %v, the entry is %v", taken.Booking.Status, now(e).Status)
			}
			list, err := b.Waitlist.FreedTimes(ctx, b.Owner)
			b.Must(err)
			for _, f := range list {
				b.Must(b.Waitlist.OpenFreed(ctx, b.Owner, f.ID.String()))
				b.Must(b.Waitlist.SkipOffered(ctx, b.Owner, f.ID.String()))
			}
			if pays {
				b.stripe.Pay(t, b.checkout(taken.Booking), stripetest.Good)
				b.settle()
				b.Clock.Advance(time.Minute)
				carries()
				if got := now(e); got.Status != waitlist.Booked || got.BookingID != taken.Booking.ID || now(next).Status != waitlist.Waiting {
					t.Errorf("paid: the entry is %v, the next one %v", got.Status, now(next).Status)
				}
				return
			}
			b.Clock.Advance(31 * time.Minute)
			b.lapse()
			for range 3 {
				carries()
			}
			if got := now(e); got.Status != waitlist.Waiting || got.Silences != 1 || got.BookingID != 0 || now(next).Status != waitlist.Offered {
				t.Errorf("lapsed: the entry is %v with %d silences, the next one %v", got.Status, got.Silences, now(next).Status)
			}
			if list, err = b.Waitlist.FreedTimes(ctx, b.Owner); len(list) != 1 || err != nil {
				t.Errorf("%d times came free: %v", len(list), err)
			}
		})
	}
}

// A payment that arrives after its booking has lapsed doesn't take the time from whom it is offered to by now: it goes back.
func TestLatePaymentTakesNoOfferedTime(t *testing.T) {
	b := newBed(t)
	ctx := t.Context()
	b.Clock.Set(apptest.Monday.Add(9 * time.Hour))
	b.Mail.ShareMailServer(&smtp.Server{Host: "mail.example", Port: 587})
	b.offer("dye", nil)
	late := b.book("dye", 36, "eva")
	b.stripe.Pay(t, b.checkout(late), stripetest.Good)
	day := apptest.Monday.AddDate(0, 0, 1).Format("2006-01-02")
	e, err := b.Waitlist.Join(ctx, b.Owner, waitlist.Input{Items: []waitlist.Item{{EventType: "dye"}}, Wishes: []waitlist.Wish{{From: day, To: day}},
		Invitee: booking.Invitee{Name: "Bo", Email: "bo@mail.example"}})
	b.Must(err)
	b.Must(b.Waitlist.CarryOut(ctx))
	b.Clock.Advance(31 * time.Minute)
	b.lapse()
	b.Must(b.Waitlist.CarryOut(ctx))
	now, err := b.Waitlist.WaitlistEntry(ctx, b.Owner, e.ID.String())
	b.Must(err)
	if now.Offer == nil || now.Offer.Start != late.Start {
		t.Fatalf("offered %+v", now.Offer)
	}
	b.tell()
	b.settle()
	b.wantPayment(late, "refunded", 4500)
	b.wantRefunds(4500)
	if again := b.Again(late); again.Status != booking.Cancelled {
		t.Errorf("who paid late is %s", again.Status)
	}
	setup, err := b.Setup(b.Workspace.ID)
	b.Must(err)
	taken, err := b.Waitlist.Take(ctx, waitlist.Token(setup, e.ID), waitlist.TakeInput{})
	b.Must(err)
	if taken.Booking.Start != late.Start {
		t.Errorf("taken: %+v", taken.Booking)
	}
}
