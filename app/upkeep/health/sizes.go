package health

import (
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"time"

	"daybook/app/fault"
	"daybook/app/when"
	"daybook/views/finding"
)

const (
	sizesName   = "sizes" // a server value: history
	everySample = time.Hour
	hoursKept   = 7 * 24
	daysKept    = 90
	growthDays  = 30 // of which the pace of the database is taken
	growthKnown = 24 * time.Hour
)

// history is how large the database was: a sample for each hour of a week, and one for each day of 90.
type history struct {
	Hours []sample `json:"hours"`
	Days  []sample `json:"days"`
}

// sample is how large the database was, and how much room its disk had; -1 where that can't be known.
type sample struct {
	At       when.Instant
	Database int64
	Free     int64
}

// MarshalJSON writes a sample as three numbers.
func (s sample) MarshalJSON() ([]byte, error) {
	return json.Marshal([3]int64{int64(s.At), s.Database, s.Free})
}

// UnmarshalJSON reads them.
func (s *sample) UnmarshalJSON(text []byte) error {
	var n [3]int64
	err := json.Unmarshal(text, &n)
	s.At, s.Database, s.Free = when.Instant(n[0]), n[1], n[2]
	return err
}

// add keeps a sample, and forgets those that are too old. It reports false when it isn't time yet.
func (h *history) add(s sample) bool {
	// A sample from the future is of before the clock was set back.
	before := func(all []sample) []sample {
		for len(all) > 0 && all[len(all)-1].At > s.At {
			all = all[:len(all)-1]
		}
		return all
	}
	h.Hours, h.Days = before(h.Hours), before(h.Days)
	if n := len(h.Hours); n > 0 && s.At < h.Hours[n-1].At.Add(everySample) {
		return false
	}
	h.Hours = append(h.Hours, s)
	h.Hours = h.Hours[max(0, len(h.Hours)-hoursKept):]
	if n := len(h.Days); n == 0 || s.At >= h.Days[n-1].At.Add(when.Day) {
		h.Days = append(h.Days, s)
		h.Days = h.Days[max(0, len(h.Days)-daysKept):]
	}
	return true
}

// last returns the newest sample's time; 0 for none.
func (h *history) last() when.Instant {
	if len(h.Hours) == 0 {
		return 0
	}
	return h.Hours[len(h.Hours)-1].At
}

// pace is by how much a value changes in a day: the straight line with the least squares through the samples since
// then. It is unknown unless they span at least that long.
func pace(samples []sample, since when.Instant, least time.Duration, value func(*sample) int64) (aDay float64,
	known bool) {
	var n, sumX, sumY, sumXX, sumXY float64
	var first, last when.Instant
	for i := range samples {
		s := &samples[i]
		v := value(s)
		if s.At < since || v < 0 {
			continue
		}
		if n == 0 {
			first = s.At
		}
		last = s.At
		x, y := float64(s.At-first)/float64(when.Day.Milliseconds()), float64(v)
		n, sumX, sumY, sumXX, sumXY = n+1, sumX+x, sumY+y, sumXX+x*x, sumXY+x*y
	}
	if spread := n*sumXX - sumX*sumX; n > 2 && spread > 0 && last-first >= when.Instant(least.Milliseconds()) {
		return (n*sumXY - sumX*sumY) / spread, true
	}
	return 0, false
}

// untilFull estimates how long the room that is free lasts, if it goes on as in the last week. Without end is a
// hundred years.
func untilFull(samples []sample, free int64, now when.Instant) (time.Duration, bool) {
	const century = 100 * 365 * when.Day
	aDay, known := pace(samples, now.Add(-7*when.Day), diskKnown, func(s *sample) int64 { return s.Free })
	if !known || aDay >= 0 {
		return century, known
	}
	days := min(float64(free)/-aDay, 100*365)
	return time.Duration(days * float64(when.Day)), true
}

func (s *Service) sizes(r Reader) (h history, text string, err error) {
	text, err = r.ServerValue(sizesName)
	if errors.Is(err, fault.ErrNotFound) {
		return h, "", nil
	}
	if err == nil {
		err = json.Unmarshal([]byte(text), &h)
	}
	return h, text, err
}

// Sample saves the size of the database once an hour, on any one of its servers.
func (s *Service) Sample(ctx context.Context) error {
	now := when.At(s.Core.Now())
	h, _, err := s.sizes(s.Reader(ctx))
	if err != nil || h.last() != 0 && now < h.last().Add(everySample) && h.last() <= now {
		return err
	}
	database, _, err := s.machine.bytes(ctx)
	if errors.Is(err, ErrUnknown) {
		return nil
	}
	if err != nil {
		return err
	}
	is := sample{At: now, Database: database, Free: -1}
	if s.machine.Path != "" {
		if space, err := s.machine.Space(filepath.Dir(s.machine.Path)); err == nil {
			is.Free = space.Free
		}
	}
	return s.Quietly(ctx, func(tx Tx) error {
		h, old, err := s.sizes(tx) // another server may have been faster
		if err != nil || !h.add(is) {
			return err
		}
		text, err := json.Marshal(h)
		if err == nil {
			_, err = tx.SwapServerValue(sizesName, old, string(text))
		}
		return err
	})
}

// database returns the size of the database and its growth, and of its log.
func (s *Service) database(database, log int64, h *history, now when.Instant) (all []finding.Finding) {
	facts := []finding.Fact{finding.Bytes("Size", database)}
	samples := h.Days
	if len(samples) < growthDays/4 {
		samples = h.Hours
	}
	aDay, known := pace(samples, now.Add(-growthDays*when.Day), growthKnown, func(s *sample) int64 { return s.Database })
	switch {
	case !known:
		all = append(all, ok("size", "size_new", facts...))
	case aDay < 1e3:
		all = append(all, ok("size", "size_steady", facts...))
	default:
		all = append(all, ok("size", "size_growing", append(facts, finding.Bytes("Growth", int64(aDay)))...))
	}
	if s.machine.Path == "" {
		return all
	}
	f := ok("log", "log_ok", finding.Bytes("Size", log))
	if log > logLarge {
		f = wrong(finding.Warning, finding.OnToday, "log", "log_large", f.Facts...)
	}
	return append(all, local(f))
}
