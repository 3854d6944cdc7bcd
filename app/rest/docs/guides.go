package docs

import (
	"cmp"
	"embed"
	"fmt"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/rest/openapi"
	"daybook/app/setup"
)

//go:embed guides
var guides embed.FS

// nextChanges returns what has changed since the last release, the newest first, under a heading; "" is nothing. Each change is
// a file of its own, named by its day, so that two that are made at the same time don't meet in one place.
func nextChanges() string {
	names, err := fs.Glob(guides, "guides/changes/*.md")
	if err != nil {
		panic(err) // the pattern is well formed
	}
	var text strings.Builder
	for _, name := range slices.Backward(names) {
		change, err := guides.ReadFile(name)
		if err != nil {
			panic(err) // embedded at build time
		}
		if text.Len() == 0 {
			text.WriteString("## Next\n\n")
		}
		text.WriteString("- " + strings.TrimSpace(string(change)) + "\n")
	}
	return strings.TrimSuffix(text.String(), "\n")
}

// guidePages returns the pages that people write, with what the program knows filled in at their marks, such as {base}.
func guidePages(d *openapi.Document, k Known) []section {
	fill := strings.NewReplacer(
		"{base}", d.Servers[0].URL,
		"{version}", d.Info.Version,
		"{codes}", codeTable(),
		"{reasons}", reasonTable(),
		"{conventions}", chapter("### Conventions"),
		"{rates}", chapter("### Rates"),
		"{holds}", chapter("### Holds"),
		"{dry-run}", chapter("### Dry run"),
		"{routes}", routeTable(d),
		"{fields}", objectTable(d),
		"{values}", valueTable(d),
		"{ids}", kindTable(),
		"{rights}", rightTable(),
		"{actions}", actionTable(),
		"{commands}", k.Commands,
		"{server-flags}", k.ServerFlags,
		"{tools}", k.Tools,
		"{desk-tools}", k.DeskTools,
		"{owner-tools}", k.OwnerTools,
		"{guest-tools}", k.GuestTools,
		"{error-example}", fenced("json", indented(conflictExample(d))),
		"{event-example}", fenced("json", indented(eventExample(d, catalog.BookingCreated))),
		"{events}", eventTable(),
		"{changes}", nextChanges(),
		"{setup-file}", fenced("yaml", setup.Example),
	)
	read := func(path, title, file string) page {
		text, err := guides.ReadFile("guides/" + file)
		if err != nil {
			panic(err) // embedded at build time
		}
		return page{path: path, title: title, text: fill.Replace(string(text))}
	}
	return []section{
		{"Begin", []page{
			read("", "Book in five minutes", "start.md"),
			read("requests", "Requests and keys", "requests.md"),
			read("errors", "Errors", "errors.md"),
		}},
		{"Guides", []page{
			read("times", "Open times", "times.md"),
			read("holds", "Hold a time, try a call", "holds.md"),
			read("webhooks", "Webhooks", "webhooks.md"),
			read("take-payments", "Take payments by API", "take-payments.md"),
			read("crm", "Keep a CRM in step", "crm.md"),
			read("embed", "Embed the booking page", "embed.md"),
			read("public-keys", "Keys for web pages", "public-keys.md"),
			read("agents", "AI agents", "agents.md"),
			read("telephone", "Answer the telephone", "telephone.md"),
			read("setup-file", "The set-up file", "setup-file.md"),
			read("pictures", "Pictures", "pictures.md"),
			read("invitations", "Invitation links", "invitations.md"),
			read("changelog", "Changelog", "changelog.md"),
			{path: contractPath, title: "The contract", text: onSite(app.Contract) + movedText()},
		}},
		{"Tables", []page{
			read("routes", "All routes", "routes.md"),
			read("fields", "Objects at a glance", "fields.md"),
			read("values", "Values and ids", "values.md"),
			read("rights", "Rights", "rights.md"),
		}},
		{"For owners", []page{
			read("owners", "Run your business", "owners.md"),
			read("booking-page", "Your booking page", "booking-page.md"),
			read("payments", "Take payments", "payments.md"),
			read("mail", "Mail and notifications", "mail.md"),
			read("texts", "Texts to telephones", "texts.md"),
			read("calendars", "Connect calendars", "calendars.md"),
			read("move-in", "Move in from another program", "move-in.md"),
			read("sign-in", "Sign in safely", "sign-in.md"),
			read("audit", "The audit log", "audit.md"),
		}},
		{"For operators", []page{
			read("operators", "Deploy and upgrade", "operators.md"),
			read("servers", "Several servers", "servers.md"),
			read("backup", "Back up and restore", "backup.md"),
			read("operation", "Operation and health", "operation.md"),
			read("commands", "Commands and flags", "commands.md"),
		}},
	}
}

