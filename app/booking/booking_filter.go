package booking

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/when"
)

// ListBookingsInput holds the parameters of a list of bookings, as text.
type ListBookingsInput struct {
	Scope    string // upcoming (default), past, all
	From, To string
	// UpdatedSince lists the bookings that were changed or made since, in the order in which they were; Scope is ignored.
	UpdatedSince string
	Status       string // one, several joined by commas, LiveOnes among them, or AllStatuses
	EventType    string
	Invitee      string
	Contact      string // an id
	Series       string // an id
	Host         string
	TimeZone     string
	Limit        *int
	Cursor       string
	Q            string // words that each begin one of the invitee's name, e-mail or phone
	LiveOnly     bool   // without a status: live bookings only (agent tools)
	// Spoken is true for agents, which pass on a person's words: hosts and event types may be given by their names, an
	// unknown one is not_found instead of an empty list, and bare dates are days of the business.
	Spoken bool
}

// AllStatuses is the value of status that lists bookings of every status, and LiveOnes that for those of LiveStatuses.
const (
	AllStatuses = "all"
	LiveOnes    = "live"
)

// BookingFilter says which bookings to list, and in which order. A field that is zero filters nothing.
type BookingFilter struct {
	From, To      when.Instant // start in [From, To)
	EndsAfter     when.Instant
	EndsBy        when.Instant // end at or before
	Statuses      []Status
	EventType     catalog.EventTypeID
	Host          catalog.HostID
	Contact       ContactID
	Series        SeriesID
	Contacts      []ContactID           // any of them
	EventTypes    []catalog.EventTypeID // any of them
	Hosts         []catalog.HostID      // any of them
	ChangedSince  when.Instant          // last changed, or made, at or after; they are listed in that order
	Descending    bool                  // by start; else ascending
	After         when.Instant          // continue behind the booking with this start, or last change
	AfterID       BookingID             // and this id
	Limit         int
	LongestLookup time.Duration // how long before EndsAfter a booking under way may have begun
	// Brief reads only what a calendar shows of each booking: the ids of event type and host, state, times, name,
	// seats, add-ons, and what it waits for. Names of host and event type and links are then missing.
	Brief bool
	// HasOthers says that hosts of the workspace have done bookings beside another one (catalog.Workspace.HasOthers): Host
	// and Hosts then find these, too. Without it they find the bookings that a host leads.
	HasOthers bool
}

// HintWhenEmpty returns a hint for an empty list of no-shows, which lie in the past, if the list is of upcoming
// bookings; else "".
func (f *BookingFilter) HintWhenEmpty() string {
	if f.EndsAfter == 0 || len(f.Statuses) != 1 || f.Statuses[0] != NoShow {
		return ""
	}
	return "No-shows lie in the past, and this list is of bookings that have not ended: ask with scope=past, or with " +
		"from and to."
}

// Filter parses scope, from, to, status and cursor. longest is the length of the workspace's longest booking. Errors:
// bad_request.
func (in *ListBookingsInput) Filter(now when.Instant, longest time.Duration) (f BookingFilter, err error) {
	zone := time.UTC
	if in.TimeZone != "" {
		if zone, err = catalog.CheckZone("timeZone", in.TimeZone); err != nil {
			return f, err
		}
	}
	if f.From, err = ParseBound("from", in.From, zone); err != nil {
		return f, err
	}
	if f.To, err = ParseBound("to", in.To, zone); err != nil {
		return f, err
	}
	if f.ChangedSince, err = ParseBound("updatedSince", in.UpdatedSince, zone); err != nil {
		return f, err
	}
	switch {
	case in.From != "" || in.To != "":
		if in.From != "" && in.To != "" && f.From > f.To {
			return f, fault.Invalid("from", "must not lie after to")
		}
	case in.UpdatedSince != "":
	case in.Scope == "" || in.Scope == "upcoming":
		f.EndsAfter, f.LongestLookup = now, longest
	case in.Scope == "past":
		f.Descending, f.EndsBy = true, now
	case in.Scope == "all":
		f.Descending = true
	default:
		return f, fault.Invalid("scope", "must be upcoming, past or all")
	}
	if in.Cursor != "" {
		var start, id int64
		if err := in.list().Read(in.Cursor, &start, &id); err != nil {
			return f, err
		}
		f.After, f.AfterID = when.Instant(start), BookingID(id)
	}
	f.Statuses, err = in.statuses()
	return f, err
}

// list names the bookings that the input lists.
func (in *ListBookingsInput) list() fault.List {
	list := fault.List{"bookings", in.Scope, in.From, in.To, in.Status, in.EventType, in.Invitee, in.Contact, in.Host, in.TimeZone, in.Q,
		in.UpdatedSince, strconv.FormatBool(in.LiveOnly)}
	if in.Series != "" {
		list = append(list, in.Series)
	}
	return list
}

// CursorAt returns the cursor that continues the list behind the booking.
func (in *ListBookingsInput) CursorAt(b *Booking) string {
	at := b.Start
	if in.UpdatedSince != "" {
		at = b.UpdatedAt
	}
	return in.list().Cursor(int64(at), int64(b.ID))
}

// ParseBound parses one end of a search: a day in the zone, or a time; "" gives 0. Errors: bad_request.
func ParseBound(field, text string, zone *time.Location) (when.Instant, error) {
	if text == "" {
		return 0, nil
	}
	at, err := when.ParseOrDate(text, zone)
	if err != nil {
		return 0, fault.Invalid(field, "%v", err)
	}
	return at, nil
}

// statuses parses status; nil means all.
func (in *ListBookingsInput) statuses() ([]Status, error) {
	if in.Status == "" {
		if in.LiveOnly {
			return LiveStatuses, nil
		}
		return nil, nil
	}
	if in.Status == AllStatuses {
		return nil, nil
	}
	var statuses []Status
	for part := range strings.SplitSeq(in.Status, ",") {
		status := Status(strings.TrimSpace(part))
		if status == LiveOnes {
			for _, live := range LiveStatuses {
				if !slices.Contains(statuses, live) {
					statuses = append(statuses, live)
				}
			}
			continue
		}
		if !slices.Contains(Statuses, status) {
			return nil, fault.Invalid("status", "must be one or more of %s, joined by commas", NamesOf(Statuses, "", ", "))
		}
		if !slices.Contains(statuses, status) {
			statuses = append(statuses, status)
		}
	}
	return statuses, nil
}
