package app

import (
	"cmp"
	"context"
	"slices"
	"time"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/slot"
	"daybook/app/when"
)

// What a change of a booking frees while somebody waits in its workspace. Who gets it is found afterwards, by package
// waitlist; until then nobody else takes it. Where nobody waits, a change does nothing of it.

const (
	// HouseHold is how long what came free is held until it is known who gets it.
	HouseHold = 2 * time.Minute
	// MoveUndone is how long a move can be undone at the calendar: nothing that it frees is offered before.
	MoveUndone = 10 * time.Second
	// houseMaker is the maker of house holds.
	houseMaker = "house"
	// Between these hours of the workspace's clock nothing is offered, and what comes free is open to all.
	nightBegins, nightEnds = 21, 8
)

// Freed is what a change of a booking has let go.
type Freed struct {
	Setup *catalog.Setup
	Now   time.Time
	Was   booking.Booking // before the change
	Seats int             // how many seats, of a session that goes on
	Moved bool            // it stands elsewhere now
	left  []slot.Span     // what is noted of the time of its host
	Again *WaitJob        // what it had let go before and has taken back: the rest of that is let go again; nil is none
}

// WaitKind says what a WaitJob is. The numbers are stored.
type WaitKind int

// The kinds of jobs.
const (
	WaitFreed  WaitKind = iota // a time came free, which is offered to one after the other
	WaitBooked                 // somebody who may wait has booked
	WaitEnded                  // an offer was ended: by a booking of the business, or with Start 0 because its person has another
	WaitHours                  // when hosts work, as it was looked at last
)

// WaitJob is something that the waitlist is still to look at.
type WaitJob struct {
	ID         booking.WaitJobID
	Workspace  catalog.WorkspaceID
	Kind       WaitKind
	Booking    booking.BookingID // that left the time, or was made; 0 is none
	Host       catalog.HostID    // 0 is a time of a room alone
	Start, End when.Instant
	Hold       booking.HoldID // that of the house on it; 0 is none
	Due        when.Instant
	WaitState
}

// WaitState is how far a job has come.
type WaitState struct {
	Entry     booking.WaitID   `json:"entry,omitzero"`     // to whom it is offered now, or whose offer was ended
	Offers    int              `json:"offers,omitempty"`   // so far
	First     when.Instant     `json:"first,omitzero"`     // when it was offered first
	Asked     []booking.WaitID `json:"asked,omitempty"`    // who has refused or was silent
	Next      booking.WaitID   `json:"next,omitzero"`      // who is likely to be asked next
	HeldUntil when.Instant     `json:"heldUntil,omitzero"` // by the house
	Since     when.Instant     `json:"since,omitzero"`     // when it came free: who waits since later isn't asked
	// EventType and Seats are those of seats that came free of a session that goes on.
	EventType catalog.EventTypeID `json:"eventType,omitzero"`
	Seats     int                 `json:"seats,omitempty"`
	ByHand    bool                `json:"byHand,omitempty"` // the business has offered it
	// Hosts and Resources are held with the time where they are free: those of what left it and of what was offered.
	Hosts     []catalog.HostID     `json:"hosts,omitempty"`
	Resources []catalog.ResourceID `json:"resources,omitempty"`
	// Rooms are the resources that came free with the host's time, or alone where there is none: whoever lacked just these may
	// have them with any host.
	Rooms []catalog.ResourceID `json:"rooms,omitempty"`
	Hours *WaitHoursSeen       `json:"hours,omitempty"`
}

// WaitHoursSeen is when hosts could work, and when resources had time off, by their ids, from At until Until: what is added of
// the one and gone of the other later came free.
type WaitHoursSeen struct {
	At    when.Instant           `json:"at"`
	Until when.Instant           `json:"until"`
	Spans map[string][]slot.Span `json:"spans"`
	Off   map[string][]slot.Span `json:"off,omitempty"`
}

// WaitKeeper keeps what the waitlist is to look at.
type WaitKeeper interface {
	// Let notes what a change has let go; a part that Try undoes lets nothing go. LetGo returns all of it, in its order.
	Let(f *Freed)
	LetGo() []*Freed
	InsertWaitJob(j *WaitJob) error
	// TakeBack ends the house holds on what a booking has let go of these hosts in [from, to) and what is to be done about
	// it, as far as it isn't offered, and returns that.
	TakeBack(ws catalog.WorkspaceID, b booking.BookingID, hosts []catalog.HostID, from, to, now when.Instant) ([]WaitJob, error)
	// EndWaitHolds ends house holds and offers on what a booking takes, and returns who was offered it.
	EndWaitHolds(b *booking.Booking, now when.Instant) ([]booking.WaitID, error)
	// EndHeldFor ends the holds of that maker.
	EndHeldFor(ws catalog.WorkspaceID, maker string, now when.Instant) error
	// DropHold deletes a hold, whether it is live or not, and reports whether it was there.
	DropHold(ws catalog.WorkspaceID, id booking.HoldID) (bool, error)
}

