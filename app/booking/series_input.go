package booking

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/field"
	"daybook/app/slot"
	"daybook/app/when"
)

// SeriesConflicts says what becomes of dates that can't be booked.
type SeriesConflicts string

// What becomes of them.
const (
	SeriesRefuse  SeriesConflicts = "refuse"  // nothing is booked
	SeriesSkip    SeriesConflicts = "skip"    // the others are booked
	SeriesNearest SeriesConflicts = "nearest" // the open start that lies nearest is booked instead
)

// SeriesInput describes a series to be booked: what a booking or a visit takes, and when it comes again.
type SeriesInput struct {
	Repeat    SeriesRepeat    `json:"repeat"`
	Conflicts SeriesConflicts `json:"conflicts"`
	Dates     []SeriesPlace   `json:"dates"` // exactly these are booked; nil leaves them to Repeat and Conflicts

	EventType    string   `json:"eventType"` // of bookings; of visits it is Items
	Host         string   `json:"host"`
	AddOns       []string `json:"addOns"`
	Seats        int      `json:"seats"`
	Participants []string `json:"participants"`

	Items []VisitItem `json:"items"`
	VisitChoice

	Start    string            `json:"start"` // of the first date
	Override []string          `json:"override"`
	Invitee  Invitee           `json:"invitee"`
	Notes    string            `json:"notes"`
	Answers  map[string]any    `json:"answers"`
	Metadata map[string]string `json:"metadata"`
	// ContactFields and MustGive are as in BookInput; the first booking that is made keeps them.
	ContactFields map[string]any `json:"contactFields"`
	MustGive      bool           `json:"-"`

	Spoken bool `json:"-"` // names and titles do for ids, see ListBookingsInput.Spoken
}

// SeriesPlace is a date of a series that is chosen: when it begins, and with whom; of a visit, its items.
type SeriesPlace struct {
	Start    string      `json:"start"`
	Host     string      `json:"host"`
	Items    []VisitItem `json:"items"`
	Override []string    `json:"override"` // rules that are set aside for this date, beside those of the series
}

// SeriesPlaceFields describes the fields of SeriesPlace.
var SeriesPlaceFields = field.Resource{
	Text: "A date to be booked.",
	Fields: []field.Field{
		{Name: "start", Text: "When it begins; left out for a visit whose items have starts.", Format: "date-time",
			Example: "2026-12-01T09:00:00Z"},
		{Name: "host", Text: "Id of the host to book; left out, it is as in createSeries.", Most: MaxRef, Pattern: HostPattern},
		{Name: "items", Text: "Of a visit, when and with whom each service is, as a dry run shows it.", Each: "A service of the visit."},
		placeOverrideField,
	},
}

var placeOverrideField = func() field.Field {
	f := OverrideField
	f.Text = "Rules to set aside for this date alone, beside those of the series' `override`."
	return f
}()

// SeriesInputFields describes the fields of SeriesInput.
var SeriesInputFields = field.Resource{
	Text: "A series to be booked: what a booking or a visit takes, and when it comes again.",
	Fields: append([]field.Field{
		{Name: "repeat", Text: "On which dates it lies.", Required: true},
		{Name: "conflicts", Text: "What becomes of dates that can't be booked. `refuse`: nothing is booked. `skip`: the others are. " +
			"`nearest`: the open start that lies nearest on that day, or else within three days, and never at or past a " +
			"neighbouring date.",
			Enum: field.Values(SeriesRefuse, SeriesSkip, SeriesNearest), Default: string(SeriesRefuse)},
		{Name: "dates", Text: "Exactly the dates to be booked, such as a dry run has shown and somebody has chosen, within two years of the " +
			"first. `conflicts` then doesn't count: if one of them can't be booked, nothing is.", Each: "A date."},
		{Name: "eventType", Text: "Slug or id of the event type; for visits give `items` instead.", Example: "haircut", Most: MaxRef},
		{Name: "host", Most: MaxRef, Pattern: HostPattern, Text: "Id of the host to book. Without it, whoever is free on most dates takes " +
			"all that they can, and on the other dates somebody else is booked."},
		{Name: "addOns", Text: "Ids of the add-ons that are booked with each.", Each: "Id of an add-on."},
		{Name: "seats", Text: "How many seats of the sessions are booked; 1 when left out.", Least: 1, Most: 1000},
		{Name: "participants", Text: "Names of those who come, at most as many as seats.", Each: "A name."},
		{Name: "items", Text: fmt.Sprintf("The services of visits, 1 to %d, in place of `eventType` and what goes with it. None has a start "+
			"of its own.", MaxVisitItems), Each: "A service of the visit."},
	}, slices.Concat(of(VisitInputFields, "start", "order", "samePerson", "maxGap"), []field.Field{OverrideField},
		[]field.Field{{Name: "invitee", Text: "Who comes.", Required: true}},
		of(VisitInputFields, "notes", "answers", "metadata"), []field.Field{
			{Name: "contactFields", NotForAgents: true, Entries: catalog.MaxContactFields,
				Text: "What the invitee wrote in the workspace's own fields of contacts, as for one booking: the first booking that is " +
					"made keeps it."},
		})...),
}

