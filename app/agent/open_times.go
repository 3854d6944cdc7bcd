package agent

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"daybook/app/availability"
	rules "daybook/app/slot"
	"daybook/app/when"
)

// openTimes is a list of open times as check_availability answers it where more is to be said than what REST says: the
// business's own time beside another zone's, and what to do when there is none.
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
	EventType      string          `json:"eventType,omitempty"`
	Start          when.Instant    `json:"start"`
	End            when.Instant    `json:"end"`
	Local          string          `json:"local"`
	AtBusiness     string          `json:"atBusiness,omitempty"`
	Hosts          json.RawMessage `json:"hosts"`
	SeatsRemaining int             `json:"seatsRemaining,omitempty"`
	ByHost         json.RawMessage `json:"offers,omitempty"`
	Items          json.RawMessage `json:"items,omitempty"`
}

// told adds to the answer what it lacks for who asked; one that lacks nothing stays as it is. zone is the business's.
func (q *asked) told(answer any, zone *time.Location) (any, error) {
	var shown string
	var found int
	switch a := answer.(type) {
	case *availability.Result:
		shown, found = a.TimeZone(), a.Len()
	case *availability.Visits:
		shown, found = a.TimeZone, len(a.Data)
	case availability.Several:
		shown, found = a.TimeZone, len(a.Data)
	}
	elsewhere := shown != zone.String()
	if found > 0 && !elsewhere {
		return answer, nil
	}
	text, err := json.Marshal(answer)
	if err != nil {
		return nil, err
	}
	var v openTimes
	if err := json.Unmarshal(text, &v); err != nil {
		return nil, err
	}
	if elsewhere {
		v.BusinessTimeZone = zone.String()
		for i := range v.Data {
			v.Data[i].AtBusiness = v.Data[i].Start.Time().In(zone).Format(time.RFC3339)
		}
	}
	if found == 0 {
		v.Hint = q.hint(&v)
	}
	return v, nil
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
	if q.Host != "" {
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
