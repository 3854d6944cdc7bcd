package payment

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/when"
)

// A visit, or a series, is paid by one checkout, which has a share for each booking that waits for it. Each share is a
// payment of its own, so that refunds stay by booking: they are parts of the one charge at the provider, which payments
// share by its name there.

// CheckoutShare is what a checkout of a visit or a series pays for one of its bookings: nothing where the booking only
// waits for the others to be paid.
type CheckoutShare struct {
	Booking booking.BookingID `json:"booking"`
	Payment booking.PaymentID `json:"payment,omitzero"`
	Amount  int64             `json:"amount,omitempty"`
	Title   string            `json:"title"`
}

// shares returns what the checkout is for: one share of the booking where it isn't of a visit or a series.
func (c *Checkout) shares() []CheckoutShare {
	if len(c.Request.Shares) > 0 {
		return c.Request.Shares
	}
	return []CheckoutShare{{Booking: c.BookingID, Payment: c.PaymentID}}
}

// firstPayment returns one of the payments of the checkout; 0 where only a card is saved.
func (c *Checkout) firstPayment() booking.PaymentID {
	for _, share := range c.shares() {
		if share.Payment != 0 {
			return share.Payment
		}
	}
	return 0
}

// pays reports whether the checkout is for the booking.
func (c *Checkout) pays(b booking.BookingID) bool {
	return slices.ContainsFunc(c.shares(), func(share CheckoutShare) bool { return share.Booking == b })
}

// sameShares reports whether two checkouts are for the same.
func sameShares(a, b []CheckoutShare) bool {
	return slices.EqualFunc(a, b, func(a, b CheckoutShare) bool { return a.Booking == b.Booking && a.Payment == b.Payment })
}

// paidAtOnce reports whether the booking is paid with others: those of its series, or else of its visit.
func paidAtOnce(b *booking.Booking) bool { return b.Series != nil || b.InVisit() }

// groupOf returns the stored bookings that are paid with b, in their order; b alone where there are no others.
func groupOf(r Reader, b *booking.Booking) (all []booking.Booking, err error) {
	switch {
	case b.Series != nil:
		all, err = r.Bookings(b.WorkspaceID, booking.BookingFilter{Series: b.Series.ID, Limit: booking.MaxSeries})
		slices.SortStableFunc(all, booking.InSeries)
		return all, err
	case !b.InVisit():
		return []booking.Booking{*b}, nil
	}
	return visitOf(r, b)
}

// visitOf returns the stored bookings of the visit that b is of, in their order.
func visitOf(r Reader, b *booking.Booking) (all []booking.Booking, err error) {
	for _, ref := range b.Visit.Bookings {
		switch one, err := r.BookingByID(ref); {
		case err == nil:
			all = append(all, one)
		case !errors.Is(err, fault.ErrNotFound):
			return nil, err
		}
	}
	return all, nil
}

// leadOf returns the booking that the checkouts of a visit or a series are filed under: the first that there is.
func leadOf(r Reader, b *booking.Booking) (booking.BookingID, error) {
	if b.Series != nil {
		return booking.FirstOfSeries(b.Series.ID), nil
	}
	all, err := groupOf(r, b)
	if err != nil || len(all) == 0 {
		return b.ID, err
	}
	return all[0].ID, nil
}

// waits reports whether the booking waits for a payment now.
func waits(b *booking.Booking, now when.Instant) bool {
	return b.Status == booking.Pending && b.NeedsPay && b.ExpiresAt > now
}

