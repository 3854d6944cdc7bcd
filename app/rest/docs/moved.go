package docs

import (
	"strings"
)

// moved are the headings that the contract had before its tables and guides became pages of their own: links to them
// end at a line of its page that leads on.
var moved = []struct{ anchor, title, at string }{
	{"the-command", "The command", "commands"},
	{"commands", "Commands", "commands#commands"},
	{"server-flags", "Server flags", "commands#flags-of-the-server"},
	{"files", "Files", "operation#files-and-databases"},
	{"routes", "Routes", "routes"},
	{"reasons", "Reasons", "errors#reasons"},
	{"rights", "Rights", "rights"},
	{"resources", "Resources", "fields"},
	{"fields", "Fields", "fields"},
	{"values", "Values", "values"},
	{"kinds-of-id", "Kinds of id", "values#kinds-of-id"},
	{"listing", "Listing", "routes#listing-bookings"},
	{"pictures", "Pictures", "pictures"},
	{"agent-tools", "Agent tools", "agents#the-tools"},
	{"peoples-assistants", "People's assistants", "agents#your-customers-assistants"},
	{"agents-sign-in", "Agents' sign-in", "agents#how-agents-programs-sign-in"},
	{"notifications-on-devices", "Notifications on devices", "mail#notifications-on-devices"},
	{"the-set-up-file", "The set-up file", "setup-file"},
	{"operation", "Operation", "operation"},
	{"audit-log", "Audit log", "audit"},
	{"health", "Health", "operation#health"},
}

// movedText returns the chapter of the contract's page that leads on.
func movedText() string {
	text := "\n## Moved to pages of their own\n\n"
	for _, m := range moved {
		text += "- [" + m.title + "](" + address(m.at) + ")\n"
	}
	return text
}

// withAnchors gives the lines of movedText their old anchors.
func withAnchors(html string) string {
	before, list, _ := strings.Cut(html, `<h2 id="moved-to-pages-of-their-own">`)
	for _, m := range moved {
		list = strings.Replace(list, "<li><a", `<li id="`+m.anchor+`"><a`, 1)
	}
	return before + `<h2 id="moved-to-pages-of-their-own">` + list
}
