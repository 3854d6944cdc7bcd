package views

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Choices are what a visitor may choose of an event type before picking a time: add-ons, and how many come. Each choice
// has other open times, so it is sent as a form of its own, to the address of the calendar.
type Choices struct {
	Action string // without a query
	Hidden []Pair // the rest of the query
	Groups []ChoiceGroup
	Seats  int // how many may come with one booking; below 2 nobody is asked
	Party  int // how many come
}

// ChoiceGroup are add-ons to choose from.
type ChoiceGroup struct {
	Of       string // begins the names of its fields; "" is ChoiceField
	ID       string // "" is that of the add-ons which stand alone
	Title    string
	Required bool // at least one
	Max      int  // at most so many; 0 is any number
	Items    []ChoiceItem
}

// ChoiceItem is an add-on.
type ChoiceItem struct {
	ID, Title string
	More      string // what it adds: "+15 min · +€8"
	Picked    bool
}

// What an address may choose.
const (
	mostChosen = 30
	mostSeats  = 1000
)

var choiceID = regexp.MustCompile(`^[A-Za-z0-9_-]{1,40}$`)

// ChoiceField begins the names of the fields with add-ons: a group's follows, because the radio buttons of a group
// share a name.
const ChoiceField = "addOns"

func (g ChoiceGroup) name() string {
	of := cmp.Or(g.Of, ChoiceField)
	if g.ID == "" {
		return of
	}
	return of + "." + g.ID
}

func (g ChoiceGroup) radio() bool { return g.Max == 1 }

func (g ChoiceGroup) picked() bool {
	for _, item := range g.Items {
		if item.Picked {
			return true
		}
	}
	return false
}

// hint says how many of the group may be chosen, or "".
func (g ChoiceGroup) hint(p Page) string {
	switch {
	case g.Max == 1 && g.Required:
		return p.T("choice_one")
	case g.Max == 1:
		return ""
	case g.Max > 1 && g.Required:
		return p.T("choice_range", "Count", g.Max)
	case g.Max > 1:
		return p.T("choice_most", "Count", g.Max)
	case g.Required:
		return p.T("choice_least")
	}
	return ""
}

func (g ChoiceGroup) itemID(i int) string {
	return "choice-" + strings.TrimPrefix(g.Of, ChoiceField) + g.ID + "-" + strconv.Itoa(i)
}

// readChoice returns what the fields of a choice have: ids of add-ons, with commas between them.
func readChoice(v map[string][]string) string {
	var ids []string
	for _, name := range slices.Sorted(maps.Keys(v)) {
		if name != ChoiceField && !strings.HasPrefix(name, ChoiceField+".") {
			continue
		}
		for _, value := range v[name] {
			for id := range strings.SplitSeq(value, ",") {
				if choiceID.MatchString(id) && len(ids) < mostChosen {
					ids = append(ids, id)
				}
			}
		}
	}
	return strings.Join(ids, ",")
}

// AddOnIDs returns the ids of the add-ons that were chosen.
func (q Query) AddOnIDs() []string {
	if q.AddOns == "" {
		return nil
	}
	return strings.Split(q.AddOns, ",")
}

// WithChoice chooses add-ons, with commas between their ids, and how many come.
func (q Query) WithChoice(addOns []string, seats int) Query {
	q.AddOns, q.Seats = strings.Join(addOns, ","), seats
	return q
}
