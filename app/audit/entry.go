package audit

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/id"
	"daybook/app/when"
)

type (
	EntryID     = id.ID[EntryIDKind]
	EntryIDKind struct{ id.Many }
)

func (EntryIDKind) Prefix() string { return "log_" }

// Kept is how long entries are kept.
const Kept = 365 * when.Day

// Entry is one line of the log.
type Entry struct {
	ID        EntryID             `json:"id"`
	Workspace catalog.WorkspaceID `json:"-"` // zero in Note: that of the actor
	At        when.Instant        `json:"at"`
	By        By                  `json:"by"`
	Door      Door                `json:"door"`
	Actor     string              `json:"actor,omitempty"` // the id of the member or key
	Action    Action              `json:"action"`
	Subject   string              `json:"subject,omitempty"` // the id of what was changed; its prefix is its kind
	Fields    []string            `json:"fields,omitempty"`  // names of what changed, without the values
	// From and To are the old and the new value, if it is a word of a fixed list: a role, a scope, a kind.
	From   string `json:"from,omitempty"`
	To     string `json:"to,omitempty"`
	Count  int    `json:"count,omitempty"`  // of rows, where there were several
	Device string `json:"device,omitempty"` // of a sign-in, see Device
}

// By is the kind of actor of an entry.
type By string

const (
	Member   By = "member"
	Key      By = "key"
	Operator By = "operator" // runs the server
	System   By = "system"   // a timer, or what another service said
	Business By = "business" // no member is known
	Unknown  By = "unknown"  // somebody who did not sign in
)

// Door is the door that an actor used.
type Door string

const (
	Dashboard Door = "dashboard"
	API       Door = "api"
	Agent     Door = "agent"
	Command   Door = "command"
	Server    Door = "server"
	SignIn    Door = "sign_in" // the pages before somebody is signed in
)

// by fills in who it was.
func (e *Entry) by(a app.Actor) {
	e.Actor = a.ID()
	switch {
	case a.Operator:
		e.By, e.Door, e.Actor = Operator, Command, ""
		return
	case a.User != 0 && a.Key == 0:
		e.By = Member
	case a.Kind == booking.ByAPI || a.Kind == booking.ByAgent:
		e.By = Key
	case a.Kind == booking.ByOwner:
		e.By = Business
	case a.Kind == booking.BySystem:
		e.By = System
	default:
		e.By = Unknown
	}
	switch a.Kind {
	case booking.ByOwner:
		e.Door = Dashboard
	case booking.ByAPI:
		e.Door = API
	case booking.ByAgent:
		e.Door = Agent
	case booking.BySystem:
		e.Door = Server
	default:
		e.Door = SignIn
	}
}

// Writes are the writes of the log.
type Writes interface {
	InsertAuditEntry(e *Entry) error
	// PruneAudit deletes at most limit entries from before that time, of all workspaces, and returns how many.
	PruneAudit(before when.Instant, limit int) (int, error)
}

// Note writes an entry of what the actor does in tx. It fills in the actor, the time and, if they are zero, the door
// and the workspace. Every error is internal, and the change must fail with it.
func Note(tx app.Tx, now time.Time, a app.Actor, e Entry) error {
	e.ID, e.At = id.New[EntryIDKind](now), when.At(now)
	if e.Workspace == 0 {
		e.Workspace = a.Workspace
	}
	door := e.Door
	if e.by(a); door != "" {
		e.Door = door
	}
	if err := e.check(); err != nil {
		return err
	}
	return tx.(Writes).InsertAuditEntry(&e)
}

var (
	anID   = regexp.MustCompile(`^[a-z]{1,8}_[0-9a-z]{1,26}$`)
	fields = regexp.MustCompile(`^([a-zA-Z][a-zA-Z0-9._]{0,59}( |$))*$`)
	aWord  = regexp.MustCompile(`^[a-z][a-z0-9._-]{0,29}$`)
)

// mostFields bounds an entry.
const mostFields = 100

// check refuses what is not of the log's few shapes, so that nobody's words get into it.
func (e *Entry) check() error {
	ok := func(shape *regexp.Regexp, text string) bool { return text == "" || shape.MatchString(text) }
	switch {
	case e.Workspace == 0:
		return fmt.Errorf("audit: %s has no workspace", e.Action)
	case !slices.Contains(Actions, e.Action):
		return fmt.Errorf("audit: %s is no action", e.Action)
	case !ok(anID, e.Subject) || !ok(anID, e.Actor) || !ok(aWord, e.From) || !ok(aWord, e.To):
		return fmt.Errorf("audit: %s would hold more than ids and words of lists", e.Action)
	case len(e.Fields) > mostFields || !fields.MatchString(strings.Join(e.Fields, " ")):
		return fmt.Errorf("audit: %s would hold more than names of fields", e.Action)
	case !knownDevice(e.Device):
		return fmt.Errorf("audit: %s would hold more than a browser and a system", e.Action)
	}
	return nil
}

var (
	browsers = []string{"Edg/", "Edge", "OPR/", "Opera", "Firefox/", "Firefox", "Chrome/", "Chrome", "Safari/", "Safari"}
	systems  = []string{"iPhone", "iPhone", "iPad", "iPad", "Android", "Android", "Windows", "Windows", "Mac OS", "macOS",
		"Linux", "Linux"}
)

// Browser returns the names of a browser and its system, a word each, from its User-Agent; "" if unknown.
func Browser(agent string) (browser, system string) {
	find := func(names []string) string {
		for i := 0; i+1 < len(names); i += 2 {
			if strings.Contains(agent, names[i]) {
				return names[i+1]
			}
		}
		return ""
	}
	return find(browsers), find(systems)
}

// Device returns the result of Browser as the log has it, such as "Firefox/Linux"; "" for an unknown browser.
func Device(agent string) string {
	browser, system := Browser(agent)
	if browser == "" {
		return ""
	}
	return strings.TrimSuffix(browser+"/"+system, "/")
}

func knownDevice(text string) bool {
	browser, system, _ := strings.Cut(text, "/")
	return text == "" || slices.Contains(browsers, browser) && (system == "" || slices.Contains(systems, system))
}
