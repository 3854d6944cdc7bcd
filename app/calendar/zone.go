package calendar

import (
	"fmt"
	"time"

	ics "github.com/arran4/golang-ical"
)

// addZone defines a time zone from start to end: the offset in force at the start, every change until the end, and one
// more. One event needs no more than that, and it is true, while a rule that goes on for ever would be a guess.
func addZone(c *ics.Calendar, zone *time.Location, start, end time.Time) {
	z := c.AddTimezone(zone.String())
	from, next := start.In(zone).ZoneBounds()
	if from.IsZero() { // the offset has always held
		addObservance(z, start.In(zone), time.Date(1970, 1, 1, 0, 0, 0, 0, time.UTC), start.In(zone))
	} else {
		addObservance(z, from.Add(-time.Second).In(zone), from, from.In(zone))
	}
	for !next.IsZero() {
		at := next
		addObservance(z, at.Add(-time.Second).In(zone), at, at.In(zone))
		if at.After(end) {
			return
		}
		_, next = at.In(zone).ZoneBounds()
	}
}

// addObservance says that from an instant on the offset of after holds, where that of before held.
func addObservance(z *ics.VTimezone, before, at, after time.Time) {
	name, offset := after.Zone()
	_, old := before.Zone()
	begins := at.In(time.FixedZone("", old)).Format(wallClock)
	var part *ics.ComponentBase
	if after.IsDST() {
		d := &ics.Daylight{}
		z.Components, part = append(z.Components, d), &d.ComponentBase
	} else {
		s := ics.NewStandard()
		z.Components, part = append(z.Components, s), &s.ComponentBase
	}
	part.SetProperty(ics.ComponentPropertyDtStart, begins)
	part.SetProperty(ics.ComponentProperty(ics.PropertyTzoffsetfrom), offsetText(old))
	part.SetProperty(ics.ComponentProperty(ics.PropertyTzoffsetto), offsetText(offset))
	part.SetProperty(ics.ComponentProperty(ics.PropertyTzname), name)
}

func offsetText(seconds int) string {
	sign := '+'
	if seconds < 0 {
		sign, seconds = '-', -seconds
	}
	if s := seconds % 60; s != 0 {
		return fmt.Sprintf("%c%02d%02d%02d", sign, seconds/3600, seconds/60%60, s)
	}
	return fmt.Sprintf("%c%02d%02d", sign, seconds/3600, seconds/60%60)
}
