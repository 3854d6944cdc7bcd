package calsync_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/calsync"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/setup"
	"daybook/app/subjects"
)

// listedAccount is a CalDAV account with calendars.
type listedAccount struct {
	mu        sync.Mutex
	calendars []calsync.Remote
	asked     int
	secrets   []string // that it was opened with
}

func (a *listedAccount) with(change func()) {
	a.mu.Lock()
	defer a.mu.Unlock()
	change()
}

func (a *listedAccount) open(o calsync.Opening) calsync.Source {
	a.with(func() { a.secrets = append(a.secrets, o.Credentials.Password+o.Credentials.Address) })
	return a
}

func (a *listedAccount) Calendars(context.Context) ([]calsync.Remote, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.asked++
	return slices.Clone(a.calendars), nil
}

func (a *listedAccount) Changes(context.Context, calsync.Asked) (calsync.Changes, error) {
	return calsync.Changes{All: true, Cursor: "1"}, nil
}

func (a *listedAccount) Put(context.Context, string, string, string, calsync.Entry) (string, string, error) {
	return "key", "1", nil
}

func (a *listedAccount) Find(context.Context, string, string) (string, string, error) {
	return "", "", nil
}

var _ calsync.Writer = &listedAccount{}

func (a *listedAccount) Remove(context.Context, string, string, string) error { return nil }

type listedBed struct {
	*apptest.Salon
	account *listedAccount
	secrets map[string]string
}

func newListedBed(t *testing.T) *listedBed {
	t.Helper()
	b := &listedBed{account: &listedAccount{calendars: []calsync.Remote{{ID: "w", Name: "Work"}, {ID: "h", Name: "Home"},
		{ID: "f", Name: "Feasts", ReadOnly: true}}},
		secrets: map[string]string{"env:ANA_ICS": "https://8.8.8.8/secret.ics", "file:/ana": "pass-word-1"}}
	b.Salon = apptest.New(t, apptest.Options{With: func(c *subjects.Config) {
		c.Calendars.Sources = map[calsync.Kind]calsync.Opener{calsync.CalDAV: b.account.open,
			calsync.ICS: func(o calsync.Opening) calsync.Source {
				b.account.open(o)
				return one{b.account}
			}}
	}})
	b.Offer("cut", 60, func(e *catalog.EventType) { e.Hosts = e.Hosts[:1] })
	return b
}

// one is the account of a file.
type one struct{ *listedAccount }

func (one) Calendars(context.Context) ([]calsync.Remote, error) {
	return []calsync.Remote{{Name: "Private things", ReadOnly: true}}, nil
}

// file is a set-up file in which the first host has these calendars.
func file(calendars string) string {
	return "workspace: {slug: salon}\nhosts:\n  - email: ana@salon.example\n    calendars: " + calendars + "\n"
}

func (b *listedBed) apply(text string, dryRun bool) (setup.Report, error) {
	b.T.Helper()
	f, err := setup.Parse([]byte(text))
	if err != nil {
		return setup.Report{}, err
	}
	f.Resolve(func(reference string) (string, error) {
		if text, known := b.secrets[reference]; known {
			return text, nil
		}
		return "", errors.New(strings.TrimPrefix(reference, "env:") + " is not set")
	})
	return b.SetupFile.ApplySetup(b.T.Context(), app.Operator(0), f, dryRun)
}

// applied are the differences of a file that is applied, each in a line.
func (b *listedBed) applied(calendars string) string {
	b.T.Helper()
	dry, err := b.apply(file(calendars), true)
	b.Must(err)
	r, err := b.apply(file(calendars), false)
	b.Must(err)
	told := func(r setup.Report) (all string) {
		for _, d := range r.Differences {
			all += fmt.Sprintf("%s %s→%s\n", d.Field, d.From, d.To)
		}
		for _, w := range r.Warnings {
			all += fmt.Sprintf("%d %s: %s\n", w.Line, w.Path, w.Message)
		}
		return all
	}
	if told(dry) != told(r) {
		b.T.Errorf("a dry run tells\n%s\nbut\n%s", told(dry), told(r))
	}
	return told(r)
}

func (b *listedBed) connections() []calsync.Connection {
	b.T.Helper()
	all, err := b.Calendars.CalendarConnections(b.T.Context(), b.Owner)
	b.Must(err)
	return all
}

func (b *listedBed) named(name string) calsync.Connection {
	b.T.Helper()
	all := b.connections()
	i := slices.IndexFunc(all, func(c calsync.Connection) bool { return c.Name == name })
	if i < 0 {
		b.T.Fatalf("there is no connection %s", name)
	}
	return all[i]
}

