package availability

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/slot"
	"daybook/app/when"
)

// VisitInput holds the query of a search for a visit. Of the embedded Input, what is of one service is left empty.
type VisitInput struct {
	Input
	Items []booking.VisitItem
	booking.VisitChoice
	// ExcludeVisit names a visit that is to be moved, in place of Items.
	ExcludeVisit string
	// Moved are the visit's live bookings: Items are these, and their own times do not count as taken.
	Moved []booking.Booking
}

// Visit is a search for the times of a visit: for each of its services a search of its own, whose openings are put
// together. Only the start of the visit lies on a grid, that of the service which comes first; the others begin at any
// whole minute. Whoever, and whatever, is taken by two that follow each other has no buffer between them.
type Visit struct {
	items   []*Search
	addOns  [][]string
	keep    []catalog.HostID // by item, who has it now; 0 is nobody
	choice  booking.VisitChoice
	meeting bool // see meets
	waiving bool // see Waiving
	fewest  bool // run prefers hosts as fewestFirst has them, not by their ids
}

// Visits is a list of open times of a visit, the earliest first.
type Visits struct {
	Data          []Slot       `json:"data"`
	HasMore       bool         `json:"hasMore"`
	NextCursor    *string      `json:"nextCursor"`
	TimeZone      string       `json:"timeZone"`
	DatesTimeZone string       `json:"datesTimeZone,omitempty"`
	NextAvailable when.Instant `json:"nextAvailable"`
	SearchedUntil when.Instant `json:"searchedUntil,omitempty"`
}

// NewVisit checks the input of a search for a visit. Errors: those of New, about items.
func NewVisit(r Reader, setup *catalog.Setup, now time.Time, gate *Gate, in VisitInput) (*Visit, error) {
	if n := len(in.Items); n < 1 || n > booking.MaxVisitItems {
		return nil, fault.Invalid("items", "must be 1 to %d", booking.MaxVisitItems)
	}
	if err := in.VisitChoice.Check(); err != nil {
		return nil, err
	}
	named := make([]string, len(in.Items))
	for i := range in.Items {
		named[i] = in.Items[i].Host
	}
	if err := in.VisitChoice.CheckNamed(named); err != nil {
		return nil, err
	}
	v := &Visit{choice: in.VisitChoice, keep: make([]catalog.HostID, len(in.Items))}
	in.EventTypes = in.named()
	for i, item := range in.Items {
		one := in.Input
		one.EventType, one.Host, one.Choice = item.EventType, item.Host, catalog.Choice{AddOns: item.AddOns}
		if len(in.Moved) > 0 {
			one.ExcludeBooking = in.Moved[i].ID.String()
		}
		if i > 0 { // the span is that of the first
			one.From, one.To, one.Days, one.Cursor = "", "", nil, ""
		}
		q, err := New(r, setup, now, gate, one)
		if err != nil {
			return nil, InItem(err, i)
		}
		for j := range in.Moved {
			q.Beside([]booking.BookingID{in.Moved[j].ID})
		}
		if len(in.Moved) > 0 {
			v.keep[i] = in.Moved[i].Host.ID
		}
		v.items, v.addOns = append(v.items, q), append(v.addOns, item.AddOns)
	}
	v.meeting = v.meets()
	return v, v.Fits()
}

// InItem says of which item the error is.
func InItem(err error, i int) error {
	e := fault.Refusal(err)
	if e == nil || !slices.Contains([]string{"eventType", "host", "addOns", "start", "end"}, e.Field) {
		return err
	}
	return e.About(fmt.Sprintf("items[%d].%s", i, e.Field))
}

// named names the question, for its cursors.
func (in *VisitInput) named() string {
	var all []string
	for _, item := range in.Items {
		all = append(all, item.EventType+"/"+item.Host+"/"+strings.Join(item.AddOns, ";"))
	}
	return fmt.Sprint(strings.Join(all, ","), " ", in.Order, " ", in.SamePerson, " ", in.Gap(), in.ExcludeVisit)
}

// AmongVisit returns a search for a visit of services of which the caller has locked the hosts, in the order given.
func AmongVisit(items []*Search, choice booking.VisitChoice) *Visit {
	v := &Visit{items: items, addOns: make([][]string, len(items)), choice: choice, keep: make([]catalog.HostID, len(items))}
	v.meeting = v.meets()
	return v
}

