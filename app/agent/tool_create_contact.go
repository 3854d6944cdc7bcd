package agent

import (
	"context"
	"reflect"
	"slices"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/subjects"
)

var createContact = tool{
	name: "create_contact", title: "Add a contact",
	description: "Adds a person to the contact list, or answers the one that has the e-mail address already, " +
		"unchanged; for that the address alone is enough, or without one the phone. created says which; unchanged names " +
		"what was given and not taken. Tells nobody. " +
		"Not needed before booking: create_booking does it. " +
		"Contacts can't be changed or deleted here. Never make details up.",
	repeatable: true,
	input:      object("", arguments(reflect.TypeFor[booking.ContactInput]())...),
	output: object("", append(slices.Clone(contact.Properties),
		must("created", truth("false: it was there, and is as it was.")),
		may("unchanged", list("Arguments that were not taken: tell the person.", text(""))))...),
	run: reading(readContact, func(ctx context.Context, s *subjects.Set, a app.Actor, in booking.ContactInput) (any, error) {
		c, created, err := s.People.CreateContact(ctx, a, in)
		if err != nil {
			return nil, err
		}
		answer := added{Contact: c, Created: created}
		if created {
			return answer, nil
		}
		setup, err := s.Setup(a.Workspace)
		answer.Unchanged = in.Unlike(&c, setup.Workspace.PhoneCountry())
		return answer, err
	}),
}

// added is a contact, and what became of the arguments.
type added struct {
	booking.Contact
	Created   bool     `json:"created"`
	Unchanged []string `json:"unchanged,omitempty"`
}

func readContact(in *args) (c booking.ContactInput) {
	in.into(&c)
	return c
}
