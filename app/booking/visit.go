package booking

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/field"
	"daybook/app/id"
	"daybook/app/money"
	"daybook/app/slot"
	"daybook/app/when"
)

// MaxVisitItems is the most services of one visit, and MaxVisitGap the most minutes that may lie between two of them.
const (
	MaxVisitItems = 6
	MaxVisitGap   = 240
)

// Visit is several services that one person has one after the other, booked together. Each is a booking of its own.
type Visit struct {
	ID    VisitID      `json:"id"`
	Start when.Instant `json:"start"` // of the first booking that stands, or of all where none does
	End   when.Instant `json:"end"`   // likewise of the last
	Items []Booking    `json:"items"` // in the order of the visit

	Payment   *Payment `json:"payment,omitempty"` // what is paid online for all of it at once
	ManageURL string   `json:"manageUrl,omitempty"`
}

// VisitFields describes the fields of visits.
var VisitFields = field.Resource{
	Text: "Several services that one person has one after the other, booked at once or not at all.",
	Fields: []field.Field{
		{Name: "id", Text: "Identifier of the visit.", Example: "vi_1p4s8yvz04k2c"},
		{Name: "start", Text: "When the first of its bookings that stand begins; of all, where none does."},
		{Name: "end", Text: "When the last of them ends."},
		{Name: "items", Text: "Its bookings, in the order of the visit.", Each: "A booking."},
		{Name: "payment", Text: "What is paid online for the visit, by one payment: the sum of its bookings' payments, each of " +
			"which is refunded by itself. Left out where nothing is paid online, and for those who don't see all of the visit."},
		{Name: "manageUrl", Text: "The page where the invitee can see, move and cancel all of the visit, without signing in; left " +
			"out for keys that may only read, and for those that don't see all of it."},
	},
}

// VisitRef says of which visit a booking is a part.
type VisitRef struct {
	ID       VisitID     `json:"id"`
	Position int         `json:"position"` // from 1
	Of       int         `json:"of"`
	Bookings []BookingID `json:"bookings,omitempty"` // all of the visit, in its order
}

// VisitRefFields describes the fields of VisitRef.
var VisitRefFields = field.Resource{
	Text: "The visit that a booking is a part of.", Agents: "The visit that it is a part of.",
	Fields: []field.Field{
		{Name: "id", Text: "Identifier of the visit.", Example: "vi_1p4s8yvz04k2c"},
		{Name: "position", Text: "Its place in the visit, from 1.", Agents: "From 1."},
		{Name: "of", Text: "How many bookings the visit has.", Agents: "How many bookings it has."},
		{Name: "bookings", Text: "The ids of all its bookings, in the order of the visit; left out for those who may not see all " +
			"hosts and services.", Agents: "All of its bookings.",
			Each: "Id of a booking."},
	},
}

// NewVisit returns what the bookings with the ids say of the visit that they make up. It has the number of the first.
func NewVisit(bookings []BookingID) []VisitRef {
	refs, visit := make([]VisitRef, len(bookings)), id.As[VisitIDKind](bookings[0])
	for i := range refs {
		refs[i] = VisitRef{ID: visit, Position: i + 1, Of: len(bookings), Bookings: bookings}
	}
	return refs
}

// FirstOf returns the first booking of the visit.
func FirstOf(visit VisitID) BookingID { return BookingID(visit) }

// VisitStep is the place of a booking that is made or moved within its visit.
type VisitStep struct {
	Ref   VisitRef
	Ends  when.Instant // where its end is known: another one is refused
	Later bool         // the visit doesn't begin with it
	Held  bool         // its time was held
	// Unmoved are the bookings of a visit that is moved which are still where they were, and From is when the others begin to
	// take anybody's or anything's time. A scan that begins later may end at a row of Unmoved, and miss one of theirs.
	Unmoved []BookingID
	From    when.Instant
	// JoinsBefore and JoinsAfter say that the same host does what comes before and after: that host has no buffer between.
	JoinsBefore, JoinsAfter bool
	// Behind is the step before it, counted from 1, and Next the host of the one behind it; 0 is none.
	Behind int
	Next   catalog.HostID
	// Before is the booking of Behind, and After that of the step behind it, where they are known. Those of sessions, which
	// others share, aren't.
	Before, After *Neighbour
}

// Check refuses an end that is not the one expected.
func (s *VisitStep) Check(end when.Instant) error {
	if s.Ends != 0 && end != s.Ends {
		return fault.Invalid("end", "it would end at %s: ask for availability again", end)
	}
	return nil
}

// VisitPlace is when and with whom a service of a visit is.
type VisitPlace struct {
	Item       int // its index in what was asked for
	Host       catalog.HostID
	Start, End when.Instant
	Waits      []slot.Span // of the invitee in it
}

