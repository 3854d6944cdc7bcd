package movein

import (
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/contact"
	"daybook/app/fault"
	"daybook/app/when"
)

// Business is what a business has in another program: its people with their hours, its services, its customers and what
// is to come. A reader of that program fills it, and MoveBusiness takes it over. Ids are the other program's.
type Business struct {
	Source       string // see booking.ImportedRef
	Members      []Member
	Offers       []Offer
	Customers    []booking.ContactInput
	Appointments []Appointment
	Webhooks     []Webhook
	Left         []Left // what the reader has left out already
}

// Member is somebody who is booked there.
type Member struct {
	ID   string
	Host catalog.Host // name, e-mail, zone and hours
}

// Offer is a service.
type Offer struct {
	ID        string
	EventType catalog.EventType // without its hosts
	Members   []string          // who do it, each by themselves
	Together  []string          // who are all there each time, besides one of Members; with no Members they lead it in turn
	// Looser are rules that Daybook hasn't, so that it would offer times which the other program refuses. Such a service is
	// made hidden.
	Looser []fault.Text
	Notes  []fault.Text // what else is not as it was there
}

// Appointment is what is to come, or is cancelled by now.
type Appointment struct {
	ID             string
	Offer, Member  string
	Start, End     when.Instant
	Person         booking.ContactInput
	Answers        map[string]any
	Notes          string
	InternalNote   string
	MadeAt         when.Instant
	Pending        bool
	CancelledThere bool
}

// Webhook is an address that the other program calls. Its secret stays there.
type Webhook struct {
	URL    string   `json:"url"`
	Of     string   `json:"of"`     // whose, or of which service
	There  []string `json:"there"`  // what it is called for
	Events []string `json:"events"` // the same of Daybook's
	Active bool     `json:"active"`
}

// Kind says what something is that was not taken over.
type Kind string

const (
	OfHost     Kind = "host"
	OfHours    Kind = "hours"
	OfService  Kind = "service"
	OfCustomer Kind = "customer"
	OfBooking  Kind = "booking"
	OfCalendar Kind = "calendar"
	OfProgram  Kind = "program" // of the other program as a whole
)

// Left is what was not taken over, or not as it was there, and why.
type Left struct {
	Kind  Kind
	ID    string
	Name  string       // of a booking, who comes
	Start when.Instant // of a booking; 0 of others
	Why   fault.Text
}

// Count counts things of a kind.
type Count struct {
	New   int `json:"new"`
	Known int `json:"known"` // that were there already: they stay as they are
}

// MovedBusiness says what was taken over, or would be.
type MovedBusiness struct {
	Hosts     Count
	Services  Count
	Customers Count
	Upcoming  int // new bookings
	Waiting   int // of those, what waits for approval
	Moved     int // known bookings that were moved there
	Same      int // known bookings that are as they were
	Left      []Left
	Webhooks  []Webhook
	ID        contact.ImportID // to undo it; 0 if there is nothing to undo
}

// Parts are the people and the services that imports from a program made or found, by their ids there.
type Parts struct {
	Hosts    map[string]catalog.HostID
	Services map[string]catalog.EventTypeID
}
