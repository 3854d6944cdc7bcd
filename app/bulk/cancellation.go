package bulk

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"time"

	"daybook/app"
	"daybook/app/audit"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/shop"
	"daybook/app/when"
)

// Most is the limit of bookings that are listed, or cancelled, at once.
const Most = 200

const (
	// Undoable is how long a cancellation waits before it is carried out.
	Undoable = time.Minute
	// News is how long the page Today shows a cancellation that nobody has looked at.
	News = 2 * when.Day
	// kept is how long a cancellation is kept with what became of it.
	kept = 30 * when.Day
)

type (
	CancellationID     = id.ID[CancellationIDKind]
	CancellationIDKind struct{ id.Few }
)

func (CancellationIDKind) Prefix() string { return "cx_" }

// State is the state of a cancellation. The numbers are stored.
type State int

const (
	Waits  State = iota // can be undone
	Runs                // bookings are being cancelled
	Done                // nothing is left to do
	Undone              // before anything was done
)

// Outcome says what happened to a booking of a cancellation. The numbers are stored.
type Outcome int

const (
	Open      Outcome = iota // still to be cancelled
	Cancelled                // by this cancellation
	Declined                 // by this cancellation: a request that waited for approval or payment
	Before                   // it had been cancelled already
	Changed                  // left: it is not as it was shown any more
	InChair                  // left: the customer is or was there
	Gone                     // left: the member doesn't see it any more
	NoRight                  // left: the member is none any more, or may not cancel any more
	Refused                  // left: the rules of bookings refuse it, see Item.Why
	Kept                     // it was listed and not chosen
	Dropped                  // the cancellation was undone
)

// Cancellation is an order to cancel several bookings, with the outcome for each.
type Cancellation struct {
	ID        CancellationID
	Workspace catalog.WorkspaceID
	By        app.UserID // who confirmed it; 0: the business itself
	Form      string     // the key of the form that it was sent by
	Scope     Scope      // which bookings were listed
	Message   string     // to the customers
	Refund    bool
	Offers    bool    // the times are offered to who waits
	Closed    *Closed // the time off that was given with it, which Undo takes back; nil is none
	MadeAt    when.Instant
	DueAt     when.Instant // until then it can be undone
	DoneAt    when.Instant // 0 until then
	State     State
	Seen      bool // somebody has looked at the result
	Items     []Item
}

// Item is a booking of a cancellation.
type Item struct {
	Booking booking.BookingID
	Version string // Version of the booking as it was shown
	Outcome Outcome
	Why     fault.Text // of the error of one that is Refused
}

// bookings returns the bookings of all items.
func (c *Cancellation) bookings() []booking.BookingID {
	ids := make([]booking.BookingID, len(c.Items))
	for i := range c.Items {
		ids[i] = c.Items[i].Booking
	}
	return ids
}

// Count returns how many items have one of the outcomes.
func (c *Cancellation) Count(of ...Outcome) (n int) {
	for _, i := range c.Items {
		if slices.Contains(of, i.Outcome) {
			n++
		}
	}
	return n
}

// Waiting is the cancellation that a booking waits for.
type Waiting struct {
	ID    CancellationID
	DueAt when.Instant
	State State
	By    app.UserID
}

// TimeOffInput is a time off that is given with a cancellation.
type TimeOffInput struct{ Host, Start, End string } // as shop.Off has them

// Closed is a time off that was given with a cancellation.
type Closed struct {
	Host string // id, or shop.Everybody
	Off  catalog.TimeOff
}

// closeTime gives time off in a transaction, and reports whether there was none like it.
func (s *Service) closeTime(ctx context.Context, tx app.Tx, a app.Actor, c TimeOffInput) (catalog.TimeOff, bool, error) {
	in := s.shop.In(tx)
	before, _, err := in.TimeOff(a, c.Host)
	if err != nil {
		return catalog.TimeOff{}, false, err
	}
	off, err := in.GiveTimeOff(ctx, a, shop.Off{Host: c.Host, Start: c.Start, End: c.End})
	return off, !slices.ContainsFunc(before, func(t catalog.TimeOff) bool { return t.Is(&off) }), err
}

// SeenBooking is a booking as the member saw it in the list before cancelling.
type SeenBooking struct {
	ID      string
	Version string // see Version
	Chosen  bool   // to be cancelled; the others stay
}

