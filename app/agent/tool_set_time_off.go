package agent

import (
	"context"
	"slices"
	"time"

	"daybook/app"
	"daybook/app/availability"
	"daybook/app/booking"
	"daybook/app/bulk"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/shop"
	"daybook/app/subjects"
	"daybook/app/when"
)

// What becomes of the bookings that lie in a time off.
const (
	listed = "list"
	moved  = "move"
	called = "cancel"
)

var setTimeOff = tool{
	view: confirmView, name: "set_time_off", title: "Give time off, with the bookings in it",
	description: "Closes a time of a host, such as of one who is ill, so that nobody books it, and then sees to the bookings in it, at most " +
		"200: list leaves them and names them; move gives each to another host who does the service and is free at the very " +
		"same time; cancel cancels them and refunds what was paid online. Their invitees are told, with the message. The answer says " +
		"what became of each: those that stay need a call or another time. Each is a change of its own. Nobody is moved who is in the chair.",
	repeatable: true, destroys: true, reachesOut: true,
	confirms: telling{}, stepwise: true,
	input: object("", must("host", text("Id or name of the host; all closes the business.").length(1, booking.MaxRef)),
		must("start", text("First day, or day and time on the host's clock.").such("2026-12-28", "2026-12-28T13:00")),
		must("end", text("Last day, itself included, or day and time.").such("2026-12-28", "2026-12-28T18:00")),
		may("reason", text("For the business.").length(0, catalog.MaxReason)),
		may("bookings", choice("What becomes of the bookings in it.", listed, moved, called).byDefault(listed)),
		may("message", text("To the invitees of those that are moved or cancelled.").length(0, fault.MaxReason))),
	output: object("", must("host", text("")), must("start", text("Local.")), must("end", text("Local.")),
		must("bookings", list("", object("", must("id", text("")), must("local", text("")), must("eventType", text("")), must("invitee", text("")),
			must("state", choice("", "stays", "moved", "cancelled")), may("host", text("Who does it now.")), may("why", text("It stays.")))))),
	run: reading(readAbsence, func(ctx context.Context, s *subjects.Set, a app.Actor, in absence) (any, error) {
		return in.give(ctx, s, a)
	}),
}

// absence is what set_time_off is asked for.
type absence struct{ host, start, end, reason, bookings, message string }

func readAbsence(in *args) absence {
	of := absence{in.needed("host", "the id or name of a host, or all"), in.needed("start", "a day, or a day and time"),
		in.needed("end", "a day, or a day and time"), in.text("reason"), in.text("bookings"), in.text("message")}
	switch of.bookings {
	case "":
		of.bookings = listed
	case listed, moved, called:
	default:
		in.wrong("bookings", "must be list, move or cancel, got %q", shortened(of.bookings, 50))
	}
	if of.message != "" && of.bookings == listed {
		in.wrong("message", "goes with move or cancel: nobody is told of a list")
	}
	return of
}

// absent is the answer.
type absent struct {
	Host     string   `json:"host"`
	Start    string   `json:"start"`
	End      string   `json:"end"`
	Bookings []inTime `json:"bookings"`
}

// inTime is what became of a booking in a time off.
type inTime struct {
	ID        string `json:"id"`
	Local     string `json:"local"`
	EventType string `json:"eventType"`
	Invitee   string `json:"invitee"`
	Phone     string `json:"phone,omitempty"`
	State     string `json:"state"`
	Host      string `json:"host,omitempty"`
	Why       string `json:"why,omitempty"`
}

// give closes the time, and then sees to its bookings one by one.
func (of *absence) give(ctx context.Context, s *subjects.Set, a app.Actor) (any, error) {
	ref, scope := of.host, bulk.Scope{}
	told := absent{Host: "all", Bookings: []inTime{}}
	if ref != shop.Everybody {
		var err error
		if ref, err = namedHost(s, a, ref); err != nil {
			return nil, err
		}
		if scope.Host, err = id.Parse[catalog.HostIDKind](ref); err != nil {
			return nil, err
		}
	}
	off, err := s.Shop.GiveTimeOff(ctx, a, shop.Off{Host: ref, Start: of.start, End: of.end, Reason: of.reason})
	if err != nil {
		return nil, bare(err, "host.")
	}
	setup, err := s.Setup(a.Workspace)
	if err != nil {
		return nil, err
	}
	zone := setup.Zone
	if h := setup.Host(scope.Host); h != nil {
		told.Host = h.Name
		if loaded, err := time.LoadLocation(h.TimeZone); err == nil {
			zone = loaded
		}
	}
	local := func(at when.Instant) string { return at.Time().In(zone).Format(time.RFC3339) }
	told.Start, told.End = local(off.Start), local(off.End)
	scope.Off = &off
	all, err := s.Bulk.Within(ctx, a, scope, bulk.Most)
	if err != nil {
		return nil, err
	}
	for i := range all {
		b := &all[i]
		row := inTime{ID: b.ID.String(), Local: local(b.Start), EventType: b.EventType, Invitee: b.Invitee.Name, Phone: b.Invitee.Phone, State: "stays"}
		if err := of.settle(ctx, s, a, setup, b, &row); err != nil {
			return nil, err
		}
		told.Bookings = append(told.Bookings, row)
	}
	return told, nil
}

// settle does with a booking what was asked for. A refusal is told in its row; the error is that of the server.
func (of *absence) settle(ctx context.Context, s *subjects.Set, a app.Actor, setup *catalog.Setup, b *booking.Booking, row *inTime) error {
	if of.bookings == listed {
		return nil
	}
	if bulk.InTheChair(b, s.Now()) {
		row.Why = "The customer is there, or was."
		return nil
	}
	if of.bookings == called {
		made, err := s.Cancel(ctx, a, b.ID.String(), app.CancelInput{Reason: of.message})
		if err == nil && made.Status == booking.Cancelled {
			row.State = "cancelled"
		}
		return row.refused(err)
	}
	to, err := somebodyElse(ctx, s, a, b)
	if err != nil || to == 0 {
		if row.Why = "Nobody else who does it is free at that time."; err != nil {
			return row.refused(err)
		}
		return nil
	}
	made, err := s.Reschedule(ctx, a, b.ID.String(), app.RescheduleInput{Start: b.Start.String(), Host: to.String(), Reason: of.message})
	if err == nil {
		row.State, row.Host = "moved", made.Host.Name
	}
	return row.refused(err)
}

// refused keeps what a refusal says; other errors are returned.
func (row *inTime) refused(err error) error {
	e := fault.Refusal(err)
	if e != nil {
		row.Why = e.Error()
		return nil
	}
	return err
}

// somebodyElse returns another host who is free at the booking's time; 0 is none.
func somebodyElse(ctx context.Context, s *subjects.Set, a app.Actor, b *booking.Booking) (catalog.HostID, error) {
	most := 5
	found, err := s.Availability(ctx, a, availability.Input{EventType: b.EventType, From: b.Start.String(),
		To: b.Start.Add(time.Minute).String(), ExcludeBooking: b.ID.String(), Limit: &most})
	if err != nil {
		return 0, err
	}
	for _, slot := range found.Slots() {
		if at := slices.IndexFunc(slot.Hosts, func(h catalog.HostID) bool { return h != b.Host.ID }); slot.Start == b.Start && at >= 0 {
			return slot.Hosts[at], nil
		}
	}
	return 0, nil
}
