package demo

import (
	"context"
	"math/rand/v2"
	"slices"
	"time"

	"daybook/app"
	"daybook/app/availability"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/record"
	"daybook/app/rooms"
)

const (
	daysBack  = 74 // when the first booking is made: two weeks before the first that is shown
	customers = 90
	seed      = 20261121
)

// past is the salon's life so far: bookings are made day by day, and what becomes of each is done when its time comes.
type past struct {
	service *rooms.Set
	random  *rand.Rand
	people  []record.Invitee
	actor   app.Actor
	at      time.Time // the clock
	until   time.Time
	todo    []deed // by time
}

// deed is something to be done with a booking at a time.
type deed struct {
	at time.Time
	do func(context.Context) error
}

func (p *past) clock() time.Time { return p.at }

// live goes through the days until now, a transaction a day.
func (p *past) live(ctx context.Context, w catalog.Workspace) error {
	p.random = rand.New(rand.NewPCG(seed, seed))
	p.people = people(p.random, customers)
	p.actor = app.Actor{Kind: record.ByInvitee, Workspace: w.ID}
	for day := p.at; !day.After(p.until); day = day.AddDate(0, 0, 1) {
		for range 9 + p.random.IntN(8) {
			at := day.Add(time.Duration(p.random.IntN(14*60)) * time.Minute)
			p.plan(at, p.book)
		}
		end := day.AddDate(0, 0, 1)
		if err := p.inOne(ctx, func() error { return p.doUntil(ctx, end) }); err != nil {
			return err
		}
	}
	return p.askForApproval(ctx)
}

// inOne does everything in one transaction.
func (p *past) inOne(ctx context.Context, do func() error) error {
	whole := p.service
	defer func() { p.service = whole }()
	return whole.Write(ctx, func(tx app.Tx) error {
		p.service = whole.In(tx)
		return do()
	})
}

// plan keeps a deed for its time; what lies behind now never happens.
func (p *past) plan(at time.Time, do func(context.Context) error) {
	if at.After(p.until) {
		return
	}
	i, _ := slices.BinarySearchFunc(p.todo, at, func(d deed, at time.Time) int { return d.at.Compare(at) })
	p.todo = slices.Insert(p.todo, i, deed{at, do})
}

func (p *past) doUntil(ctx context.Context, end time.Time) error {
	for len(p.todo) > 0 && p.todo[0].at.Before(end) {
		next := p.todo[0]
		p.todo = p.todo[1:]
		p.at = next.at
		if err := next.do(ctx); err != nil {
			return err
		}
	}
	return nil
}

// wanted are the event types as often as they are asked for.
var wanted = []string{
	"haircut", "haircut", "haircut", "haircut", "haircut", "haircut", "beard-trim", "beard-trim", "beard-trim",
	"colour", "colour", "consultation", "consultation", "braiding-workshop", "braiding-workshop", "bridal",
}

// book lets somebody book something in the coming weeks, and plans what becomes of it.
func (p *past) book(ctx context.Context) error {
	slug := wanted[p.random.IntN(len(wanted))]
	ahead := 1 + p.random.IntN(13) + p.random.IntN(2)*p.random.IntN(8)
	from := p.at.AddDate(0, 0, ahead)
	free, err := p.service.Availability(ctx, p.actor, availability.Input{EventType: slug, From: from.Format(time.RFC3339)})
	if err != nil || free.Len() == 0 {
		return err
	}
	slots := free.Slots()
	slot := slots[p.random.IntN(min(len(slots), 24))]
	in := record.BookInput{EventType: slug, Start: slot.Start.String(), Invitee: p.people[p.random.IntN(len(p.people))]}
	if p.random.IntN(4) == 0 {
		in.Notes = remarks[p.random.IntN(len(remarks))]
	}
	b, err := p.service.Book(ctx, p.actor, in)
	if fault.Is(err, fault.Conflict) { // the same person twice
		return nil
	}
	if err != nil {
		return err
	}
	p.planFate(b)
	return nil
}

// planFate draws what becomes of a booking.
func (p *past) planFate(b record.Booking) {
	id, start := b.ID.String(), b.Start.Time()
	owner := app.Actor{Kind: record.ByOwner, Workspace: p.actor.Workspace}
	before := p.at.Add(time.Duration(1+p.random.Int64N(max(2, int64(start.Sub(p.at)/time.Minute)-60))) * time.Minute)
	switch draw := p.random.IntN(100); {
	case b.Status == record.Pending && draw < 75:
		p.plan(p.at.Add(3*time.Hour), func(ctx context.Context) error { return settle(p.service.Confirm(ctx, owner, id)) })
	case b.Status == record.Pending && draw < 90:
		p.plan(p.at.Add(5*time.Hour), func(ctx context.Context) error {
			return settle(p.service.Decline(ctx, owner, id, "Fully booked that week, sorry."))
		})
	case b.Status == record.Pending:
		p.plan(b.ExpiresAt.Time().Add(time.Second), func(ctx context.Context) error {
			_, err := p.service.Lapse(ctx, 10)
			return err
		})
	case draw < 9:
		p.plan(before, func(ctx context.Context) error {
			return settle(p.service.Cancel(ctx, owner, id, app.CancelInput{Reason: "Something came up."}))
		})
	case draw < 19:
		p.plan(before, func(ctx context.Context) error { return p.move(ctx, owner, b) })
	case draw < 25:
		p.plan(b.End.Time(), func(ctx context.Context) error { return settle(p.service.MarkNoShow(ctx, owner, id)) })
	}
}

// settle lets pass what the rules refuse: life goes on.
func settle(_ record.Booking, err error) error {
	if fault.As(err) != nil {
		return nil
	}
	return err
}

// move gives a booking another time within the week.
func (p *past) move(ctx context.Context, owner app.Actor, b record.Booking) error {
	free, err := p.service.Availability(ctx, owner, availability.Input{
		EventType: b.EventType, From: p.at.AddDate(0, 0, 2).Format(time.RFC3339), ExcludeBooking: b.ID.String(),
	})
	if err != nil || free.Len() == 0 {
		return err
	}
	slots := free.Slots()
	return settle(p.service.Reschedule(ctx, owner, b.ID.String(),
		app.RescheduleInput{Start: slots[p.random.IntN(len(slots))].Start.String()}))
}

// askForApproval leaves two requests that wait for the owner's decision.
func (p *past) askForApproval(ctx context.Context) error {
	p.at = p.until.Add(-2 * time.Hour)
	free, err := p.service.Availability(ctx, p.actor,
		availability.Input{EventType: "bridal", From: p.until.AddDate(0, 0, 5).Format(time.RFC3339), Days: new(14)})
	if err != nil {
		return err
	}
	for i, slot := range free.Slots() {
		if i != 0 && i != free.Len()-1 {
			continue
		}
		in := record.BookInput{EventType: "bridal", Start: slot.Start.String(), Invitee: p.people[i%7],
			Answers: map[string]any{"date": "In spring"}}
		if _, err := p.service.Book(ctx, p.actor, in); err != nil {
			return err
		}
	}
	return nil
}
