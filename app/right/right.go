package right

import (
	"encoding/json"
	"slices"
	"strings"

	"daybook/app/fault"
)

// Set is a set of rights, which a restricted key lists.
type Set int

// The rights, in the order of Names. The right to change something includes seeing it, see Parse.
const (
	Availability Set = 1 << iota // event types and open times
	SeeBookings
	ChangeBookings
	Override // the rules that bind invitees
	SeeContacts
	AddContacts // and change them, with the area
	SeeMoney
	TakeMoney
	SeeAnalytics
	SeeWebhooks // endpoints and events
	ManageWebhooks
	SeePictures
	ManagePictures
	SeeInvitations
	Invite
	// Unlisted is what no restricted key can list, and no agent gets: a customer's health.
	Unlisted
)

// ofBookings are the rights that services and hosts limit; the others reach the whole workspace.
const ofBookings = Availability | SeeBookings | ChangeBookings | Override

// writing are the rights that a read-only key can't have.
const writing = ChangeBookings | Override | AddContacts | TakeMoney | ManageWebhooks | ManagePictures | Invite

// Names lists the names of the rights, in their order.
var Names = []string{"availability:read", "bookings:read", "bookings:write", "bookings:override", "contacts:read",
	"contacts:write", "money:read", "money:write", "analytics:read", "webhooks:read", "webhooks:write", "pictures:read",
	"pictures:write", "invitations:read", "invitations:write"}

// Parse reads names of rights; writing includes reading, and bookings:read and bookings:override what they are for. The
// error is bad_request for the field rights.
func Parse(names []string) (all Set, err error) {
	for _, name := range names {
		at := slices.Index(Names, name)
		if at < 0 {
			return 0, fault.Invalid("rights", "must be some of %s", strings.Join(Names, ", "))
		}
		all |= 1 << at
	}
	for _, implies := range [][2]Set{{Override, ChangeBookings}, {ChangeBookings, SeeBookings}, {AddContacts, SeeContacts},
		{TakeMoney, SeeMoney}, {TakeMoney, SeeBookings}, {ManageWebhooks, SeeWebhooks}, {ManagePictures, SeePictures},
		{Invite, SeeInvitations}, {SeeBookings, Availability}} {
		if all&implies[0] != 0 {
			all |= implies[1]
		}
	}
	return all, nil
}

// List returns the names of the rights of the set, in their order; not nil.
func (s Set) List() []string {
	names := []string{}
	for i, name := range Names {
		if s&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return names
}

// MarshalJSON writes the names as an array.
func (s Set) MarshalJSON() ([]byte, error) { return json.Marshal(s.List()) }

// UnmarshalJSON reads what MarshalJSON writes.
func (s *Set) UnmarshalJSON(text []byte) error {
	var names []string
	err := json.Unmarshal(text, &names)
	if err == nil {
		*s, err = Parse(names)
	}
	return err
}

// Missing returns the error for an action that a restricted key may do only if it lists the right.
func Missing(s Set) *fault.Error {
	if s == Unlisted {
		return fault.New(fault.Forbidden, "right", "This API key is restricted, and no right opens this.")
	}
	return fault.New(fault.Forbidden, "right", "This API key is restricted and lacks the right %s.", strings.Join(s.List(), ", "))
}

// ReadOnly returns the error for a change with a read-only key.
func ReadOnly() *fault.Error {
	return fault.New(fault.Forbidden, "read_only_key",
		"This API key is read-only. Use a key of scope full to change anything.")
}

// MembersOnly returns the error for an action that no key may do.
func MembersOnly() *fault.Error {
	return fault.New(fault.Forbidden, "role",
		"No API key can do this. Do it in the dashboard, as a member whose role allows it.")
}

// Role returns the error for an action that a member's role doesn't allow.
func Role() *fault.Error {
	return fault.New(fault.Forbidden, "role", "Your role does not allow this. Ask an owner of the workspace.")
}

// OwnHost returns the error for staff who name another host than their own.
func OwnHost() *fault.Error {
	return fault.New(fault.Forbidden, "role",
		"Staff see and book their own calendar only: leave the host out, or name yourself.")
}

// OneBooking returns the error for an action that the link of a booking doesn't allow.
func OneBooking() *fault.Error {
	return fault.New(fault.Forbidden, "", "This link is for one booking only.")
}