// of returns the fields of a resource with those names.
func of(r field.Resource, names ...string) (all []field.Field) {
	for _, name := range names {
		at := slices.IndexFunc(r.Fields, func(f field.Field) bool { return f.Name == name })
		all = append(all, r.Fields[at])
	}
	return all
}

// Visits reports whether each date of the series is a visit.
func (in *SeriesInput) Visits() bool { return len(in.Items) > 0 }

// Check returns the start of the first date, and one bad_request for everything that is wrong in any series but for its
// dates. Telephone numbers without a country code are of country; atDesk is as in Invitee.Check.
func (in *SeriesInput) Check(country string, atDesk bool) (start when.Instant, err error) {
	var p fault.Problems
	switch in.Conflicts {
	case "":
		in.Conflicts = SeriesRefuse
	case SeriesRefuse, SeriesSkip, SeriesNearest:
	default:
		p.Add(fault.Invalid("conflicts", "must be refuse, skip or nearest"))
	}
	if len(in.Dates) > MaxSeries {
		p.Add(fault.Invalid("dates", "at most %d", MaxSeries))
	}
	if in.Visits() {
		if in.EventType != "" || in.Host != "" || len(in.AddOns) > 0 || in.Seats != 0 || len(in.Participants) > 0 {
			p.Add(fault.Invalid("items", "give either items or eventType, with host, addOns, seats and participants"))
		}
		visit := in.Visit("")
		visit.Start = in.Start
		for i := range in.Items {
			if in.Items[i].Start != "" {
				p.Add(fault.Invalid(fmt.Sprintf("items[%d].start", i), "leave it out: the dates give the starts"))
			}
		}
		if p.Err() == nil {
			start, _, err = visit.Check(country, atDesk)
			in.Items, in.VisitChoice, in.Invitee, in.Notes = visit.Items, visit.VisitChoice, visit.Invitee, visit.Notes
			p.Add(err)
		}
		return start, p.Err()
	}
	one := in.Book()
	one.Start = in.Start
	start, err = one.Check(country, atDesk)
	in.EventType, in.Host, in.Invitee, in.Notes, in.Participants = one.EventType, one.Host, one.Invitee, one.Notes, one.Participants
	p.Add(err)
	return start, p.Err()
}

// Book returns the input of the booking of one date, but for its time.
func (in *SeriesInput) Book() BookInput {
	return BookInput{EventType: in.EventType, Host: in.Host, AddOns: in.AddOns, Seats: in.Seats, Participants: in.Participants,
		Invitee: in.Invitee, Notes: in.Notes, Answers: maps.Clone(in.Answers), Metadata: maps.Clone(in.Metadata), Override: in.Override}
}

// Visit returns the input of the visit of one date that begins then.
func (in *SeriesInput) Visit(start string) VisitInput {
	return VisitInput{Items: slices.Clone(in.Items), Start: start, VisitChoice: in.VisitChoice, Invitee: in.Invitee, Notes: in.Notes,
		Answers: maps.Clone(in.Answers), Metadata: maps.Clone(in.Metadata), Override: in.Override}
}

// SeriesStep is the place of a booking that is made within its series.
type SeriesStep struct {
	Ref   SeriesRef
	First when.Instant // when the first date that is booked begins: what is pending lapses then at the latest
	Later bool         // it is not the first date, so that the booking window does not count

	Waived *slot.Reasons // gets the rules that were waived for it; nil for nobody who asks
}

