package availability

import (
	"slices"

	"daybook/app/booking"
	"daybook/app/slot"
	"daybook/app/when"
)

// follows reports whether the item may be next where nobody waits: in the order given, all before it are done or may be
// done in a wait, and none behind it is done but in one.
func (a *arranging) follows(item int, done uint) bool {
	if a.of.choice.Order == booking.OrderAny {
		return true
	}
	for before := range item {
		if done&(1<<before) == 0 && !a.fills[before] {
			return false
		}
	}
	last := a.last()
	return last == nil || last.item < item
}

// inWaits tries the item with the host in the waits of the path, by start. False is the end of the search.
func (a *arranging) inWaits(item, host, turns int, rest int64, try func(placed, int)) bool {
	open, end := a.openings.minutes(item, false, false)[host], endOf(a.path)
	for k := range len(a.path) {
		q := a.path[k]
		for _, w := range booking.WaitsOf(a.works[q.item][q.host]) {
			for start := max(q.start+w.Start, a.path[len(a.path)-1].start); start < q.start+w.End && a.better(end+rest, turns); start += slot.Minute {
				if a.looked++; a.looked > a.most {
					return false
				}
				next, ok := open.Next(start)
				if start = next; !ok || start >= q.start+w.End {
					break
				}
				end, _ := open.End(start)
				p := placed{item: item, host: host, id: a.of.items[item].hosts[host].ID, start: start, end: end, within: true}
				if a.alone(&p) {
					try(p, turns)
				}
			}
		}
	}
	return true
}

// alone reports whether the invitee can be in the service and in those of the path.
func (a *arranging) alone(p *placed) bool {
	mine := a.stay(p)
	for i := range a.path {
		if theirs := a.stay(&a.path[i]); !mine.Apart(&theirs) {
			return false
		}
	}
	return true
}

func (a *arranging) stay(p *placed) booking.Stay {
	return booking.Stay{Start: when.Instant(p.start), End: when.Instant(p.end), DuringWait: a.fills[p.item],
		Waits: a.waits(p)}
}

// waits returns when the invitee waits in the service.
func (a *arranging) waits(p *placed) []slot.Span {
	waits := booking.WaitsOf(a.works[p.item][p.host])
	for i := range waits {
		waits[i].Start, waits[i].End = waits[i].Start+p.start, waits[i].End+p.start
	}
	return waits
}

// last returns the service of the path that the next one follows; nil where it is empty.
func (a *arranging) last() *placed {
	for i := range slices.Backward(a.path) {
		if !a.path[i].within {
			return &a.path[i]
		}
	}
	return nil
}
