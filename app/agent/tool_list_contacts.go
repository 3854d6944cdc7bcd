package agent

import (
	"context"

	"daybook/app"
)

var listContacts = tool{
	name: "list_contacts", title: "List or search contacts",
	description: "The people in the workspace's contact list, newest first, or those whom q finds. These are personal data: show people no more than they need. Changes nothing.",
	reads:       true, repeatable: true,
	input: object("",
		may("q", text("Beginnings of words of the name, of the e-mail address or of the telephone number; every one given must match.").length(0, 200).such("anna", "mei muster")),
		limitArg(), cursorArg(),
	),
	output: envelope("Contacts, newest first.", contact),
	run: reading(readSearch, func(ctx context.Context, s *app.Service, a app.Actor, in search) (any, error) {
		return s.Contacts(ctx, a, in.q, in.limit, in.cursor)
	}),
}

type search struct {
	q string
	page
}

func readSearch(in *args) search { return search{in.short("q"), readPage(in)} }
