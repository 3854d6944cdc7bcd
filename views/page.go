package views

import (
	"net/url"
	"regexp"
	"strings"
	"time"
)

// Page is what every public page has around its own content.
type Page struct {
	*Locale
	Query Query

	Title       string // of the document; the workspace's name is added
	Description string
	Canonical   string // absolute; "" keeps the page out of search engines
	Image       string // absolute; for link previews
	LD          any    // schema.org data, shown as JSON-LD; nil for none
	Workspace   Workspace
	Still       bool   // a preview: without scripts
	OwnURL      string // the page of a customer's own; "" names none
	VoucherURL  string // the page that sells vouchers; "" sells none
}

// Workspace is the business as its customers see it.
type Workspace struct {
	Name    string
	Color   string // "#2f5d50"; "" for the default
	LogoURL string
	URL     string // its list of event types
	About   string
}

// Event is an event type as its customers see it.
type Event struct {
	Title          string
	Text           string        // paragraphs are set apart by blank lines
	Duration       time.Duration // of the shortest, where it depends on the person
	Price          *Money        // of the cheapest, where it depends on the person
	OnSite         bool          // the price is paid there
	Longer         time.Duration // the longest, where it depends on the person; else 0
	From           bool          // the price depends on the person
	NoShowFee      *Money
	Deposit        *Money        // what is paid online when booking; nil for none
	Rest           *Money        // what is paid on site then; nil for nothing
	Paid           *Money        // what was paid online and has not gone back, once it is booked; nil for nothing
	Settled        bool          // it was paid on site, and nothing is due
	Used, UsedRest *Money        // what passes and vouchers paid of a booking, and what is due on site then
	LateFee        *Money        // what cancelling costs later than
	LateNotice     time.Duration // before the start,
	FreeUntil      string        // which is this time of a booking; "" while there is no start
	Location       string
	Place          string   // the address to go to, of what is booked
	Online         bool     // a video call or a phone call
	Rooms          []string // what of the booking's rooms and things its invitee is told of
	VideoRoom      string   // the address of the video room, once it is booked
	Hosts          []string
	Approval       bool
	Needs          []string // what it requires, in sentences
	URL            string
	Slug           string // as the address has it, where it stands among others
	TakeURL        string // the same page with this one chosen too, or given up where it is Taken; "" where it can't be
	Taken          bool
	Alone          bool     // it can't be booked with what is chosen, so its page leaves that behind
	AddURL         string   // to a visit of this and another service; "" where that can't be booked
	AddOns         []string // what is booked besides
	Seats          int      // how many are booked; below 2 is one
	Category       string
	Picture        Image
	Words          string // by which it is found too, beside those that are seen
	Out            bool   // it is not among what is searched for
}

// Person is one whom a visitor can ask for.
type Person struct {
	Name     string // "" is whoever is free
	About    string
	Initial  string // letters in place of a picture
	Picture  Image
	URL      string
	Picked   bool
	Duration time.Duration // with them, where it depends on the person; else 0
	Price    *Money        // the same
}

// EventPage picks a time: a month, the times of a day.
type EventPage struct {
	Page
	Event   Event
	People  []Person // to choose from; none where there is no choice
	Choices *Choices // nil where nothing is chosen
	Basket  *Basket  // of several services, in place of People and Choices; nil of one
	Month   Month
	Near    Fortnight // the same on a narrow screen, where a month would push the times out of sight

	Day   time.Time // the picked one; zero for none
	Times []Time    // of that day

	// Next is the first open day after what is shown, when that has no open day.
	Next    time.Time
	NextURL string

	// LookedTo is the day at which the search ended when it was cut short: before it nothing more is open, from it on,
	// which LookOnURL shows, nobody knows. Zero when what is shown is all there is.
	LookedTo  time.Time
	LookOnURL string

	WaitURL string // asks to be told when something comes free; "" where nobody can
	Zone    ZonePicker
	Moving  *Moving // when a booking gets another time

	Clock12URL, Clock24URL string
}

// Month is a month with all its days, first to last.
type Month struct {
	First            time.Time // its first day
	Days             []Day
	PrevURL, NextURL string // "" at the ends of what can be booked
}

