package availability

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"time"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/money"
	"daybook/app/slot"
	"daybook/app/when"
)

// Slot is an open time that can be booked.
type Slot struct {
	Start          when.Instant     `json:"start"`
	End            when.Instant     `json:"end"`
	Local          string           `json:"local"` // Start in the zone of the request, with its offset
	Hosts          []catalog.HostID `json:"hosts"` // those that are free
	SeatsRemaining int              `json:"seatsRemaining,omitempty"`
	// ByHost has the end and the price with each of Hosts, if the length or the price depends on the host; End is then
	// the earliest end.
	ByHost []HostSlot `json:"offers,omitempty"`
	// Items are the services of a visit, as it is arranged: the one that ends first. Hosts are theirs, each once.
	Items []SlotItem `json:"items,omitempty"`
}

// SlotItem is a service of a visit in an open time.
type SlotItem struct {
	EventType string         `json:"eventType"` // its slug
	Host      catalog.HostID `json:"host"`
	Start     when.Instant   `json:"start"`
	End       when.Instant   `json:"end"`
	AddOns    []string       `json:"addOns,omitempty"`
}

// HostSlot is the end and the price of an open time with one host.
type HostSlot struct {
	Host  catalog.HostID `json:"host"`
	End   when.Instant   `json:"end"`
	Price *money.Money   `json:"price"`
}

// ClosedSlot is a start of a host's grid that is not open, and why; or, with OutsideHours, a span in which the host
// does not work.
type ClosedSlot struct {
	Start  when.Instant   `json:"start"`
	End    when.Instant   `json:"end"`
	Host   catalog.HostID `json:"host"`
	Reason slot.Reason    `json:"reason"`
	// Holiday is the name of the public holiday on which the host is off.
	Holiday string `json:"holiday,omitempty"`
	// Part is the one, counted from 1, against which the reason stands; 0 where the event type isn't in parts, and for
	// reasons that are of no part.
	Part int `json:"part,omitempty"`
	// Resources are those of which one is needed and none is free, with the reason resource_taken, or with busy where that
	// is by their calendars; the first five.
	Resources []catalog.ResourceRef `json:"resources,omitempty"`
	// Others are those of whom too few are free beside the host, with the reason hosts_taken; the first five.
	Others []catalog.HostRef `json:"others,omitempty"`
}

// UsualHours are the weekly hours of a host, for results that explain.
type UsualHours struct {
	Host     catalog.HostID      `json:"host"`
	Name     string              `json:"name"`
	TimeZone string              `json:"timeZone"`
	Weekly   map[string][]string `json:"weekly"` // mon … sun → "09:00-12:00"; a day that isn't there is off
}

// Result is the result of a search. Its JSON is the contract's list envelope with timeZone, nextAvailable and, if
// requested, closed and usualHours.
type Result struct {
	search        *Search
	found         []slot.Slot
	closed        []slot.Closed
	outside       []slot.Closed // spans in which hosts don't work, if the search explains
	NextCursor    string        // "" when there is no more
	behind        int64         // where NextCursor goes on
	NextAvailable when.Instant  // the first open start after the span when that has none
	// SearchedUntil is set if the search stopped early: nothing is open before that time, but later starts may be. Zero
	// means that NextAvailable covers the whole booking window.
	SearchedUntil when.Instant
}

// TimeZone returns the zone of Slot.Local.
func (v *Result) TimeZone() string { return v.search.zone.String() }

// EventType returns the event type of the search.
func (v *Result) EventType() *catalog.EventType { return v.search.event }

// Len returns the number of slots found.
func (v *Result) Len() int { return len(v.found) }

// Slots returns the open slots, earliest first.
func (v *Result) Slots() []Slot { return v.search.slots(v.found) }

func (q *Search) slots(found []slot.Slot) []Slot {
	slots := make([]Slot, len(found))
	for i, f := range found {
		hosts := make([]catalog.HostID, len(f.Hosts))
		for j, h := range f.Hosts {
			hosts[j] = q.hosts[h].ID
		}
		slots[i] = Slot{Start: when.Instant(f.Start), End: when.Instant(f.End),
			Local: when.Instant(f.Start).Time().In(q.zone).Format(time.RFC3339), Hosts: hosts}
		if q.event.Seats > 1 {
			slots[i].SeatsRemaining = f.SeatsRemaining
		}
		if q.event.Varies() && !q.kept {
			slots[i].ByHost = make([]HostSlot, len(f.Hosts))
			for j := range f.Hosts {
				slots[i].ByHost[j] = q.withHost(&f, j)
			}
		}
	}
	return slots
}

