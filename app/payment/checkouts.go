package payment

import (
	"context"
	"time"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/money"
	"daybook/app/when"
)

// checkoutMargin is how long a checkout must still be open to be used again. Stripe opens none for less than half an
// hour, so a checkout may last longer than the booking's time is held; a job then closes it.
const (
	checkoutMargin = time.Minute
	checkoutLife   = 30 * time.Minute
)

// CheckoutURL returns the address at which the holder of an invitee's link pays what is due: a payment page at the
// provider, made at the first call and reused while it is open. If nothing is due, it is the address of the booking's
// page. Errors: not_found, conflict payments_unavailable if the provider can't be reached.
func (s *Service) CheckoutURL(ctx context.Context, token string) (string, error) {
	b, _, err := s.Core.BookingByToken(ctx, token)
	if err != nil {
		return "", err
	}
	return s.checkoutURL(ctx, &b, s.Core.BaseURL()+"/booking/"+token)
}

// checkoutURL is CheckoutURL for a booking, or its visit, of which the invitee has that page.
func (s *Service) checkoutURL(ctx context.Context, b *booking.Booking, page string) (string, error) {
	setup, err := s.Core.Setup(b.WorkspaceID)
	if err != nil {
		return "", err
	}
	if b.PayLink != nil && b.InVisit() { // those who open it at once, from each of its pages, wait for one booking
		if b, err = firstAhead(s.Reader(ctx), setup, b, when.At(s.Core.Now())); err != nil {
			return "", err
		}
	}
	c, _, err := findCheckout(s.Reader(ctx), setup, b, s.Core.Now(), page) // most often there is one: nothing is written
	if err == nil && (c == nil || c.URL == "") {
		c, err = s.takeCheckout(ctx, b, page)
	}
	if err != nil || c == nil {
		return page, err
	}
	if c.URL != "" {
		return c.URL, nil
	}
	key, err := s.providerKey(s.Reader(ctx), b.WorkspaceID)
	if err != nil {
		return "", s.unavailable(b, err)
	}
	result, err := s.provider.OpenCheckout(ctx, key, c.Request)
	if err != nil {
		if e, ok := err.(*ProviderError); ok && e.Fault == ProviderRefused {
			s.abandon(ctx, c)
		}
		return "", s.unavailable(b, err)
	}
	if err := s.applyCheckout(ctx, c, result); err != nil {
		return "", err
	}
	if result.URL == "" {
		return page, nil
	}
	return result.URL, nil
}

// unavailable logs why the provider can't be asked, and returns an error without it.
func (s *Service) unavailable(b *booking.Booking, cause error) error {
	s.Core.Log().Error("no checkout could be opened", "booking", b.ID.String(), "error", providerText(cause))
	return fault.Conflictf("payments_unavailable",
		"The payment page can't be opened right now. Please try again in a minute.")
}

// abandon gives up a checkout that the provider refused to open, so that the next one is a new request. One that
// another call has opened meanwhile stays.
func (s *Service) abandon(ctx context.Context, c *Checkout) {
	if err := s.applyCheckout(ctx, c, CheckoutResult{Stage: CheckoutExpired}); err != nil {
		s.Core.Log().Error("can't give up a checkout", "checkout", c.ID.String(), "error", err)
	}
}

// takeCheckout returns the open checkout of what is due for the booking, a new one if there is none, or nil if nothing
// is due.
func (s *Service) takeCheckout(ctx context.Context, of *booking.Booking, page string) (found *Checkout, err error) {
	_, err = s.Core.Change(ctx, app.Actor{Kind: booking.BySystem, Workspace: of.WorkspaceID}, of.ID.String(),
		func(ch *app.Change) error {
			b := ch.Booking
			var due *dueNow
			if found, due, err = findCheckout(tx(ch), ch.Setup, b, ch.Now, page); err != nil || found != nil || due == nil {
				return err
			}
			if err := due.write(ch); err != nil {
				return err
			}
			found, err = s.newCheckout(ch, due, page)
			return err
		})
	return found, err
}

