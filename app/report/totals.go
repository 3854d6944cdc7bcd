package report

import (
	"encoding/json"
	"strconv"

	"daybook/app/booking"
)

// Totals count bookings by status. As JSON they are an object with a number for each status, and total.
type Totals struct {
	Total int
	of    [booking.StatusCount]int // in the order of booking.Statuses
}

// Of returns how many bookings have one of the statuses.
func (t *Totals) Of(statuses ...booking.Status) (n int) {
	for _, s := range statuses {
		n += t.of[s.Index()]
	}
	return n
}

func (t *Totals) add(s booking.Status) {
	t.Total++
	t.of[s.Index()]++
}

func (t *Totals) plus(other *Totals) {
	t.Total += other.Total
	for i, n := range other.of {
		t.of[i] += n
	}
}

// MarshalJSON writes every status, in the order of booking.Statuses, and total.
func (t Totals) MarshalJSON() ([]byte, error) {
	out := []byte{'{'}
	for i, s := range booking.Statuses {
		out = append(strconv.AppendQuote(out, string(s)), ':')
		out = append(strconv.AppendInt(out, int64(t.of[i]), 10), ',')
	}
	return append(strconv.AppendInt(append(out, `"total":`...), int64(t.Total), 10), '}'), nil
}

// UnmarshalJSON reads what MarshalJSON writes.
func (t *Totals) UnmarshalJSON(text []byte) error {
	var counts map[string]int
	if err := json.Unmarshal(text, &counts); err != nil {
		return err
	}
	t.Total = counts["total"]
	for i, s := range booking.Statuses {
		t.of[i] = counts[string(s)]
	}
	return nil
}
