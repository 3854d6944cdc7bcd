package busy

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
)

// file is what is kept of a file while it is read.
type file struct {
	options  Options
	self     map[string]bool
	host     *zone
	work     *budget
	horizon  int64 // a wall time after the window
	from, to int64 // the window in seconds, within the years that can be written

	components  []*component
	numbers     int // VEVENTs
	dates       int // values of EXDATE, RDATE and FREEBUSY
	onsets      int
	tzids       []string
	tzidNumbers map[string]int32
	zones       []*zone
	horizons    []int64
	definitions map[string]*zoneDefinition
}

// component is a VEVENT or VFREEBUSY as it is written.
type component struct {
	uid                  string
	start, end, replaces moment
	length               length
	hasLength            bool
	future               bool // RANGE=THISANDFUTURE
	free, freeBusy       bool
	canceled             bool    // STATUS or METHOD says so; it is free, too
	number               int     // of the VEVENTs, from 0
	rules, without       []*rule // RRULE, EXRULE
	dates                []period
	except               []moment
	seq                  int
	made, changed        int64
	err                  error // the first line that isn't understood
}

func newFile(o Options) *file {
	if o.Zone == nil {
		o.Zone = time.UTC
	}
	if o.Work <= 0 {
		o.Work = DefaultWork
	}
	f := &file{
		options: o, self: map[string]bool{}, host: &zone{location: o.Zone}, work: &budget{file: o.Work, spans: maxSpans},
		tzidNumbers: map[string]int32{}, definitions: map[string]*zoneDefinition{},
	}
	for _, address := range o.Self {
		if address = mailbox(address); address != "" {
			f.self[address] = true
		}
	}
	f.from = min(max(floorDiv(o.From, 1000), earliest), latest)
	f.to = min(max(-floorDiv(-o.To, 1000), earliest), latest)
	f.horizon = min(f.to+370*day, latest)
	return f
}

// mailbox returns an address as addresses are compared.
func mailbox(address string) string {
	address = strings.ToLower(strings.TrimSpace(address))
	return strings.TrimPrefix(address, "mailto:")
}

// reader is where in the file the lines are.
type reader struct {
	*file
	open       []string // the components that have begun
	first      int      // of the components of this VCALENDAR
	cancel     bool     // METHOD:CANCEL
	calendars  int
	component  *component
	zoneName   string
	definition *zoneDefinition
	observance *observance
}

// read keeps what a file says. It fails when the text as a whole is no calendar.
func (f *file) read(l *lines) error {
	r := &reader{file: f}
	for {
		err := l.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return fmt.Errorf("reading a calendar: %w", err)
		}
		p, ok := l.property()
		if len(r.open) == 0 && (!ok || p.name != "BEGIN") {
			return fmt.Errorf("%w: it must begin with BEGIN:VCALENDAR", ErrMalformed)
		}
		switch {
		case !ok && (p.name == "BEGIN" || p.name == "END"):
			err = fmt.Errorf("%w: a %s isn't understood", ErrMalformed, p.name)
		case p.name == "BEGIN":
			err = r.begin(strings.ToUpper(string(p.value)))
		case p.name == "END":
			err = r.finish(strings.ToUpper(string(p.value)))
		case p.name != "":
			err = r.set(p, ok)
		}
		if err != nil {
			return err
		}
	}
	if len(r.open) > 0 {
		return fmt.Errorf("%w: it ends within %s", ErrMalformed, short(r.open[len(r.open)-1]))
	}
	if r.calendars == 0 {
		return fmt.Errorf("%w: it is empty", ErrMalformed)
	}
	return nil
}