// dueNow is what an invitee is to pay: shares, or a payment; with neither, only a card is to be saved.
type dueNow struct {
	payment *Record
	shares  []CheckoutShare

	ahead     bool              // the booking stands without it
	unwritten []booking.Booking // of these the payment isn't in the books yet
}

// findCheckout returns the open checkout of what is due for the booking, and what is due; nil for none. One of a visit
// leads back to the page from which it was opened.
func findCheckout(r Reader, setup *catalog.Setup, b *booking.Booking, now time.Time, page string) (*Checkout, *dueNow, error) {
	due, err := whatIsDue(r, setup, b, when.At(now))
	if err != nil || due == nil {
		return nil, nil, err
	}
	if len(due.unwritten) > 0 {
		return nil, due, nil
	}
	open, err := checkoutsFor(r, b)
	if err != nil {
		return nil, nil, err
	}
	var payment booking.PaymentID
	if due.payment != nil && due.shares == nil {
		payment = due.payment.ID
	}
	for i := range open {
		c := &open[i]
		if due.shares != nil && c.Request.SuccessURL != page+paidPath {
			continue
		}
		if c.PaymentID == payment && sameShares(c.Request.Shares, due.shares) && c.State != CheckoutProcessing && c.Request.ExpiresAt > when.At(now.Add(checkoutMargin)) {
			return c, due, nil
		}
	}
	return nil, due, nil
}

// whatIsDue returns the price or its deposit, a card, a fee that could not be charged, or what can be paid ahead; nil for nothing.
func whatIsDue(r Reader, setup *catalog.Setup, b *booking.Booking, now when.Instant) (*dueNow, error) {
	switch {
	case waits(b, now) && paidAtOnce(b):
		shares, err := sharesDue(r, b, now)
		if err != nil || shares == nil {
			return nil, err
		}
		return &dueNow{shares: shares}, nil
	case waits(b, now):
		p, err := bookingPayment(r, b)
		if err == nil && (p == nil || p.Status == booking.PaymentUnpaid || p.Status == booking.PaymentFailed) {
			return &dueNow{payment: p}, nil
		}
		return nil, err
	case b.Status == booking.NoShow, b.Status == booking.Cancelled:
		p, err := feePayment(r, b)
		if err == nil && p != nil && (p.Status == booking.PaymentFailed || p.Status == booking.PaymentNeedsYou) {
			return &dueNow{payment: p}, nil
		}
		return nil, err
	}
	return dueAhead(r, setup, b, now)
}

// paidPath follows the address of a page: it is where the invitee comes back to.
const paidPath = "/paid"

func (s *Service) newCheckout(ch *app.Change, due *dueNow, page string) (*Checkout, error) {
	b, p := ch.Booking, due.payment
	c := &Checkout{ID: id.New[checkoutKind](ch.Now), WorkspaceID: b.WorkspaceID, BookingID: b.ID,
		CreatedAt: when.At(ch.Now)}
	c.Request = CheckoutRequest{
		ID: c.ID, Booking: b.ID, Workspace: b.WorkspaceID, Email: b.Invitee.Email, Locale: b.Invitee.Locale,
		SuccessURL: page + paidPath, CancelURL: page,
		ExpiresAt: max(b.ExpiresAt, when.At(ch.Now.Add(checkoutLife))).Add(time.Minute), // the clocks may differ
	}
	begins := b.Start
	title := titleOf(ch.Setup, b)
	if due.shares != nil {
		var err error
		if title, begins, err = s.addShares(ch, c, due.shares); err != nil {
			return nil, err
		}
	}
	c.Request.Title = title + ", " + begins.Time().In(inviteeZone(ch.Setup, b)).Format("2006-01-02 15:04 MST")
	look := time.Duration(b.ExpiresAt-when.At(ch.Now))*time.Millisecond - time.Minute
	switch {
	case due.shares != nil:
	case p == nil:
		c.Request.Money.Currency = b.Payment.Currency
	default:
		c.Request.Title = titled(p.Kind, b.Invitee.Locale, c.Request.Title)
		if p.Kind.Fee() {
			look = checkoutLife
		}
		c.PaymentID, c.Request.Payment, c.Request.Money = p.ID, p.ID, money.Money{Amount: p.Amount, Currency: p.Currency}
	}
	if due.ahead {
		look = checkoutLife
	}
	if due.shares == nil && !due.ahead && hasFee(b) && (p == nil || !p.Kind.Fee()) {
		card, err := tx(ch).PaymentCard(b.ID)
		if err != nil {
			return nil, err
		}
		c.Request.SaveCard, c.Request.Wording = true, card.Wording
	}
	if err := tx(ch).InsertCheckout(c); err != nil {
		return nil, err
	}
	// If the event about it gets lost, this job notices the payment before the time is given away.
	return c, queueJob(tx(ch), ch.Now, Job{WorkspaceID: b.WorkspaceID, BookingID: c.BookingID, Action: DoLook, CheckoutID: c.ID},
		max(look, time.Minute))
}