// letGo notes what the change frees, if anybody waits.
func (c *Change) letGo() error {
	if !c.Setup.Workspace.Waits {
		return nil
	}
	was, b := &c.found, c.Booking
	if b.Status.Live() && !b.Invitee.WalksIn() && (c.insert || was.Start != b.Start || was.EventTypeID != b.EventTypeID || !was.Status.Live()) {
		if err := c.InsertWaitJob(&WaitJob{ID: id.New[booking.WaitJobIDKind](c.Now), Workspace: b.WorkspaceID, Kind: WaitBooked,
			Booking: b.ID, Start: b.Start, End: b.End, Due: when.At(c.Now)}); err != nil {
			return err
		}
	}
	if c.insert || was.ID == 0 || !was.Status.Live() || c.bulk() {
		return nil
	}
	f := &Freed{Setup: c.Setup, Now: c.Now, Was: *was, Seats: max(1, was.Seats), Moved: b.Status.Live()}
	if b.Status.Live() && was.Start == b.Start && was.Host.ID == b.Host.ID && was.EventTypeID == b.EventTypeID {
		f.Seats = max(1, was.Seats) - max(1, b.Seats)
	}
	c.Let(f)
	return nil
}

// bulk reports whether the change is one of several that the business makes at once, of which nothing is offered unless it
// says so.
func (c *Change) bulk() bool {
	b := c.Booking
	if c.Actor.Kind == booking.BySystem || !c.Actor.Business() || c.offers {
		return false
	}
	return c.withSeries && b.Series != nil || c.imported || slices.ContainsFunc(c.ending, func(other booking.BookingID) bool {
		return other != b.ID && (b.Visit == nil || !slices.Contains(b.Visit.Bookings, other))
	})
}

// withoutOffered returns the rules without that of offered times: a series takes none.
func withoutOffered(rules []string) []string {
	return slices.DeleteFunc(slices.Clone(rules), func(r string) bool { return r == string(slot.Offered) })
}

// takeBack makes what the booking has let go its own again where it is to begin then with one of these hosts, as far as nobody
// else has it: a move may be undone. What it does not take of that is let go anew at the end.
func (c *Change) takeBack(start when.Instant, hosts []catalog.HostID) error {
	b := c.Booking
	if !c.Setup.Workspace.Waits {
		return nil
	}
	works := b.Works()
	from, to := start+when.Instant(works[0].Occupied.Start)-b.Start, start+when.Instant(works[len(works)-1].Occupied.End)-b.Start
	again, err := c.Tx.TakeBack(b.WorkspaceID, b.ID, hosts, from, to, when.At(c.Now))
	for i := range again {
		c.Let(&Freed{Setup: c.Setup, Now: c.Now, Was: *b, Moved: true, Again: &again[i]})
	}
	return err
}

// mayTake returns who may do the booking where one of these leads it: all who serve its event type, where it takes several.
func mayTake(e *catalog.EventType, lead []*catalog.Host) (all []catalog.HostID) {
	for _, h := range lead {
		all = append(all, h.ID)
	}
	if several, _ := e.Others(); several > 0 {
		for _, h := range e.Hosts {
			all = append(all, h.ID)
		}
	}
	return all
}

// overOffers ends what is held for who waits where the booking now stands, if the change is made against that, and says so in
// its history.
func (c *Change) overOffers() error {
	if !c.Setup.Workspace.HasHolds || !c.passesOffers || !c.Booking.Status.Live() {
		return nil
	}
	now := when.At(c.Now)
	ended, err := c.EndWaitHolds(c.Booking, now)
	if err != nil || len(ended) == 0 {
		return err
	}
	h := &c.steps[len(c.steps)-1].History
	h.Waived = append(h.Waived, string(slot.Offered))
	for _, entry := range ended {
		if err := noteEnded(c.Tx, c.Now, c.Booking.WorkspaceID, entry, &c.Booking.Taken); err != nil {
			return err
		}
	}
	return nil
}

// EndOffer ends what an entry is offered. Its person is told soon, and the time is offered to who comes next.
func EndOffer(tx Tx, now time.Time, ws catalog.WorkspaceID, entry booking.WaitID) error {
	if err := tx.EndHeldFor(ws, entry.String(), when.At(now)); err != nil {
		return err
	}
	return noteEnded(tx, now, ws, entry, &booking.Taken{})
}