// sharesDue returns what is due for the bookings that are paid with b and wait for a payment; nil for nothing, such as
// while the money is on its way.
func sharesDue(r Reader, b *booking.Booking, now when.Instant) (due []CheckoutShare, err error) {
	all, err := groupOf(r, b)
	if err != nil {
		return nil, err
	}
	owed, priced, gone := false, false, false
	for i := range all {
		one := &all[i]
		p, err := bookingPayment(r, one)
		if err != nil {
			return nil, err
		}
		if !waits(one, now) {
			gone = gone || p != nil
			continue
		}
		share := CheckoutShare{Booking: one.ID}
		priced = priced || p != nil
		switch {
		case p == nil:
			owed = owed || hasFee(one) // a card is to be saved
		case p.Status == booking.PaymentUnpaid || p.Status == booking.PaymentFailed:
			share.Payment, share.Amount, owed = p.ID, p.Amount, true
		default:
			return nil, nil
		}
		due = append(due, share)
	}
	// Nobody gets the other dates of a series for a card by cancelling the one that is to be paid.
	if !owed || b.Series != nil && gone && !priced {
		return nil, nil
	}
	return due, nil
}

// addShares makes the checkout one of a visit or a series, and returns the names of what is paid for and when that begins. It saves a
// card if any of its bookings has a fee.
func (s *Service) addShares(ch *app.Change, c *Checkout, due []CheckoutShare) (title string, begins when.Instant, err error) {
	r := tx(ch)
	if c.BookingID, err = leadOf(r, ch.Booking); err != nil {
		return "", 0, err
	}
	c.Request.Booking = c.BookingID
	var titles []string
	var fees []*booking.Booking
	for i := range due {
		share := &due[i]
		b, err := r.BookingByID(share.Booking)
		if err != nil {
			return "", 0, err
		}
		share.Title = titleOf(ch.Setup, &b)
		if b.Series == nil || (share.Payment != 0 || hasFee(&b)) && !slices.Contains(titles, share.Title) {
			titles = append(titles, share.Title)
		}
		if hasFee(&b) && b.Payment != nil {
			fees = append(fees, &b)
			c.Request.Money.Currency = b.Payment.Currency
		}
		if begins == 0 || b.Start < begins {
			begins = b.Start
		}
		if share.Payment == 0 {
			continue
		}
		p, err := r.Payment(share.Payment)
		if err != nil {
			return "", 0, err
		}
		share.Title = titled(p.Kind, b.Invitee.Locale, share.Title)
		c.Request.Money.Amount, c.Request.Money.Currency = c.Request.Money.Amount+p.Amount, p.Currency
	}
	c.Request.Shares = due
	if len(fees) > 0 {
		c.Request.SaveCard, c.Request.Wording = true, consentTo(ch.Setup, fees...)
	}
	return strings.Join(titles, ", "), begins, nil
}

// titleOf returns the name of the booked service.
func titleOf(setup *catalog.Setup, b *booking.Booking) string {
	if e := setup.EventTypeByID(b.EventTypeID); e != nil {
		return e.Title
	}
	return "Booking"
}

// checkoutsFor returns the open checkouts that are for the booking, those that are for others, too.
func checkoutsFor(r Reader, b *booking.Booking) (open []Checkout, err error) {
	if open, err = r.CheckoutsOf(b.ID); err != nil || !paidAtOnce(b) {
		return open, err
	}
	lead, err := leadOf(r, b)
	if err != nil {
		return nil, err
	}
	if lead != b.ID {
		more, err := r.CheckoutsOf(lead)
		if err != nil {
			return nil, err
		}
		open = append(open, more...)
	}
	return slices.DeleteFunc(open, func(c Checkout) bool { return !c.pays(b.ID) }), nil
}

// VisitCheckoutURL is CheckoutURL for the holder of the link of a visit: what is due for all of it.
func (s *Service) VisitCheckoutURL(ctx context.Context, token string) (string, error) {
	page := s.Core.BaseURL() + "/visit/" + token
	v, _, err := s.Core.VisitByToken(ctx, token)
	if err != nil {
		return page, err
	}
	b := waitingOf(&v)
	if b == nil {
		return page, nil
	}
	return s.checkoutURL(ctx, b, page)
}