func (r *reader) begin(name string) error {
	depth := len(r.open)
	within := ""
	if depth > 0 {
		within = r.open[depth-1]
	}
	inCalendar := depth == 1
	switch {
	case depth >= maxDepth || len(name) > 64:
		return fmt.Errorf("%w: too many components within each other", ErrTooMuch)
	case depth == 0 && name != "VCALENDAR":
		return fmt.Errorf("%w: it must begin with BEGIN:VCALENDAR", ErrMalformed)
	case depth == 0:
		r.first, r.cancel = len(r.components), false
		r.calendars++
	case (name == "VEVENT" || name == "VFREEBUSY" || name == "VTIMEZONE") && !inCalendar:
		return fmt.Errorf("%w: a %s begins within %s", ErrMalformed, name, short(within))
	case name == "VEVENT" || name == "VFREEBUSY":
		if len(r.components) >= maxEvents {
			return fmt.Errorf("%w: more than %d events", ErrTooMuch, maxEvents)
		}
		r.component = &component{freeBusy: name == "VFREEBUSY", number: r.numbers}
		if !r.component.freeBusy {
			r.numbers++
		}
		r.components = append(r.components, r.component)
	case name == "VTIMEZONE":
		if len(r.definitions) >= maxZones {
			return fmt.Errorf("%w: more than %d time zones", ErrTooMuch, maxZones)
		}
		r.zoneName, r.definition = "", &zoneDefinition{}
	case depth == 2 && r.definition != nil && (name == "STANDARD" || name == "DAYLIGHT"):
		if r.onsets++; r.onsets > maxOnsets {
			return fmt.Errorf("%w: more than %d parts of time zones", ErrTooMuch, maxOnsets)
		}
		r.definition.observances = append(r.definition.observances, observance{})
		r.observance = &r.definition.observances[len(r.definition.observances)-1]
	}
	r.open = append(r.open, name)
	return nil
}

func (r *reader) finish(name string) error {
	if r.open[len(r.open)-1] != name {
		return fmt.Errorf("%w: %s ends within %s", ErrMalformed, short(name), short(r.open[len(r.open)-1]))
	}
	r.open = r.open[:len(r.open)-1]
	switch len(r.open) {
	case 0:
		if r.cancel {
			for _, c := range r.components[r.first:] {
				c.free, c.canceled = true, true
			}
		}
	case 1:
		if r.definition != nil && r.zoneName != "" && r.definitions[r.zoneName] == nil {
			r.definitions[r.zoneName] = r.definition
		}
		r.component, r.definition = nil, nil
	case 2:
		r.observance = nil
	}
	return nil
}

// set takes a property; those of components that keep nobody busy are left.
func (r *reader) set(p property, ok bool) error {
	bad := func() error { return fmt.Errorf("%w: the line %s", ErrMalformed, p.name) }
	switch depth := len(r.open); {
	case depth == 1 && p.name == "METHOD":
		r.cancel = ok && bytes.EqualFold(p.value, []byte("CANCEL"))
	case depth == 2 && r.component != nil:
		c := r.component
		err := bad()
		if ok {
			err = r.property(c, p)
		}
		if errors.Is(err, ErrTooMuch) {
			return err
		}
		if err != nil && c.err == nil {
			c.err = err
		}
	case depth == 2 && r.definition != nil && p.name == "TZID":
		r.zoneName = string(bytes.Trim(p.value, `"`))
	case depth == 3 && r.observance != nil:
		err := bad()
		if ok {
			err = r.onset(r.observance, p)
		}
		if errors.Is(err, ErrTooMuch) {
			return err
		}
		if err != nil && r.definition.err == nil {
			r.definition.err = err
		}
	}
	return nil
}

// onset takes a property of STANDARD or DAYLIGHT.
func (f *file) onset(o *observance, p property) (err error) {
	switch p.name {
	case "DTSTART":
		o.start, err = parseMoment(string(p.value), -1)
	case "TZOFFSETFROM":
		o.offsets++
		o.from, err = parseOffset(string(p.value))
	case "TZOFFSETTO":
		o.offsets++
		o.to, err = parseOffset(string(p.value))
	case "RRULE":
		var rule *rule
		if rule, err = parseRule(string(p.value)); err == nil {
			o.rules = append(o.rules, rule)
		}
	case "RDATE":
		err = f.list(p.value, func(text string) error {
			one, err := parsePeriod(text, -1)
			o.dates = append(o.dates, one.start)
			return err
		})
	}
	return err
}