// noteEnded notes that an offer has ended by a booking that takes that, or by none.
func noteEnded(tx Tx, now time.Time, ws catalog.WorkspaceID, entry booking.WaitID, by *booking.Taken) error {
	return tx.InsertWaitJob(&WaitJob{ID: id.New[booking.WaitJobIDKind](now), Workspace: ws, Kind: WaitEnded, Start: by.Start, End: by.End,
		Due: when.At(now), WaitState: WaitState{Entry: entry}})
}

// holdFreed holds what the transaction has let go, as the last thing that it does: what another of its changes took is not
// free.
func (s *Service) holdFreed(tx Tx) error {
	for _, f := range tx.LetGo() {
		if err := f.hold(tx); err != nil {
			return err
		}
	}
	return nil
}

func (f *Freed) hold(tx Tx) error {
	was := &f.Was
	if j := f.Again; j != nil {
		if j.Seats > 0 { // they are the booking's again
			return nil
		}
		return f.holdLeft(tx, j.Host, slot.Span{Start: int64(j.Start), End: int64(j.End)})
	}
	if e := f.Setup.EventTypeByID(was.EventTypeID); e != nil && e.Seats > 1 && len(was.Parts) == 0 {
		rows, err := tx.Occupied(nil, was.Host.ID, was.Start, was.End, f.Setup.HeldAt(f.Now))
		if err != nil {
			return err
		}
		if slices.ContainsFunc(rows, func(o booking.Occupation) bool {
			return !o.Held && o.EventType == e.ID && o.Start == int64(was.Start)
		}) {
			return f.holdSeats(tx, e)
		}
	}
	lead := map[catalog.HostID][]slot.Work{was.Host.ID: was.Works()}
	order := []catalog.HostID{was.Host.ID}
	for _, other := range was.Others() {
		lead[other.ID], order = was.Takes(catalog.OfHost(other.ID)), append(order, other.ID)
	}
	for _, host := range order {
		for _, w := range lead[host] {
			if err := f.holdLeft(tx, host, w.Occupied); err != nil {
				return err
			}
		}
	}
	for i := range was.Resources {
		if err := f.noteRoom(tx, &was.Resources[i]); err != nil {
			return err
		}
	}
	return nil
}