// withHost returns what the open time takes with the j-th of its hosts.
func (q *Search) withHost(f *slot.Slot, j int) HostSlot {
	host, end := q.hosts[f.Hosts[j]].ID, f.End
	if f.Ends != nil {
		end = f.Ends[j]
	}
	return HostSlot{host, when.Instant(end), q.event.With(host).Price}
}

// Closed returns the starts of the grid that are not open, if the Input asked to explain.
func (v *Result) Closed() []ClosedSlot {
	closed := make([]ClosedSlot, len(v.closed))
	for i, c := range v.closed {
		closed[i] = ClosedSlot{when.Instant(c.Start), when.Instant(c.End), v.search.hosts[c.Host].ID, c.Reason,
			v.holiday(&c), v.part(&c), v.needed(&c), v.otherNamed(&c)}
	}
	return closed
}

// holiday returns the name of the public holiday that closes the start, or "".
func (v *Result) holiday(c *slot.Closed) string {
	if c.Reason != slot.TimeOff {
		return ""
	}
	return v.search.hosts[c.Host].HolidayIn(when.Instant(c.Start), when.Instant(c.End))
}

// part returns which part the reason stands against, counted from 1; 0 for none.
func (v *Result) part(c *slot.Closed) int {
	if c.Part == 0 {
		return 0
	}
	return 2*c.Part - 1 // works and waits take turns
}

// maxNamed is how many resources a closed start names: an answer has up to maxClosed of them.
const maxNamed = 5

// MarshalJSON returns the JSON of AppendJSON.
func (v *Result) MarshalJSON() ([]byte, error) { return v.AppendJSON(nil), nil }

// AppendJSON appends the JSON to dst. Slots are the most frequent list, so they are written without reflection.
func (v *Result) AppendJSON(dst []byte) []byte {
	dst = append(dst, `{"data":[`...)
	for i := range v.found {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = v.appendSlot(dst, &v.found[i])
	}
	dst = append(dst, `],"hasMore":`...)
	dst = strconv.AppendBool(dst, v.NextCursor != "")
	dst = append(dst, `,"nextCursor":`...)
	dst = appendOptional(dst, v.NextCursor)
	dst = append(dst, `,"timeZone":"`...)
	dst = append(dst, v.search.zone.String()...)
	if v.search.datesZone != "" {
		dst = append(append(dst, `","datesTimeZone":"`...), v.search.datesZone...)
	}
	dst = append(dst, `","nextAvailable":`...)
	dst = v.NextAvailable.AppendJSON(dst)
	if v.SearchedUntil != 0 {
		dst = v.SearchedUntil.AppendJSON(append(dst, `,"searchedUntil":`...))
	}
	if v.search.explain {
		dst = v.appendUsualHours(v.appendClosed(dst))
	}
	return append(dst, '}')
}

// UsualHours returns the usual hours of the hosts searched.
func (v *Result) UsualHours() []UsualHours {
	all := make([]UsualHours, len(v.search.hosts))
	for i, h := range v.search.hosts {
		all[i] = UsualHours{h.ID, h.Name, h.TimeZone, h.Weekly}
		if h.Weekly == nil {
			all[i].Weekly = map[string][]string{}
		}
	}
	return all
}

func (v *Result) appendUsualHours(dst []byte) []byte {
	text, err := json.Marshal(v.UsualHours())
	if err != nil {
		return dst // texts are always written
	}
	return append(append(dst, `,"usualHours":`...), text...)
}

func (v *Result) appendSlot(dst []byte, f *slot.Slot) []byte {
	dst = append(dst, `{"start":`...)
	dst = when.Instant(f.Start).AppendJSON(dst)
	dst = append(dst, `,"end":`...)
	dst = when.Instant(f.End).AppendJSON(dst)
	dst = append(dst, `,"local":"`...)
	dst = time.UnixMilli(f.Start).In(v.search.zone).AppendFormat(dst, time.RFC3339)
	dst = append(dst, `","hosts":[`...)
	for i, h := range f.Hosts {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(v.search.hosts[h].ID.AppendTo(append(dst, '"')), '"')
	}
	dst = append(dst, ']')
	if v.search.event.Seats > 1 {
		dst = strconv.AppendInt(append(dst, `,"seatsRemaining":`...), int64(f.SeatsRemaining), 10)
	}
	if v.search.event.Varies() && !v.search.kept {
		dst = v.appendByHost(dst, f)
	}
	return append(dst, '}')
}

