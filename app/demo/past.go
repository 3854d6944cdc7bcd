package demo

import (
	"context"
	"math/rand/v2"
	"slices"
	"time"

	"daybook/app"
	"daybook/app/availability"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/counter"
	"daybook/app/fault"
	"daybook/app/subjects"
	"daybook/app/when"
)

const (
	daysBack  = 74 // days before today on which the first booking is made: two weeks before the first that is shown
	daysPaid  = 14 // days before today since which the counter takes money
	customers = 90
	seed      = 20261121
)

// past makes the salon's history: bookings are made day by day, and what happens to each one happens at its time.
type past struct {
	service *subjects.Set
	random  *rand.Rand
	people  []booking.Invitee
	actor   app.Actor
	at      time.Time // the demo's clock
	until   time.Time
	todo    []event // sorted by time
}

// event is something that happens at a time, such as a cancellation.
type event struct {
	at time.Time
	do func(context.Context) error
}

func (p *past) clock() time.Time { return p.at }

// run goes through the days until now, with one transaction a day.
func (p *past) run(ctx context.Context, w catalog.Workspace) error {
	p.random = rand.New(rand.NewPCG(seed, seed))
	p.people = people(p.random, customers)
	p.actor = app.Actor{Kind: booking.ByInvitee, Workspace: w.ID}
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
	if err := p.askForApproval(ctx); err != nil {
		return err
	}
	if err := p.bookVisits(ctx); err != nil {
		return err
	}
	if err := p.addExtras(ctx); err != nil {
		return err
	}
	return p.writeNotes(ctx)
}

// inOne calls do in one transaction, which may run again.
func (p *past) inOne(ctx context.Context, do func() error) error {
	whole, at, todo := p.service, p.at, slices.Clone(p.todo)
	defer func() { p.service = whole }()
	return whole.Write(ctx, func(tx app.Tx) error {
		p.service, p.at, p.todo = whole.In(tx), at, slices.Clone(todo)
		return do()
	})
}

// plan schedules do; a time after p.until is ignored.
func (p *past) plan(at time.Time, do func(context.Context) error) {
	if at.After(p.until) {
		return
	}
	i, _ := slices.BinarySearchFunc(p.todo, at, func(d event, at time.Time) int { return d.at.Compare(at) })
	p.todo = slices.Insert(p.todo, i, event{at, do})
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

// wanted are the event types, each as often as people ask for it.
var wanted = []string{
	"haircut", "haircut", "haircut", "haircut", "haircut", "beard-trim", "beard-trim", "beard-trim",
	"colour", "colour", "colour", "consultation", "consultation", "braiding-workshop", "braiding-workshop", "bridal",
}

// book makes one booking in the coming weeks, and plans what happens to it.
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
	return p.bookFor(ctx, booking.BookInput{EventType: slug, Start: slot.Start.String()})
}

// bookFor makes a booking for one of the people, and plans what happens to it.
func (p *past) bookFor(ctx context.Context, in booking.BookInput) error {
	in.Invitee = p.people[p.random.IntN(len(p.people))]
	in.Proven = true // nobody comes twice at a time
	if p.random.IntN(4) == 0 {
		in.Notes = remarks[p.random.IntN(len(remarks))]
	}
	actor := p.actor
	if in.Invitee.Email == "" {
		actor = p.owner()
	}
	b, err := p.service.Book(ctx, actor, in)
	if fault.Is(err, fault.Conflict) { // the same person has another booking then
		return nil
	}
	if err != nil {
		return err
	}
	p.planFate(b)
	if len(b.Parts) > 1 && p.random.IntN(3) > 0 {
		p.plan(p.at.Add(2*time.Hour), func(ctx context.Context) error { return p.bookInWait(ctx, b) })
	}
	return nil
}

// bookInWait books a blow-dry with the host of b while the customer of b waits, if it fits.
func (p *past) bookInWait(ctx context.Context, b booking.Booking) error {
	const slug = "blow-dry"
	host, wait := b.Host.ID.String(), b.Parts[1]
	free, err := p.service.Availability(ctx, p.actor, availability.Input{EventType: slug, Host: host,
		From: wait.Start.String(), To: wait.End.String()})
	if err != nil || free.Len() == 0 {
		return err
	}
	return p.bookFor(ctx, booking.BookInput{EventType: slug, Host: host, Start: free.Slots()[0].Start.String()})
}

// planFate draws what happens to a booking.
func (p *past) planFate(b booking.Booking) {
	id, start := b.ID.String(), b.Start.Time()
	owner := p.owner()
	before := p.at.Add(time.Duration(1+p.random.Int64N(max(2, int64(start.Sub(p.at)/time.Minute)-60))) * time.Minute)
	switch draw := p.random.IntN(100); {
	case b.Status == booking.Pending && draw < 75:
		p.plan(p.at.Add(3*time.Hour), func(ctx context.Context) error {
			return settle(p.service.Confirm(ctx, owner, id))
		})
	case b.Status == booking.Pending && draw < 90:
		p.plan(p.at.Add(5*time.Hour), func(ctx context.Context) error {
			return settle(p.service.Decline(ctx, owner, id, "Fully booked that week, sorry."))
		})
	case b.Status == booking.Pending:
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
	case b.Price != nil && draw < 95 && p.until.Sub(b.End.Time()) < daysPaid*24*time.Hour:
		p.plan(b.End.Time(), func(ctx context.Context) error { return p.pay(ctx, b) })
	}
}