// Version returns a hash of everything in a booking that must not change between the list and its cancellation: time,
// host, status, marks and payments.
func Version(b *booking.Booking) string {
	h := sha256.New()
	fmt.Fprint(h, b.ID, b.Start, b.Host.ID, b.Status, b.ArrivedAt, b.DoneAt)
	if p := b.Payment; p != nil {
		fmt.Fprint(h, p.Kind, p.Status, p.Amount, p.Currency, p.RefundedAmount)
	}
	for i := range b.Payments {
		p := &b.Payments[i]
		fmt.Fprint(h, p.ID, p.Amount, p.Tip, p.Currency, p.RefundedAmount)
	}
	return hex.EncodeToString(h.Sum(nil)[:12])
}

// InTheChair reports whether the booking is under way, or its customer was marked as there or as done: such a booking
// can only be cancelled singly.
func InTheChair(b *booking.Booking, now time.Time) bool {
	at := when.At(now)
	return b.ArrivedAt != 0 || b.DoneAt != 0 || b.Status.Stands() && b.Start <= at && at < b.End
}

// CancelInput is the input of Cancel.
type CancelInput struct {
	Scope
	Form    string // the key of the form: sent again it is the same cancellation
	Listed  []SeenBooking
	Message string        // to the customers; "" is none
	Refund  bool          // gives back in full what was paid online; what a request has paid always goes back
	Offers  bool          // offers the times to who waits on the waitlist; nothing of them where the time is closed
	Close   *TimeOffInput // also close this time, at once; nil is none
}

// Check trims the message. Errors: bad_request (booking: none is chosen, or more than Most are listed; message).
func (in *CancelInput) Check() (err error) {
	if !slices.ContainsFunc(in.Listed, func(l SeenBooking) bool { return l.Chosen }) {
		return fault.Invalid("booking", "choose at least one booking")
	}
	if len(in.Listed) > Most {
		return fault.Invalid("booking", "choose at most %d bookings", Most)
	}
	in.Message, err = fault.CheckText("message", in.Message, fault.MaxReason)
	return err
}

// CancelListed orders the chosen bookings to be cancelled when Undoable has passed. Until then nothing of them changes
// and nobody is told. The whole order is saved in one transaction. Bookings that have changed since they were listed,
// and those of customers in the chair, are left out. The same form again, or the same bookings while they wait, returns
// the existing cancellation.
//
// Errors: forbidden, those of Check, those of Rest.Close.
func (s *Service) CancelListed(ctx context.Context, a app.Actor, in CancelInput) (c Cancellation, err error) {
	if err := a.May(app.MayCancel); err != nil {
		return c, err
	}
	if err := in.Check(); err != nil {
		return c, err
	}
	err = s.Write(ctx, func(tx Tx) error {
		if err := tx.LockWorkspace(a.Workspace); err != nil {
			return err
		}
		there, err := tx.CancellationOfForm(a.Workspace, in.Form)
		if err == nil {
			c, err = tx.Cancellation(a.Workspace, there)
			return err
		}
		if !errors.Is(err, fault.ErrNotFound) {
			return err
		}
		if c, there, err = s.plan(ctx, tx, a, &in); err != nil {
			return err
		}
		if there != 0 && c.Count(Open) == 0 {
			c, err = tx.Cancellation(a.Workspace, there)
			return err
		}
		if c.Count(Open) == 0 {
			c.State, c.DoneAt = Done, c.MadeAt
		} else if in.Close != nil {
			off, added, err := s.closeTime(ctx, tx, a, *in.Close)
			if err != nil {
				return err
			}
			if added {
				c.Closed = &Closed{Host: in.Close.Host, Off: off}
			}
		}
		if err := tx.InsertCancellation(&c); err != nil {
			return err
		}
		return audit.Note(tx, s.Now(), a, audit.Entry{Action: audit.CancellationOrdered, Subject: c.ID.String(),
			Count: c.Count(Open)})
	})
	return c, err
}

// plan returns the cancellation that the input asks for; there is one that some of the chosen bookings wait for
// already.
func (s *Service) plan(ctx context.Context, tx Tx, a app.Actor, in *CancelInput) (c Cancellation, there CancellationID,
	err error) {
	now := s.Now()
	c = Cancellation{ID: id.New[CancellationIDKind](now), Workspace: a.Workspace, By: a.User, Form: in.Form,
		Scope: in.Scope, Message: in.Message, Refund: in.Refund, Offers: in.Offers, MadeAt: when.At(now), DueAt: when.At(now.Add(Undoable))}
	waiting, err := tx.OpenItems(a.Workspace)
	if err != nil {
		return c, 0, err
	}
	core, seen := s.Core.In(tx), map[booking.BookingID]bool{}
	for _, l := range in.Listed {
		ref, err := id.Parse[booking.BookingIDKind](l.ID)
		if err != nil || seen[ref] {
			continue // no form of ours has it
		}
		seen[ref] = true
		i := Item{Booking: ref, Version: l.Version, Outcome: Kept}
		if l.Chosen {
			if w, waits := waiting[ref]; waits {
				there = w.ID
				continue
			}
			b, err := core.Find(ctx, a, l.ID)
			switch {
			case fault.Is(err, fault.NotFound):
				i.Outcome = Gone
			case err != nil:
				return c, 0, err
			case b.Status == booking.Cancelled:
				i.Outcome = Before
			case InTheChair(&b, now):
				i.Outcome = InChair
			case Version(&b) != l.Version:
				i.Outcome = Changed
			default:
				i.Outcome = Open
			}
		}
		c.Items = append(c.Items, i)
	}
	return c, there, nil
}

