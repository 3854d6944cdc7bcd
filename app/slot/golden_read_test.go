package slot

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"
)

// caseReader builds the request of a golden case line by line.
type caseReader struct {
	r    *Request
	zone *time.Location
}

func readCase(t *testing.T, text string) *Request {
	t.Helper()
	c := &caseReader{&Request{Rules: Rules{Seats: 1, Window: 9000 * time.Hour}}, time.UTC}
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		if len(words) == 0 || strings.HasPrefix(line, "#") {
			continue
		}
		if err := c.read(words[0], words[1:]); err != nil {
			t.Fatalf("%s: %v", strings.TrimSpace(line), err)
		}
	}
	return c.r
}

func (c *caseReader) read(key string, args []string) (err error) {
	switch key {
	case "zone":
		c.zone, err = time.LoadLocation(args[0])
	case "now":
		c.r.Now, err = c.time(args)
	case "from":
		c.r.From, err = c.time(args)
	case "to":
		c.r.To, err = c.time(args)
	case "dates":
		for at := int64(0); len(args) >= 2 && err == nil; args = args[2:] {
			at, err = c.time(args)
			c.r.Rules.Dates = append(c.r.Rules.Dates, at)
		}
	case "limit":
		c.r.Limit, err = strconv.Atoi(args[0])
	case "rules":
		err = c.rules(args)
	case "host":
		c.r.Hosts = append(c.r.Hosts, Host{Schedule: &Schedule{Zone: c.zone, Overrides: map[Date][]Range{}}})
	default:
		err = c.host(key, args, &c.r.Hosts[len(c.r.Hosts)-1])
	}
	return err
}

func (c *caseReader) host(key string, args []string, h *Host) (err error) {
	var span Span
	switch key {
	case "weekly":
		for day := time.Sunday; day <= time.Saturday; day++ {
			if name := strings.ToLower(day.String()[:3]); strings.Contains(args[0], name) || args[0] == "all" {
				h.Schedule.Weekly[day], err = ranges(args[1:])
			}
		}
	case "override":
		var d Date
		if d, err = ParseDate(args[0]); err == nil {
			h.Schedule.Overrides[d], err = ranges(args[1:])
		}
	case "off":
		span, err = c.span(args)
		h.TimeOff = append(h.TimeOff, span)
	case "busy":
		span, err = c.span(args)
		h.Busy = append(h.Busy, span)
	case "booked":
		err = c.booked(args, h)
	default:
		err = fmt.Errorf("unknown word")
	}
	return err
}

func ranges(args []string) (all []Range, err error) {
	for _, a := range args {
		r, err := ParseRange(a)
		if err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	return all, CheckDay(all)
}

// time reads "2027-03-28 02:30" in the zone, or with an offset as "02:30+01:00".
func (c *caseReader) time(args []string) (int64, error) {
	text := args[0] + "T" + args[1]
	if t, err := time.Parse("2006-01-02T15:04:05.999Z07:00", text); err == nil {
		return t.UnixMilli(), nil
	}
	if t, err := time.Parse("2006-01-02T15:04Z07:00", text); err == nil {
		return t.UnixMilli(), nil
	}
	t, err := time.ParseInLocation("2006-01-02T15:04", text, c.zone)
	return t.UnixMilli(), err
}

func (c *caseReader) span(args []string) (Span, error) {
	start, err := c.time(args)
	if err != nil {
		return Span{}, err
	}
	length, err := time.ParseDuration(args[2])
	return Span{start, start + length.Milliseconds()}, err
}

func (c *caseReader) booked(args []string, h *Host) error {
	span, err := c.span(args)
	b := Booking{Occupied: span, Start: span.Start, End: span.End, Same: true, Seats: 1}
	for _, a := range args[3:] {
		key, value, _ := strings.Cut(a, "=")
		length, bad := time.ParseDuration(value)
		switch {
		case a == "other":
			b.Same = false
		case key == "seats":
			b.Seats, err = strconv.Atoi(value)
		case key == "before" && bad == nil:
			b.Occupied.Start -= length.Milliseconds()
		case key == "after" && bad == nil:
			b.Occupied.End += length.Milliseconds()
		default:
			err = fmt.Errorf("unknown word %s", a)
		}
	}
	h.Booked = append(h.Booked, b)
	return err
}

func (c *caseReader) rules(args []string) (err error) {
	r := &c.r.Rules
	for _, a := range args {
		key, value, _ := strings.Cut(a, "=")
		length := map[string]*time.Duration{
			"duration": &r.Duration, "step": &r.Step, "before": &r.BufferBefore, "after": &r.BufferAfter,
			"notice": &r.MinimumNotice, "window": &r.Window}[key]
		switch {
		case length != nil:
			*length, err = time.ParseDuration(value)
		case key == "perday":
			r.MaxPerDay, err = strconv.Atoi(value)
		case key == "seats":
			r.Seats, err = strconv.Atoi(value)
		case key == "party":
			r.Party, err = strconv.Atoi(value)
		case key == "inactive":
			r.Inactive = true
		default:
			err = fmt.Errorf("unknown rule %s", a)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
