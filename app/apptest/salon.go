package apptest

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/account"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/counter"
	"daybook/app/fault"
	"daybook/app/money"
	"daybook/app/setup"
	"daybook/app/subjects"
	"daybook/app/when"
	"daybook/store"
	"daybook/store/enginetest"
)

// Options say how a salon differs from the standard one.
type Options struct {
	Clock    *Clock                 // nil stands at Monday
	Name     string                 // of the workspace; "" is Salon
	TimeZone string                 // of the workspace and its hosts; "" is Europe/Berlin
	Hosts    []string               // nil is ana, bob and cyd, with the ids 1, 2 and 3
	Hours    string                 // in which they work every day; "" is 09:00-17:00
	With     func(*subjects.Config) // changes what the subjects are made of; nil leaves it
	Empty    bool                   // has no workspace, and so no hosts
	Place    string                 // of another salon's database, which this is then a server of; "" makes one
}

// Salon is the core and all subjects over a database, with one workspace and its actors.
type Salon struct {
	*subjects.Set
	T         testing.TB
	Clock     *Clock
	Store     *store.Store
	Config    subjects.Config   // of Set
	Place     string            // of the database, as --db has it
	Workspace catalog.Workspace // with the slug "salon"; zero if the options want it empty
	API       app.Actor         // with a full key
	Owner     app.Actor

	options Options
	close   func() error
	ids     *ids
}

// ids are the last ids of hosts and event types, in all workspaces of a database.
type ids struct {
	mu              sync.Mutex
	host, eventType int64
}

// New returns a salon on a new database. Its event types are those that the test offers.
func New(t testing.TB, o Options) *Salon {
	t.Helper()
	s := &Salon{T: t, Clock: o.Clock, Place: o.Place, options: o, ids: &ids{eventType: 100}}
	if s.Clock == nil {
		s.Clock = Standing(Monday)
	}
	if s.Place == "" {
		s.Place = enginetest.Place(t)
	}
	s.Connect()
	t.Cleanup(s.Close)
	switch {
	case o.Empty:
	case o.Place != "":
		s.find()
	default:
		s.workspace("salon", o.Hosts)
	}
	return s
}

// Connect opens the database again, as a server that starts after a crash does.
func (s *Salon) Connect() {
	s.T.Helper()
	db, err := enginetest.Connect(context.Background(), s.Place)
	s.Must(err)
	s.close = sync.OnceValue(db.Close)
	s.Store = store.New(db)
	s.Config = subjects.Config{Config: app.Config{Store: s.Store, Clock: s.Clock.Now,
		BaseURL: &url.URL{Scheme: "https", Host: "book.example"}}}
	if s.options.With != nil {
		s.options.With(&s.Config)
	}
	s.Set = subjects.New(s.Config)
}

// Close closes the database, before the test's end.
func (s *Salon) Close() {
	s.T.Helper()
	s.Must(s.close())
}

// Another returns a second server on the same database, with the same clock.
func (s *Salon) Another() *Salon {
	s.T.Helper()
	other := *s
	other.Connect()
	s.T.Cleanup(other.Close)
	return &other
}

// Subjects returns another server on the same store, with the same clock. with changes its configuration; nil leaves
// it.
func (s *Salon) Subjects(with func(*subjects.Config)) *subjects.Set {
	config := s.Config
	if with != nil {
		with(&config)
	}
	return subjects.New(config)
}

// Beside returns another workspace on the same server, with its own hosts.
func (s *Salon) Beside(slug string, hosts ...string) *Salon {
	s.T.Helper()
	other := *s
	other.workspace(slug, hosts)
	return &other
}

// workspace makes one.
func (s *Salon) workspace(slug string, hosts []string) {
	s.T.Helper()
	o := s.options
	name, zone, hours := or(o.Name, "Salon"), or(o.TimeZone, "Europe/Berlin"), or(o.Hours, "09:00-17:00")
	if hosts == nil {
		hosts = []string{"ana", "bob", "cyd"}
	}
	var err error
	s.Workspace, err = s.Shop.CreateWorkspace(s.T.Context(), app.Operator(0),
		catalog.WorkspaceInput{Slug: slug, Name: name, TimeZone: zone})
	s.Must(err)
	s.Actors()
	weekly := map[string][]string{}
	for _, day := range catalog.Weekdays {
		weekly[day] = []string{hours}
	}
	all := make([]catalog.Host, len(hosts)) // outside of what may run twice: their ids are known
	for i, name := range hosts {
		all[i] = catalog.Host{
			ID: catalog.HostID(s.ids.next(&s.ids.host)), WorkspaceID: s.Workspace.ID, Name: name, Active: true, TimeZone: zone,
			Email: strings.ToLower(strings.Fields(name)[0]) + "@salon.example", Hours: catalog.Hours{Weekly: weekly},
		}
	}
	s.Must(s.Store.Write(s.T.Context(), func(tx app.Tx) error {
		for i := range all {
			if err := tx.InsertHost(&all[i]); err != nil {
				return err
			}
		}
		return nil
	}))
}