// Fortnight is the two weeks that have what is picked, or else the first open day. They are counted from this week, so that
// a day stays in its place when it is picked.
type Fortnight struct {
	Days             []Day  // 14, from the first day of a week; those of a past week have nothing open
	PrevURL, NextURL string // "" at the ends of what can be booked
	WholeURL         string // shows the whole month instead, or a fortnight again
}

// Day is one day of a month. URL is used only when something is Open.
type Day struct {
	Date   time.Time
	Open   int // how many times there are
	URL    string
	Today  bool
	Picked bool
	Closed string // why the business is closed on a day without times, in the language of the page; "" if it isn't
}

// Time is one that can be booked. Start is in the zone that is shown.
type Time struct {
	Start time.Time
	URL   string
	Seats int // how many are left; 0 does not say
}

// ZonePicker changes the time zone.
type ZonePicker struct {
	Name   string    // "Europe/Berlin"
	Now    time.Time // in that zone
	Chosen bool      // by the visitor, or detected: the address has it
	Action string    // where its form goes, without a query
	Hidden []Pair    // the rest of the query
	Error  bool      // what was typed names no zone

	Shop    bool // it is the business's, and can't be changed: that is where the visitor comes
	Differs bool // the visitor's is known, and has another time
}

// offset returns how many minutes the zone is ahead of UTC.
func (z ZonePicker) offset() int {
	_, seconds := z.Now.Zone()
	return seconds / 60
}

// Moving says which booking gets another time.
type Moving struct {
	From    time.Time
	BackURL string
}

// Field is one input of a form.
type Field struct {
	Name         string
	Kind         FieldKind
	Label        string
	Hint         string
	Value        string // of a checkbox: "on" when checked
	Options      []string
	Required     bool
	Lenient      bool // required by some choices of the form only, so that the browser doesn't insist
	Fixed        bool // shown, but not to be changed
	Autocomplete string
	Error        string // a sentence that says what to do
}

// FieldKind is the form of an answer.
type FieldKind string

// The kinds there are; an unknown one is shown as Text.
const (
	Text     FieldKind = "text"
	Email    FieldKind = "email"
	Phone    FieldKind = "phone"
	LongText FieldKind = "long_text"
	Choice   FieldKind = "choice"
	Checkbox FieldKind = "checkbox"
	Number   FieldKind = "number"
	Date     FieldKind = "date"
)

// HoneypotName is a field that people don't see and programs fill in.
const HoneypotName = "website"

// ByMailName is the field that only browsers without JavaScript send, where a proof of work is asked for.
const ByMailName = "bymail"

// DetailsPage asks who books.
type DetailsPage struct {
	Page
	Event      Event
	Start, End time.Time    // in the zone that is shown
	Visit      []BasketItem // several services, in their order; none of one
	Zone       string
	BackURL    string
	Action     string
	Hidden     []Pair // start, timeZone, the key against double bookings
	Fields     []Field
	Problem    string // of the whole form, when it is no field's
	Taken      *Taken
	FeeConsent *Field  // when a no-show fee must be agreed to
	Pass       *Field  // the code of a voucher or pass that pays; nil where there are none
	Texts      *Field  // whether the visitor wants texts; nil where none are sent, or no number is asked for
	PayNext    bool    // payment follows
	Repeat     *Repeat // nil where it can't come again
	Holds      bool    // the time is held once something was typed
	Challenge  int     // how many zero bits a proof of work begins with; 0 asks for none
	Again      bool    // the script sends it by itself: it was sent before the work was asked for
}

// Taken says that someone else got the time first, and offers others. They are shown
// as radio buttons named start; Hidden then has no start.
type Taken struct {
	Times  []Time
	AllURL string
	Closed bool // nobody took it: it can't be booked any more, or never could
}

