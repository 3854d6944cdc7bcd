package agent

import (
	"context"

	"daybook/app"
	"daybook/app/fault"
	"daybook/app/record"
	"daybook/app/rooms"
)

var createContact = tool{
	name: "create_contact", title: "Add a contact",
	description: "Adds a person to the contact list, or answers the one that has the e-mail address already, " +
		"unchanged; for that the address alone is enough. Tells nobody. Not needed before booking: create_booking does it. " +
		"Contacts can't be changed or deleted here. Never make details up.",
	repeatable: true,
	input: object("",
		may("name", text("Full name; required for a new contact.").length(1, fault.MaxName)),
		must("email", text("E-mail address; it tells contacts apart, in whatever case.").kind("email").
			length(3, fault.MaxEmail)),
		may("phone", text("Telephone number.").length(0, fault.MaxPhone)),
		may("timeZone", zoneArg("IANA time zone.")),
		may("notes", text("Notes of the business.").length(0, record.MaxContactNotes)),
	),
	output: contact,
	run: reading(readContact, func(ctx context.Context, s *rooms.Set, a app.Actor, in record.ContactInput) (any, error) {
		c, _, err := s.CreateContact(ctx, a, in)
		return c, err
	}),
}

func readContact(in *args) record.ContactInput {
	return record.ContactInput{Name: in.text("name"), Email: in.text("email"), Phone: in.text("phone"),
		TimeZone: in.text("timeZone"), Notes: in.text("notes")}
}
