package agent

import (
	"context"
	"strings"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/fault"
	"daybook/app/subjects"
)

var listBookings = tool{
	view: dayView, name: "list_bookings", title: "List bookings",
	description: "Bookings of the workspace: those still to come, soonest first, unless scope, from or to say " +
		"otherwise. Without a status only live ones (" + booking.NamesOf(booking.LiveStatuses, "", ", ") +
		"), so cancelled bookings and no-shows must be asked for; status all lists everything. Whose booking it is can be " +
		"asked for by name with q: no look-up of the contact is needed. Use it to find the id that the other tools take. " +
		"Changes nothing.",
	reads: true, repeatable: true,
	input: object("",
		may("q", text("Only bookings of people whose name, e-mail address or telephone number has words that begin so; "+
			"every word given must match. Of the 50 newest such people.").length(0, fault.MaxSearch).
			such("sofia", "mei muster")),
		may("scope", choice("upcoming: not over yet, soonest first. past: over, latest first. all: both, latest first. "+
			"Ignored when from or to is given. No-shows lie in the past: ask for them with past or all.",
			"upcoming", "past", "all").byDefault("upcoming")),
		may("from", dayArg("Only bookings that start at or after it.")),
		may("to", dayArg("Only bookings that start before it.")),
		may("timeZone", zoneArg("IANA time zone of bare dates in from and to; the default is the business's.")),
		may("status",
			text("Only bookings of this status: "+booking.NamesOf(booking.Statuses, "", " or ")+"; several joined by "+
				"commas; all is every status.").
				form(joinedStatuses()).such("cancelled", "confirmed,rescheduled", booking.AllStatuses)),
		may("eventType", text("Only bookings of this service: slug, id or title.").length(1, booking.MaxRef)),
		may("invitee", text("Only bookings of the person with this e-mail address or telephone number, or with this name "+
			"where it fits one person only.").length(1, fault.MaxEmail)),
		may("host", text("Only bookings of this host: id or name.").length(1, booking.MaxRef)),
		may("detail", choice("brief: when, what, with whom, who comes; price, contact and length where a short row has "+
			"room. full: every field of each booking, four times as long.", brief, full).byDefault(brief)),
		limitArg(), cursorArg(),
	),
	output: envelope("", bookingRowModel, may("hint", text("What to ask instead."))),
	run: reading(readBookings, func(ctx context.Context, s *subjects.Set, a app.Actor, in listing) (any, error) {
		setup, err := s.Setup(a.Workspace)
		if err != nil {
			return nil, err
		}
		read := func(limit *int) (fault.Page[booking.Booking], error) {
			in.Limit = limit
			return s.Bookings(ctx, a, in.ListBookingsInput)
		}
		if in.full {
			page, err := sized(in.Limit, read, func(b *booking.Booking) any { return local(*b, setup.Zone) })
			return (*localBookings)(rowsOf(page, func(b *booking.Booking) localBooking { return *local(*b, setup.Zone) })), err
		}
		row := func(b *booking.Booking) bookingRow { return brieflyTold(b, setup.Zone) }
		page, err := sized(in.Limit, read, func(b *booking.Booking) any { return row(b) })
		return rowsOf(page, row), err
	}),
}

// How much list_bookings says of each booking.
const (
	brief = "brief"
	full  = "full"
)

// listing is what list_bookings is asked for.
type listing struct {
	booking.ListBookingsInput
	full bool
}

func readBookings(in *args) listing {
	l := listing{ListBookingsInput: booking.ListBookingsInput{
		Scope: in.short("scope"), From: in.short("from"), To: in.short("to"), TimeZone: in.short("timeZone"),
		Status:    in.texts("status"),
		EventType: in.short("eventType"), Invitee: in.short("invitee"), Host: in.short("host"), Limit: in.whole("limit"),
		Cursor:   in.short("cursor"),
		LiveOnly: true, Spoken: true, Q: in.short("q"),
	}}
	switch detail := in.short("detail"); detail {
	case "", brief:
	case full:
		l.full = true
	default:
		in.wrong("detail", "must be %s or %s, got %q", brief, full, shortened(detail, 50))
	}
	return l
}

// joinedStatuses returns the pattern of one status, of several joined by commas, or of all.
func joinedStatuses() string {
	one := `\s*(` + strings.ReplaceAll(booking.NamesOf(booking.Statuses, "", ", "), ", ", "|") + `)\s*`
	return "^(" + booking.AllStatuses + "|" + one + "(," + one + ")*)$"
}
