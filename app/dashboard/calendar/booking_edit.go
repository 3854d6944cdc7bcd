package calendar

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"daybook/app/booking"
	"daybook/app/fault"
)

// edited saves what the form that corrects a booking was sent with. A field that the form has not stays. The booking
// must still be the one that the form showed, or the error is the conflict booking_changed.
func (c call) edited(id string) error {
	b, err := c.Subjects.Booking(c.Context(), c.Actor, id)
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
	in := booking.EditInput{EventType: given("type", b.EventType), Host: given("host", b.Host.ID.String()),
		Notes: given("notes", b.Notes), InternalNote: given("internalNote", b.InternalNote)}
	if b.Invitee.Name == booking.WalkIn && form.Get("name") == "" {
		form.Set("name", booking.WalkIn)
	}
	in.Invitee = &booking.EditInvitee{Name: given("name", b.Invitee.Name)}
	if b.ContactID == 0 {
		in.Invitee.Email, in.Invitee.Phone = given("email", b.Invitee.Email), given("phone", b.Invitee.Phone)
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
	in.AddOns = c.addOns(&b, form)
	_, err = c.Subjects.Edit(c.Context(), c.Actor, id, in, form.Get("version"))
	if fault.Is(err, fault.PreconditionFailed) {
		return fault.Conflictf("booking_changed", "The booking was changed while the form was open. Here it is as it is "+
			"now: make your change again.")
	}
	stays := in.End == nil && in.Host == nil && in.EventType == nil
	if e := fault.As(err); e != nil && e.Reason == "slot_taken" && stays && (in.Seats != nil || in.AddOns != nil) {
		own := *e
		if own.Field = "seats"; in.AddOns != nil { // with those the booking takes longer
			own.Field = "addOns"
		}
		return &own
	}
	return err
}

// party reads how many seats the booking takes, and who comes. What is as it was is left out, and what the form has
// not.
func (c call) party(b *booking.Booking, form url.Values, in *booking.EditInput) error {
	if text := strings.TrimSpace(form.Get("seats")); form.Has("seats") && text != strconv.Itoa(b.Seats) {
		seats, err := strconv.Atoi(text)
		if err != nil || seats < 1 {
			return fault.Invalid("seats", "%s", c.T("edit_seats_wrong"))
		}
		in.Seats = &seats
	}
	if names := lines(form.Get("participants")); form.Has("participants") && !slices.Equal(names, b.Participants) {
		in.Participants = &names
	}
	return nil
}

// lines returns the lines of a text, without those that are empty.
func lines(text string) []string {
	all := []string{}
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			all = append(all, line)
		}
	}
	return all
}

// addOns returns all add-ons that the form chooses; nil where they are as they were, as they stay with another event
// type or by a form that doesn't ask.
func (c call) addOns(b *booking.Booking, form url.Values) *[]string {
	e := c.Setup.EventTypeByID(b.EventTypeID)
	if e == nil || form.Get("addOnsOf") != e.Slug || form.Has("type") && form.Get("type") != e.Slug {
		return nil
	}
	chosen := []string{}
	for i := range e.AddOns {
		a, name := &e.AddOns[i], "addOns"
		if a.Group != "" {
			name += "." + a.Group
		}
		if slices.Contains(form[name], a.ID) {
			chosen = append(chosen, a.ID)
		}
	}
	if slices.Equal(slices.Sorted(slices.Values(chosen)), slices.Sorted(slices.Values(b.AddOnsOf(e)))) {
		return nil
	}
	return &chosen
}
