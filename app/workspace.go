package app

import (
	"regexp"
	"slices"
	"time"

	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/when"
)

// Workspace is one business: the unit of scoping. Every key, host, booking and contact belongs to exactly one.
type Workspace struct {
	ID        WorkspaceID  `json:"id"`
	Slug      string       `json:"slug"`
	Name      string       `json:"name"`
	TimeZone  string       `json:"timeZone"`
	Currency  string       `json:"currency"`
	CreatedAt when.Instant `json:"createdAt"`

	// Settings is what the owner may choose besides; the zero value is a good start.
	Settings Settings `json:"-"`
	// Revision counts the changes of the set-up: workspace, hosts, event types.
	Revision int64 `json:"-"`
	// LongestBooking is the length of the longest booking there has been, which bounds the search for those still under way.
	LongestBooking time.Duration `json:"-"`
	// LinkKey signs the invitees' links to their bookings. It is sealed (Vault).
	LinkKey string `json:"-"`
}

// Settings are the choices of a workspace that no rule of booking depends on.
type Settings struct {
	Color       string     `json:"color,omitempty"`       // #rrggbb
	LogoURL     string     `json:"logoUrl,omitempty"`     // https
	Description string     `json:"description,omitempty"` // a line below the name on the booking page
	Locale      string     `json:"locale,omitempty"`      // language of mails to people whose own is unknown
	Phone       string     `json:"phone,omitempty"`
	Address     string     `json:"address,omitempty"`
	MailsOff    []MailKind `json:"mailsOff,omitempty"` // kinds of mail that are not wanted
}

// Setup is everything of a workspace that changes rarely: an immutable snapshot, shared by all who read it.
type Setup struct {
	Workspace  Workspace
	Zone       *time.Location
	Hosts      []Host      // by id
	EventTypes []EventType // by position, then id
	// Subscriptions are the enabled webhook endpoints, by id.
	Subscriptions []Subscription

	// linkKey is Workspace.LinkKey, opened by the Service that loaded the set-up.
	linkKey []byte
	// TakesCards says that it has an account at the payment provider.
	TakesCards bool
}

// NewSetup links the parts of a workspace and compiles the hosts' schedules.
func NewSetup(w Workspace, hosts []Host, types []EventType) (*Setup, error) {
	s := &Setup{Workspace: w, Hosts: hosts, EventTypes: types}
	var err error
	if s.Zone, err = when.Zone(w.TimeZone); err != nil {
		return nil, err
	}
	for i := range s.Hosts {
		if err := s.Hosts[i].compile(); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(s.Hosts, func(a, b Host) int { return int(min(1, max(-1, a.ID-b.ID))) })
	for i := range s.EventTypes {
		s.EventTypes[i].Link(s)
	}
	return s, nil
}

// Host is the host of that id, or nil.
func (s *Setup) Host(id HostID) *Host {
	for i := range s.Hosts {
		if s.Hosts[i].ID == id {
			return &s.Hosts[i]
		}
	}
	return nil
}

// HostByEmail is the host of that address, compared without case, or nil.
func (s *Setup) HostByEmail(email string) *Host {
	for i := range s.Hosts {
		if fault.SameEmail(s.Hosts[i].Email, email) {
			return &s.Hosts[i]
		}
	}
	return nil
}

// EventType finds an event type by slug or by id text, or nil.
func (s *Setup) EventType(ref string) *EventType {
	for i := range s.EventTypes {
		if s.EventTypes[i].Slug == ref {
			return &s.EventTypes[i]
		}
	}
	if id, err := id.Parse[EventTypeIDKind](ref); err == nil {
		return s.EventTypeByID(id)
	}
	return nil
}

// EventTypeByID is the event type of that id, or nil.
func (s *Setup) EventTypeByID(id EventTypeID) *EventType {
	for i := range s.EventTypes {
		if s.EventTypes[i].ID == id {
			return &s.EventTypes[i]
		}
	}
	return nil
}

var slugForm = regexp.MustCompile(`^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$`)

// reservedSlugs are the first path elements that the server uses itself, or may one day.
var reservedSlugs = []string{
	"about", "account", "admin", "api", "app", "apps", "assets", "auth", "billing", "book", "booking", "bookings", "calendar",
	"contact", "dashboard", "docs", "embed", "embed-js", "event-types", "favicon-ico", "feed", "health", "healthz", "help", "home", "icons", "index",
	"invite", "legal", "livez", "login", "logout", "mail", "manifest", "mcp", "metrics", "new", "oauth", "pay", "payment", "payments", "pricing",
	"privacy", "public", "readyz", "register", "reset", "robots", "robots-txt", "search", "security", "settings", "setup", "sign-in", "sign-out", "sign-up", "signin",
	"signup", "sitemap", "sse", "static", "status", "stripe", "support", "system", "terms", "user", "users", "version", "webhook", "webhooks",
	"well-known", "workspace", "workspaces", "www",
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

// Check normalises the workspace's own fields and refuses what can't be.
func (w *Workspace) Check() error {
	var p fault.Problems
	var err error
	w.Name, err = fault.CheckLine("workspace.name", w.Name, 1, 200)
	p.Add(err)
	p.Add(checkWorkspaceSlug("workspace.slug", w.Slug))
	_, err = CheckZone("workspace.timeZone", w.TimeZone)
	p.Add(err)
	p.Add(checkCurrency("workspace.currency", w.Currency))
	return p.Err()
}
