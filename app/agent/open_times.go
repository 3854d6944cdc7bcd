package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"daybook/app/catalog"
	rules "daybook/app/slot"
	"daybook/app/subjects"
	"daybook/app/when"
)

// openTimes is a list of open times as check_availability answers it, with more than REST has: the names of the hosts,
// the business's own time beside another zone's, and what to do when nothing is open.
type openTimes struct {
	Data             []openTime      `json:"data"`
	HasMore          bool            `json:"hasMore"`
	NextCursor       *string         `json:"nextCursor"`
	TimeZone         string          `json:"timeZone"`
	BusinessTimeZone string          `json:"businessTimeZone,omitempty"`
	NextAvailable    *string         `json:"nextAvailable"`
	SearchedUntil    string          `json:"searchedUntil,omitempty"`
	Closed           json.RawMessage `json:"closed,omitempty"`
	UsualHours       json.RawMessage `json:"usualHours,omitempty"`
	Hint             string          `json:"hint,omitempty"`
}

type openTime struct {
	EventType      string           `json:"eventType,omitempty"`
	Start          when.Instant     `json:"start"`
	End            when.Instant     `json:"end"`
	Local          string           `json:"local"`
	AtBusiness     string           `json:"atBusiness,omitempty"`
	Hosts          []catalog.HostID `json:"hosts"`
	HostNames      []string         `json:"hostNames"`
	SeatsRemaining int              `json:"seatsRemaining,omitempty"`
	ByHost         json.RawMessage  `json:"offers,omitempty"`
	Items          json.RawMessage  `json:"items,omitempty"`
}

// told adds to the answer what it lacks for who asked.
func (q *asked) told(answer any, setup *catalog.Setup) (v openTimes, err error) {
	text, err := json.Marshal(answer)
	if err != nil {
		return v, err
	}
	if err := json.Unmarshal(text, &v); err != nil {
		return v, err
	}
	elsewhere := v.TimeZone != setup.Zone.String()
	if elsewhere {
		v.BusinessTimeZone = setup.Zone.String()
	}
	for i := range v.Data {
		t := &v.Data[i]
		if elsewhere {
			t.AtBusiness = t.Start.Time().In(setup.Zone).Format(time.RFC3339)
		}
		for _, id := range t.Hosts {
			t.HostNames = append(t.HostNames, nameOf(setup, id))
		}
	}
	if q.kept {
		v.Hint = "These are times of " + q.keptName + " only, whom the customer asked for: give another's name as host for theirs. "
	}
	if len(v.Data) == 0 {
		v.Hint += q.hint(&v)
	}
	v.Hint = strings.TrimSpace(v.Hint)
	return v, nil
}

// nameOf returns the name of a host.
func nameOf(setup *catalog.Setup, id catalog.HostID) string {
	if h := setup.Host(id); h != nil {
		return h.Name
	}
	return id.String() // removed since
}

// hint says what to do about an empty list.
func (q *asked) hint(v *openTimes) string {
	hint := "Nothing is open in this span."
	switch {
	case v.NextCursor != nil:
		return hint + " It was not searched to its end: call again with nextCursor as cursor."
	case v.NextAvailable != nil:
		hint += fmt.Sprintf(" The first open start after it is nextAvailable, %s: offer that, or ask again from there for "+
			"more.", *v.NextAvailable)
	case v.SearchedUntil != "":
		hint += " The search ended at searchedUntil: ask again from there."
	default:
		hint += " Nothing is open after it either, as far as people may book."
	}
	if q.Host != "" && !q.kept {
		hint += " Without host the others' times are found, too."
	}
	switch {
	case len(q.eventTypes) > 0 || len(q.services) > 0 || q.visit != "":
		return hint + " For the reasons ask for one service with explain: true."
	case !q.Explain:
		return hint + " Call again with explain: true to be told why."
	}
	return hint + why(v)
}

// orWait adds to the hint where the customer can ask to be told when a time comes free, if the booking page offers that.
func (q *asked) orWait(ctx context.Context, s *subjects.Set, setup *catalog.Setup, v *openTimes) error {
	e := setup.EventType(q.EventType)
	if e == nil || !e.Listed() {
		return nil
	}
	email, number, err := s.Waitlist.Ways(ctx, setup, e)
	if err == nil && (email || number) {
		v.Hint += " The customer can ask to be told when a time comes free: " + s.BaseURL() + "/" + setup.Workspace.Slug + "/_wait/" + e.Slug + "."
	}
	return err
}

// why says which rules close a span, and how the business can have it anyway.
func why(v *openTimes) string {
	var closed []struct{ Reason rules.Reason }
	json.Unmarshal(v.Closed, &closed) //nolint:errcheck // it was just written
	var against []string
	for _, c := range closed {
		if !slices.Contains(against, string(c.Reason)) {
			against = append(against, string(c.Reason))
		}
	}
	text := " closed has the reasons (" + strings.Join(against, ", ") + "), and usualHours the hosts' ordinary weeks."
	if slices.Contains(against, string(rules.Booked)) {
		return text
	}
	return text + " If the business itself wants a time in it anyway, create_booking takes the reasons as override."
}
