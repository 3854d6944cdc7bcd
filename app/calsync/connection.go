package calsync

import (
	"daybook/app/catalog"
	"daybook/app/id"
	"daybook/app/when"
)

type (
	// ConnectionID identifies a connection.
	ConnectionID     = id.ID[ConnectionIDKind]
	ConnectionIDKind struct{ id.Few }
	// CalendarID identifies a calendar of a connection.
	CalendarID     = id.ID[CalendarIDKind]
	CalendarIDKind struct{ id.Few }
)

func (ConnectionIDKind) Prefix() string { return "cc_" }
func (CalendarIDKind) Prefix() string   { return "cal_" }

// Kind says what a connection is to, such as a CalDAV server.
type Kind string

const (
	ICS       Kind = "ics"
	CalDAV    Kind = "caldav"
	Google    Kind = "google"
	Microsoft Kind = "microsoft"
)

// Kinds lists the values of Kind.
var Kinds = []Kind{ICS, CalDAV, Google, Microsoft}

// OAuth reports whether a connection of the kind is made by signing in at the provider.
func (k Kind) OAuth() bool { return k == Google || k == Microsoft }

// Writes reports whether bookings can be written into calendars of the kind.
func (k Kind) Writes() bool { return k != ICS }

// State says how a connection works.
type State string

const (
	New     State = "new"     // never read
	OK      State = "ok"      // the last reading went well
	Failing State = "failing" // it didn't; it is tried again
	Refused State = "refused" // the sign-in is refused or revoked: somebody must sign in again
)

// Connection is an account with calendars that a host or a resource has connected.
type Connection struct {
	ID          ConnectionID
	WorkspaceID catalog.WorkspaceID
	catalog.CalendarOwner
	Kind    Kind
	Name    string      // what the business calls it
	Address string      // of a CalDAV server; of a file only its host, as the address itself is a secret
	User    string      // who signs in; "" for files
	Secret  string      // Credentials, sealed
	Listed  *FileChoice // what a set-up file says of it; nil if none lists it

	State     State
	Problem   Problem      // of the last reading, "" if it went well
	FailedAt  when.Instant // since when it fails; 0 while it doesn't
	ToldAt    when.Instant // when its host was mailed about that; 0 if not
	ReadAt    when.Instant // the last reading that went well; 0 for never
	DueAt     when.Instant // when the loop reads it next; of a claim: when its lease ends
	Tries     int          // failures in a row
	CreatedAt when.Instant
	Calendars []Calendar // by name
}

// FileChoice is what a set-up file says about a connection. Its calendars are found and chosen by their names when the
// connection is read, since applying a file makes no calls.
type FileChoice struct {
	Reference string `json:"reference"` // where its secret is, such as env:ANA_ICS
	// Wanted says that the choice below has yet to be made, because some of these calendars have not been found. If
	// Blocks is nil, all calendars that can be written block.
	Wanted  bool     `json:"wanted,omitempty"`
	Blocks  []string `json:"blocks,omitzero"`
	Target  string   `json:"target,omitempty"`
	Details Details  `json:"details,omitzero"`
}

// Credentials are what is needed to sign in to a connection's account. They are stored sealed and never shown.
type Credentials struct {
	Address  string `json:"address,omitempty"`  // of a file
	Password string `json:"password,omitempty"` // of CalDAV
	Refresh  string `json:"refresh,omitempty"`  // OAuth's refresh token
	Access   string `json:"access,omitempty"`   // OAuth's access token, until Expires
	Expires  int64  `json:"expires,omitempty"`  // ms since 1970
}

// Problem says why a reading failed, as a code for which the screens have sentences.
type Problem string

const (
	Unreachable  Problem = "unreachable"    // no answer, or none in time
	SignIn       Problem = "sign_in"        // refused, revoked
	NotFound     Problem = "not_found"      // the account, the calendar or the file is gone
	NotCalendar  Problem = "not_a_calendar" // the answer is none
	Unclear      Problem = "unclear"        // an event can't be understood, so nobody knows when it is
	TooMuch      Problem = "too_much"       // more events or work than is taken
	SlowDown     Problem = "slow_down"      // the server's quota is used up
	Crowded      Problem = "busy"           // too many others are being read here
	Forbidden    Problem = "forbidden"      // the address is one that may not be called
	ServerFailed Problem = "server_failed"  // any other answer
	Digest       Problem = "digest"         // the server takes sign-ins by HTTP Digest only, which isn't spoken
	Misnamed     Problem = "misnamed"       // a calendar that a set-up file names isn't there, or can't be written
)

// Calendar is one of a connection's calendars.
type Calendar struct {
	ID          CalendarID
	WorkspaceID catalog.WorkspaceID
	Connection  ConnectionID
	Remote      string // what the account calls it: a path or an id
	Name        string
	ReadOnly    bool
	Blocks      bool // its busy times do
	Target      bool // bookings are written into it
	Details     Details
	Cursor      string       // where its changes go on: a sync token, or an ETag
	ReadTo      when.Instant // the end of the window that its items cover
	ReadAt      when.Instant // the last reading that went well
	FullAt      when.Instant // the last one that read everything
	Problem     Problem
}

// Calendar returns the connection's calendar with that id, or nil.
func (c *Connection) Calendar(id CalendarID) *Calendar {
	for i := range c.Calendars {
		if c.Calendars[i].ID == id {
			return &c.Calendars[i]
		}
	}
	return nil
}

// Details says which details of a booking are written into a calendar besides the service and the first name.
type Details struct {
	Name  bool `json:"name,omitempty"` // the whole name
	Phone bool `json:"phone,omitempty"`
	Notes bool `json:"notes,omitempty"`
	Link  bool `json:"link,omitempty"` // to the booking's page in the dashboard
}

// Client is the business's own client at an OAuth provider.
type Client struct {
	Kind   Kind
	ID     string
	Secret string // sealed
	Tenant string // of Microsoft; "" is common
}