// VisitItem is a service of a visit that is searched for or booked.
type VisitItem struct {
	EventType string   `json:"eventType"`
	Host      string   `json:"host"`
	AddOns    []string `json:"addOns"`
	Start     string   `json:"start"`
	End       string   `json:"end"`

	// AnyHost says that Host was chosen by availability, and that nobody asked for them.
	AnyHost bool `json:"-"`
}

// VisitItemFields describes the fields of VisitItem.
var VisitItemFields = field.Resource{
	Text: "A service of the visit.",
	Fields: []field.Field{
		{Name: "eventType", Text: "Slug or id of the event type.", Example: "haircut", Least: 1, Most: MaxRef, Required: true},
		{Name: "host", Most: MaxRef, Pattern: HostPattern,
			Text: "Id of the host to book. Without it, whoever fits best; required where the item has a start."},
		{Name: "addOns", Text: "Ids of the add-ons that are booked with it.", Each: "Id of an add-on."},
		{Name: "start", Format: "date-time", Example: "2026-12-01T09:00:00Z",
			Text: "When it begins, as availability has shown it. Give it to all items or to none."},
		{Name: "end", Format: "date-time", Example: "2026-12-01T09:30:00Z",
			Text: "When it ends, as availability has shown it: 400 if it would end at another time."},
	},
}

// SamePerson says whether one host should do all of a visit.
type SamePerson string

const (
	AnyPerson        SamePerson = ""
	PreferSamePerson SamePerson = "prefer" // of the arrangements that end first the one with the fewest changes of host
	MustSamePerson   SamePerson = "must"
)

// VisitOrder says in which order the services of a visit may be done.
type VisitOrder string

const (
	OrderGiven VisitOrder = "given"
	OrderAny   VisitOrder = "any"
)

// VisitChoice says how the services of a visit may be arranged.
type VisitChoice struct {
	Order      VisitOrder `json:"order"`
	SamePerson SamePerson `json:"samePerson"`
	MaxGap     *int       `json:"maxGap"` // minutes; nil is 0
}

// CheckNamed returns a bad_request where one person is to do all of the items and those name several; "" names nobody.
func (c *VisitChoice) CheckNamed(hosts []string) error {
	hosts = slices.DeleteFunc(slices.Clone(hosts), func(h string) bool { return h == "" })
	if slices.Sort(hosts); c.SamePerson == MustSamePerson && len(slices.Compact(hosts)) > 1 {
		return fault.Invalid("samePerson", "the items name several hosts: name one, or leave samePerson out")
	}
	return nil
}

// Check returns one bad_request for what no arrangement may have.
func (c *VisitChoice) Check() error {
	var p fault.Problems
	switch c.Order {
	case "":
		c.Order = OrderGiven
	case OrderGiven, OrderAny:
	default:
		p.Add(fault.Invalid("order", "must be %s or %s", OrderGiven, OrderAny))
	}
	switch c.SamePerson {
	case AnyPerson, PreferSamePerson, MustSamePerson:
	default:
		p.Add(fault.Invalid("samePerson", "must be %s or %s", PreferSamePerson, MustSamePerson))
	}
	if g := c.MaxGap; g != nil && (*g < 0 || *g > MaxVisitGap) {
		p.Add(fault.Invalid("maxGap", "must lie between %d and %d", 0, MaxVisitGap))
	}
	return p.Err()
}

// Gap returns how long the person may wait between two services.
func (c *VisitChoice) Gap() when.Instant {
	if c.MaxGap == nil {
		return 0
	}
	return when.Instant(*c.MaxGap) * 60_000
}

// The texts of the fields of VisitChoice, in a body and in a query.
const (
	OrderText      = "`given`: one after the other as listed. `any`: in whichever order ends first."
	SamePersonText = "`prefer`: of what ends first, the arrangement with the fewest changes of host. `must`: one host for all."
)

// MaxGapText says what MaxGap is.
var MaxGapText = fmt.Sprintf("How many minutes may lie between two services: 0 to %d.", MaxVisitGap)

// VisitInput describes a visit to be booked.
type VisitInput struct {
	Items []VisitItem `json:"items"`
	Start string      `json:"start"` // "" where the items have their own
	VisitChoice
	Hold     string   `json:"hold"`     // the visit was held, and takes the place of the hold
	Override []string `json:"override"` // rules to waive for each item, see waive.go
	WalkIn   bool     `json:"walkIn"`   // who comes stands there, as in BookInput
	Invitee  Invitee  `json:"invitee"`
	Notes    string   `json:"notes"`
	// ContactFields and MustGive are as in BookInput; the first booking keeps them.
	ContactFields map[string]any    `json:"contactFields"`
	MustGive      bool              `json:"-"`
	Answers       map[string]any    `json:"answers"`
	Metadata      map[string]string `json:"metadata"`

	Spoken bool        `json:"-"` // names and titles do for ids, see ListBookingsInput.Spoken
	Series *SeriesStep `json:"-"` // it is one of a series
	// AtOnce is the start of a visit that begins now: what stands against it only because it is now doesn't count. 0 is none.
	AtOnce when.Instant `json:"-"`
	// NeedsOK and NeedsPay are as in BookInput.
	NeedsOK  bool `json:"-"`
	NeedsPay bool `json:"-"`
}

