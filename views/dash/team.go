package dash

import (
	"slices"
)

// TeamRow is a person on the page of the team.
type TeamRow struct {
	Name, URL string
	Portrait  Portrait
	Off       bool   // can't be booked
	Does      string // services
	DoesNone  bool
	Today     string // hours, or until when they are off
	Away      bool
	Next      string // the next time that is not as usual
	SignIn    string // "" for those who may not know
	Calendar  Badge  // of connected calendars; none has no text
}

// SignerRow is somebody who signs in and can't be booked.
type SignerRow struct{ Email, State, URL string }

// TeamPage shows the team.
type TeamPage struct {
	Frame
	Rows    []TeamRow
	Signers []SignerRow
	NewURL  string // "" for those who add nobody
	// ClosedURL leads to everybody's time off and the public holidays; "" for those who may not change it.
	ClosedURL  string
	RoomsURL   string // the rooms and things
	SignersURL string // lists all who sign in; "" for those who may not see it
}

// ServiceTick is a service that a person does, or could.
type ServiceTick struct {
	Group        // the tick, and what is their own
	Title, Usual string
	// Was is what is shown of both, which the form sends along, so that only what is changed is saved.
	WasName, Was string
}

// Tick is the input that says whether they do it.
func (t ServiceTick) Tick() Input { return t.Inputs[0] }

// Own are the inputs for a length and a price of their own.
func (t ServiceTick) Own() []Input { return t.Inputs[1:] }

// differs reports whether something of their own is filled in, or wrong.
func (t ServiceTick) differs() bool {
	return slices.ContainsFunc(t.Own(), func(in Input) bool { return in.Value != "" || in.Error != "" })
}

// ServicePart is a category with its services.
type ServicePart struct {
	Title string
	Ticks []ServiceTick
}

// NewPersonPage is the form of a new person.
type NewPersonPage struct {
	Frame
	Basics   Group
	Parts    []ServicePart
	Hours    []HoursDay
	HoursAre []HoursLine // in short
	HoursUp  bool        // they are unfolded
	SignIn   Group       // no inputs for those who may invite nobody
	Picture  PictureInput
	Groups   []Group // all, for the list of what is wrong
	Problem  string
}

// Invited is the invitation that was just made. Its link is shown once.
type Invited struct {
	Link, Email string
	Mailed      bool
	Unmailed    bool // it was to be mailed, and isn't: it is an owner's
}

// ProfilePage is what is true of a person, and their name and picture.
type ProfilePage struct {
	HostFrame
	Action  string
	News    CalendarNews
	Facts   []PersonFact
	PageURL string // of the booking page with them; "" if nothing can be booked
	Invited Invited
	Groups  []Group // no inputs for those who may change none
	Picture PictureCard
	Problem string
}

// PersonFact says something of a person; URL leads to where it is changed.
type PersonFact struct {
	Label, Text string
	Lines       []HoursLine
	URL         string
	Warn        bool
}

// PersonServicesPage is what a person does.
type PersonServicesPage struct {
	HostFrame
	Action  string
	Parts   []ServicePart
	Groups  []Group
	Problem string
}

// PersonHoursPage is a person's week.
type PersonHoursPage struct {
	HostFrame
	Action  string
	Hours   []HoursDay
	Week    Group // what is wrong with Hours
	Groups  []Group
	WhyURL  string
	Problem string
}

// PersonCalendarPage is what is connected of a person's other calendars.
type PersonCalendarPage struct {
	HostFrame
	Action     string
	Rows       []ConnectionRow
	ConnectURL string
	Groups     []Group // what to do while one can't be read
	Problem    string
}

// SignInPage is how a person signs in.
type SignInPage struct {
	HostFrame
	Action  string
	Invited Invited
	Members []PersonMember
	Groups  []Group // invite them; none where they sign in already
	AllURL  string  // everybody who signs in
	Problem string
}

// PersonMember is a person's way in.
type PersonMember struct {
	ID, Email, State string
	Waiting          bool
	Groups           []Group
	Mails            bool // the new link can be mailed
	AgainURL         string
	Remove           Danger
}
