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
func (v *visit) choose(e *catalog.EventType) (*catalog.EventType, error) {
	v.choice = e.Fit(catalog.Choice{AddOns: v.query.AddOnIDs(), Seats: v.query.Seats})
	v.query = v.query.WithChoice(v.choice.AddOns, v.choice.Seats)
	return e.Chosen(v.choice)
}

// chooseByForm is choose for a form that was sent. gone says that its choice can't be had any more, and that the event
// type is as near to it as can be.
func (v *visit) chooseByForm(e *catalog.EventType, f form) (chosen *catalog.EventType, gone bool, err error) {
	sent := views.ReadQuery(f.values)
	v.query.AddOns, v.query.Seats = sent.AddOns, sent.Seats
	_, wrong := e.Chosen(catalog.Choice{AddOns: sent.AddOnIDs(), Seats: sent.Seats})
	chosen, err = v.choose(e)
	return chosen, wrong != nil, err
}

// ofChoice reports whether an error is about what was chosen.
func ofChoice(e *fault.Error) bool { return strings.HasPrefix(e.Field, "addOns") || e.Field == "seats" }

// choices are what can be chosen of the event type; nil where that is nothing.
func (v *visit) choices(e *catalog.EventType) *views.Choices {
	if !e.HasChoice() {
		return nil
	}
	c := &views.Choices{Action: v.eventPath(e, views.Query{}), Seats: e.Seats, Party: v.choice.Seats}
	for _, pair := range v.query.WithChoice(nil, 0).Pairs() {
		if pair.Name != "start" {
			c.Hidden = append(c.Hidden, pair)
		}
	}
	for _, g := range slices.Concat(e.AddOnGroups, []catalog.AddOnGroup{{}}) {
		group := views.ChoiceGroup{ID: g.ID, Title: g.Title, Required: g.Required, Max: g.Max}
		for i := range e.AddOns {
			if a := &e.AddOns[i]; a.Group == g.ID {
				group.Items = append(group.Items, views.ChoiceItem{ID: a.ID, Title: a.Title, More: v.adds(a),
					Picked: slices.Contains(v.choice.AddOns, a.ID)})
			}
		}
		if len(group.Items) > 0 {
			c.Groups = append(c.Groups, group)
		}
	}
	return c
}

// adds is what an add-on adds to the length and the price.
func (v *visit) adds(a *catalog.AddOn) string {
	var parts []string
	if a.Minutes > 0 {
		parts = append(parts, "+"+v.locale.Duration(time.Duration(a.Minutes)*time.Minute))
	}
	if a.Price != nil {
		parts = append(parts, "+"+v.locale.Money(*shownMoney(a.Price)))
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
func (v *visit) participants(f form) []views.Field {
	if v.choice.Seats < 2 {
		return nil
	}
	return []views.Field{{Name: participantsField, Kind: views.LongText, Label: v.locale.T("choice_names"),
		Hint: v.locale.T("choice_names_hint"), Value: f.values.Get(participantsField), Error: f.wrong[participantsField]}}
}

// names are the lines of the field of participants.
func names(text string) (all []string) {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			all = append(all, line)
		}
	}
	return all
}

// wrongNames says what is wrong with the names of those who come, or "".
func (v *visit) wrongNames(in *booking.BookInput) string {
	if _, err := booking.CheckParticipants(in.Participants, in.Seats); err != nil {
		return v.locale.T("choice_names_error", "Count", max(1, in.Seats), "Most", fault.MaxName)
	}
	return ""
}