// BookingPage shows a booking to who made it: right after booking and ever after.
type BookingPage struct {
	Page
	ID         string
	VisitID    string // "" where it is no part of one
	Status     string // as in the API
	Live       bool   // blocks its host's time
	Pending    string // "approval", "payment" or ""
	Event      Event
	Start, End time.Time // in the invitee's zone
	Previous   time.Time // before it was moved; zero for never
	Zone       string
	Email      string
	Answers    []Answer
	ExpiresAt  time.Time // of a pending booking
	Past       bool
	PayURL     string
	PaysVisit  bool   // all of the visit, or the series, is paid there
	PaySum     *Money // how much that is, of a series; nil of others
	PayAhead   *Money // what can be paid there, though it stands unpaid; nil of others

	// MoveURL and CancelURL are "" when that is not possible; NoticeHours says why.
	MoveURL, CancelURL string
	NoticeHours        int
	LateFee            *Money // what cancelling costs by now; nil for nothing
	FreeUntil          string // until when both cost nothing; "" where the fee of later is told, and once it is too late
	Calendar           CalendarEvent
	CalendarURL        string // the .ics file; "" offers no calendar
	AgainURL           string
	ContinueURL        string // the business's site
	Cancelled          Cancelled
	Moved              bool        // a moment ago
	Series             *SeriesList // nil where it is of none, or no other date is to be seen
	Note               string      // on what was just done
	VisitURL           string      // the visit that the link led here from; "" for none

	// Mail is what became of the mail that tells of this: "sent", "soon", or "" for none that can be counted on.
	Mail       string
	TellsLater bool   // a request: its answer comes by mail
	URL        string // the link to this page, with the server's name
}

// Answer is one thing the invitee told.
type Answer struct{ Label, Value string }

// Cancelled says who cancelled and why.
type Cancelled struct {
	ByBusiness bool
	Lapsed     bool // nobody paid or approved in time
	Reason     string
	Refund     *Money // of what was paid online: what went back or is on its way
	Kept       *Money // and what stays with the business; nil for nothing
	Dates      int    // of a series, those that were cancelled at once
	Fee        *Money // for cancelling late; nil for none
	FeeStatus  string // as in the API
}

// MovePage asks whether to move a booking to the picked time.
type MovePage struct {
	Page
	Event    Event
	From, To time.Time
	End      time.Time
	Zone     string
	Action   string
	Hidden   []Pair
	BackURL  string
	Problem  string
	Taken    *Taken
	Scopes   []SeriesScope // of a series: of which dates; nil asks nothing
}

// CancelPage asks whether to cancel a booking.
type CancelPage struct {
	Page
	Event      Event
	Start, End time.Time
	Zone       string
	Action     string
	Hidden     []Pair
	BackURL    string
	Reason     string
	Problem    string
	Fee        *Money        // what cancelling costs now; nil is nothing
	Agree      *Field        // asks to agree to it
	Scopes     []SeriesScope // of a series: of which dates; nil asks nothing
	FreeUntil  string        // until when it costs nothing; "" where it never costs anything
	Refund     *Money        // what comes back
	Kept       *Money        // the deposit, where it does not come back
	NoRefund   bool          // paid, and nothing comes back
	Lost       *Money        // of a visit: what was paid and does not come back
	Passes     []string      // what becomes of the vouchers and passes that paid
}

// MessagePage says one thing and where to go from there.
type MessagePage struct {
	Page
	Icon    string
	Heading string
	Text    string
	Links   []Link
}

// Link is a way on.
type Link struct{ Label, URL string }

// What may stand in a policy as a source: anything else could end the directive and begin another.
var (
	cspHost   = regexp.MustCompile(`^[A-Za-z0-9.-]+(:[0-9]+)?$|^\[[0-9A-Fa-f:.]+\](:[0-9]+)?$`)
	cspScheme = regexp.MustCompile(`^https?$`)
)

// CSPWithForms returns the policy with another site that forms may lead to; "" is none.
func CSPWithForms(policy, site string) string {
	u, err := url.Parse(site)
	if err != nil || !cspHost.MatchString(u.Host) || !cspScheme.MatchString(u.Scheme) {
		return policy
	}
	return strings.Replace(policy, "form-action 'self'", "form-action 'self' "+u.Scheme+"://"+u.Host, 1)
}

// CSP returns the Content-Security-Policy that every public page keeps. ancestors is "*"
// for pages that may be framed, "'none'" for those that may not. images are further
// sources, such as a logo's.
func CSP(ancestors string, images ...string) string {
	img := "'self' data:"
	for _, source := range images {
		if u, err := url.Parse(source); err == nil && cspHost.MatchString(u.Host) && cspScheme.MatchString(u.Scheme) {
			img += " " + u.Scheme + "://" + u.Host
		}
	}
	return "default-src 'none'; script-src 'self'; style-src 'self'; img-src " + img +
		"; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors " + ancestors
}
