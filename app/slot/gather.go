package slot

// gather merges the hosts' candidates, each ascending, by start: the open ones of
// equal start become one slot. It stops after the limit-th slot.
func gather(runs [][]candidate, limit int) (slots []Slot, closed []Closed) {
	for {
		start, any := earliest(runs)
		if !any || limit > 0 && len(slots) == limit {
			return slots, closed
		}
		slot, begun := Slot{Start: start}, false
		for i := range runs {
			if len(runs[i]) == 0 || runs[i][0].start != start {
				continue
			}
			c := runs[i][0]
			runs[i] = runs[i][1:]
			if c.reason != Open {
				closed = append(closed, Closed{c.start, c.end, i, c.reason})
				continue
			}
			if len(slot.Hosts) == 0 || c.begun && !begun {
				slot.End = c.end
			}
			begun = begun || c.begun
			slot.Hosts = append(slot.Hosts, i)
			slot.SeatsRemaining += c.seats
		}
		if len(slot.Hosts) > 0 {
			slots = append(slots, slot)
		}
	}
}

// earliest returns the first start of all runs.
func earliest(runs [][]candidate) (start int64, any bool) {
	for _, run := range runs {
		if len(run) > 0 && (!any || run[0].start < start) {
			start, any = run[0].start, true
		}
	}
	return start, any
}