// Keeping makes Arrange prefer for the item the host who has it now.
func (v *Visit) Keeping(item int, host catalog.HostID) { v.keep[item] = host }

// Fits refuses services that can't be booked in one visit.
func (v *Visit) Fits() error {
	place := v.items[0].place
	for _, q := range v.items {
		if q.place != 0 && place != 0 && q.place != place && q.ways() != nil {
			return fault.Invalid("items", "%s and the others take place at different places: book them apart", q.event.Title)
		}
		if place == 0 {
			place = q.place
		}
	}
	services := make([]*catalog.EventType, len(v.items))
	for i, q := range v.items {
		services[i] = q.event
	}
	return PaidTogether(v.items[0].setup, services)
}

// meets reports whether services of the visit may stand in each other's way although they follow each other: in a room
// that several need, by who is taken beside a host, or as more than a host may do of one service.
func (v *Visit) meets() bool {
	needy, times := 0, map[catalog.EventTypeID]bool{}
	for _, q := range v.items {
		if len(q.things()) > 0 {
			needy++
		}
		if q.beside > 0 && len(v.items) > 1 {
			return true
		}
		if times[q.event.ID] && q.rules.MaxPerDay > 0 {
			return true
		}
		times[q.event.ID] = true
	}
	return needy > 1
}

// PaidTogether refuses services that can't be paid, and have their cards saved, on one page: those of several currencies.
func PaidTogether(setup *catalog.Setup, services []*catalog.EventType) error {
	currency := ""
	for _, e := range services {
		if !setup.WaitsForPayment(e) {
			continue
		}
		if currency != "" && e.PricedIn() != currency {
			return fault.Invalid("items", "%s is paid online in another currency than the others: book it by itself", e.Title)
		}
		currency = e.PricedIn()
	}
	return nil
}

// Result runs the search: the open starts of the visit in the span asked for, earliest first.
func (v *Visit) Result(ctx context.Context, r Reader) (*Visits, error) {
	q := v.items[0]
	defer q.work.end()
	found, stopped, err := v.run(ctx, r, q.from, q.to, q.limit+1)
	if err != nil {
		return nil, err
	}
	res := &Visits{TimeZone: q.zone.String(), DatesTimeZone: q.datesZone}
	goOn := func(behind int64) {
		cursor := q.cursor(behind)
		res.HasMore, res.NextCursor = true, &cursor
	}
	if len(found) > q.limit {
		found = found[:q.limit]
		goOn(q.days.behind(found[q.limit-1][0].start, q.zone))
	} else if stopped != 0 {
		behind := int64(stopped) - 1
		if n := len(found); n > 0 {
			behind = max(behind, q.days.behind(found[n-1][0].start, q.zone))
		}
		goOn(behind)
	}
	if len(found) == 0 {
		if res.SearchedUntil = stopped; stopped == 0 {
			ahead, until, err := v.first(ctx, r, q.to, 1)
			if err != nil {
				return nil, err
			}
			if res.SearchedUntil = until; len(ahead) > 0 {
				res.NextAvailable, res.SearchedUntil = when.Instant(ahead[0][0].start), 0
			}
		}
	}
	res.Data = v.slots(found)
	return res, nil
}

// Zone returns the time zone of local times in the result.
func (v *Visit) Zone() *time.Location { return v.items[0].zone }

func (v *Visit) slots(found [][]placed) []Slot {
	all := make([]Slot, len(found))
	for i, path := range found {
		s := Slot{Start: when.Instant(path[0].start), End: when.Instant(endOf(path))}
		s.Local = s.Start.Time().In(v.items[0].zone).Format(time.RFC3339)
		for _, p := range path {
			if !slices.Contains(s.Hosts, p.id) {
				s.Hosts = append(s.Hosts, p.id)
			}
			s.Items = append(s.Items, SlotItem{v.items[p.item].event.Slug, p.id, when.Instant(p.start), when.Instant(p.end),
				v.addOns[p.item]})
		}
		all[i] = s
	}
	return all
}

