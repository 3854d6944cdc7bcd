package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/calsync"
	"daybook/app/catalog"
	"daybook/app/money"
	"daybook/app/slot"
	"daybook/app/vault"
	"daybook/app/when"
	"daybook/store"
	"daybook/store/sqlite"
)

const (
	hosts = 64 // who take any time; their event types of 15 minutes are host-0, host-1 …
	// Two more work from 9 to 17 in Berlin, for services of an hour: of "hour" 200 hours of 60 days are taken, of
	// "busy" those that ten other calendars of 500 events leave.
	taken = 200
	day   = 24 * time.Hour
)

// bench is the database, the two servers and what takes the product's mails and webhooks.
type bench struct {
	o                        options
	dir, db, copied, self    string
	sinks                    *Sinks
	product, floor, creation *server // creation is PocketBase
	first                    time.Time
	ids                      []booking.BookingID
	seen                     when.Instant // the first seeded start
	member                   string       // the header of who is signed in to the dashboard
}

func newBench(ctx context.Context, o options, dir string) (b *bench, err error) {
	b = &bench{o: o, dir: dir, db: filepath.Join(dir, "door.db")}
	b.first = time.Now().UTC().Truncate(day).Add(2 * day) // tomorrow could be today before the run ends
	if b.o.profile != "" {
		if b.o.profile, err = filepath.Abs(o.profile); err != nil {
			return nil, err
		}
		if err = os.MkdirAll(b.o.profile, 0o700); err != nil {
			return nil, err
		}
	}
	if b.self, err = os.Executable(); err != nil {
		return nil, err
	}
	if b.sinks, err = NewSinks(); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			b.close()
		}
	}()
	key, err := b.setUp(ctx)
	if err != nil {
		return nil, err
	}
	if err := b.seed(ctx); err != nil {
		return nil, fmt.Errorf("fill the database: %w", err)
	}
	b.copied = filepath.Join(dir, "floor.db")
	if err := copyFile(b.db, b.copied); err != nil {
		return nil, err
	}
	address, err := FreeAddress()
	if err != nil {
		return nil, err
	}
	if b.floor, err = b.start(ctx, b.self, "floor", "", b.copied, "http://"+address); err != nil {
		return nil, err
	}
	b.product, err = b.start(ctx, b.self, "product", "Authorization: Bearer "+key+"\r\n", "--db", b.db, "serve",
		"--addr", address, "--base-url", "http://"+address, "--webhook-allow", "127.0.0.0/8", "--bookings-per-hour", "-1",
		"--smtp-url", b.sinks.Mail())
	if err == nil {
		b.member, err = b.signIn(ctx, address)
	}
	if err == nil && o.pocketbase != "" {
		if address, err = FreeAddress(); err != nil {
			return nil, err
		}
		b.creation, err = b.start(ctx, o.pocketbase, "pocketbase", "", filepath.Join(dir, "pocketbase"), fmt.Sprint(o.rows),
			address)
	}
	return b, err
}

func (b *bench) close() {
	for _, s := range []*server{b.product, b.floor, b.creation} {
		if s != nil {
			s.stop()
		}
	}
	b.sinks.Close()
}

// setUp makes the workspace, as an owner does, with a webhook endpoint, and returns an API key.
func (b *bench) setUp(ctx context.Context) (string, error) {
	file := filepath.Join(b.dir, "setup.json")
	if err := os.WriteFile(file, workspaceFile(), 0o600); err != nil {
		return "", err
	}
	if _, err := b.daybook(ctx, "", "workspace", "apply", file, "--new-database"); err != nil {
		return "", err
	}
	if _, err := b.daybook(ctx, "", "webhooks", "create", "--workspace", "door", "--events", "*", "--url",
		b.sinks.Hook(), "--webhook-allow", "127.0.0.0/8"); err != nil {
		return "", err
	}
	out, err := b.daybook(ctx, "", "keys", "create", "--workspace", "door", "--name", "door",
		"--rate-limit", "1000000", "--json")
	if err != nil {
		return "", err
	}
	var key struct{ Key string }
	if err := json.Unmarshal(out, &key); err != nil {
		return "", err
	}
	return key.Key, b.setUpSalon(ctx)
}

// workspaceFile is the set-up, as `workspace apply` reads it.
func workspaceFile() []byte {
	type object = map[string]any
	week := func(hours string) object {
		w := object{}
		for _, day := range catalog.Weekdays {
			w[day] = []string{hours}
		}
		return w
	}
	var people, types []object
	add := func(name, slug, zone, hours string, minutes int) {
		email := slug + "@door.example"
		people = append(people, object{"name": name, "email": email, "timeZone": zone, "weekly": week(hours)})
		types = append(types, object{
			"slug": slug, "title": "With " + name, "durationMinutes": minutes, "slotStepMinutes": minutes,
			"minimumNoticeMinutes": 0, "bookingWindowDays": 730, "hosts": []string{email},
		})
	}
	for i := range hosts {
		add(fmt.Sprint("Host ", i), fmt.Sprint("host-", i), "UTC", "00:00-24:00", 15)
	}
	add("Ana", "hour", "Europe/Berlin", "09:00-17:00", 60)
	add("Bea", "busy", "Europe/Berlin", "09:00-17:00", 60)
	file, err := json.Marshal(object{
		"workspace": object{"slug": "door", "name": "Door", "timeZone": "Europe/Berlin", "currency": "EUR"},
		"hosts":     people, "eventTypes": types,
	})
	if err != nil {
		panic(err) // maps of texts and numbers always encode
	}
	return file
}