// UndoCancellation drops a cancellation that was not begun, with the time off that was given with it. Undoing it again
// changes nothing. Errors: forbidden, not_found, conflict too_late.
func (s *Service) UndoCancellation(ctx context.Context, a app.Actor, ref string) (c Cancellation, err error) {
	if c, err = s.Cancellation(ctx, a, ref); err != nil {
		return c, err
	}
	err = s.Write(ctx, func(tx Tx) error {
		if err := tx.LockWorkspace(a.Workspace); err != nil {
			return err
		}
		dropped, err := tx.UndoCancellation(a.Workspace, c.ID, when.At(s.Now()))
		if err != nil {
			return err
		}
		if c, err = tx.Cancellation(a.Workspace, c.ID); err != nil {
			return err
		}
		switch {
		case !dropped && c.State == Undone:
			return nil
		case !dropped:
			return fault.Conflictf("too_late", "The bookings are being cancelled already: this can't be undone any more.")
		}
		if c.Closed != nil {
			if err := s.shop.In(tx).RemoveTimeOff(ctx, a, c.Closed.Host, c.Closed.Off); err != nil {
				return err
			}
		}
		return audit.Note(tx, s.Now(), a, audit.Entry{Action: audit.CancellationUndone, Subject: c.ID.String(),
			Count: c.Count(Dropped)})
	})
	return c, err
}

// Cancellation returns a cancellation with the outcome for each booking. Staff find only those that they confirmed
// themselves. Errors: forbidden, not_found.
func (s *Service) Cancellation(ctx context.Context, a app.Actor, ref string) (c Cancellation, err error) {
	if err := a.May(app.MayCancel); err != nil {
		return c, err
	}
	missing := fault.Missing("cancellation", ref)
	n, err := id.Parse[CancellationIDKind](ref)
	if err != nil {
		return c, missing
	}
	if c, err = s.Reader(ctx).Cancellation(a.Workspace, n); err != nil {
		return c, fault.OrMissing(err, missing)
	}
	if a.Own() && c.By != a.User {
		return Cancellation{}, missing
	}
	return c, nil
}

// SeeCancellation marks the result of a cancellation as seen, so that the page Today no longer shows it. Errors:
// forbidden, not_found.
func (s *Service) SeeCancellation(ctx context.Context, a app.Actor, ref string) error {
	c, err := s.Cancellation(ctx, a, ref)
	if err != nil || c.Seen || c.State != Done {
		return err
	}
	return s.Write(ctx, func(tx Tx) error { return tx.SeeCancellation(a.Workspace, c.ID) })
}

// UnseenCancellations lists the cancellations that wait, that are carried out, and those whose result nobody has looked
// at, the latest first. Staff see their own. Members who may not cancel see none. It returns internal errors only.
func (s *Service) UnseenCancellations(ctx context.Context, a app.Actor) ([]Cancellation, error) {
	if a.May(app.MayCancel) != nil {
		return nil, nil
	}
	all, err := s.Reader(ctx).UnseenCancellations(a.Workspace, when.At(s.Now()).Add(-News), 5)
	return slices.DeleteFunc(all, func(c Cancellation) bool { return a.Own() && c.By != a.User }), err
}

// WaitingCancellations returns the bookings that are being cancelled: those of cancellations that wait or are carried
// out.
func (s *Service) WaitingCancellations(ctx context.Context, a app.Actor) (map[booking.BookingID]Waiting, error) {
	if err := a.May(app.MaySeeBookings); err != nil {
		return nil, err
	}
	return s.Reader(ctx).OpenItems(a.Workspace)
}

// prune forgets old cancellations.
func (s *Service) prune(ctx context.Context) error {
	for n := 1; n > 0; { // one of up to Most items at a time
		err := s.Quietly(ctx, func(tx Tx) (err error) {
			n, err = tx.PruneCancellations(when.At(s.Now()).Add(-kept), 1)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}
