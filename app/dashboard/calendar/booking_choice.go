package calendar

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/views"
	"daybook/views/dash"
)

// chosenIn returns what a form chooses of the event type, as far as it can be chosen.
func chosenIn(q url.Values, e *catalog.EventType) catalog.Choice {
	return chosenOf(q["addOns"], q.Get("seats"), e)
}

func chosenOf(addOns []string, persons string, e *catalog.EventType) catalog.Choice {
	seats, err := strconv.Atoi(persons)
	if err != nil {
		seats = 1
	}
	return e.Fit(catalog.ReadChoice(strings.Join(addOns, ","), &seats))
}

// carryChoice has the links and forms of a page carry the choice on.
func carryChoice(choice catalog.Choice, keep url.Values) (hidden []views.Pair) {
	add := func(name, value string) {
		keep.Set(name, value)
		hidden = append(hidden, views.Pair{Name: name, Value: value})
	}
	if len(choice.AddOns) > 0 {
		add("addOns", strings.Join(choice.AddOns, ","))
	}
	if choice.Seats > 1 {
		add("seats", strconv.Itoa(choice.Seats))
	}
	return hidden
}

// choiceInputs ask what is booked of the event type, the n-th of the form: it decides which times there are.
func (c call) choiceInputs(e *catalog.EventType, choice catalog.Choice, n int) (all []dash.Input) {
	for _, g := range e.AddOnGroups {
		if g.Max != 1 {
			continue
		}
		in := dash.Input{Name: nth("addOns", n), Label: g.Title, Kind: "select"}
		if !g.Required {
			in.Options = append(in.Options, dash.Option{Label: "–"})
		}
		for i := range e.AddOns {
			if a := &e.AddOns[i]; a.Group == g.ID {
				in.Options = append(in.Options, dash.Option{Value: a.ID, Label: c.addOnLabel(a)})
				if slices.Contains(choice.AddOns, a.ID) {
					in.Value = a.ID
				}
			}
		}
		all = append(all, in)
	}
	for i := range e.AddOns {
		a := &e.AddOns[i]
		if slices.ContainsFunc(e.AddOnGroups, func(g catalog.AddOnGroup) bool { return g.ID == a.Group && g.Max == 1 }) {
			continue
		}
		all = append(all, dash.Input{Name: nth("addOns", n), Label: c.addOnLabel(a), Kind: "check", Value: a.ID,
			Checked: slices.Contains(choice.AddOns, a.ID)})
	}
	if e.Seats > 1 {
		all = append(all, dash.Input{Name: "seats", Label: c.T("choice_seats"), Kind: "number", Min: "1",
			Max: strconv.Itoa(e.Seats), Value: strconv.Itoa(choice.Seats)})
	}
	return all
}

// choose adds to an input what the form chooses. An event type that is gone is refused by whoever books.
func (c call) choose(in *booking.BookInput, form url.Values) {
	in.Participants = lines(form.Get("participants"))
	if e := c.Setup.EventType(in.EventType); e != nil {
		choice := chosenIn(form, e)
		in.AddOns, in.Seats = choice.AddOns, choice.Seats
	}
}
