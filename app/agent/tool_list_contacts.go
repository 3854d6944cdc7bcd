package agent

import (
	"context"

	"daybook/app"
	"daybook/app/booking"
	people "daybook/app/contact"
	"daybook/app/fault"
	"daybook/app/subjects"
)

var listContacts = tool{
	name: "list_contacts", title: "List or search contacts",
	description: "The people in the workspace's contact list, newest first, or those whom q, email or phone finds. " +
		"These are " +
		"personal data: show people no more than they need. Changes nothing.",
	reads: true, repeatable: true,
	input: object("",
		may("q", text("Beginnings of words of the name, of the e-mail address or of the telephone number; every one given "+
			"must match.").length(0, fault.MaxSearch).such("anna", "mei muster")),
		may("email", text("E-mail address of the one person to find; not together with q.").kind("email").
			length(0, fault.MaxEmail)),
		may("phone", text("Telephone number of those to find; not together with q or email.").length(0, fault.MaxPhone)),
		may("tags", list("Only those with all of these tags; not together with email or phone.", text(""))),
		may("minNoShows", number("Only those who did not come that often, since since.").atLeast(1)),
		may("since", text("With minNoShows: from this day on; left out, a year ago.").such("2026-09-01")),
		limitArg(), cursorArg(),
	),
	output: envelope("", contact, may("hint", text("What to ask instead."))),
	run: reading(readSearch, func(ctx context.Context, s *subjects.Set, a app.Actor, in search) (any, error) {
		if in.email != "" || in.phone != "" {
			return s.People.ContactsWith(ctx, a, in.email, in.phone)
		}
		return sized(in.limit, func(limit *int) (fault.Page[booking.Contact], error) {
			return s.People.Contacts(ctx, a, people.Filter{Q: in.q, Tags: in.tags, MinNoShows: in.minNoShows, Since: in.since}, limit, in.cursor)
		}, func(c *booking.Contact) any { return c })
	}),
}

type search struct {
	q, email, phone string
	tags            []string
	minNoShows      *int
	since           string
	page
}

func readSearch(in *args) search {
	s := search{in.short("q"), in.short("email"), in.short("phone"), in.list("tags"), in.whole("minNoShows"), in.short("since"), readPage(in)}
	if s.q != "" && s.email != "" {
		in.wrong("email", "must not be given together with q")
	}
	if s.phone != "" && s.q+s.email != "" {
		in.wrong("phone", "must not be given together with q or email")
	}
	if (s.minNoShows != nil || s.since != "") && s.email+s.phone != "" {
		in.wrong("minNoShows", "must not be given together with email or phone")
	}
	if len(s.tags) > 0 && s.email+s.phone != "" {
		in.wrong("tags", "must not be given together with email or phone")
	}
	return s
}