// seed writes past bookings of the hosts who take any time, and what is taken of the others' days. Nobody is told of
// them: they have no history.
func (b *bench) seed(ctx context.Context) error {
	db, err := sqlite.Open(ctx, sqlite.Options{Path: b.db, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		return err
	}
	defer db.Close()
	st := store.New(db)
	s := app.New(app.Config{Store: st})
	w, err := s.WorkspaceBySlug(ctx, "door")
	if err != nil {
		return err
	}
	setup, err := s.Setup(w.ID)
	if err != nil {
		return err
	}
	made := 0
	for made < b.o.rows {
		err := st.Write(ctx, func(tx app.Tx) error {
			for end := min(made+20_000, b.o.rows); made < end; made++ {
				if err := b.seedOne(tx, setup, made); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	if err := st.Write(ctx, func(tx app.Tx) error { return b.seedCalendars(tx, setup) }); err != nil {
		return err
	}
	if w, err = s.WorkspaceBySlug(ctx, "salon"); err != nil {
		return err
	}
	if setup, err = s.Setup(w.ID); err != nil {
		return err
	}
	if err := st.Write(ctx, func(tx app.Tx) error { return b.seedWeek(tx, setup) }); err != nil {
		return err
	}
	return db.Close()
}

func (b *bench) seedOne(tx app.Tx, setup *catalog.Setup, i int) error {
	e := setup.EventType(fmt.Sprint("host-", i%hosts))
	start := b.first.Add(-3*day - time.Duration(i/hosts)*15*time.Minute)
	if i < taken {
		e = setup.EventType("hour")
		start = b.first.Add(time.Duration(i*30/100)*day + time.Duration(8+i%10*3%8)*time.Hour)
	}
	at := when.At(b.first.Add(-400 * day))
	contact := booking.Contact{ID: booking.ContactID(i/8 + 1), WorkspaceID: setup.Workspace.ID, Name: "Bo Berg",
		CreatedAt: at,
		Email:     fmt.Sprintf("bo%d@mail.example", i/8)}
	if i%8 == 0 {
		if err := tx.InsertContact(&contact); err != nil {
			return err
		}
	}
	k := booking.Booking{
		ID: booking.BookingID(int64(i+1) << 20), WorkspaceID: setup.Workspace.ID, EventTypeID: e.ID, ContactID: contact.ID,
		Taken:  booking.Taken{Start: when.At(start), End: when.At(start.Add(time.Duration(e.DurationMinutes) * time.Minute))},
		Status: booking.Confirmed,
		Host:   catalog.HostRef{ID: e.Hosts[0].ID}, Location: "Lindenstr. 4, Berlin", Seats: 1, CreatedAt: at, UpdatedAt: at,
		Invitee: booking.Invitee{Name: contact.Name, Email: contact.Email, TimeZone: "Europe/Berlin", Locale: "de"},
		Price:   &money.Money{Amount: 4500, Currency: "EUR"}, UIDDomain: "door.example",
	}
	k.BusyStart, k.BusyEnd = k.Start, k.End
	b.ids = append(b.ids, k.ID)
	if b.seen == 0 || k.Start < b.seen {
		b.seen = k.Start
	}
	return tx.SaveBooking(&k, true, nil)
}

// seedCalendars has ten other calendars, of 500 events each, say when Bea is busy.
func (b *bench) seedCalendars(tx app.Tx, setup *catalog.Setup) error {
	host := setup.EventType("busy").Hosts[0].ID
	var spans []slot.Span
	for n := range 10 {
		for i := range 500 {
			start := b.first.Add(time.Duration(i)*day/8 + time.Duration(n*37+i*11%180)*time.Minute)
			end := start.Add(time.Duration(5+i%4*5) * time.Minute)
			spans = append(spans, slot.Span{Start: start.UnixMilli(), End: end.UnixMilli()})
		}
	}
	t, of := tx.(calsync.Tx), catalog.CalendarOwner{Host: host}
	c := calsync.Connection{ID: 1, WorkspaceID: setup.Workspace.ID, CalendarOwner: of, Kind: calsync.ICS, Name: "ten",
		Secret: (&vault.Vault{}).Seal([]byte("{}")), State: calsync.OK, DueAt: when.At(b.first.Add(1000 * day))}
	if err := t.InsertCalendarConnection(&c); err != nil {
		return err
	}
	return t.SetBusyTimes(setup.Workspace.ID, of, slot.Merge(spans))
}

func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	if _, err := io.Copy(out, in); err != nil {
		out.Close()
		return err
	}
	return out.Close()
}

// posted is the body of the i-th booking: of a free time.
func (b *bench) posted(i int) string {
	return fmt.Sprintf(`{"eventType":"host-%d","start":%q,"invitee":{"name":"Someone Else","email":"p%d@mail.example"}}`,
		i%hosts, b.first.Add(time.Duration(i/hosts)*15*time.Minute).Format(time.RFC3339), i%500)
}