func (p *past) owner() app.Actor {
	return app.Actor{Kind: booking.ByOwner, Workspace: p.actor.Workspace}
}

// pay takes the price of a booking at the counter, by card or in cash, one time in three with a tip.
func (p *past) pay(ctx context.Context, b booking.Booking) error {
	in := counter.Input{Amount: b.Price.Amount, Method: booking.ByCard}
	if p.random.IntN(5) < 2 {
		in.Method = booking.ByCash
	}
	if p.random.IntN(3) == 0 {
		in.Tip = int64(200 + 100*p.random.IntN(5))
	}
	if err := settle(p.service.Counter.Record(ctx, p.owner(), b.ID.String(), in)); err != nil {
		return err
	}
	return settle(p.service.MarkDone(ctx, p.owner(), b.ID.String()))
}

// settle ignores what the rules refuse.
func settle(_ booking.Booking, err error) error {
	if fault.As(err) != nil {
		return nil
	}
	return err
}

// move gives a booking another time within the week.
func (p *past) move(ctx context.Context, owner app.Actor, b booking.Booking) error {
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

// askForApproval leaves two requests that wait for the owner's decision: for the first and the last time that is free
// in two weeks. The second is looked up after the first is made, since both can need the same person or day.
func (p *past) askForApproval(ctx context.Context) error {
	p.at = p.until.Add(-2 * time.Hour)
	for last := range 2 {
		free, err := p.service.Availability(ctx, p.actor,
			availability.Input{EventType: "bridal", From: p.until.AddDate(0, 0, 5).Format(time.RFC3339), Days: new(14)})
		if err != nil || free.Len() == 0 {
			return err
		}
		slots := free.Slots()
		in := booking.BookInput{EventType: "bridal", Start: slots[last*(len(slots)-1)].Start.String(),
			Invitee: p.people[last], Answers: map[string]any{"date": "In spring"}}
		if _, err := p.service.Book(ctx, p.actor, in); err != nil {
			return err
		}
	}
	return nil
}

// visits are services that people have one after the other. The first that a day has time for is booked.
var visits = [][]string{{"colour", "blow-dry"}, {"haircut", "beard-trim"}, {"haircut", "blow-dry"}, {"consultation", "haircut"},
	{"haircut", "haircut"}}

const visitDays = 4 // the days after today on which somebody has several services

// bookVisits books several services at once for the coming days, after all else, in what is left of them.
func (p *past) bookVisits(ctx context.Context) error {
	p.at = p.until
	setup, err := p.service.Setup(p.actor.Workspace)
	if err != nil {
		return err
	}
	now := p.until.In(setup.Zone)
	midnight := when.DayStart(now.Year(), now.Month(), now.Day(), setup.Zone)
	for day := 1; day <= visitDays; day++ {
		from, to := when.AddDays(midnight, day), when.AddDays(midnight, day+1)
		for n := range visits {
			in := booking.VisitInput{Invitee: p.people[day+2], VisitChoice: booking.VisitChoice{SamePerson: booking.PreferSamePerson}}
			for _, slug := range visits[(n+day)%len(visits)] {
				in.Items = append(in.Items, booking.VisitItem{EventType: slug})
			}
			free, err := p.service.VisitAvailability(ctx, p.owner(), availability.VisitInput{Items: in.Items, VisitChoice: in.VisitChoice,
				Input: availability.Input{From: from.Format(time.RFC3339), To: to.Format(time.RFC3339)}})
			if err != nil {
				return err
			}
			if len(free.Data) == 0 {
				continue
			}
			in.Start = free.Data[0].Start.String()
			_, err = p.service.BookVisit(ctx, p.owner(), in)
			if fault.Is(err, fault.Conflict) { // the person comes at that time already
				continue
			}
			if err != nil {
				return err
			}
			break
		}
	}
	return nil
}

// addExtras gives every second coming colour the care, where it fits.
func (p *past) addExtras(ctx context.Context) error {
	coming, err := p.service.Bookings(ctx, p.owner(), booking.ListBookingsInput{EventType: "colour", Status: string(booking.Confirmed),
		Limit: new(100)})
	if err != nil {
		return err
	}
	for i := 0; i < len(coming.Data); i += 2 {
		b := &coming.Data[i]
		if err := settle(p.service.Edit(ctx, p.owner(), b.ID.String(), booking.EditInput{AddOns: &[]string{"care"}}, "")); err != nil {
			return err
		}
	}
	return nil
}

// writeNotes writes what the team knows of the first people who came.
func (p *past) writeNotes(ctx context.Context) error {
	for i, note := range notes {
		found, err := p.service.People.ContactsWith(ctx, p.owner(), p.people[i].Email, "")
		if err != nil {
			return err
		}
		for _, c := range found.Data {
			if err := p.service.People.SetContactNotes(ctx, p.owner(), c.ID.String(), note); err != nil {
				return err
			}
		}
	}
	return nil
}