// read reads a connection and says how it is, and what its calendars are for.
func (b *listedBed) read(name string) string {
	b.T.Helper()
	x := b.named(name)
	c, err := b.Calendars.ReadCalendars(b.T.Context(), b.Owner, x.ID.String())
	b.Must(err)
	text := string(c.State) + string(c.Problem)
	for _, k := range c.Calendars {
		text += " " + k.Name
		if k.Blocks {
			text += "+"
		}
		if k.Target {
			text += "!"
		}
	}
	return text
}

func (b *listedBed) exported() string {
	b.T.Helper()
	d, err := b.SetupFile.ExportSetup(b.T.Context(), app.Operator(b.Workspace.ID))
	b.Must(err)
	text, err := d.YAML()
	b.Must(err)
	return string(text)
}

const (
	private = "{name: Private, kind: ics, address: env:ANA_ICS}"
	work    = "{name: Job, kind: caldav, address: https://8.8.8.8/dav, user: ana, password: file:/ana, " +
		"blocks: [Work], target: Work, details: [phone]}"
)

// What a file lists is connected without a call, read by the loop, and exported without a secret as apply reads it.
func TestFileConnectsCalendars(t *testing.T) {
	b := newListedBed(t)
	got := b.applied("[" + private + ", " + work + "]")
	want := `calendars []→[{"name":"Job","kind":"caldav","address":"https://8.8.8.8/dav","user":"ana","password":"file:/ana",` +
		`"blocks":["Work"],"target":"Work","details":["phone"]},{"name":"Private","kind":"ics","address":"env:ANA_ICS"}]` + "\n"
	if got != want {
		t.Errorf("applied:\n%s", got)
	}
	if len(b.account.secrets) != 0 || b.account.asked != 0 {
		t.Error("to apply a file called somebody")
	}
	if again := b.applied("[" + private + ", " + work + "]"); again != "" {
		t.Errorf("a second time:\n%s", again)
	}
	// Nobody knows yet when she is busy.
	b.refuse()
	_, err := b.Book(t.Context(), b.API, apptest.Input("cut", "1T09", "Ida"))
	if err != nil {
		t.Errorf("the booking had both read, and was refused: %v", err)
	}
	if got := b.read("Private"); got != "ok Private things+" {
		t.Errorf("the file is %s", got)
	}
	if got := b.read("Job"); got != "ok Feasts Home Work+!" {
		t.Errorf("the account is %s", got)
	}
	if k := b.named("Job").Calendars[2]; k.Details != (calsync.Details{Phone: true}) {
		t.Errorf("written is %+v", k.Details)
	}
	if !slices.Contains(b.account.secrets, "pass-word-1") || !slices.Contains(b.account.secrets, "https://8.8.8.8/secret.ics") {
		t.Errorf("opened with %v", b.account.secrets)
	}
	text := b.exported()
	for _, secret := range []string{"pass-word-1", "secret.ics"} {
		if strings.Contains(text, secret) {
			t.Errorf("the export has %s", secret)
		}
	}
	delete(b.secrets, "file:/ana")
	delete(b.secrets, "env:ANA_ICS")
	r, err := b.apply(text, false)
	b.Must(err)
	if len(r.Differences) != 0 || len(r.Warnings) != 2 || !strings.Contains(r.Warnings[0].Message+r.Warnings[1].Message,
		"ANA_ICS is not set, so that the secret that is stored stays") {
		t.Errorf("the export changes something: %+v", r)
	}
	if _, err := b.apply("workspace: {slug: salon}\nhosts: [{email: ana@salon.example, about: x}]", false); err != nil || len(b.connections()) != 2 {
		t.Errorf("left out: %v, %d", err, len(b.connections()))
	}
}

func (b *listedBed) refuse() {
	b.T.Helper()
	_, err := b.apply("workspace: {slug: salon}\nhosts: [{email: ana@salon.example, whenCalendarUnknown: refuse}]", false)
	b.Must(err)
}