// SeriesMove is what the move of a date of a series knows of that of the others. The zero value is a move of its own.
type SeriesMove struct {
	Several bool        // it is one of several dates that move
	Offers  bool        // what these free is offered to who waits
	Later   bool        // an earlier one of these moves, too, so that the booking window does not count
	Unmoved []BookingID // all that move: where they were, their time does not count as taken

	// Unknown are those whose calendars could not be read, as was asked before the transaction.
	Unknown []catalog.CalendarOwner
}

// SeriesScope says of which bookings of a series a change is.
type SeriesScope string

// The scopes.
const (
	SeriesThis      SeriesScope = "this"
	SeriesFollowing SeriesScope = "following" // from this date on, by position
	SeriesAll       SeriesScope = "all"
)

// Scopes lists them.
var Scopes = []SeriesScope{SeriesThis, SeriesFollowing, SeriesAll}

// SeriesCancelInput says which bookings of a series are cancelled, and why.
type SeriesCancelInput struct {
	From  string      `json:"from"`
	Scope SeriesScope `json:"scope"`
	// OfferToWaitlist offers what several dates free to who waits, if the business cancels them.
	OfferToWaitlist bool `json:"offerToWaitlist"`
	CancelInput
}

// SeriesMoveInput says which bookings of a series are to move, and where.
type SeriesMoveInput struct {
	From     string      `json:"from"`
	Scope    SeriesScope `json:"scope"`
	Start    string      `json:"start"`
	Override []string    `json:"override"`
	Reason   string      `json:"reason"`
	// OfferToWaitlist is as in SeriesCancelInput.
	OfferToWaitlist bool `json:"offerToWaitlist"`
}

var (
	seriesFromField = field.Field{Name: "from", Text: "Id of a booking of the series: the one from which on, or the only one.", Most: MaxRef,
		Required: true, Example: "bk_1p4s8ywa0g0s1"}
	seriesScopeField = field.Field{Name: "scope", Text: "`this`: only the date of `from`. `following`: that one and those behind it. `all`: all " +
		"of the series. Whatever has begun, is done, cancelled or missed stays as it is.",
		Enum: field.Values(Scopes...), Default: string(SeriesThis)}
	seriesOfferField = field.Field{Name: "offerToWaitlist", Text: "Whether the times that `following` or `all` frees are offered to who waits for " +
		"them: they aren't, unless this is true. What `this` frees is offered always."}
)

// SeriesCancelInputFields describes the fields of SeriesCancelInput.
var SeriesCancelInputFields = field.Resource{
	Text:   "Which bookings of a series are cancelled, and why.",
	Fields: append([]field.Field{seriesFromField, seriesScopeField, seriesOfferField}, CancelInputFields.Fields...),
}

// SeriesMoveInputFields describes the fields of SeriesMoveInput.
var SeriesMoveInputFields = field.Resource{
	Text: "Which bookings of a series are to move, and where.",
	Fields: []field.Field{
		seriesFromField, seriesScopeField,
		{Name: "start", Text: "When the date of `from` is to begin. All others move as far on the workspace's clock, each from where it is " +
			"now.", Format: "date-time", Example: "2026-12-01T10:30:00Z", Required: true},
		OverrideField, reasonField, seriesOfferField,
	},
}

// CheckScope normalises a scope. Errors: bad_request.
func CheckScope(scope *SeriesScope) error {
	if *scope == "" {
		*scope = SeriesThis
	}
	if !slices.Contains(Scopes, *scope) {
		return fault.Invalid("scope", "must be this, following or all")
	}
	return nil
}

// All returns the services of each date: of bookings the one that there is.
func (in *SeriesInput) All() []VisitItem {
	if in.Visits() {
		return slices.Clone(in.Items)
	}
	return []VisitItem{{EventType: in.EventType, Host: in.Host, AddOns: in.AddOns}}
}

// WantedDate is a date of a series that is to be booked.
type WantedDate struct {
	SeriesDate
	Named    string       // id of the host who was chosen for it, or ""
	Chosen   []VisitItem  // of a visit whose arrangement was chosen
	Places   []VisitPlace // likewise: when and with whom each of Chosen is
	Override []string     // rules that are set aside for it alone
	Other    BookingID    // the booking because of which it is refused as already booked, where that is known
}

