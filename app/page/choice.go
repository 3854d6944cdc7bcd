package page

import (
	"slices"
	"strings"
	"time"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/views"
)

// participantsField has the names of those who come, one a line.
const participantsField = "participants"

// choose returns the event type as the address chooses it. What can't be chosen is left out of the address: an old link
// still leads to the calendar.
func (c *call) choose(e *catalog.EventType) (*catalog.EventType, error) {
	c.choice = e.Fit(catalog.Choice{AddOns: c.query.AddOnIDs(), Seats: c.query.Seats})
	c.query = c.query.WithChoice(c.choice.AddOns, c.choice.Seats)
	return e.Chosen(c.choice)
}

// chooseByForm is choose for a form that was sent. gone says that its choice can't be had any more, and that the event
// type is as near to it as can be.
func (c *call) chooseByForm(e *catalog.EventType, f form) (chosen *catalog.EventType, gone bool, err error) {
	sent := views.ReadQuery(f.values)
	c.query.AddOns, c.query.Seats = sent.AddOns, sent.Seats
	_, wrong := e.Chosen(catalog.Choice{AddOns: sent.AddOnIDs(), Seats: sent.Seats})
	chosen, err = c.choose(e)
	return chosen, wrong != nil, err
}

// ofChoice reports whether an error is about what was chosen.
func ofChoice(e *fault.Error) bool { return strings.HasPrefix(e.Field, "addOns") || e.Field == "seats" }

// choices returns what can be chosen of the event type; nil where that is nothing.
func (c *call) choices(e *catalog.EventType) *views.Choices {
	if !e.HasChoice() {
		return nil
	}
	view := &views.Choices{Action: c.eventPath(e, views.Query{}), Seats: e.Seats, Party: c.choice.Seats}
	for _, pair := range c.query.WithChoice(nil, 0).Pairs() {
		if pair.Name != "start" {
			view.Hidden = append(view.Hidden, pair)
		}
	}
	for _, g := range slices.Concat(e.AddOnGroups, []catalog.AddOnGroup{{}}) {
		group := views.ChoiceGroup{ID: g.ID, Title: g.Title, Required: g.Required, Max: g.Max}
		for i := range e.AddOns {
			if a := &e.AddOns[i]; a.Group == g.ID {
				group.Items = append(group.Items, views.ChoiceItem{ID: a.ID, Title: a.Title, More: c.adds(a),
					Picked: slices.Contains(c.choice.AddOns, a.ID)})
			}
		}
		if len(group.Items) > 0 {
			view.Groups = append(view.Groups, group)
		}
	}
	return view
}

// adds returns what an add-on adds to the length and the price.
func (c *call) adds(a *catalog.AddOn) string {
	var parts []string
	if a.Minutes > 0 {
		parts = append(parts, "+"+c.locale.Duration(time.Duration(a.Minutes)*time.Minute))
	}
	if a.Price != nil {
		parts = append(parts, "+"+c.locale.Money(*shownMoney(a.Price)))
	}
	return strings.Join(parts, " · ")
}

// addChosen sets what the event type was chosen with.
func addChosen(view *views.Event, e *catalog.EventType) {
	view.Seats = e.TakenSeats()
	for _, a := range e.TakenAddOns() {
		view.AddOns = append(view.AddOns, a.Title)
	}
}

// addBooked is addChosen for what was booked.
func addBooked(view *views.Event, b *booking.Booking) {
	view.AddOns, view.Seats = nil, b.Seats
	for _, a := range b.AddOns {
		view.AddOns = append(view.AddOns, a.Title)
	}
}

// participants asks for the names of those who come, where several may.
func (c *call) participants(f form) []views.Field {
	if c.choice.Seats < 2 {
		return nil
	}
	return []views.Field{{Name: participantsField, Kind: views.LongText, Label: c.locale.T("choice_names"),
		Hint: c.locale.T("choice_names_hint"), Value: f.values.Get(participantsField), Error: f.wrong[participantsField]}}
}

// names returns the lines of the field of participants.
func names(text string) (all []string) {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			all = append(all, line)
		}
	}
	return all
}

// wrongNames says what is wrong with the names of those who come, or "".
func (c *call) wrongNames(in *booking.BookInput) string {
	if _, err := booking.CheckParticipants(in.Participants, in.Seats); err != nil {
		return c.locale.T("choice_names_error", "Count", max(1, in.Seats), "Most", fault.MaxName)
	}
	return ""
}
