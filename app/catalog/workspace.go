package catalog

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"daybook/app/fault"
	"daybook/app/field"
	"daybook/app/money"
	"daybook/app/phone"
	"daybook/app/when"
)

// Workspace is one business. Every key, host, booking and contact belongs to exactly one workspace.
type Workspace struct {
	ID       WorkspaceID `json:"id"`
	Slug     string      `json:"slug"`
	Name     string      `json:"name"`
	TimeZone string      `json:"timeZone"`
	Currency string      `json:"currency"`
	Country  string      `json:"country"`       // ISO 3166, "" is the time zone's; see PhoneCountry
	Tax      *money.Tax  `json:"tax,omitempty"` // of what is paid at the counter; nil is none
	Closures
	Pages
	AssistantsMayBook bool         `json:"assistantsMayBook,omitempty"` // without a key; see package guest
	CreatedAt         when.Instant `json:"createdAt"`

	// Settings are the owner's other choices; the zero value works.
	Settings Settings `json:"-" field:"inline"`
	// Revision counts the changes of the set-up: workspace, hosts, resources, event types.
	Revision int64 `json:"-"`
	// LongestBooking is the length of the longest booking so far. It limits the search for bookings still under way.
	LongestBooking time.Duration `json:"-"`
	// HasHolds is true once a time has been held in the workspace, so that queries for a host's occupied time include
	// holds.
	HasHolds bool `json:"-"`
	// HasOthers is true once an event type has needed several hosts, so that what looks for a host's bookings includes
	// those that another one leads.
	HasOthers bool `json:"-"`
	// Waits is true while anybody is on the waitlist of the workspace: what a booking then frees is looked at.
	Waits bool `json:"-"`
	// Texts is true while the workspace sends texts to telephones: it has a sender.
	Texts bool `json:"-"`
	// SuspendedAt is since when the operator has closed the workspace; 0 if it is open.
	SuspendedAt when.Instant `json:"-"`
	// LinkKey signs the invitees' links to their bookings. It is sealed (see Vault).
	LinkKey string `json:"-"`
}

// WorkspaceFields describes the fields of workspaces. Check uses their bounds.
var WorkspaceFields = field.Resource{
	Text: "One business.",
	Fields: []field.Field{
		{Name: "id", Text: "Identifier of the workspace.", InFile: true},
		{Name: "slug", Text: "Its name in URLs.", InFile: true, Key: true, Required: true},
		{Name: "name", Text: "Its name.", Least: 1, Most: fault.MaxName, InFile: true, Required: true},
		{Name: "timeZone", Text: "IANA time zone of the business.", InFile: true, Required: true},
		{Name: "currency", Text: "ISO 4217 code of prices that name none.", InFile: true},
		{Name: "country", Text: "ISO 3166 code of the country whose national telephone numbers are understood; empty is " +
			"the time zone's.", InFile: true, Clears: true},
		{Name: "tax", Text: "How what is paid at the counter is taxed; null is no tax.", InFile: true},
		{Name: "timeOff", Text: "When all hosts are away, those that are added later too.", InFile: true},
		{Name: "holidays", Text: "The country, and maybe the region, whose public holidays are days off.", InFile: true,
			Clears: true},
		{Name: "redirectHosts", Text: "Hosts that event types' redirectUrl may lead to, such as www.example.com.",
			InFile: true, Clears: true},
		{Name: "videoServer", Text: "Address of the Jitsi server that video bookings get their rooms on; empty is " +
			DefaultVideoServer + ".", InFile: true, Clears: true},
		{Name: "assistantsMayBook", Text: "Whether people's AI assistants find it and may book there without a key, " +
			"confirmed by mail.", InFile: true},
		{Name: "createdAt", Text: "When it was created."},
	},
}

// WorkspaceFile describes a workspace in a set-up file: its own fields, and those of Settings that stand in files.
var WorkspaceFile = field.Resource{
	Text:   WorkspaceFields.Text,
	Fields: append(slices.Clone(WorkspaceFields.Fields), SettingsFields.Fields...),
}

