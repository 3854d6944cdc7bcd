package web

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"daybook/app"
	"daybook/app/fault"
	"daybook/app/record"
	"daybook/views"
	"daybook/views/dash"
)

// editAction is the form that corrects a booking. Its event type, host and length are asked for only while the booking
// takes place.
func (c *Call) editAction(b *record.Booking) dash.Danger {
	v := dash.Danger{Title: c.T("edit_title"), Quiet: true,
		Action: dash.BookingEditPath(b.ID.String()), Submit: c.T("dash_save"),
		Hidden: []views.Pair{{Name: "version", Value: b.ETag()}}}
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
	for _, in := range c.partyInputs(b) {
		add(in)
	}
	add(dash.Input{Name: "name", Label: c.T("dash_name"), Value: b.Invitee.Name, Required: true})
	add(dash.Input{Name: "notes", Label: c.T("dash_notes"), Kind: "area", Rows: 2, Value: b.Notes})
	add(dash.Input{Name: "internalNote", Label: c.T("edit_internal"), Kind: "area", Rows: 2, Value: b.InternalNote,
		Hint: c.T("edit_internal_hint")})
	return v
}

// partyInputs ask how many seats the booking takes, while it takes place, and who comes, where several may.
func (c *Call) partyInputs(b *record.Booking) (all []dash.Input) {
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

// party reads the inputs of partyInputs. What is as it was is left out, and what the form has not.
func (c *Call) party(b *record.Booking, form url.Values, in *record.EditInput) error {
	if text := strings.TrimSpace(form.Get("seats")); form.Has("seats") && text != strconv.Itoa(b.Seats) {
		seats, err := strconv.Atoi(text)
		if err != nil || seats < 1 {
			return fault.Invalid("seats", "%s", c.T("edit_seats_wrong"))
		}
		in.Seats = &seats
	}
	if names := Lines(form.Get("participants")); form.Has("participants") && !slices.Equal(names, b.Participants) {
		in.Participants = &names
	}
	return nil
}

// Lines are the lines of a text, without those that are empty.
func Lines(text string) []string {
	all := []string{}
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			all = append(all, line)
		}
	}
	return all
}

// lengthOf is the length of a booking in minutes.
func lengthOf(b *record.Booking) int { return int((b.End - b.Start) / minute) }

const minute = 60_000 // in milliseconds

// Edit saves what the form of editAction was sent with. A field that the form has not stays. The booking must still be
// the one that the form showed, or the error is the conflict booking_changed.
func (c *Call) Edit(id string) error {
	b, err := c.Rooms.Booking(c.Context(), c.Actor, id)
	if err != nil {
		return err
	}
	form, err := c.Posted()
	if err != nil {
		return err
	}
	given := func(name, now string) *string {
		if v := form.Get(name); form.Has(name) && v != now {
			return &v
		}
		return nil
	}
	in := record.EditInput{EventType: given("type", b.EventType), Host: given("host", b.Host.ID.String()),
		Notes: given("notes", b.Notes), InternalNote: given("internalNote", b.InternalNote)}
	if name := given("name", b.Invitee.Name); name != nil {
		in.Invitee = &record.EditInvitee{Name: name}
	}
	if text := given("minutes", strconv.Itoa(lengthOf(&b))); text != nil {
		minutes, err := strconv.Atoi(*text)
		if err != nil || minutes < 1 || minutes > 7*24*60 {
			return fault.Invalid("minutes", "%s", c.T("edit_length_wrong"))
		}
		end := b.Start.Add(time.Duration(minutes) * time.Minute).String()
		in.End = &end
	}
	if err := c.party(&b, form, &in); err != nil {
		return err
	}
	_, err = c.Rooms.Edit.Edit(c.Context(), c.Actor, id, in, form.Get("version"))
	if fault.Is(err, fault.PreconditionFailed) {
		return fault.Conflictf("booking_changed", "The booking was changed while the form was open. Here it is as it is "+
			"now: make your change again.")
	}
	if e := fault.As(err); e != nil && e.Reason == "slot_taken" && in.Seats != nil && in.End == nil && in.Host == nil &&
		in.EventType == nil { // the time stays: there are too few seats
		own := *e
		own.Field = "seats"
		return &own
	}
	return err
}

// resendAction sends the invitee the latest mail of the booking again.
func (c *Call) resendAction(b *record.Booking) dash.Danger {
	return dash.Danger{Title: c.T("edit_resend"), Text: c.T("edit_resend_text", "Email", b.Invitee.Email), Quiet: true,
		Action: dash.BookingResendPath(b.ID.String()), Submit: c.T("edit_resend_do")}
}

// editActions are the corrections of a booking that the actor may make.
func (c *Call) editActions(b *record.Booking, v *dash.BookingDetail) {
	if !c.May(app.MayEdit) || b.Invitee.Email == record.ErasedEmail {
		return
	}
	v.Actions = append(v.Actions, c.editAction(b))
	if b.Status.Live() && b.Invitee.Email != "" {
		v.Actions = append(v.Actions, c.resendAction(b))
	}
}

// editFields are the inputs of the form of editAction for the fields of an edit.
var editFields = map[string]string{"end": "minutes", "eventType": "type", "invitee.name": "name"}

// Reopen opens the form that was posted and refused, with what was typed and the error at its field; other forms stay
// as they are. What was typed over a booking that has changed is not put back: it would undo that change.
func (c *Call) Reopen(form *dash.Danger, e *fault.Error) {
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
	c.Fill([]dash.Group{{Inputs: form.Inputs}}, c.PostForm, &named)
}
