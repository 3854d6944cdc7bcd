package setup

import (
	"time"

	"daybook/app/catalog"
	about "daybook/app/field"
	"daybook/app/slot"
	"daybook/app/when"
)

// TimeOffDocument is a TimeOff in a Document: two times, or the first and the last day. One that repeats has times on
// the clock of the zone.
type TimeOffDocument struct {
	Start  string          `json:"start"`
	End    string          `json:"end"`
	Reason string          `json:"reason,omitempty"`
	Repeat *catalog.Repeat `json:"repeat,omitempty"`
}

func timeOffDocuments(all []catalog.TimeOff, timeZone string) []TimeOffDocument {
	written := make([]TimeOffDocument, len(all))
	for i, t := range all {
		written[i] = timeOffDocument(t, timeZone)
	}
	return written
}

// timeOffDocument writes whole days of the zone as dates, the last one included.
func timeOffDocument(t catalog.TimeOff, timeZone string) TimeOffDocument {
	zone, err := time.LoadLocation(timeZone)
	if err == nil {
		first, last := t.Start.Time().In(zone), when.AddDays(t.End.Time().In(zone), -1)
		days := TimeOffDocument{first.Format(time.DateOnly), last.Format(time.DateOnly), t.Reason, t.Repeat}
		start, startErr := dayOrInstant(days.Start, zone, 0)
		end, endErr := dayOrInstant(days.End, zone, 1)
		if startErr == nil && endErr == nil && start == t.Start && end == t.End {
			return days
		}
		if t.Repeat != nil {
			return TimeOffDocument{first.Format(wallTime), t.End.Time().In(zone).Format(wallTime), t.Reason, t.Repeat}
		}
	}
	return TimeOffDocument{t.Start.String(), t.End.String(), t.Reason, t.Repeat}
}

// timeOffField reads spans whose ends are times, or days of the zone of the host or workspace: "end" is then the last
// day off, and may be left out when it is the first one too.
func timeOffField(p *changes, to func(any) *[]catalog.TimeOff) field {
	return func(v at) error {
		var given []timeOffPatch
		p.last = append(p.last, func(t any) error {
			zone, err := catalog.CheckZone("timeZone", about.In(t, "timeZone").String())
			if err != nil {
				zone = time.UTC // Check reports the zone
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
				"repeat": func(v at) (err error) { t.repeat, err = readRepeat(v); return err },
			}, "start")
			given = append(given, t)
			return err
		})
	}
}

// readRepeat reads when a time off comes again; null says that it does not.
func readRepeat(v at) (*catalog.Repeat, error) {
	if v.null() {
		return nil, nil
	}
	r := catalog.Repeat{Every: 1, Unit: catalog.Weekly}
	err := v.object(map[string]field{
		"every":  func(v at) (err error) { r.Every, err = readWhole(v); return err },
		"unit":   keep(&r.Unit),
		"days":   func(v at) (err error) { r.Days, err = orNull(readTexts)(v); return err },
		"until":  func(v at) (err error) { r.Until, err = orNull(readText[string])(v); return err },
		"except": func(v at) (err error) { r.Except, err = orNull(readTexts)(v); return err },
	})
	return &r, err
}

// readHolidays reads whose public holidays are days off; null says that none are.
func readHolidays(v at) (*catalog.Holidays, error) {
	if v.null() {
		return nil, nil
	}
	var h catalog.Holidays
	err := v.needs(map[string]field{
		"country": keep(&h.Country),
		"region":  func(v at) (err error) { h.Region, err = orNull(readText[string])(v); return err },
	}, "country")
	return &h, err
}

// wallTime is how a time on the clock of the zone is written.
const wallTime = "2006-01-02T15:04"

// keepDayOrTime returns a day, or a time with or without a zone, that is kept in to.
func keepDayOrTime(to *string) field {
	return func(v at) (err error) {
		if *to, err = readText[string](v); err != nil {
			return err
		}
		if _, err := slot.ParseDate(*to); err == nil {
			return nil
		}
		if _, err := time.Parse(wallTime, *to); err == nil {
			return nil
		}
		if _, err := when.Parse(*to); err != nil {
			return v.wrong("expected a day such as 2026-12-24, a time of the zone such as 2026-12-24T12:00, or a time with a " +
				"zone such as 2026-12-24T12:00:00Z")
		}
		return nil
	}
}

// timeOffPatch is a time off as the file has it.
type timeOffPatch struct {
	at                 at
	start, end, reason string
	repeat             *catalog.Repeat
}

func (t timeOffPatch) in(zone *time.Location) (catalog.TimeOff, error) {
	off := catalog.TimeOff{Reason: t.reason, Repeat: t.repeat}
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

// dayOrInstant returns a time, or the start of the day that is days after the given one.
func dayOrInstant(text string, zone *time.Location, days int) (when.Instant, error) {
	_, notDay := slot.ParseDate(text)
	if _, err := time.Parse(wallTime, text); err == nil || notDay == nil {
		return catalog.WallClock("timeOff", text, zone, days)
	}
	return when.Parse(text)
}