// chapter returns the text under a heading of the contract, without the heading, up to the next one of its rank or
// above.
func chapter(heading string) string {
	_, text, found := strings.Cut(app.Contract, "\n"+heading+"\n")
	if !found {
		panic("the contract has no chapter " + heading) // the page that shows it would be empty
	}
	marks, _, _ := strings.Cut(heading, " ")
	end := len(text)
	for rank := 1; rank <= len(marks); rank++ {
		if at := strings.Index(text, "\n"+strings.Repeat("#", rank)+" "); at >= 0 {
			end = min(end, at)
		}
	}
	// Links within the contract lead to its page.
	return onSite(strings.ReplaceAll(strings.TrimSpace(text[:end]), "](#", "]("+address(contractPath)+"#"))
}

const contractPath = "contract"

var (
	guideFile = regexp.MustCompile(`\]\(rest/docs/guides(?:/([a-z-]+)\.md)?(#[a-z-]+)?\)`)
	pageName  = regexp.MustCompile("`(/api/docs/[a-z-]+)`")
)

// onSite returns a text of the repository with links to the site's pages, in place of those to its files and of the
// addresses that it names.
func onSite(text string) string {
	text = guideFile.ReplaceAllString(text, "]("+address("")+"/$1$2)")
	text = strings.ReplaceAll(text, "]("+address("")+"/)", "]("+address("")+")")
	return pageName.ReplaceAllString(text, "[`$1`]($1)")
}

var codeMeaning = map[fault.Code]string{
	fault.BadRequest: "The request was malformed or failed validation.", fault.Unauthorized: "Missing or invalid API key.",
	fault.Forbidden: "The key lacks permission for this action.", fault.NotFound: "No such resource in the workspace.",
	fault.Conflict:           "The slot is taken, or the resource is in another state.",
	fault.PreconditionFailed: "The resource has changed since the version in `If-Match`.",
	fault.RateLimited:        "Too many requests; see `Retry-After`.",
	fault.PayloadTooLarge:    "The body is larger than 1 MiB.", fault.UnsupportedMediaType: "The body is not JSON.",
	fault.MethodNotAllowed: "The path does not take that method; see `Allow`.",
	fault.Internal:         "Something went wrong on the server's side.",
	fault.Unavailable:      "The server is busy, or its database can't be reached; see `Retry-After` and the reason: after `uncertain` it may have been done.",
}

func codeTable() string {
	codes := slices.SortedFunc(maps.Keys(codeMeaning),
		func(a, b fault.Code) int { return cmp.Compare(a.Status(), b.Status()) })
	text := "| Status | Code | Meaning |\n|---|---|---|\n"
	for _, code := range codes {
		text += fmt.Sprintf("| %d | `%s` | %s |\n", code.Status(), code, codeMeaning[code])
	}
	return text
}

func eventTable() string {
	text := "| Event | Sent |\n|---|---|\n"
	for _, kind := range catalog.EventKinds {
		text += fmt.Sprintf("| [`%s`](%s) | %s |\n", kind, address("events/"+string(kind)), kind.When())
	}
	return text
}

// conflictExample returns the example of the error of a time that is taken.
func conflictExample(d *openapi.Document) any {
	i := slices.IndexFunc(d.Operations, func(op openapi.Operation) bool { return op.ID == "createBooking" })
	return d.Operations[i].Responses[strconv.Itoa(fault.Conflict.Status())].Content["application/json"].Example
}

// eventExample returns the example of the events of a kind.
func eventExample(d *openapi.Document, kind catalog.EventKind) any {
	return d.Webhooks[string(kind)]["post"].RequestBody.Content["application/json"].Example
}
