package catalog

import (
	"fmt"
	"slices"

	"daybook/app/fault"
	"daybook/app/field"
	"daybook/app/money"
)

// AddOn is something extra that is booked with an event type: it takes longer and costs more. Its ID names it within
// the event type.
type AddOn struct {
	ID      string       `json:"id"`
	Title   string       `json:"title"`
	Minutes int          `json:"minutes"`
	Price   *money.Money `json:"price"`           // nil is free
	Group   string       `json:"group,omitempty"` // the ID of an AddOnGroup; "" stands alone
	Part    int          `json:"part,omitempty"`  // that it lengthens, counted from 1; 0 is the last
}

// AddOnGroup is a group of add-ons: Required asks for one, Max allows so many.
type AddOnGroup struct {
	ID       string `json:"id"`
	Title    string `json:"title"`
	Required bool   `json:"required"` // at least one
	Max      int    `json:"max"`      // at most so many; 0 is any number
}

const (
	MaxAddOns       = 30  // of an event type
	maxAddOnGroups  = 10  // of an event type
	maxAddOnTitle   = 100 // characters
	maxAddOnMinutes = 24 * 60
)

// AddOnFields describes add-ons.
var AddOnFields = field.Resource{
	Text: "Something extra that is booked with the event type.", Agents: "An add-on.",
	Fields: []field.Field{
		{Name: "id", Public: true, Guests: "id", Text: "Its name in requests: 1 to 40 of a-z, A-Z, 0-9, - and _.",
			Agents: "What create_booking takes in addOns.", InFile: true, Required: true, Example: "beard"},
		{Name: "title", Public: true, Guests: "title", Text: "Its name.", Agents: "Name for people.", Least: 1, Most: maxAddOnTitle, InFile: true,
			Required: true},
		{Name: "minutes", Public: true, Guests: "minutes", Text: "How much longer the booking takes.", Agents: "Minutes it adds.", Most: maxAddOnMinutes,
			InFile: true},
		{Name: "price", Public: true, Guests: "price", Of: &money.MoneyFields, Text: "What it adds to the price; null is nothing.", Agents: "What it adds to the price.",
			InFile: true},
		{Name: "group", Public: true, Text: "Id of the group that it is chosen from; empty stands alone.",
			Agents: "Id of its group; empty when it stands alone.", InFile: true, Clears: true},
		{Name: "part", Public: true, Text: "Which part of the service it makes longer, counted from 1; the last one when left out.",
			Agents: "Which part of the service it makes longer, counted from 1; absent is the last.", Most: MaxParts,
			InFile: true, Clears: true},
	},
}

// AddOnGroupFields describes groups of add-ons.
var AddOnGroupFields = field.Resource{
	Text: "A set of add-ons to choose from.", Agents: "A group of add-ons.",
	Fields: []field.Field{
		{Name: "id", Public: true, Text: "Its name: 1 to 40 of a-z, A-Z, 0-9, - and _.", InFile: true, Required: true,
			Example: "colour"},
		{Name: "title", Public: true, Text: "What is chosen.", Agents: "Name for people.", Least: 1, Most: maxAddOnTitle, InFile: true,
			Required: true},
		{Name: "required", Public: true, Text: "Whether one must be chosen.", InFile: true},
		{Name: "max", Public: true, Text: "How many may be chosen; 0 is any number.", Most: MaxAddOns, InFile: true},
	},
}

// Extras are the add-ons of an event type.
type Extras struct {
	AddOns []AddOn
	Groups []AddOnGroup
}