func inviteeZone(setup *catalog.Setup, b *booking.Booking) *time.Location {
	if b.Invitee.TimeZone != "" {
		if zone, err := when.Zone(b.Invitee.TimeZone); err == nil {
			return zone
		}
	}
	return setup.Zone
}

// CheckoutDone is called when the invitee comes back from the payment page. It asks the provider at once, so that the
// invitee need not wait for the provider's event. It returns the address of the booking's page. Errors: not_found.
func (s *Service) CheckoutDone(ctx context.Context, token string) (string, error) {
	b, _, err := s.Core.BookingByToken(ctx, token)
	if err != nil {
		return "", err
	}
	page := s.Core.BaseURL() + "/booking/" + token
	ahead, err := standsAhead(s.Reader(ctx), b)
	if err == nil {
		err = s.lookAtAll(ctx, &b)
	}
	if err != nil || ahead {
		return page, err
	}
	return page + "?new=1", nil // as after a booking without payment: the page may go on to the business's site
}

// lookAtAll asks the provider for the state of every open checkout for the booking.
func (s *Service) lookAtAll(ctx context.Context, b *booking.Booking) error {
	open, err := checkoutsFor(s.Reader(ctx), b)
	if err != nil {
		return err
	}
	for i := range open {
		if err := s.lookAt(ctx, &open[i]); err != nil {
			s.Core.Log().Warn("can't look what became of a checkout", "booking", b.ID.String(), "error", providerText(err))
		}
	}
	return nil
}

// lookAt asks the provider for the state of a checkout and saves it.
func (s *Service) lookAt(ctx context.Context, c *Checkout) error {
	if c.Session == "" || c.State.over() {
		return nil // nobody has its address
	}
	key, err := s.providerKey(s.Reader(ctx), c.WorkspaceID)
	if err != nil {
		return err
	}
	result, err := s.provider.Checkout(ctx, key, c.Session)
	if err != nil {
		return err
	}
	return s.applyCheckout(ctx, c, result)
}

// applyCheckout saves the state of a checkout, in a transaction of its own.
func (s *Service) applyCheckout(ctx context.Context, c *Checkout, result CheckoutResult) error {
	return s.together(ctx, c.WorkspaceID, c.BookingID, s.checkoutSettlement(c.ID, result))
}

// stopCheckouts closes the open checkouts of a booking.
func (s *Service) stopCheckouts(ch *app.Change) error {
	b := ch.Booking
	open, err := checkoutsFor(tx(ch), b)
	if err != nil {
		return err
	}
	for _, c := range open {
		if c.State == CheckoutProcessing {
			continue // its money is on its way; it goes back when it arrives
		}
		if err := queueJob(tx(ch), ch.Now, Job{WorkspaceID: b.WorkspaceID, BookingID: c.BookingID, Action: DoExpire,
			CheckoutID: c.ID}, 0); err != nil {
			return err
		}
	}
	return nil
}