// A file changes what differs, ends what it lists no longer, and leaves what was connected by hand.
func TestFileChangesCalendars(t *testing.T) {
	b := newListedBed(t)
	byHand, err := b.Calendars.ConnectCalendars(t.Context(), b.Owner, calsync.Input{Host: catalog.HostID(1).String(),
		Kind: calsync.CalDAV, Name: "Job", Address: "https://8.8.8.8/dav", User: "ana", Password: "other"})
	b.Must(err)
	b.applied("[" + private + ", " + work + "]")
	var job calsync.Connection
	find := func() {
		for _, c := range b.connections() {
			if c.Listed != nil && c.Name == "Job" {
				job = c
			}
		}
	}
	read := func() string {
		find()
		c, err := b.Calendars.ReadCalendars(t.Context(), b.Owner, job.ID.String())
		b.Must(err)
		text := ""
		for _, k := range c.Calendars {
			text += fmt.Sprintf("%s%t%t ", k.Name, k.Blocks, k.Target)
		}
		return text
	}
	if got := read(); got != "Feastsfalsefalse Homefalsefalse Worktruetrue " {
		t.Errorf("at first: %s", got)
	}
	first := job.ID
	// Left out stays; a list is replaced.
	if got := b.applied("[{name: Private}, {name: Job, blocks: [Work, Home]}]"); !strings.Contains(got, `"blocks":["Home","Work"],"target":"Work"`) {
		t.Errorf("more that block: %s", got)
	}
	if got := read(); got != "Feastsfalsefalse Hometruefalse Worktruetrue " || job.ID != first {
		t.Errorf("then: %s", got)
	}
	if got := b.applied("[{name: Private}, {name: Job, target: null, details: []}]"); !strings.Contains(got, `calendars [`) {
		t.Errorf("no target: %s", got)
	}
	if got := read(); got != "Feastsfalsefalse Hometruefalse Worktruefalse " {
		t.Errorf("then: %s", got)
	}
	// Another secret at the same reference.
	b.secrets["file:/ana"], b.secrets["env:ANA_ICS"] = "pass-word-2", "https://8.8.4.4/new.ics"
	if got := b.applied("[{name: Private}, {name: Job}]"); got != "" {
		t.Errorf("left out, and changed: %s", got)
	}
	got := b.applied("[{name: Private, address: env:ANA_ICS}, {name: Job, password: file:/ana}]")
	if !strings.Contains(got, `calendars.Job.password "the secret that is stored"→"another one, of file:/ana"`) ||
		!strings.Contains(got, "calendars.Private.address") || strings.Contains(got, "pass-word") || strings.Contains(got, "new.ics") {
		t.Errorf("another secret: %s", got)
	}
	read()
	b.read("Private")
	if n := b.account.secrets; n[len(n)-2] != "pass-word-2" || n[len(n)-1] != "https://8.8.4.4/new.ics" || job.ID != first {
		t.Errorf("opened with %v", n)
	}
	if got := b.named("Private").Address; got != "8.8.4.4" {
		t.Errorf("the file is at %s", got)
	}
	// Another account begins anew; the choice stays.
	if _, err := b.apply(file("[{name: Private}, {name: Job, user: bo}]"), false); err == nil || !strings.Contains(err.Error(), "hosts[0].calendars[1].password: is required") {
		t.Errorf("another account without a password: %v", err)
	}
	b.applied("[{name: Private}, {name: Job, user: bo, password: file:/ana}]")
	if got := read(); got != "Feastsfalsefalse Hometruefalse Worktruefalse " || job.ID == first || job.User != "bo" {
		t.Errorf("another account: %s", got)
	}
	// Listed no longer.
	if got := b.applied("[{name: Job}]"); !strings.Contains(got, `→[{"name":"Job"`) {
		t.Errorf("one less: %s", got)
	}
	b.applied("null")
	if all := b.connections(); len(all) != 1 || all[0].ID != byHand.ID {
		t.Errorf("left: %+v", all)
	}
}

// Names that aren't found are a problem that is shown, and are looked for until they are.
func TestCalendarsThatAreNotFound(t *testing.T) {
	b := newListedBed(t)
	b.refuse()
	b.applied(strings.ReplaceAll("["+work+"]", "[Work]", "[Work, Garden]"))
	if got := b.read("Job"); got != "failingmisnamed Feasts Home Work+!" {
		t.Errorf("without a garden: %s", got)
	}
	book := func(hour string) error {
		b.Clock.Advance(2 * 60e9)
		_, err := b.Book(t.Context(), b.API, apptest.Input("cut", "1T"+hour, "Ida"+hour))
		return err
	}
	b.Refused(book("09"), fault.Conflict, "calendar_unknown")
	b.account.with(func() { b.account.calendars = append(b.account.calendars, calsync.Remote{ID: "g", Name: "Garden"}) })
	b.Must(book("10"))
	if got := b.read("Job"); got != "ok Feasts Garden+ Home Work+!" {
		t.Errorf("with a garden: %s", got)
	}
	asked := b.account.asked
	b.read("Job")
	if b.account.asked != asked {
		t.Error("the calendars are listed at each reading")
	}
	b.applied(strings.ReplaceAll("["+work+"]", "target: Work", "target: Feasts"))
	if got := b.read("Job"); got != "failingmisnamed Feasts Garden Home Work+" {
		t.Errorf("written into one that can't be: %s", got)
	}
	// A choice by hand is the later one.
	x := b.named("Job")
	b.Must(b.Calendars.ChooseCalendars(t.Context(), b.Owner, x.ID.String(), map[calsync.CalendarID]calsync.Choice{x.Calendars[0].ID: {Blocks: true}}))
	if got := b.read("Job"); got != "ok Feasts+ Garden Home Work+" {
		t.Errorf("chosen by hand: %s", got)
	}
}