// VisitInputFields describes the fields of VisitInput.
var VisitInputFields = field.Resource{
	Text: "A visit to be booked.",
	Fields: []field.Field{
		{Name: "items", Text: fmt.Sprintf("The services, 1 to %d.", MaxVisitItems), Each: "A service of the visit.", Required: true},
		{Name: "start", Format: "date-time", Example: "2026-12-01T09:00:00Z",
			Text: "When the visit begins: an ISO 8601 time with a zone that availability offers for these items. Leave it out " +
				"where the items have starts of their own."},
		{Name: "order", Text: OrderText, Enum: field.Values(OrderGiven, OrderAny), Default: string(OrderGiven)},
		{Name: "samePerson", Text: SamePersonText, Enum: field.Values(PreferSamePerson, MustSamePerson)},
		{Name: "maxGap", Text: MaxGapText, Least: 0, Most: MaxVisitGap},
		{Name: "hold", NotForAgents: true, Most: MaxRef, Pattern: "^hd_",
			Text: "Id of a hold of these items, which the visit takes the place of, with its start and hosts."},
		visitOverrideField,
		{Name: "walkIn", Text: "The person stands there. Without a start the visit begins now, at the current minute, with whoever is free then; all " +
			"else is as for one booking. For keys that may override."},
		{Name: "invitee", Text: "Who comes; required without `walkIn`."},
		{Name: "notes", Text: "What the invitee wants to say.", Most: MaxNotes},
		{Name: "answers", Text: "Answers to the event types' questions, by their keys: each booking keeps those of its own.",
			Entries: catalog.MaxAnswers},
		{Name: "contactFields", NotForAgents: true, Entries: catalog.MaxContactFields,
			Text: "What the invitee wrote in the workspace's own fields of contacts, as for one booking: the first one keeps it."},
		{Name: "metadata", Text: "Your own texts, by your own keys of 1 to 40 letters, digits, - and _.",
			Entries: MaxMetadata, Most: MaxMetadataValue},
	},
}

// visitOverrideField describes the list of rules in the input of a visit or its move.
var visitOverrideField = func() field.Field {
	f := OverrideField
	f.Text += " Where the rules leave no arrangement, the services follow each other in the order given, those that move as " +
		"far apart as they are."
	return f
}()

// VisitMoveInput says where to move a visit.
type VisitMoveInput struct {
	Start    string   `json:"start"`
	Override []string `json:"override"` // rules to waive for each booking, see waive.go
	Reason   string   `json:"reason"`

	Match  string     `json:"-"` // the header If-Match, see fault.ETagHeader
	Series SeriesMove `json:"-"` // it is moved as a date of its series
}

// VisitMoveInputFields describes the fields of VisitMoveInput.
var VisitMoveInputFields = field.Resource{
	Text: "Where a visit is to move.",
	Fields: []field.Field{
		{Name: "start", Text: "When it is to begin: an ISO 8601 time with a zone.", Format: "date-time",
			Example: "2026-12-01T10:30:00Z", Required: true},
		visitOverrideField,
		reasonField,
	},
}

// ETag returns the version of the visit as the value of an HTTP header: another one after every change of one of its
// bookings.
func (v *Visit) ETag() string {
	versions := make([]string, len(v.Items))
	for i := range v.Items {
		versions[i] = v.Items[i].ID.String() + v.Items[i].ETag()
	}
	return fault.ETag(versions)
}

// Span sets the start and end of the visit by its bookings.
func (v *Visit) Span() {
	standing := v.Live()
	if len(standing) == 0 {
		standing = v.Items
	}
	v.Start, v.End = standing[0].Start, standing[0].End
	for i := range standing {
		v.Start, v.End = min(v.Start, standing[i].Start), max(v.End, standing[i].End)
	}
}

// Live returns the bookings of the visit that are live, by their starts.
func (v *Visit) Live() (live []Booking) {
	for i := range v.Items {
		if v.Items[i].Status.Live() {
			live = append(live, v.Items[i])
		}
	}
	slices.SortStableFunc(live, func(a, b Booking) int { return cmp.Compare(a.Start, b.Start) })
	return live
}