// property takes a property of an event or of VFREEBUSY.
func (f *file) property(c *component, p property) (err error) {
	switch p.name {
	case "UID":
		c.uid = string(p.value)
	case "DTSTART":
		err = f.once(p, &c.start)
	case "DTEND":
		err = f.once(p, &c.end)
	case "RECURRENCE-ID":
		switch way := strings.ToUpper(p.param("RANGE")); way {
		case "":
		case "THISANDFUTURE":
			c.future = true
		default:
			return fmt.Errorf("%w: RANGE=%s", ErrMalformed, short(way))
		}
		err = f.once(p, &c.replaces)
	case "DURATION":
		if c.hasLength {
			return fmt.Errorf("%w: DURATION stands there twice", ErrMalformed)
		}
		c.hasLength = true
		c.length, err = parseLength(string(p.value))
	case "RRULE", "EXRULE":
		rule, err := parseRule(string(p.value))
		if err != nil {
			return err
		}
		if p.name == "RRULE" {
			c.rules = append(c.rules, rule)
		} else {
			c.without = append(c.without, rule)
		}
	case "RDATE", "FREEBUSY":
		if strings.EqualFold(p.param("FBTYPE"), "FREE") {
			return nil
		}
		tzid, err := f.tzid(p)
		if err != nil {
			return err
		}
		return f.list(p.value, func(text string) error {
			one, err := parsePeriod(text, tzid)
			c.dates = append(c.dates, one)
			return err
		})
	case "EXDATE":
		tzid, err := f.tzid(p)
		if err != nil {
			return err
		}
		return f.list(p.value, func(text string) error {
			one, err := parseMoment(text, tzid)
			c.except = append(c.except, one)
			return err
		})
	case "SEQUENCE":
		n, _ := digits(string(p.value[:min(9, len(p.value))])) // what isn't a number is none
		c.seq = int(n)
	case "DTSTAMP":
		c.made = stamp(p.value)
	case "LAST-MODIFIED":
		c.changed = stamp(p.value)
	case "STATUS":
		if bytes.EqualFold(p.value, []byte("CANCELLED")) {
			c.free, c.canceled = true, true
		}
	case "TRANSP":
		c.free = c.free || bytes.EqualFold(p.value, []byte("TRANSPARENT"))
	case "X-MICROSOFT-CDO-BUSYSTATUS":
		c.free = c.free || bytes.EqualFold(p.value, []byte("FREE")) || bytes.EqualFold(p.value, []byte("WORKINGELSEWHERE"))
	case "ATTENDEE":
		own := f.self[mailbox(string(p.value))] || f.self[mailbox(p.param("EMAIL"))]
		if own && strings.EqualFold(p.param("PARTSTAT"), "DECLINED") {
			c.free = true
		}
	}
	return err
}

// once reads a moment that may stand in a component once.
func (f *file) once(p property, m *moment) error {
	if m.kind != 0 {
		return fmt.Errorf("%w: %s stands there twice", ErrMalformed, p.name)
	}
	tzid, err := f.tzid(p)
	if err == nil {
		*m, err = parseMoment(string(p.value), tzid)
	}
	return err
}

// tzid returns the number of the property's time zone, -1 for none.
func (f *file) tzid(p property) (int32, error) {
	name := p.param("TZID")
	if name == "" {
		return -1, nil
	}
	if n, ok := f.tzidNumbers[name]; ok {
		return n, nil
	}
	if len(f.tzids) >= maxZones {
		return -1, fmt.Errorf("%w: more than %d time zones", ErrTooMuch, maxZones)
	}
	n := int32(len(f.tzids))
	f.tzids, f.zones, f.horizons = append(f.tzids, name), append(f.zones, nil), append(f.horizons, 0)
	f.tzidNumbers[name] = n
	return n, nil
}

// list calls add with each value of a list. Empty ones, which some programs write, say nothing.
func (f *file) list(value []byte, add func(text string) error) error {
	for text := range strings.SplitSeq(string(value), ",") {
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		if f.dates++; f.dates > maxDates {
			return fmt.Errorf("%w: more than %d dates in lists", ErrTooMuch, maxDates)
		}
		if err := add(text); err != nil {
			return err
		}
	}
	return nil
}

// stamp reads a time in UTC as ms, and what isn't one as 0: nothing hangs on it.
func stamp(value []byte) int64 {
	m, err := parseMoment(string(value), -1)
	if err != nil {
		return 0
	}
	return m.wall * 1000
}
