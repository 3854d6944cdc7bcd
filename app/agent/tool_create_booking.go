package agent

import (
	"context"
	"fmt"

	"daybook/app"
	"daybook/app/fault"
	"daybook/app/record"
	"daybook/app/rooms"
)

var createBooking = tool{
	name: "create_booking", title: "Book a time",
	description: "Books a time for an invitee, and tells the invitee and the host by e-mail and the business's systems " +
		"by webhook. Ask the person for name and e-mail and never make them up; answer the service's required questions. " +
		"The booking is confirmed at once, or pending: until the invitee has paid at payment.url (30 minutes), or until " +
		"the business approves it. Nothing is charged by this call itself. A taken start fails with the next open ones; a " +
		"repeated call fails with details.bookingId and books nothing twice. To undo it, cancel_booking.",
	repeatable: true, reachesOut: true,
	input: object("",
		must("eventType", text("Slug or id of the service, from list_event_types.").length(1, record.MaxRef)),
		must("start", startArg("Start.")),
		must("invitee", object("Who comes: as the person said, never made up.",
			must("name", text("Full name.").length(1, fault.MaxName)),
			must("email", text("E-mail address; the confirmation goes there.").kind("email").length(3, fault.MaxEmail)),
			may("phone", text("Telephone number.").length(0, fault.MaxPhone)),
			may("timeZone", zoneArg("IANA time zone of the invitee, for the times in their mail.")),
			may("locale", text("Language of their mail, such as de-AT.").length(0, fault.MaxLocale)),
		)),
		may("host", text("Id of the host they want; without it the one with the fewest bookings that week.").form("^hs_")),
		may("notes", text("What the invitee wants the host to know.").length(0, record.MaxNotes)),
		may("answers", values("Answers to the service's questions, by key: a text, or true or false for a checkbox.",
			"string", "number", "boolean")),
		may("metadata", labels(fmt.Sprintf("Labels of your own, at most %d; they come back with the booking.",
			record.MaxMetadata))),
	),
	output: booking,
	run: reading(readBooking, func(ctx context.Context, s *rooms.Set, a app.Actor, in record.BookInput) (any, error) {
		b, err := s.Book(ctx, a, in)
		return booked(s, a, b, err)
	}),
}

func labels(description string) *schema {
	s := values(description, "string")
	s.MaxEntries = record.MaxMetadata
	return s
}

func readBooking(in *args) record.BookInput {
	p := in.object("invitee")
	if in.given("invitee") == nil {
		in.wrong("invitee", "is required: an object with name and email")
	}
	return record.BookInput{
		EventType: in.text("eventType"), Start: in.text("start"), Host: in.text("host"), Notes: in.text("notes"),
		Answers: in.values("answers"), Metadata: in.labels("metadata"),
		Invitee: record.Invitee{Name: p.text("name"), Email: p.text("email"), Phone: p.text("phone"),
			TimeZone: p.text("timeZone"), Locale: p.text("locale")},
	}
}