// Check normalises the add-ons and groups in place; at is the event type's place in the input, price checks an amount,
// and shared says that several customers book the same session.
func (x Extras) Check(at string, shared bool, price func(at string, m **money.Money) error) error {
	var p fault.Problems
	if len(x.AddOns) > MaxAddOns || len(x.Groups) > maxAddOnGroups {
		return fault.Invalid(at+".addOns", "at most %d, in at most %d groups", MaxAddOns, maxAddOnGroups)
	}
	groups, seen := map[string]bool{}, map[string]bool{}
	for i := range x.Groups {
		g, at := &x.Groups[i], fmt.Sprintf("%s.addOnGroups[%d]", at, i)
		if !fault.KeyForm.MatchString(g.ID) || groups[g.ID] {
			p.Add(fault.Invalid(at+".id", "must be 1 to 40 of a-z, A-Z, 0-9, - and _, and stand once"))
		}
		groups[g.ID] = true
		var err error
		g.Title, err = fault.CheckLine(at+".title", g.Title, 1, maxAddOnTitle)
		p.Add(err)
		if g.Max < 0 || g.Max > MaxAddOns {
			p.Add(fault.Invalid(at+".max", "must lie between %d and %d", 0, MaxAddOns))
		}
		if !slices.ContainsFunc(x.AddOns, func(a AddOn) bool { return a.Group == g.ID }) {
			p.Add(fault.Invalid(at+".id", "%q has no add-on: name it as the group of one, or leave it out", g.ID))
		}
	}
	for i := range x.AddOns {
		a, at := &x.AddOns[i], fmt.Sprintf("%s.addOns[%d]", at, i)
		if !fault.KeyForm.MatchString(a.ID) || seen[a.ID] {
			p.Add(fault.Invalid(at+".id", "must be 1 to 40 of a-z, A-Z, 0-9, - and _, and stand once"))
		}
		seen[a.ID] = true
		var err error
		a.Title, err = fault.CheckLine(at+".title", a.Title, 1, maxAddOnTitle)
		p.Add(err)
		if a.Minutes < 0 || a.Minutes > maxAddOnMinutes {
			p.Add(fault.Invalid(at+".minutes", "must lie between %d and %d", 0, maxAddOnMinutes))
		}
		if a.Minutes > 0 && shared {
			p.Add(fault.Invalid(at+".minutes", "must be 0 where several share a session: its seats end together"))
		}
		if a.Group != "" && !groups[a.Group] {
			p.Add(fault.Invalid(at+".group", "%q is none of addOnGroups", a.Group))
		}
		p.Add(price(at+".price", &a.Price))
	}
	return p.Err()
}

// Take returns the add-ons with these ids, in their own order. title is that of the event type, for the error. Errors:
// bad_request, if they can't be chosen together.
func (x Extras) Take(title string, ids []string) (taken []AddOn, err error) {
	var wrong fault.Problems
	for i, id := range ids {
		at := fmt.Sprintf("addOns[%d]", i)
		switch known := slices.ContainsFunc(x.AddOns, func(a AddOn) bool { return a.ID == id }); {
		case !known:
			wrong.Add(fault.Invalid(at, "%q is no add-on of %s", id, title))
		case slices.Contains(ids[:i], id):
			wrong.Add(fault.Invalid(at, "%s stands twice", id))
		}
		if i > MaxAddOns {
			break
		}
	}
	count := map[string]int{}
	for _, a := range x.AddOns {
		if slices.Contains(ids, a.ID) {
			taken = append(taken, a)
			count[a.Group]++
		}
	}
	for _, g := range x.Groups {
		switch n := count[g.ID]; {
		case g.Required && n == 0:
			wrong.Add(fault.Invalid("addOns", "choose one of %s", g.Title))
		case g.Max > 0 && n > g.Max:
			wrong.Add(fault.Invalid("addOns", "choose at most %d of %s", g.Max, g.Title))
		}
	}
	return taken, wrong.Err()
}

// Fit drops unknown ids and those over a group's maximum, and adds the first add-on of each required group of which
// none is chosen.
func (x Extras) Fit(ids []string) (fits []string) {
	taken := map[string]int{}
	for i := range x.AddOns {
		a := &x.AddOns[i]
		if g := x.group(a.Group); slices.Contains(ids, a.ID) && (g == nil || g.Max == 0 || taken[g.ID] < g.Max) {
			taken[a.Group]++
			fits = append(fits, a.ID)
		}
	}
	for _, g := range x.Groups {
		if !g.Required || taken[g.ID] > 0 {
			continue
		}
		if i := slices.IndexFunc(x.AddOns, func(a AddOn) bool { return a.Group == g.ID }); i >= 0 {
			fits = append(fits, x.AddOns[i].ID)
		}
	}
	return fits
}

func (x Extras) group(id string) *AddOnGroup {
	if i := slices.IndexFunc(x.Groups, func(g AddOnGroup) bool { return g.ID == id }); id != "" && i >= 0 {
		return &x.Groups[i]
	}
	return nil
}

// Least sums the smallest choice of each required group.
func (x Extras) Least(of func(*AddOn) int64) (sum int) {
	for _, g := range x.Groups {
		if !g.Required {
			continue
		}
		least, found := int64(0), false
		for i := range x.AddOns {
			if a := &x.AddOns[i]; a.Group == g.ID && (!found || of(a) < least) {
				least, found = of(a), true
			}
		}
		sum += int(least)
	}
	return sum
}
