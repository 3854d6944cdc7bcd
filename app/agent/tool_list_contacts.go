package agent

import (
	"context"

	"daybook/app"
	"daybook/app/fault"
	"daybook/app/rooms"
)

var listContacts = tool{
	name: "list_contacts", title: "List or search contacts",
	description: "The people in the workspace's contact list, newest first, or those whom q or email finds. These are " +
		"personal data: show people no more than they need. Changes nothing.",
	reads: true, repeatable: true,
	input: object("",
		may("q", text("Beginnings of words of the name, of the e-mail address or of the telephone number; every one given "+
			"must match.").length(0, fault.MaxSearch).such("anna", "mei muster")),
		may("email", text("E-mail address of the one person to find; not together with q.").kind("email").
			length(0, fault.MaxEmail)),
		limitArg(), cursorArg(),
	),
	output: envelope("Contacts, newest first.", contact),
	run: reading(readSearch, func(ctx context.Context, s *rooms.Set, a app.Actor, in search) (any, error) {
		if in.email != "" {
			return s.ContactsByEmail(ctx, a, in.email)
		}
		return s.Contacts(ctx, a, in.q, in.limit, in.cursor)
	}),
}

type search struct {
	q, email string
	page
}

func readSearch(in *args) search {
	s := search{in.short("q"), in.short("email"), readPage(in)}
	if s.q != "" && s.email != "" {
		in.wrong("email", "must not be given together with q")
	}
	return s
}