func (v *Result) appendByHost(dst []byte, f *slot.Slot) []byte {
	dst = append(dst, `,"offers":[`...)
	for j := range f.Hosts {
		o := v.search.withHost(f, j)
		if j > 0 {
			dst = append(dst, ',')
		}
		dst = o.Host.AppendTo(append(dst, `{"host":"`...))
		dst = o.End.AppendJSON(append(dst, `","end":`...))
		dst = append(dst, `,"price":`...)
		if o.Price == nil {
			dst = append(dst, "null"...)
		} else {
			dst = strconv.AppendInt(append(dst, `{"amount":`...), o.Price.Amount, 10)
			dst = append(append(append(dst, `,"currency":"`...), o.Price.Currency...), `"}`...)
		}
		dst = append(dst, '}')
	}
	return append(dst, ']')
}

func (v *Result) appendClosed(dst []byte) []byte {
	dst = append(dst, `,"closed":[`...)
	for i, c := range slices.Concat(v.closed, v.outside) {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = when.Instant(c.Start).AppendJSON(append(dst, `{"start":`...))
		dst = when.Instant(c.End).AppendJSON(append(dst, `,"end":`...))
		dst = v.search.hosts[c.Host].ID.AppendTo(append(dst, `,"host":"`...))
		dst = append(dst, `","reason":"`...)
		dst = append(dst, c.Reason...)
		if dst = append(dst, '"'); c.Reason == slot.TimeOff {
			dst = appendHoliday(dst, v.holiday(&c))
		}
		if part := v.part(&c); part > 0 {
			dst = strconv.AppendInt(append(dst, `,"part":`...), int64(part), 10)
		}
		dst = appendNeeded(dst, v.needed(&c))
		dst = appendOthers(dst, v.otherNamed(&c))
		dst = append(dst, '}')
	}
	return append(dst, ']')
}

func appendNeeded(dst []byte, refs []catalog.ResourceRef) []byte {
	for i, r := range refs {
		if i == 0 {
			dst = append(dst, `,"resources":[`...)
		} else {
			dst = append(dst, ',')
		}
		dst = r.ID.AppendTo(append(dst, `{"id":"`...))
		dst = append(booking.AppendText(append(dst, `","name":`...), r.Name), '}')
	}
	if len(refs) > 0 {
		dst = append(dst, ']')
	}
	return dst
}

func appendOthers(dst []byte, refs []catalog.HostRef) []byte {
	if len(refs) == 0 {
		return dst
	}
	text, err := json.Marshal(refs)
	if err != nil {
		return dst // names are always written
	}
	return append(append(dst, `,"others":`...), text...)
}

func appendHoliday(dst []byte, name string) []byte {
	if name == "" {
		return dst
	}
	text, err := json.Marshal(name)
	if err != nil {
		return dst // a text is always written
	}
	return append(append(dst, `,"holiday":`...), text...)
}

// appendOptional appends text, which needs no escaping, as a JSON string, or null for "".
func appendOptional(dst []byte, text string) []byte {
	if text == "" {
		return append(dst, `null`...)
	}
	return append(append(append(dst, '"'), text...), '"')
}

// Result runs the search: the open starts in [from, to), earliest first.
func (q *Search) Result(ctx context.Context, r Reader) (*Result, error) {
	defer q.work.end()
	found, closed, stopped, err := q.run(ctx, r, q.from, q.to, q.limit+1)
	if err != nil {
		return nil, err
	}
	if len(closed) > maxClosed {
		return nil, fault.Invalid("explain", "that span has more than %d closed times; ask for fewer days, or for one host",
			maxClosed)
	}
	res := &Result{search: q, found: found, closed: closed}
	if len(found) > q.limit {
		res.found = found[:q.limit]
		res.goOnBehind(q.days.behind(found[q.limit-1].Start, q.zone))
	} else if stopped != 0 {
		behind := int64(stopped) - 1
		if n := len(found); n > 0 {
			behind = max(behind, q.days.behind(found[n-1].Start, q.zone))
		}
		res.goOnBehind(behind)
	}
	if q.explain {
		until := q.to
		if stopped != 0 {
			until = stopped
		} else if res.NextCursor != "" {
			until = when.Instant(found[q.limit-1].Start) + 1 // the next page begins there
		}
		res.outside = slot.Outside(q.emptyRequest(q.from, until, 0))
	}
	if len(found) == 0 {
		if res.SearchedUntil = stopped; stopped == 0 {
			res.NextAvailable, res.SearchedUntil, err = q.next(ctx, r, q.to)
		}
	}
	return res, err
}

func (v *Result) goOnBehind(instant int64) {
	v.NextCursor, v.behind = v.search.cursor(instant), instant
}

// NextSlots returns the first n open slots at or after from, or fewer if the search stopped early.
func (q *Search) NextSlots(ctx context.Context, r Reader, from when.Instant, n int) ([]Slot, error) {
	defer q.work.end()
	found, _, err := q.first(ctx, r, from, n)
	return q.slots(found), err
}
