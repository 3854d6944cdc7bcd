package calendar

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/money"
	"daybook/views"
	"daybook/views/dash"
)

// editForm returns the form that corrects a booking. Its event type, host and length are asked for only while the
// booking takes place.
func (c call) editForm(b *booking.Booking) dash.Danger {
	v := dash.Danger{Title: c.T("edit_title"), Quiet: true, Submit: c.T("dash_save"),
		Hidden: []views.Pair{{Name: "version", Value: b.ETag()}, {Name: "addOnsOf", Value: b.EventType}}}
	add := func(in dash.Input) {
		in.ID = "edit-" + in.Name
		v.Inputs = append(v.Inputs, in)
	}
	if b.Status.Live() {
		v.Text = c.T("edit_told")
		types := dash.Input{Name: "type", Label: c.T("dash_type"), Kind: "select", Value: b.EventType}
		for i := range c.Setup.EventTypes {
			if e := &c.Setup.EventTypes[i]; e.Active || e.ID == b.EventTypeID {
				types.Options = append(types.Options, dash.Option{Value: e.Slug, Label: e.Title})
			}
		}
		add(types)
		if !c.Actor.Own() {
			hosts := dash.Input{Name: "host", Label: c.T("dash_host"), Kind: "select", Value: b.Host.ID.String()}
			for i := range c.Setup.Hosts {
				if h := &c.Setup.Hosts[i]; h.Active || h.ID == b.Host.ID {
					hosts.Options = append(hosts.Options, dash.Option{Value: h.ID.String(), Label: h.Name})
				}
			}
			add(hosts)
		}
		add(dash.Input{Name: "minutes", Label: c.T("edit_length"), Kind: "number", Min: "1", Max: "10080", Required: true,
			Value: strconv.Itoa(lengthOf(b)), Hint: c.T("edit_length_hint")})
	}
	for _, in := range slices.Concat(c.addOnInputs(b), c.partyInputs(b)) {
		add(in)
	}
	name := dash.Input{Name: "name", Label: c.T("dash_name"), Value: b.Invitee.Name, Required: true}
	if name.Value == booking.WalkIn {
		name.Value, name.Placeholder, name.Required = "", c.Invitee(b), false
	}
	add(name)
	if b.ContactID == 0 {
		add(dash.Input{Name: "email", Label: c.T("dash_email"), Kind: "email", Half: true, Hint: c.T("book_walk_in_later")})
		add(dash.Input{Name: "phone", Label: c.T("dash_phone"), Kind: "tel", Half: true})
	}
	add(dash.Input{Name: "notes", Label: c.T("dash_notes"), Kind: "area", Rows: 2, Value: b.Notes})
	add(dash.Input{Name: "internalNote", Label: c.T("edit_internal"), Kind: "area", Rows: 2, Value: b.InternalNote,
		Hint: c.T("edit_internal_hint")})
	return v
}

// addOnInputs ask which add-ons the booking has, while it takes place: one input for those of each group, and one for
// the rest. They say what each costs, and what the booking costs and takes without any.
func (c call) addOnInputs(b *booking.Booking) (all []dash.Input) {
	e := c.Setup.EventTypeByID(b.EventTypeID)
	if e == nil || len(e.AddOns) == 0 || !b.Status.Live() {
		return nil
	}
	booked := b.AddOnsOf(e)
	ask := func(in dash.Input, group string) {
		for i := range e.AddOns {
			if a := &e.AddOns[i]; a.Group == group {
				in.Options = append(in.Options, dash.Option{Value: a.ID, Label: c.addOnLabel(a)})
				if slices.Contains(booked, a.ID) {
					in.Value, in.Values = a.ID, append(in.Values, a.ID)
				}
			}
		}
		if in.Kind == "select" && (!in.Required || in.Value == "") {
			in.Options = slices.Insert(in.Options, 0, dash.Option{Label: "–"})
		}
		if len(in.Options) > 0 {
			all = append(all, in)
		}
	}
	for _, g := range e.AddOnGroups {
		in := dash.Input{Name: "addOns." + g.ID, Label: g.Title, Kind: "checks", Required: g.Required}
		if g.Max == 1 {
			in.Kind = "select"
		}
		ask(in, g.ID)
	}
	ask(dash.Input{Name: "addOns", Label: c.T("choice_addons"), Kind: "checks"}, "")
	own := e.With(b.Host.ID)
	price := own.Price
	if price != nil {
		price = &money.Money{Amount: price.Amount * int64(b.Seats), Currency: price.Currency}
	}
	all[len(all)-1].Hint = c.T("edit_addons_hint", "Without",
		c.Length(own.DurationMinutes)+" · "+c.Price(price))
	return all
}

// addOnLabel returns an add-on with what it adds: "Mat +5 min +€3".
func (c call) addOnLabel(a *catalog.AddOn) string {
	text := a.Title
	if a.Minutes > 0 {
		text += " +" + c.Length(a.Minutes)
	}
	if a.Price != nil {
		text += " +" + c.Money(a.Price)
	}
	return text
}

// partyInputs ask how many seats the booking takes, while it takes place, and who comes, where several may.
func (c call) partyInputs(b *booking.Booking) (all []dash.Input) {
	most := b.Seats
	if e := c.Setup.EventTypeByID(b.EventTypeID); e != nil {
		most = max(most, e.Seats)
	}
	if most < 2 {
		return nil
	}
	if b.Status.Live() {
		all = append(all, dash.Input{Name: "seats", Label: c.T("choice_seats"), Kind: "number", Min: "1",
			Max: strconv.Itoa(most), Required: true, Value: strconv.Itoa(b.Seats), Hint: c.T("edit_seats_hint")})
	}
	return append(all, dash.Input{Name: "participants", Label: c.T("choice_names"), Kind: "area", Rows: 2,
		Value: strings.Join(b.Participants, "\n"), Hint: c.T("choice_names_hint")})
}

// lengthOf returns the length of a booking in minutes.
func lengthOf(b *booking.Booking) int {
	return int(time.Duration(b.End-b.Start) * time.Millisecond / time.Minute)
}

// editFields are the inputs of the form of editForm for the fields of an edit.
var editFields = map[string]string{"end": "minutes", "eventType": "type", "invitee.name": "name",
	booking.EditedEmail: "email", "invitee.phone": "phone"}

// reopen opens the form that was posted and refused, with what was typed and the error at its field; other forms stay
// as they are. What was typed over a booking that has changed is not put back: it would undo that change.
func (c call) reopen(form *dash.Danger, e *fault.Error) {
	to, err := url.Parse(form.Action)
	if err != nil || to.Path != c.URL.Path || to.Query().Get("of") != c.URL.Query().Get("of") {
		return
	}
	if form.Open = true; e.Reason == "booking_changed" {
		return
	}
	named := *e
	field, _, _ := strings.Cut(e.Field, "[") // of one of the participants
	named.Field, named.Others = cmp.Or(editFields[field], field), nil
	if field == "addOns" {
		named.Field = addOnInput(form.Inputs, e)
	}
	c.Fill([]dash.Group{{Inputs: form.Inputs}}, c.PostForm, &named)
}

// addOnInput returns the name of the input that says why add-ons are refused: that of the group which the error names,
// or the first.
func addOnInput(inputs []dash.Input, e *fault.Error) (name string) {
	for _, in := range inputs {
		if group := strings.HasPrefix(in.Name, "addOns."); !group && in.Name != "addOns" {
			continue
		} else if group && strings.Contains(e.Error(), in.Label) {
			return in.Name
		}
		name = cmp.Or(name, in.Name)
	}
	return name
}