// Wanted returns the dates to be booked. start is that of the first one, as Check returns it. Errors: bad_request.
func (in *SeriesInput) Wanted(start when.Instant, zone *time.Location) (all []WantedDate, err error) {
	starts, left, err := in.Repeat.Dates(start, zone)
	if err != nil {
		return nil, err
	}
	for i, at := range starts {
		d := WantedDate{SeriesDate: SeriesDate{Start: at}}
		if left[i] {
			d.State, d.Reason = SeriesSkipped, SeriesExcept
		}
		all = append(all, d)
	}
	if in.Dates != nil {
		if all, err = in.chosen(zone); err != nil {
			return nil, err
		}
	}
	if n := len(all) * max(1, len(in.Items)); n > MaxSeries {
		return nil, fault.Invalid("repeat", "at most %d bookings, and these are %d", MaxSeries, n)
	}
	return all, nil
}

// chosen returns the dates that the input names.
func (in *SeriesInput) chosen(zone *time.Location) (all []WantedDate, err error) {
	if len(in.Dates) == 0 {
		return nil, fault.Invalid("dates", "name at least one, or leave it out")
	}
	last := when.Instant(0)
	for i := range in.Dates {
		at, d := fmt.Sprintf("dates[%d].", i), &in.Dates[i]
		wanted := WantedDate{Named: d.Host, Override: d.Override}
		if _, err := ParseOverride(d.Override); err != nil {
			return nil, fault.As(err).At(at + OverrideField.Name)
		}
		switch {
		case in.Visits() && len(d.Items) > 0:
			choice := in.VisitChoice
			var start when.Instant
			if start, wanted.Places, err = CheckVisit(d.Items, d.Start, &choice); err != nil {
				return nil, fault.Invalid(at+"items", "%s", fault.As(err).Text())
			}
			if !sameServices(in.Items, d.Items) {
				return nil, fault.Invalid(at+"items", "must be the services of items")
			}
			for k := range d.Items {
				d.Items[k].AnyHost = !slices.ContainsFunc(in.Items, func(asked VisitItem) bool {
					return asked.EventType == d.Items[k].EventType && asked.Host == d.Items[k].Host
				})
			}
			wanted.Start, wanted.Chosen = start, d.Items
		case len(d.Items) > 0:
			return nil, fault.Invalid(at+"items", "is for visits")
		default:
			if wanted.Start, err = when.ParseISO(d.Start); err != nil {
				return nil, fault.Invalid(at+"start", "must be an ISO 8601 time such as 2026-12-01T09:00:00Z")
			}
			wanted.Start = wanted.Start.Within()
		}
		switch {
		case wanted.Start <= last:
			return nil, fault.Invalid(at+"start", "must lie behind the date before")
		case i > 0 && wanted.Start > when.At(all[0].Start.Time().In(zone).AddDate(maxSeriesYears, 0, 0)):
			return nil, fault.Invalid(at+"start", "must lie within %d years of the first", maxSeriesYears)
		}
		last = wanted.Start
		all = append(all, wanted)
	}
	return all, nil
}

// sameServices reports whether both are the same services with the same add-ons, in whatever order.
func sameServices(a, b []VisitItem) bool {
	named := func(items []VisitItem) (all []string) {
		for _, item := range items {
			addOns := slices.Sorted(slices.Values(item.AddOns))
			all = append(all, fmt.Sprintf("%q %q", item.EventType, addOns))
		}
		slices.Sort(all)
		return all
	}
	return slices.Equal(named(a), named(b))
}

// InSeries orders bookings of a series by its dates, and those of a visit by its order.
func InSeries(a, b Booking) int {
	place := func(b *Booking) (date, item int) {
		if b.Series != nil {
			date = b.Series.Position
		}
		if b.Visit != nil {
			item = b.Visit.Position
		}
		return date, item
	}
	aDate, aItem := place(&a)
	bDate, bItem := place(&b)
	return cmp.Or(cmp.Compare(aDate, bDate), cmp.Compare(aItem, bItem))
}
