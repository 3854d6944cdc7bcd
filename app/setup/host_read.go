package setup

import (
	"time"

	"daybook/app/catalog"
	about "daybook/app/field"
	"daybook/app/slot"
	"daybook/app/when"
)

// weekField reads the hours of a week. A day that the file leaves out keeps its hours; null closes it, or all days.
func weekField[T any](p *patch[T], to func(*T) *map[string][]string) field {
	return func(v at) error {
		if v.null() {
			p.set = append(p.set, func(t *T) { *to(t) = nil })
			return nil
		}
		days := map[string][]string{}
		fields := map[string]field{}
		for _, day := range catalog.Weekdays {
			fields[day] = func(v at) (err error) {
				days[day], err = readTexts(v)
				return err
			}
		}
		p.set = append(p.set, func(t *T) {
			week := map[string][]string{}
			for _, day := range catalog.Weekdays {
				ranges, given := days[day]
				if !given {
					ranges = (*to(t))[day]
				}
				if len(ranges) > 0 {
					week[day] = ranges
				}
			}
			*to(t) = week
		})
		return v.object(fields)
	}
}

func readOverrides(v at) ([]catalog.Override, error) {
	if v.null() {
		return nil, nil
	}
	var all []catalog.Override
	err := v.list(catalog.MaxOverrides, func(v at) error {
		o := catalog.Override{Hours: []string{}}
		err := v.needs(map[string]field{
			"date":  keep(&o.Date),
			"hours": func(v at) (err error) { o.Hours, err = readTexts(v); return err },
		}, "date", "hours")
		all = append(all, o)
		return err
	})
	return all, err
}

// timeOffField reads spans whose ends are times, or days of the host's zone: "end" is then the last day off, and may
// be left out when it is the first one too.
func timeOffField[T any](p *patch[T], to func(*T) *[]catalog.TimeOff) field {
	return func(v at) error {
		var given []timeOffPatch
		p.last = append(p.last, func(t *T) error {
			zone, err := catalog.CheckZone("timeZone", about.In(t, "timeZone").String())
			if err != nil {
				zone = time.UTC // Host.Check reports the zone
			}
			var all []catalog.TimeOff
			for _, t := range given {
				off, err := t.in(zone)
				if err != nil {
					return err
				}
				all = append(all, off)
			}
			*to(t) = all
			return nil
		})
		if v.null() {
			return nil
		}
		return v.list(catalog.MaxTimeOff, func(v at) error {
			t := timeOffPatch{at: v}
			err := v.needs(map[string]field{
				"start":  keepDayOrTime(&t.start),
				"end":    keepDayOrTime(&t.end),
				"reason": func(v at) (err error) { t.reason, err = orNull(readText[string])(v); return err },
			}, "start")
			given = append(given, t)
			return err
		})
	}
}

// keepDayOrTime is a day, or a time with a zone, that is kept in to.
func keepDayOrTime(to *string) field {
	return func(v at) (err error) {
		if *to, err = readText[string](v); err != nil {
			return err
		}
		if _, err := slot.ParseDate(*to); err == nil {
			return nil
		}
		if _, err := when.Parse(*to); err != nil {
			return v.wrong("expected a day such as 2026-12-24, or a time with a zone such as 2026-12-24T12:00:00Z")
		}
		return nil
	}
}

// timeOffPatch is a time off as the file has it.
type timeOffPatch struct {
	at                 at
	start, end, reason string
}

func (t timeOffPatch) in(zone *time.Location) (catalog.TimeOff, error) {
	off := catalog.TimeOff{Reason: t.reason}
	var err error
	if off.Start, err = dayOrInstant(t.start, zone, 0); err != nil {
		return off, t.at.wrong("%v", err)
	}
	end := t.end
	if _, notDay := slot.ParseDate(t.start); end == "" && notDay == nil {
		end = t.start
	}
	if end == "" {
		return off, t.at.child("end", t.at.node).wrong("is required where start is a time and not a day")
	}
	if off.End, err = dayOrInstant(end, zone, 1); err != nil {
		return off, t.at.wrong("%v", err)
	}
	return off, nil
}

// dayOrInstant is a time with a zone, or the start of the day that is days after the given one.
func dayOrInstant(text string, zone *time.Location, days int) (when.Instant, error) {
	if _, err := slot.ParseDate(text); err == nil {
		return catalog.WallClock("timeOff", text, zone, days)
	}
	return when.Parse(text)
}