// noteRoom notes what nobody has of the time of a resource, but for what is noted with that of its host. It is not held.
func (f *Freed) noteRoom(tx Tx, r *catalog.ResourceRef) error {
	known := append([]slot.Span{{End: int64(when.At(f.Now))}}, f.left...)
	for _, w := range f.Was.Takes(catalog.OfResource(r.ID)) {
		for _, span := range Without(w.Occupied, known) {
			rows, err := tx.OccupiedThings([]catalog.Subject{catalog.OfResource(r.ID)}, when.Instant(span.Start), when.Instant(span.End), f.Setup.HeldAt(f.Now))
			if err != nil {
				return err
			}
			for _, piece := range Without(span, occupied(rows[0])) {
				h := Hold{Taken: booking.Taken{BusyStart: when.Instant(piece.Start), BusyEnd: when.Instant(piece.End)}}
				if err := f.note(tx, &h, false, r.ID); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func occupied(rows []booking.Occupation) []slot.Span {
	taken := make([]slot.Span, len(rows))
	for i := range rows {
		taken[i] = rows[i].Occupied
	}
	return taken
}

// holdLeft holds what nobody has of a time of a host.
func (f *Freed) holdLeft(tx Tx, host catalog.HostID, span slot.Span) error {
	rows, err := tx.Occupied(nil, host, when.Instant(span.Start), when.Instant(span.End), f.Setup.HeldAt(f.Now))
	if err != nil {
		return err
	}
	for _, piece := range Without(span, occupied(rows)) {
		if err := f.holdPiece(tx, host, piece); err != nil {
			return err
		}
	}
	return nil
}

// Without returns what is left of a span without others.
func Without(span slot.Span, taken []slot.Span) (left []slot.Span) {
	at := span.Start
	for _, t := range slot.Merge(taken) {
		if t.Start > at && at < span.End {
			left = append(left, slot.Span{Start: at, End: min(t.Start, span.End)})
		}
		at = max(at, t.End)
	}
	if at < span.End {
		left = append(left, slot.Span{Start: at, End: span.End})
	}
	return left
}

// holdPiece holds a time of a host, with the resources that are free then, and notes that it came free.
func (f *Freed) holdPiece(tx Tx, host catalog.HostID, piece slot.Span) error {
	now, was := when.At(f.Now), &f.Was
	start, end := max(when.Instant(piece.Start), now), when.Instant(piece.End)
	if start >= end {
		return nil
	}
	t := booking.Taken{Start: start, End: end, BusyStart: start, BusyEnd: end}
	var rooms []catalog.ResourceID
	if host == was.Host.ID {
		f.left = append(f.left, slot.Span{Start: int64(start), End: int64(end)})
		for i := range was.Resources {
			r := &was.Resources[i]
			rooms = append(rooms, r.ID)
			rows, err := tx.OccupiedThings([]catalog.Subject{catalog.OfResource(r.ID)}, start, end, f.Setup.HeldAt(f.Now))
			if err != nil {
				return err
			}
			if len(rows[0]) == 0 {
				t.Resources = append(t.Resources, *r)
			}
		}
	}
	h := Hold{Taken: t, Host: catalog.HostRef{ID: host}, Seats: 1}
	return f.note(tx, &h, time.Duration(end-start)*time.Millisecond >= Shortest(f.Setup), rooms...)
}

// holdSeats holds seats of a session that goes on.
func (f *Freed) holdSeats(tx Tx, e *catalog.EventType) error {
	was := &f.Was
	if f.Seats < 1 || was.Start <= when.At(f.Now) {
		return nil
	}
	h := Hold{EventTypeID: e.ID, Host: catalog.HostRef{ID: was.Host.ID}, Seats: f.Seats,
		Taken: booking.Taken{Start: was.Start, End: was.End, BusyStart: was.BusyStart, BusyEnd: was.BusyEnd}}
	return f.note(tx, &h, true)
}

// note saves what is to be looked at, and holds it for the house if it is to.
func (f *Freed) note(tx Tx, h *Hold, holds bool, rooms ...catalog.ResourceID) error {
	at, night := Morning(f.Now, f.Setup.Zone)
	j := WaitJob{ID: id.New[booking.WaitJobIDKind](f.Now), Workspace: f.Setup.Workspace.ID, Kind: WaitFreed, Booking: f.Was.ID, Host: h.Host.ID,
		Start: h.BusyStart, End: h.BusyEnd, Due: when.At(f.Now), WaitState: WaitState{Rooms: rooms}}
	if j.Since = j.Due; f.Again != nil {
		j.Since = f.Again.Since
	}
	for _, r := range h.Resources {
		j.Resources = append(j.Resources, r.ID)
	}
	if h.EventTypeID != 0 {
		j.EventType, j.Seats = h.EventTypeID, h.Seats
	}
	switch {
	case night:
		j.Due = at
	case f.Moved:
		j.Due = j.Due.Add(MoveUndone)
	}
	if holds && !night {
		if err := HoldForHouse(tx, f.Now, h, &j, when.At(f.Now.Add(HouseHold).Truncate(time.Second))); err != nil {
			return err
		}
	}
	return tx.InsertWaitJob(&j)
}

// HoldForHouse holds a time until it is known who gets it, and notes that in the job.
func HoldForHouse(tx Tx, now time.Time, h *Hold, j *WaitJob, until when.Instant) error {
	if until <= when.At(now) {
		return nil
	}
	h.ID, h.WorkspaceID, h.For, h.Maker, h.ExpiresAt = id.New[booking.HoldIDKind](now), j.Workspace, booking.HeldForHouse, houseMaker, until
	j.Hold, j.HeldUntil = h.ID, until
	return tx.InsertHold(h)
}

// Morning returns when what comes free at night is offered, and whether it is night on the clock of the zone.
func Morning(now time.Time, zone *time.Location) (at when.Instant, night bool) {
	local := now.In(zone)
	day := local
	switch h := local.Hour(); {
	case h >= nightBegins:
		day = when.AddDays(local, 1)
	case h >= nightEnds:
		return 0, false
	}
	y, m, d := day.Date()
	return when.At(when.Wall(time.Date(y, m, d, nightEnds, 0, 0, 0, time.UTC), zone)), true
}

// Shortest returns how long the shortest service takes that can be booked.
func Shortest(setup *catalog.Setup) time.Duration {
	least := 0
	for i := range setup.EventTypes {
		if e := &setup.EventTypes[i]; e.Active {
			if n, _ := e.Lengths(); least == 0 || n < least {
				least = n
			}
		}
	}
	return time.Duration(least) * time.Minute
}

// OfferInput is a time that is to be offered to who waits.
type OfferInput struct {
	Entry   booking.WaitID
	Items   []booking.VisitItem // one, or those of a visit; with the hosts who are to do them
	Order   booking.VisitOrder
	Seats   int
	Named   bool // somebody asked for the host of the one item
	Start   when.Instant
	Until   when.Instant
	Invitee booking.Invitee
	House   booking.HoldID // that of the house on the time, which the offer takes the place of; 0 is none
}

// Offer holds a time for who waits, in a transaction that has locked the workspace, by all rules that bind a visitor. Errors:
// those of Hold and of Book about the person.
func (s *Service) Offer(tx Tx, ws catalog.WorkspaceID, in *OfferInput) (h Hold, err error) {
	a := Actor{Kind: booking.ByInvitee, Workspace: ws, Waits: in.Entry}
	setup, err := s.SetupFor(a)
	if err != nil {
		return h, err
	}
	if err := tx.MarkHolds(ws); err != nil {
		return h, err
	}
	ch, err := s.lockItems(tx, a, setup, in.Items)
	if err != nil {
		return h, err
	}
	if in.House != 0 {
		if _, err := tx.DropHold(ws, in.House); err != nil {
			return h, err
		}
	}
	for i := range in.Items {
		if err := ch.mayBeOffered(&in.Items[i], in); err != nil {
			return h, err
		}
	}
	hold := HoldInput{Start: in.Start.String(), offered: in}
	if len(in.Items) > 1 {
		hold.Items, hold.Order = in.Items, in.Order
		return makeVisitHold(ch, &hold, in.Start, HouseHold, nil)
	}
	one := &in.Items[0]
	hold.EventType, hold.Host, hold.AnyHost, hold.AddOns, hold.Seats = one.EventType, one.Host, !in.Named, one.AddOns, in.Seats
	return makeHold(ch, in.Start, HouseHold, &hold)
}

// MayBeOffered refuses what the person of in could not book, whoever does it, without holding it. Errors: those of Book about
// the person, not_found (event type).
func (s *Service) MayBeOffered(tx Tx, ws catalog.WorkspaceID, in *OfferInput) error {
	setup, err := s.Setup(ws)
	if err != nil {
		return err
	}
	ch := &Change{Tx: tx, Setup: setup, Now: s.clock(), Actor: Actor{Kind: booking.ByInvitee, Workspace: ws, Waits: in.Entry}, service: s}
	for i := range in.Items {
		if err := ch.mayBeOffered(&in.Items[i], in); err != nil {
			return err
		}
	}
	return nil
}

// mayBeOffered refuses what the person could not book, whoever does it.
func (c *Change) mayBeOffered(item *booking.VisitItem, in *OfferInput) error {
	e := c.Setup.EventType(item.EventType)
	if e == nil || !e.Active {
		return fault.Missing("event type", item.EventType)
	}
	contact, twice, _, err := duplicate(c, &in.Invitee, e.ID, in.Start)
	if err != nil {
		return err
	}
	if twice != nil {
		return twice
	}
	q, err := c.Among(nil, e, nil)
	if err != nil {
		return err
	}
	q.For(contact, &in.Invitee, 0)
	may, err := q.Permits(c.Tx, in.Start)
	if err == nil && !may {
		err = fault.Conflictf("person_upcoming", "This person has booked as much of it as one may.")
	}
	return err
}

// noteLapsed notes the times of holds that have ended by themselves by then, where somebody waits.
func (s *Service) noteLapsed(ctx context.Context, by when.Instant) error {
	const step = 200
	for n := step; n == step; {
		lapsed, err := s.Reader(ctx).LapsedHolds(by, step)
		if err != nil {
			return err
		}
		if n = len(lapsed); n > 0 {
			if err := s.noteSome(ctx, lapsed); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *Service) noteSome(ctx context.Context, lapsed []Hold) error {
	for i := range lapsed {
		h := &lapsed[i]
		err := s.Write(ctx, func(tx Tx) error {
			now := s.Now()
			if gone, err := tx.DropHold(h.WorkspaceID, h.ID); err != nil || !gone {
				return err
			}
			j := WaitJob{ID: id.New[booking.WaitJobIDKind](now), Workspace: h.WorkspaceID, Kind: WaitFreed, Host: h.Host.ID,
				Start: cmp.Or(h.BusyStart, h.Start), End: cmp.Or(h.BusyEnd, h.End), Due: when.At(now), WaitState: WaitState{Since: when.At(now)}}
			if len(h.Parts) == 0 && h.BusyStart == h.BusyEnd { // it was in parts
				j.Start, j.End = h.Start, h.End
			}
			return tx.InsertWaitJob(&j)
		})
		if err != nil {
			return err
		}
	}
	return nil
}
