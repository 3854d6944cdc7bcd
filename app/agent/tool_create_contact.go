package agent

import (
	"context"
	"reflect"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/rooms"
)

var createContact = tool{
	name: "create_contact", title: "Add a contact",
	description: "Adds a person to the contact list, or answers the one that has the e-mail address already, " +
		"unchanged; for that the address alone is enough, or without one the phone. Tells nobody. " +
		"Not needed before booking: create_booking does it. " +
		"Contacts can't be changed or deleted here. Never make details up.",
	repeatable: true,
	input:      object("", arguments(reflect.TypeFor[booking.ContactInput]())...),
	output:     contact,
	run: reading(readContact, func(ctx context.Context, s *rooms.Set, a app.Actor, in booking.ContactInput) (any, error) {
		c, _, err := s.People.CreateContact(ctx, a, in)
		return c, err
	}),
}

func readContact(in *args) (c booking.ContactInput) {
	in.into(&c)
	return c
}