// Apply makes a set-up file's workspace, or changes it, and takes it as the salon's if it has none.
func (s *Salon) Apply(text string) {
	s.T.Helper()
	doc, err := setup.Parse([]byte(text))
	s.Must(err)
	_, err = s.SetupFile.ApplySetup(s.T.Context(), app.Operator(0), doc, false)
	s.Must(err)
	if s.Workspace.ID == 0 {
		s.find()
	}
}

func (s *Salon) find() {
	s.T.Helper()
	var err error
	s.Workspace, err = s.WorkspaceBySlug(context.Background(), "salon") // a process that is no test has no T.Context
	s.Must(err)
	s.Actors()
}

// Actors sets the actors to those of Workspace, for a test that has set it.
func (s *Salon) Actors() {
	s.API = app.Actor{Kind: booking.ByAPI, Workspace: s.Workspace.ID}
	s.Owner = app.Actor{Kind: booking.ByOwner, Role: app.OwnerRole, Workspace: s.Workspace.ID}
}

func (i *ids) next(last *int64) int64 {
	i.mu.Lock()
	defer i.mu.Unlock()
	*last++
	return *last
}

func or(text, standard string) string {
	if text == "" {
		return standard
	}
	return text
}

// Offer adds an event type of so many minutes, one after the other, served by the workspace's first host, changed by
// with unless that is nil.
func (s *Salon) Offer(slug string, minutes int, with func(*catalog.EventType)) catalog.EventType {
	s.T.Helper()
	setup, err := s.Setup(s.Workspace.ID)
	s.Must(err)
	e := catalog.NewEventType()
	e.ID, e.WorkspaceID, e.CreatedAt = catalog.EventTypeID(s.ids.next(&s.ids.eventType)), s.Workspace.ID,
		when.At(s.Clock.Now())
	e.Slug, e.Title, e.Position = slug, strings.ToUpper(slug[:1])+slug[1:], int(e.ID)
	e.DurationMinutes, e.SlotStepMinutes = minutes, minutes
	e.Hosts = []catalog.HostRef{{ID: setup.Hosts[0].ID}}
	if with != nil {
		with(&e)
	}
	s.Must(s.Store.Write(s.T.Context(), func(tx app.Tx) error { return tx.InsertEventType(&e) }))
	return e
}

// Taxed has the workspace tax like that, and all its hosts give an event type of 60 minutes at a price, in cents.
func (s *Salon) Taxed(x money.Tax, price int64, slug string) {
	s.T.Helper()
	_, err := s.Shop.UpdateWorkspace(s.T.Context(), s.Owner, func(changed *catalog.Workspace) {
		changed.Tax, changed.Settings.Address = &x, "Main Street 1"
	})
	s.Must(err)
	setup, err := s.Setup(s.Workspace.ID)
	s.Must(err)
	s.Offer(slug, 60, func(e *catalog.EventType) {
		e.Price, e.Hosts = &money.Money{Amount: price, Currency: "EUR"}, nil
		for _, h := range setup.Hosts {
			e.Hosts = append(e.Hosts, catalog.HostRef{ID: h.ID})
		}
	})
}

// Written returns the receipts of a booking, the oldest first, a line each: its number, kind and total, its taxes, and
// which one it reverses or is reversed by.
func (s *Salon) Written(b booking.Booking) (lines []string) {
	s.T.Helper()
	page, err := s.Counter.Receipts(s.T.Context(), s.Owner, counter.ReceiptQuery{Booking: b.ID.String()})
	s.Must(err)
	for _, r := range slices.Backward(page.Data) {
		line := fmt.Sprintf("%s %s %d", r.Number, r.Kind, r.Total)
		for _, x := range r.Taxes {
			line += fmt.Sprintf(" %s%%=%d", x.Rate, x.Tax)
		}
		if r.Reverses != nil {
			line += " of " + r.Reverses.Number
		}
		if r.ReversedBy != nil {
			line += " by " + r.ReversedBy.Number
		}
		lines = append(lines, line)
	}
	return lines
}