func TestWrongListOfCalendars(t *testing.T) {
	b := newListedBed(t)
	b.applied("[" + work + "]")
	for _, c := range []struct{ list, want string }{
		{"[{name: G, kind: google, address: x}]", "line 4: hosts[0].calendars[0].kind: google is connected by signing in there"},
		{"[{name: G, kind: exchange, address: x}]", "hosts[0].calendars[0].kind: must be ics or caldav"},
		{"[{name: G, kind: ics, address: https://8.8.8.8/secret.ics}]", "hosts[0].calendars[0].address: must be env:NAME or file:/PATH"},
		{"[{name: G, kind: ics, address: file:relative}]", "hosts[0].calendars[0].address: must be env:NAME or file:/PATH"},
		{"[{name: G, kind: ics, address: env:NONE}]", "hosts[0].calendars[0].address: NONE is not set"},
		{"[{name: G, kind: ics, address: file:/ana}]", "what file:/ana holds is not an https:// address of a calendar"},
		{"[{name: G, kind: ics, address: env:ANA_ICS, blocks: [x]}]", "hosts[0].calendars[0].blocks: isn't for ics"},
		{"[{name: G, kind: caldav, address: https://8.8.8.8/, user: a, password: hunter-2}]", "hosts[0].calendars[0].password: must be env:NAME or file:/PATH"},
		{"[{name: G, kind: caldav, address: 'ftp://x/', user: a, password: env:A}]", "hosts[0].calendars[0].address: must be an https:// address"},
		{"[{name: G, kind: caldav, address: https://8.8.8.8/}]", "hosts[0].calendars[0].user"},
		{"[{kind: ics, address: env:ANA_ICS}]", "hosts[0].calendars[0].name: is required"},
		{"[{name: G, address: env:ANA_ICS}]", "hosts[0].calendars[0].kind: is required: this one is new"},
		{"[{name: G, kind: ics, adress: x}]", "hosts[0].calendars[0].adress: there is no such field; did you mean address?"},
		{"[" + private + ", " + private + "]", "hosts[0].calendars[1].name: stands twice"},
		{"[{name: Job, kind: ics, address: env:ANA_ICS, user: '', password: '', blocks: [], target: null, details: []}]", "hosts[0].calendars[0]"},
		{"[" + work + ", " + strings.Replace(work, "Job", "Job 2", 1) + "]", "hosts[0].calendars[1].target: only one calendar of a host gets the bookings"},
		{"[{name: Job, details: [mood]}]", `hosts[0].calendars[0].details: "mood" is none of name, phone, notes, link`},
		{"[" + strings.Repeat("{name: a},", 21) + "]", "hosts[0].calendars: at most 20"},
	} {
		_, err := b.apply(file(c.list), false)
		if e := fault.As(err); e == nil || e.Code != fault.BadRequest || !strings.Contains(e.Error(), c.want) || !strings.Contains(e.Error(), "line 4") {
			t.Errorf("%s\ngot  %v\nwant %s", c.list, err, c.want)
		} else if strings.Contains(e.Error(), "hunter") || strings.Contains(e.Error(), "secret.ics") {
			t.Errorf("the error has the secret: %v", e)
		}
	}
	if all := b.connections(); len(all) != 1 || all[0].Kind != calsync.CalDAV {
		t.Errorf("something was changed: %+v", all)
	}
}

// What was written into the calendars of a connection that ends stays there, which apply says.
func TestEndedCalendarsKeepBookings(t *testing.T) {
	b := newListedBed(t)
	b.applied("[" + work + "]")
	b.read("Job")
	b.Booked("cut", "1T10:00", "bo")
	for {
		n, err := b.Calendars.QueueCopies(t.Context(), 100)
		b.Must(err)
		m, err := b.Calendars.WriteCopies(t.Context(), 10)
		b.Must(err)
		if n == 0 && m == 0 {
			break
		}
	}
	if got := b.applied("[]"); !strings.Contains(got, "4 hosts[0].calendars: Job is not connected any more, and the bookings that were written into it stay there") {
		t.Errorf("told %s", got)
	}
}
