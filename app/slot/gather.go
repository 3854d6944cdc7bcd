package slot

import (
	"cmp"
	"slices"
)

// gather merges the hosts' openings, each list ascending, by start: openings with the same start become one slot. It stops
// after the limit-th slot.
func gather(openings [][]opening, limit int) []Slot {
	if len(openings) == 1 {
		return ofOneHost(openings[0])
	}
	most, total := 0, 0
	for _, run := range openings {
		most = max(most, len(run))
		total += len(run)
	}
	if total == 0 {
		return nil
	}
	slots, hosts := make([]Slot, 0, most), make([]int, 0, total)
	var ends []int64 // as hosts, of the slots that end at several times
	for limit <= 0 || len(slots) < limit {
		start, ok := earliest(openings)
		if !ok {
			break
		}
		slot, from, first, begun, several := Slot{Start: start}, len(hosts), len(ends), false, false
		for i, run := range openings {
			if len(run) == 0 || run[0].start != start {
				continue
			}
			switch o := &run[0]; {
			case len(hosts) == from:
				slot.End, begun = o.end, o.begun
			case o.end != slot.End:
				several = true
				if o.begun && !begun || o.begun == begun && !begun && o.end < slot.End {
					slot.End, begun = o.end, o.begun
				}
			}
			begun = begun || run[0].begun
			hosts, ends = append(hosts, i), append(ends, run[0].end)
			slot.SeatsRemaining += int(run[0].seats)
			openings[i] = run[1:]
		}
		if several {
			slot.Ends = ends[first:len(ends):len(ends)]
		} else {
			ends = ends[:first]
		}
		slot.Hosts = hosts[from:len(hosts):len(hosts)]
		slots = append(slots, slot)
	}
	return slots
}

func ofOneHost(openings []opening) []Slot {
	if len(openings) == 0 {
		return nil
	}
	slots, hosts := make([]Slot, len(openings)), []int{0}
	for i, o := range openings {
		slots[i] = Slot{Start: o.start, End: o.end, Hosts: hosts, SeatsRemaining: int(o.seats)}
	}
	return slots
}

// earliest returns the first start of all lists.
func earliest(openings [][]opening) (start int64, ok bool) {
	for _, run := range openings {
		if len(run) > 0 && (!ok || run[0].start < start) {
			start, ok = run[0].start, true
		}
	}
	return start, ok
}

// order sorts the closed starts of several hosts. When limit was reached, it drops those after the last slot, because
// not every host has reported those.
func order(closed []Closed, slots []Slot, limit int) []Closed {
	slices.SortFunc(closed, func(a, b Closed) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.Host, b.Host))
	})
	if limit <= 0 || len(slots) < limit {
		return closed
	}
	last := slots[len(slots)-1].Start
	return slices.DeleteFunc(closed, func(c Closed) bool { return c.Start > last })
}