// VisitCheckoutDone is CheckoutDone for the holder of the link of a visit.
func (s *Service) VisitCheckoutDone(ctx context.Context, token string) (string, error) {
	page := s.Core.BaseURL() + "/visit/" + token
	v, _, err := s.Core.VisitByToken(ctx, token)
	if err != nil {
		return page + "?new=1", err
	}
	ahead, err := standsAhead(s.Reader(ctx), v.Items...)
	if b := waitingOf(&v); err == nil && b != nil {
		err = s.lookAtAll(ctx, b)
	}
	if err == nil && ahead {
		return page, nil
	}
	return page + "?new=1", err
}

// waitingOf returns a booking of the visit that waits for the payment of the visit, or else can be paid ahead; or nil.
func waitingOf(v *booking.Visit) *booking.Booking {
	for i := range v.Items {
		if b := &v.Items[i]; b.Status == booking.Pending && b.NeedsPay {
			return b
		}
	}
	for i := range v.Items {
		if b := &v.Items[i]; b.PayLink != nil {
			return b
		}
	}
	return nil
}

// together is a transaction that changes one booking after the other: one, or those that are paid at once.
type together struct {
	tx       Tx
	now      time.Time
	change   func(booking.BookingID, func(*app.Change) error) error
	giveBack bool // what arrives after the lapse goes back
}

// errPartlyFree says that not all that lapsed unpaid could be taken again.
var errPartlyFree = errors.New("payment: some of the visit's time is taken")

// together runs do in one transaction for a booking and those that are paid with it. A visit or a series of which only a
// part is still free is not taken again, so then do runs once more in another transaction, to give the payment back.
func (s *Service) together(ctx context.Context, ws catalog.WorkspaceID, id booking.BookingID, do func(*together) error) error {
	run := func(giveBack bool) error {
		return s.Core.ChangeWithVisit(ctx, app.Actor{Kind: booking.BySystem, Workspace: ws}, id.String(),
			func(in app.Tx, now time.Time, change func(booking.BookingID, func(*app.Change) error) error) error {
				return do(&together{in.(Tx), now, change, giveBack})
			})
	}
	err := run(false)
	if errors.Is(err, errPartlyFree) {
		err = run(true)
	}
	return err
}

// again takes the time of a booking that lapsed unpaid again, and reports whether that was done. One of several that are
// paid at once comes back with all of them, or not at all.
func (t *together) again(ch *app.Change, c *Checkout) (bool, error) {
	if len(c.shares()) == 1 {
		return ch.TakeAgain()
	}
	if !ch.Booking.LapsedUnpaid() || t.giveBack {
		return false, nil
	}
	taken, err := ch.TakeAgain()
	if err == nil && !taken {
		err = errPartlyFree
	}
	return taken, err
}

// pays reports whether a completed checkout pays for something that it was opened for, or only saves a card. What it was to pay for
// may have ended meanwhile, and then the money goes back.
func (t *together) pays(c *Checkout) (bool, error) {
	priced := false
	for _, share := range c.shares() {
		if share.Payment == 0 {
			continue
		}
		priced = true
		p, err := t.tx.Payment(share.Payment)
		if err != nil {
			return false, err
		}
		b, err := t.tx.BookingByID(share.Booking)
		if err != nil {
			return false, err
		}
		if !p.Unwanted && (p.Status == booking.PaymentPaid || waits(&b, when.At(t.now)) || b.LapsedUnpaid()) {
			return true, nil
		}
	}
	return !priced, nil
}

// settleUnpriced lets a booking that waits for the payment of others follow them.
func (s *Service) settleUnpriced(t *together, ch *app.Change, c *Checkout, r *CheckoutResult) error {
	b := ch.Booking
	waiting := b.Status == booking.Pending && b.NeedsPay
	action := booking.ActWaitOver
	if hasFee(b) {
		action = booking.ActCardSaved
	}
	if b.Series != nil && c.State == CheckoutComplete {
		if pays, err := t.pays(c); err != nil || !pays {
			return err
		}
	}
	switch {
	case r.Failed && waiting:
		ch.PendUntil(b.CreatedAt.Add(app.PaymentHold))
		ch.Note(booking.ActPaymentFailed, "")
	case c.State == CheckoutProcessing && waiting:
		holdForMoney(ch)
		ch.Note(booking.ActPaymentProcessing, "")
	case c.State != CheckoutComplete:
	case waiting:
		b.Payment = nil
		return proceed(ch, action)
	default:
		if taken, err := t.again(ch, c); err != nil || !taken {
			return err
		}
		b.Payment = nil
		return proceed(ch, action)
	}
	return nil
}

