package app

import (
	"cmp"
	"errors"
	"slices"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
)

// News says what a change of a booking means to the team.
type News string

const (
	NewsBooked    News = "booked"     // the booking will take place
	NewsAsked     News = "asked"      // somebody has to decide on it
	NewsApproved  News = "approved"   // it was decided on
	NewsMoved     News = "moved"      // to another time or host
	NewsChanged   News = "changed"    // to another service or length
	NewsCancelled News = "cancelled"  // or declined
	NewsNotComing News = "not_coming" // the invitee says so; the booking stands
)

// TeamNews says which members of the team are told of a change of a booking, and what. Every channel asks it, by way of
// TeamNotice.
type TeamNews struct {
	News   News           // "" where nobody is told
	Host   catalog.HostID // of the booking
	Before catalog.HostID // its host before, where that was another
	// Others do it beside Host. Left did it before beside their host then, and don't any more.
	Others, Left []catalog.HostID
	Owners       bool // the owners are told too, who see every host

	Change  *Followed
	Booking *booking.Booking // as it is now
}

// Tells reports whether the member is told: those who see a host of the booking are, but not whoever made the change.
func (n *TeamNews) Tells(u *User) bool {
	a := u.Actor()
	return n.News != "" && (a.Sees(n.Host) || n.Before != 0 && a.Sees(n.Before) || slices.ContainsFunc(n.Others, a.Sees) ||
		slices.ContainsFunc(n.Left, a.Sees)) && (n.Owners || u.Role != OwnerRole) &&
		(n.Change.By == "" || n.Change.By != u.ID.String())
}

// TeamNotice is what the team is told of a change: of what was done to all of a visit at once, each of its members has one
// notice of the bookings that concern them. The change of the first of those carries it.
type TeamNotice struct {
	all     []TeamNews // in the order of the visit
	carries booking.BookingID
}

// Of returns the news that concern somebody whom the change tells, by their starts; none where another change tells them.
func (n *TeamNotice) Of(concerns func(*TeamNews) bool) (news []*TeamNews) {
	for i := range n.all {
		if concerns(&n.all[i]) {
			news = append(news, &n.all[i])
		}
	}
	if len(news) > 0 && news[0].Booking.ID != n.carries {
		return nil
	}
	slices.SortStableFunc(news, func(a, b *TeamNews) int { return cmp.Compare(a.Change.Start, b.Change.Start) })
	return news
}

// All returns the news of everybody, in the order of the visit.
func (n *TeamNotice) All() []TeamNews { return n.all }

// TeamNotice returns what the team is told of a change, where b is the booking as it is now, and v the series that the change
// is of, or the visit that the booking is one of several of, else nil.
func (c *Followed) TeamNotice(r BookingReader, b *booking.Booking, v *VisitHistory) (TeamNotice, error) {
	n := TeamNotice{carries: b.ID}
	if v == nil || !v.with(&c.HistoryEntry) {
		news, err := c.teamNews(r, b)
		if news.News != "" {
			n.all = []TeamNews{news}
		}
		return n, err
	}
	key, known := made{c.At, doing(c.Action)}, false
	if n.all, known = v.news[key]; known {
		return n, nil
	}
	for i := range v.Items {
		one := v.followed(i, &c.HistoryEntry)
		if one == nil {
			continue
		}
		news, err := one.teamNews(r, &v.Items[i])
		if err != nil {
			return n, err
		}
		if news.News != "" {
			n.all = append(n.all, news)
		}
	}
	v.news[key] = n.all
	return n, nil
}

// teamNews returns what the team is told of the change alone, where b is the booking as it is now. While a booking waits
// for its payment, or for a card, nobody is told.
func (c *Followed) teamNews(r BookingReader, b *booking.Booking) (TeamNews, error) {
	// Approving and declining are the owners' own decisions.
	n := TeamNews{News: c.News(), Host: c.Host, Others: c.Others, Change: c, Booking: b,
		Owners: c.Action != booking.ActConfirmed && c.Action != booking.ActDeclined}
	if n.News == NewsMoved || n.News == NewsChanged {
		if c.PreviousHost != c.Host && !slices.Contains(c.Others, c.PreviousHost) {
			n.Before = c.PreviousHost
		}
		for _, h := range c.PreviousOthers {
			if h != c.Host && !slices.Contains(c.Others, h) {
				n.Left = append(n.Left, h)
			}
		}
	}
	if n.News == NewsNotComing {
		before, err := c.saidBefore(r, b)
		if before || err != nil {
			n.News = ""
			return n, err
		}
	}
	if n.News == "" {
		return n, nil
	}
	untold, err := c.unpaid(r, b)
	if untold {
		n.News = ""
	}
	return n, err
}