var slugForm = regexp.MustCompile(`^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$`)

// reservedSlugs are first path elements that the server uses itself, or may use later.
var reservedSlugs = []string{
	"about", "account", "admin", "api", "app", "apps", "assets", "auth", "billing", "book", "booking", "bookings",
	"calendar", "contact", "dashboard", "docs", "embed", "embed-js", "event-types", "favicon-ico", "feed",
	"health", "healthz", "help", "home", "icons", "index", "invite", "legal", "livez", "login", "logout", "mail",
	"manifest", "mcp", "metrics", "new", "oauth", "pay", "payment", "payments", "pricing", "privacy", "public",
	"readyz", "register", "reset", "robots", "robots-txt", "search", "security", "settings", "setup", "sign-in",
	"sign-out", "sign-up", "signin", "signup", "sitemap", "sse", "static", "status", "stripe", "support",
	"system", "t", "terms", "user", "users", "version", "visit", "visits", "webhook", "webhooks", "well-known", "workspace", "workspaces",
	"www",
}

func checkSlug(field, slug string) error {
	if slug == "" {
		return fault.Invalid(field, "is required")
	}
	if !slugForm.MatchString(slug) {
		return fault.Invalid(field, "must be 1 to 40 of a-z, 0-9 and -, beginning and ending with a letter or digit")
	}
	return nil
}

func checkWorkspaceSlug(field, slug string) error {
	if slices.Contains(reservedSlugs, slug) || slug == "embed.js" || slug == "favicon.ico" || slug == "robots.txt" {
		return fault.Invalid(field, "%q is used by the server itself; choose another, such as %s-team", slug, slug)
	}
	return checkSlug(field, slug)
}

// Check normalises the workspace's own fields. Errors: bad_request.
func (w *Workspace) Check() error {
	var p fault.Problems
	var err error
	name := WorkspaceFields.Field("name")
	w.Name, err = fault.CheckLine("workspace.name", w.Name, name.Least, name.Most)
	p.Add(err)
	p.Add(checkWorkspaceSlug("workspace.slug", w.Slug))
	zone, err := CheckZone("workspace.timeZone", w.TimeZone)
	p.Add(err)
	if err == nil {
		p.Add(w.Closures.Check("workspace", zone))
	}
	p.Add(money.CheckCurrency("workspace.currency", w.Currency))
	if w.Country = strings.ToUpper(strings.TrimSpace(w.Country)); w.Country != "" && !phone.IsCountry(w.Country) {
		p.Add(fault.Invalid("workspace.country", "must be a country's code of two letters, such as DE"))
	}
	w.Tax, err = w.Tax.Check("workspace.tax")
	p.Add(err)
	p.Add(w.Pages.check())
	return p.Err()
}

// Open returns nil, or for a suspended workspace the error with which its doors answer. Errors: forbidden.
func (w *Workspace) Open() error {
	if w.SuspendedAt == 0 {
		return nil
	}
	return fault.New(fault.Forbidden, "workspace_suspended",
		"This workspace is suspended: its data is kept, and whoever runs the server can open it again.")
}

// WorkspaceInput describes a new workspace.
type WorkspaceInput struct {
	ID                             WorkspaceID // 0 makes one
	Slug, Name, TimeZone, Currency string      // Currency "" is EUR
	Country                        string      // "" is the time zone's
	Tax                            *money.Tax
	AssistantsMayBook              bool
}

// Workspace returns the workspace that the input describes, with defaults for the rest.
func (in WorkspaceInput) Workspace() Workspace {
	w := Workspace{ID: in.ID, Slug: in.Slug, Name: in.Name, TimeZone: in.TimeZone, Currency: in.Currency,
		Country: in.Country, Tax: in.Tax, AssistantsMayBook: in.AssistantsMayBook}
	if w.Currency == "" {
		w.Currency = "EUR"
	}
	return w
}