// Alter changes an event type, whatever the rules say.
func (s *Salon) Alter(slug string, change func(*catalog.EventType)) {
	s.T.Helper()
	setup, err := s.Setup(s.Workspace.ID)
	s.Must(err)
	e := *setup.EventType(slug)
	change(&e)
	s.Must(s.Store.Write(s.T.Context(), func(tx app.Tx) error { return tx.UpdateEventType(&e) }))
}

// Input returns the input that books the event type for that person, at a time that At reads.
func Input(eventType, start, person string) booking.BookInput {
	return booking.BookInput{EventType: eventType, Start: At(start),
		Invitee: booking.Invitee{Name: person, Email: strings.ToLower(person) + "@mail.example"}}
}

// At returns an instant as the API writes it. "1T09" and "1T09:30" are times of the day after Monday, in UTC; other
// texts stay.
func At(text string) string {
	var day, hour, minute int
	if n, _ := fmt.Sscanf(text, "%dT%d:%d", &day, &hour, &minute); n < 2 || day > 1000 {
		return text
	}
	return time.Date(2026, 11, 30+day, hour, minute, 0, 0, time.UTC).Format(time.RFC3339)
}

// Hours returns the instant n hours after Monday.
func Hours(n int) string { return Monday.Add(time.Duration(n) * time.Hour).Format(time.RFC3339) }

// Booked books with the API's actor.
func (s *Salon) Booked(eventType, start, person string) booking.Booking {
	s.T.Helper()
	b, err := s.Book(s.T.Context(), s.API, Input(eventType, start, person))
	s.Must(err)
	return b
}

// Again returns the booking as it is now.
func (s *Salon) Again(b booking.Booking) booking.Booking {
	s.T.Helper()
	b, err := s.Booking(s.T.Context(), s.API, b.ID.String())
	s.Must(err)
	return b
}

// EventKinds lists the kinds of all events so far, the oldest first.
func (s *Salon) EventKinds() (kinds []catalog.EventKind) {
	s.T.Helper()
	all, err := s.Store.EventsAfter(s.Workspace.ID, 0, 1000)
	s.Must(err)
	for _, e := range all {
		kinds = append(kinds, e.Kind)
	}
	return kinds
}

// Key returns a new API key, with a rate that no test reaches.
func (s *Salon) Key(scope account.Scope) account.NewKey {
	s.T.Helper()
	k, err := s.Account.CreateKey(s.T.Context(), app.Operator(s.Workspace.ID),
		account.KeyInput{Name: "test", Scope: scope, RateLimit: 1_000_000})
	s.Must(err)
	return k
}

// Must ends the test if there is an error.
func (s *Salon) Must(err error) {
	s.T.Helper()
	if err != nil {
		s.T.Fatal(err)
	}
}

// Refused wants an error of that code and reason, and returns it.
func (s *Salon) Refused(err error, code fault.Code, reason string) *fault.Error {
	s.T.Helper()
	e := fault.As(err)
	if e == nil || e.Code != code || e.Reason != reason {
		s.T.Fatalf("got %#v, want %s/%s", err, code, reason)
	}
	return e
}

// SQL runs a statement on the database from outside, as another program would.
func (s *Salon) SQL(query string) error {
	_, err := enginetest.Raw(s.T, s.Store.Engine).Exec(query)
	return err
}

// Run runs a loop until the test ends, or until stop.
func (s *Salon) Run(loop interface {
	Run(context.Context) error
	Wake()
}) (stop func()) {
	s.T.Helper()
	s.OnCommit(loop.Wake)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- loop.Run(ctx) }()
	stop = sync.OnceFunc(func() {
		cancel()
		if err := <-done; err != nil {
			s.T.Error(err)
		}
	})
	s.T.Cleanup(stop)
	return stop
}

// Eventually waits up to a minute until holds reports true, for tests of loops and other processes.
func Eventually(t testing.TB, what string, holds func() bool) {
	t.Helper()
	EventuallyWithin(t, time.Minute, what, holds)
}

// EventuallyWithin waits until holds is true, as long as most.
func EventuallyWithin(t testing.TB, most time.Duration, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(most); !holds(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("timed out waiting for: %s", what)
		}
	}
}