// goOn lets the rest of a visit go on after the booking ended alone, if nothing of it is to be paid any more, nor a card saved. What is going
// to end by the same order waits for that. A series whose first date ends unpaid lapses: nobody gets the others by cancelling
// what is to be paid.
func (s *Service) goOn(ch *app.Change) error {
	if ch.Booking.Series != nil {
		return nil
	}
	others, alone, err := ch.Siblings()
	if err != nil || !alone {
		return err
	}
	now := when.At(ch.Now)
	others = slices.DeleteFunc(others, func(b booking.Booking) bool { return !waits(&b, now) || ch.EndsToo(b.ID) })
	for i := range others {
		if p, err := bookingPayment(tx(ch), &others[i]); err != nil || p != nil || hasFee(&others[i]) {
			return err
		}
	}
	if len(others) == 0 {
		return nil
	}
	system := app.Actor{Kind: booking.BySystem, Workspace: ch.Booking.WorkspaceID}
	return s.Core.In(ch.Tx).ChangeWithVisit(context.Background(), system, others[0].ID.String(),
		func(_ app.Tx, _ time.Time, change func(booking.BookingID, func(*app.Change) error) error) error {
			for i := range others {
				if err := change(others[i].ID, func(ch *app.Change) error {
					ch.WithVisit()
					return proceed(ch, booking.ActWaitOver)
				}); err != nil {
					return err
				}
			}
			return nil
		})
}

// RefundPart is a refund of a part of a payment at the provider.
type RefundPart struct {
	Payment booking.PaymentID // our id of what it was asked for; 0 for one that was made at the provider
	Amount  int64
	Done    bool // else it is on its way
}

// of returns what the state of a charge that several payments share says of one of them. What was refunded at the provider
// for none of them counts for the first that have something left.
func (r ChargeResult) of(id booking.PaymentID, all []Record) ChargeResult {
	all = slices.SortedFunc(slices.Values(all), func(a, b Record) int { return cmp.Compare(a.ID, b.ID) })
	done, under := make([]int64, len(all)), make([]int64, len(all))
	var rest [2]int64
	for _, part := range r.Refunds {
		i := slices.IndexFunc(all, func(p Record) bool { return p.ID == part.Payment })
		switch {
		case i >= 0 && part.Done:
			done[i] += part.Amount
		case i >= 0:
			under[i] += part.Amount
		case part.Done:
			rest[0] += part.Amount
		default:
			rest[1] += part.Amount
		}
	}
	for i := range all {
		for kind, sum := range []*int64{&done[i], &under[i]} {
			more := max(0, min(rest[kind], all[i].Amount-done[i]-under[i]))
			*sum, rest[kind] = *sum+more, rest[kind]-more
		}
		if all[i].ID == id {
			r.Refunded, r.Refunding = done[i], under[i]
		}
	}
	return r
}

// sharedUnpaid reports whether the payment is a share that has not arrived: its checkout is looked at, so that all shares
// arrive at once.
func (s *Service) sharedUnpaid(ctx context.Context, p *Record) (bool, error) {
	if p.Kind.Fee() || p.Status == booking.PaymentPaid {
		return false, nil
	}
	b, err := s.Reader(ctx).BookingByID(p.BookingID)
	return err == nil && paidAtOnce(&b), err
}

// ofShare returns what the state of a charge says of the payment, which may share it with others.
func (s *Service) ofShare(ctx context.Context, p *Record, r ChargeResult) (ChargeResult, error) {
	all, err := s.Reader(ctx).PaymentsByIntent(p.WorkspaceID, r.Intent)
	if err != nil || len(all) < 2 {
		return r, err
	}
	return r.of(p.ID, all), nil
}