// first finds the first n open starts at or after from, up to stopped or, if that is zero, up to the end of the booking
// window.
func (v *Visit) first(ctx context.Context, r Reader, from when.Instant,
	n int) (found [][]placed, stopped when.Instant, err error) {
	q := v.items[0]
	q.work.again(aheadWork)
	return v.run(ctx, r, from, q.now.Add(v.window())+1, n)
}

// window returns how far ahead a visit can start.
func (v *Visit) window() (longest time.Duration) {
	for i, q := range v.items {
		if v.begins(i) {
			longest = max(longest, q.rules.Window)
		}
	}
	return longest
}

// BeginsFirst reports whether the visit can begin with none but the first of its services.
func (v *Visit) BeginsFirst() bool { return len(v.items) == 1 || !v.begins(1) }

// begins reports whether the visit can begin with the service: in the order given, where all before it may be done in
// waits.
func (v *Visit) begins(item int) bool {
	for before := range item {
		if v.choice.Order != booking.OrderAny && !v.fills(before) {
			return false
		}
	}
	return true
}

// fills reports whether the service may be done in a wait of another one of the visit.
func (v *Visit) fills(item int) bool {
	if !v.items[item].event.DuringWait {
		return false
	}
	for i, q := range v.items {
		if i != item && (len(q.rules.Works) > 1 || !q.kept && len(q.event.Parts) > 1) {
			return true
		}
	}
	return false
}

// run finds the open starts in [from, to), at most limit (0 is all), as Search.run does.
func (v *Visit) run(ctx context.Context, r Reader, from, to when.Instant,
	limit int) (found [][]placed, stopped when.Instant, err error) {
	q := v.items[0]
	from, to = max(from, q.now), min(to, q.now.Add(v.window())+1)
	perDay := v.costPerDay()
	for from < to {
		end := min(to, from.Add(min(stretch(perDay, limit), visitStretch)))
		ok, err := q.work.begin(ctx, int(float64(perDay)*float64(end-from)/float64(when.Day.Milliseconds()))+v.hosts()*hostWork)
		if err != nil {
			return nil, 0, err
		}
		if !ok {
			return found, from, nil
		}
		o, err := v.load(r, from, end)
		if err != nil {
			return nil, 0, err
		}
		ranks := v.byID()
		if v.fewest {
			if ranks, err = v.fewestFirst(r, from); err != nil {
				return nil, 0, err
			}
		}
		a := o.arranging(ranks)
		for at := int64(from); ; at++ {
			start, ok := o.next(at)
			if !ok {
				break
			}
			if at = start; !v.wanted(start, found) {
				continue
			}
			looked := a.looked
			if best := a.at(start); best != nil {
				found = append(found, best)
				if limit > 0 && len(found) >= limit {
					return found, 0, nil
				}
			}
			if q.work.spent += a.looked - looked; q.work.spent > q.work.budget && at+1 < int64(to) {
				return found, when.Instant(at + 1), ctx.Err()
			}
		}
		from = end
	}
	return found, 0, ctx.Err()
}

// visitStretch is how much of the calendar is searched at once at most: the openings of all of it are found, however few
// are asked for. Those of a week take 1 ms for three plain services of four hosts, and 5 ms where these have parts, rooms
// and a second person (BenchmarkVisits).
const visitStretch = 7 * when.Day

// wanted reports whether the start is of the days asked for.
func (v *Visit) wanted(start int64, found [][]placed) bool {
	q := v.items[0]
	if q.days.all() {
		return true
	}
	last := int64(0)
	if len(found) > 0 {
		last = found[len(found)-1][0].start
	}
	return len(q.days.keep([]slot.Slot{{Start: start}}, q.zone, last)) > 0
}

// costPerDay returns what a day of the search costs, in starts that are judged: each minute of each host's hours, with
// and without the buffers at either end. Found by spans of starts, as those of sessions of one are, all of these take
// less than a fourth of it (BenchmarkVisits).
func (v *Visit) costPerDay() (cost int) {
	for _, q := range v.items {
		minutes := 0
		for _, h := range q.hosts {
			minutes += h.StartsPerDay(1)
		}
		if minutes *= q.startWork(); q.rules.Seats <= 1 && q.rules.Party <= 1 {
			minutes /= 4
		}
		cost += minutes
	}
	return cost
}

func (v *Visit) hosts() (n int) {
	for _, q := range v.items {
		n += len(q.hosts)
	}
	return n
}
