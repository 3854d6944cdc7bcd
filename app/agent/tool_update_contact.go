package agent

import (
	"context"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/fault"
	"daybook/app/subjects"
)

var updateContact = tool{
	name: "update_contact", title: "Change a contact",
	description: "Changes what is given of a person in the contact list: such as notes and tags. addTags and addNote add to what is there; " +
		"the others replace it, and an empty text or list clears. Bookings keep the name that they were made with. Nobody is told.",
	repeatable: true, destroys: true,
	input: object("", must("id", text("Id of the contact, ct_…, from list_contacts.")),
		may("name", text("Name.").length(1, fault.MaxName)),
		may("email", text("E-mail address.").length(0, fault.MaxEmail)),
		may("phone", text("Telephone number.").length(0, fault.MaxPhone)),
		may("timeZone", zoneArg("IANA time zone of the person.")),
		may("notes", text("What the business notes about them, in place of all that is there.").length(0, booking.MaxNotes)),
		may("addNote", text("A line that is added to the notes.").length(1, booking.MaxNotes)),
		may("tags", list("All tags, in place of those that are there.", text("A tag."))),
		may("addTags", list("Tags that are added, such as holiday list.", text("A tag."))),
		may("birthday", text("Such as 1990-04-01, or --04-01 without the year.")),
		may("tellBy", text("How they want to be told: mail, text or both.")),
	),
	output: contact,
	run: reading(readPatch, func(ctx context.Context, s *subjects.Set, a app.Actor, in patch) (any, error) {
		return s.People.ChangeContact(ctx, a, in.id, func(was *booking.Contact) (booking.ContactInput, error) { return in.over(was), nil })
	}),
}

// patch says what to change about a contact; what is nil stays.
type patch struct {
	id, addNote                  string
	name, email, phone, timeZone *string
	notes, birthday, tellBy      *string
	tags, addTags                []string
}

func readPatch(in *args) patch {
	p := patch{id: in.needed("id", "the id of a contact, such as ct_06f9…; list_contacts has them"), addNote: in.text("addNote"),
		name: in.maybe("name"), email: in.maybe("email"), phone: in.maybe("phone"), timeZone: in.maybe("timeZone"), notes: in.maybe("notes"),
		birthday: in.maybe("birthday"), tellBy: in.maybe("tellBy"), tags: in.list("tags"), addTags: in.list("addTags")}
	if p.addNote != "" && p.notes != nil {
		in.wrong("addNote", "must not be given together with notes")
	}
	if p.addTags != nil && p.tags != nil {
		in.wrong("addTags", "must not be given together with tags")
	}
	return p
}

// maybe returns a text, nil when it was left out.
func (in *args) maybe(name string) *string {
	if in.given(name) == nil {
		return nil
	}
	s := in.text(name)
	return &s
}

// over returns the contact's input with what the patch says.
func (p *patch) over(c *booking.Contact) booking.ContactInput {
	to := booking.ContactInput{Name: c.Name, Email: c.Email, Phone: c.Phone, TimeZone: c.TimeZone, Notes: c.Notes,
		Tags: p.tags, Birthday: p.birthday, TellBy: p.tellBy}
	for at, given := range map[*string]*string{&to.Name: p.name, &to.Email: p.email, &to.Phone: p.phone, &to.TimeZone: p.timeZone,
		&to.Notes: p.notes} {
		if given != nil {
			*at = *given
		}
	}
	if p.addNote != "" {
		if to.Notes != "" {
			to.Notes += "\n"
		}
		to.Notes += p.addNote
	}
	if p.addTags != nil {
		to.Tags = append(append([]string{}, c.Tags...), p.addTags...)
	}
	return to
}