// Check returns the start of the visit and, where the items have their own, when and with whom each is, by start; and one
// bad_request for what no visit may have. Telephone numbers without a country code are of country; atDesk is
// as in Invitee.Check.
func (in *VisitInput) Check(country string, atDesk bool) (start when.Instant, given []VisitPlace, err error) {
	var p fault.Problems
	start, given, err = CheckVisit(in.Items, in.Start, &in.VisitChoice)
	p.Add(err)
	if n := len(in.Items); n < 1 || n > MaxVisitItems {
		return 0, nil, p.Err()
	}
	p.Add(in.Invitee.Check(country, atDesk))
	in.Hold, err = fault.CheckLine("hold", in.Hold, 0, MaxRef)
	p.Add(err)
	in.Notes, err = fault.CheckText("notes", in.Notes, MaxNotes)
	p.Add(err)
	_, err = ParseOverride(in.Override)
	p.Add(err)
	p.Add(checkMetadata(in.Metadata))
	return start, given, p.Err()
}

// OwnStart returns the start of an item that has one of its own, as it was given; "" where none has.
func (in *VisitInput) OwnStart() string {
	for i := range in.Items {
		if in.Items[i].Start != "" {
			return in.Items[i].Start
		}
	}
	return ""
}

// CheckVisit returns the start of a visit of those items and, where they have their own, when and with whom each is, by
// start; and one bad_request for what no visit may have. text is the start as it was given for all of it.
func CheckVisit(items []VisitItem, text string, choice *VisitChoice) (start when.Instant, given []VisitPlace, err error) {
	var p fault.Problems
	if n := len(items); n < 1 || n > MaxVisitItems {
		p.Add(fault.Invalid("items", "must be 1 to %d", MaxVisitItems))
		return 0, nil, p.Err()
	}
	own := 0
	for i := range items {
		if items[i].Start != "" {
			own++
		}
	}
	for i := range items {
		place, err := items[i].check(fmt.Sprintf("items[%d].", i), own > 0)
		p.Add(err)
		place.Item = i
		given = append(given, place)
	}
	switch {
	case own == 0:
		given = nil
		start, err = ParseStart(text)
		p.Add(err)
	case text != "":
		p.Add(fault.Invalid("start", "leave it out: the items have starts of their own"))
	default:
		slices.SortStableFunc(given, func(a, b VisitPlace) int { return cmp.Compare(a.Start, b.Start) })
		start = given[0].Start
	}
	named := make([]string, len(items))
	for i := range items {
		named[i] = items[i].Host
	}
	p.Add(choice.CheckNamed(named))
	p.Add(choice.Check())
	return start, given, p.Err()
}

// check returns when and with whom the item is, if it says so; own says that all of the visit must.
func (item *VisitItem) check(at string, own bool) (place VisitPlace, err error) {
	var p fault.Problems
	if item.EventType == "" {
		p.Add(fault.Invalid(at+"eventType", "is required: the slug of an event type"))
	}
	item.EventType, err = fault.CheckLine(at+"eventType", item.EventType, 0, MaxRef)
	p.Add(err)
	item.Host, err = fault.CheckLine(at+"host", item.Host, 0, MaxRef)
	p.Add(err)
	moment := func(name, text string) (t when.Instant) {
		t, err := when.ParseISO(text)
		if err != nil {
			p.Add(fault.Invalid(at+name, "must be an ISO 8601 time such as 2026-12-01T09:00:00Z"))
		}
		return t
	}
	switch {
	case !own:
		if item.End != "" {
			p.Add(fault.Invalid(at+"end", "goes with start: give both or none"))
		}
		return place, p.Err()
	case item.Start == "" || item.Host == "":
		p.Add(fault.Invalid(at+"start", "give start and host to all items, as availability shows them, or start to none"))
		return place, p.Err()
	}
	if place.Start = moment("start", item.Start); place.Start%60_000 != 0 {
		p.Add(fault.Invalid(at+"start", "must be a whole minute"))
	}
	if item.End != "" {
		place.End = moment("end", item.End)
	}
	if place.Host, err = id.Parse[catalog.HostIDKind](item.Host); err != nil {
		p.Add(fault.Missing("host", item.Host))
	}
	return place, p.Err()
}

// Book returns the input of the booking of an item, but for its time.
func (in *VisitInput) Book(item int) BookInput {
	of := &in.Items[item]
	return BookInput{EventType: of.EventType, AddOns: of.AddOns, Invitee: in.Invitee, Notes: in.Notes, Override: in.Override,
		Metadata: maps.Clone(in.Metadata), Series: in.Series}
}

// Sum returns what the bookings that aren't cancelled cost together; nil where none has a price, or they are in several
// currencies.
func (v *Visit) Sum() (sum *money.Money) {
	for i := range v.Items {
		b := &v.Items[i]
		switch {
		case b.Price == nil || b.Status == Cancelled:
		case sum == nil:
			sum = &money.Money{Amount: b.Price.Amount, Currency: b.Price.Currency}
		case sum.Currency != b.Price.Currency:
			return nil
		default:
			sum.Amount += b.Price.Amount
		}
	}
	return sum
}