// saidBefore reports whether the invitee said before the change, of the same start, that they don't come: the team is told
// of that once, whatever they said in between.
func (c *Followed) saidBefore(r BookingReader, b *booking.Booking) (bool, error) {
	history, err := r.History(b.WorkspaceID, b.ID)
	return slices.ContainsFunc(history[:min(max(c.Seq-1, 0), len(history))], func(h booking.HistoryEntry) bool {
		return h.Action == booking.ActNotComing && h.Start == c.Start
	}), err
}

// News returns what the change means to a team that knows of the booking.
func (c *Followed) News() News {
	moved := c.Action == booking.ActRescheduled
	switch {
	case c.Action == booking.ActImported:
		return ""
	case c.Action == booking.ActNotComing:
		return NewsNotComing
	case moved && (c.PreviousStart != c.Start || c.PreviousHost != c.Host):
		return NewsMoved
	case moved:
		return NewsChanged
	case c.To == booking.Cancelled && c.From != booking.Cancelled: // by anybody, declined, or lapsed
		return NewsCancelled
	case c.Action == booking.ActConfirmed:
		return NewsApproved
	case c.Seq != 1 && (!settles(&c.HistoryEntry) || c.From.Stands()):
		return ""
	case c.To == booking.Pending:
		return NewsAsked
	}
	return NewsBooked
}

// settles reports whether a change ends the wait of a booking for its payment, or for a card.
func settles(h *booking.HistoryEntry) bool { return endsWait(h.Action) }

func endsWait(a booking.Action) bool {
	return a == booking.ActPaid || a == booking.ActCardSaved || a == booking.ActWaitOver
}

// unpaid reports whether the booking waited for its payment, or for a card, after the change or until then. The booking
// is read later, so it may have been paid or ended meanwhile.
func (c *Followed) unpaid(r BookingReader, b *booking.Booking) (bool, error) {
	if settles(&c.HistoryEntry) || c.From != booking.Pending && c.To != booking.Pending {
		return false, nil
	}
	if b.NeedsPay || b.Payment != nil && slices.Contains(paymentDue, booking.PaymentStatus(b.Payment.Status)) {
		return true, nil
	}
	history, err := r.History(b.WorkspaceID, b.ID)
	if err != nil {
		return false, err
	}
	if slices.ContainsFunc(history[min(c.Seq, len(history)):], func(h booking.HistoryEntry) bool { return settles(&h) }) {
		return true, nil
	}
	if b.Payment != nil || !b.InVisit() {
		return false, nil
	}
	return c.unpaidVisit(r, b)
}

// unpaidVisit is unpaid for a booking that has nothing to be paid itself, and waits for the others of its visit.
func (c *Followed) unpaidVisit(r BookingReader, b *booking.Booking) (bool, error) {
	for _, ref := range b.Visit.Bookings {
		other, err := r.BookingByID(ref)
		switch {
		case errors.Is(err, fault.ErrNotFound):
			continue
		case err != nil:
			return false, err
		case other.Payment == nil:
			continue
		case (other.Status.Live() || other.LapsedUnpaid()) && slices.Contains(paymentDue, booking.PaymentStatus(other.Payment.Status)):
			return true, nil
		}
		history, err := r.History(b.WorkspaceID, ref)
		if err != nil {
			return false, err
		}
		if slices.ContainsFunc(history, func(h booking.HistoryEntry) bool { return settles(&h) && h.At > c.At }) {
			return true, nil
		}
	}
	return false, nil
}

// paymentDue are the states of a payment for which a booking waits.
var paymentDue = []booking.PaymentStatus{booking.PaymentUnpaid, booking.PaymentProcessing, booking.PaymentFailed}
