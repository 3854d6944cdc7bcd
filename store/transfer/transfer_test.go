package transfer_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net/netip"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/demo"
	"daybook/app/record"
	"daybook/app/rooms"
	"daybook/app/upkeep"
	"daybook/app/vault"
	"daybook/app/webhook"
	"daybook/store"
	"daybook/store/engine"
	"daybook/store/enginetest"
	"daybook/store/migrations"
	"daybook/store/transfer"
)

// A child process copies until it is killed, see TestKilledAndResumed.
const childVariable = "DAYBOOK_TEST_COPY"

func TestMain(m *testing.M) {
	if places := os.Getenv(childVariable); places != "" {
		if err := copyAndTell(strings.Fields(places)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// copyAndTell prints a line after each page, and waits to be killed after one of the second table that has rows.
func copyAndTell(places []string) error {
	ctx := context.Background()
	from, err := enginetest.Connect(ctx, places[0])
	if err != nil {
		return err
	}
	to, err := enginetest.Connect(ctx, places[1])
	if err != nil {
		return err
	}
	_, err = transfer.Copy(ctx, from, to, transfer.Options{PageRows: 20, Progress: func(table string, rows, of int64) error {
		if table == "bookings" && rows > 20 && rows < of {
			fmt.Println("here")
			select {}
		}
		return nil
	}})
	return err
}

var today = time.Date(2026, 11, 21, 10, 30, 0, 0, time.UTC)

// salon is the demo's salon in a database, and what must work in each copy of it.
type salon struct {
	vault   *vault.Vault
	key     string
	token   string // of a booking's manage link
	booking record.BookingID
	secret  string // of a webhook endpoint
}

func (s *salon) rooms(db engine.Engine) *rooms.Set {
	return rooms.New(s.config(db))
}

func (s *salon) config(db engine.Engine) rooms.Config {
	return rooms.Config{Config: app.Config{Store: store.New(db), Vault: s.vault, Clock: func() time.Time { return today }},
		Webhook: webhook.Config{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}}
}

func newSalon(t *testing.T, place string) *salon {
	t.Helper()
	v, err := vault.NewVault([]byte("a key of thirty-two bytes, it is"))
	if err != nil {
		t.Fatal(err)
	}
	s := &salon{vault: v}
	with(t, place, func(db engine.Engine) { s.fill(t, db) })
	return s
}

func (s *salon) fill(t *testing.T, db engine.Engine) {
	t.Helper()
	set := s.rooms(db)
	r, err := demo.Fill(t.Context(), set, s.config(db), today)
	if err != nil {
		t.Fatal(err)
	}
	s.key = r.Key
	k, err := set.Account.Authenticate(r.Key)
	if err != nil {
		t.Fatal(err)
	}
	actor := k.Actor(record.ByAPI)
	e, err := set.Webhook.CreateEndpoint(t.Context(), actor, webhook.EndpointInput{URL: "http://127.0.0.1:9/", Events: []string{"*"}})
	if err != nil {
		t.Fatal(err)
	}
	s.secret = e.Secret
	all, err := set.Bookings(t.Context(), actor, record.ListBookingsInput{Limit: new(1)})
	if err != nil || len(all.Data) == 0 {
		t.Fatal(len(all.Data), err)
	}
	s.booking = all.Data[0].ID
	s.token = all.Data[0].ManageURL[strings.LastIndex(all.Data[0].ManageURL, "/")+1:]
	if _, err := set.Upkeep.FormKey(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// works checks that the key, the manage link and the webhook's secret of the salon work in a database.
func (s *salon) works(t *testing.T, db engine.Engine) {
	t.Helper()
	set := s.rooms(db)
	k, err := set.Account.Authenticate(s.key)
	if err != nil {
		t.Fatal("the key:", err)
	}
	if b, _, err := set.BookingByToken(t.Context(), s.token); err != nil || b.ID != s.booking {
		t.Errorf("the manage link leads to %v, %v", b.ID, err)
	}
	if _, _, err := set.Upkeep.StoredSecrets(t.Context()); err != nil {
		t.Error("the secrets:", err)
	}
	endpoints, err := set.Webhook.Endpoints(t.Context(), k.Actor(record.ByAPI))
	if err != nil || len(endpoints) != 1 {
		t.Fatal(len(endpoints), err)
	}
	if _, err := set.Webhook.TestEndpoint(t.Context(), k.Actor(record.ByAPI), endpoints[0].ID.String()); err != nil {
		t.Fatal(err)
	}
	batches, err := set.Webhook.ClaimDeliveries(t.Context(), []webhook.Claim{{Endpoint: endpoints[0].ID, Limit: 9}}, time.Minute)
	if err != nil || len(batches) != 1 || batches[0].Err != nil || !slices.Equal(batches[0].Secrets, []string{s.secret}) {
		t.Errorf("a delivery is signed with %+v, %v", batches, err)
	}
	if len(batches) == 1 && len(batches[0].Deliveries) == 0 {
		t.Error("nothing is delivered")
	}
}

// copied runs one copy in handles of its own.
func copied(t *testing.T, from, to string, o transfer.Options) (sums []transfer.Sum, err error) {
	t.Helper()
	with(t, from, func(from engine.Engine) {
		with(t, to, func(to engine.Engine) { sums, err = transfer.Copy(t.Context(), from, to, o) })
	})
	return sums, err
}

func move(t *testing.T, from, to string) []transfer.Sum {
	t.Helper()
	sums, err := copied(t, from, to, transfer.Options{PageRows: 100})
	if err != nil {
		t.Fatal(err)
	}
	return sums
}

// with opens a database for do.
func with(t *testing.T, place string, do func(engine.Engine)) {
	t.Helper()
	db, err := enginetest.Connect(t.Context(), place)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}()
	do(db)
}

func execute(t *testing.T, db engine.Engine, query string, args ...any) {
	t.Helper()
	err := db.Write(t.Context(), func(tx *engine.Transaction) error { _, err := tx.Exec(query, args...); return err })
	if err != nil {
		t.Fatal(query, err)
	}
}

// other is a fresh database on the other engine than the one that is tested. It skips the test where that is
// PostgreSQL and not installed.
func other(t *testing.T) string {
	t.Helper()
	if enginetest.OnPostgres() {
		return enginetest.PlaceOnSQLite(t)
	}
	return enginetest.PlaceOnPostgres(t)
}

// A salon moves to the other engine and back: every table is the same, and what people hold goes on working.
func TestThereAndBack(t *testing.T) {
	there, here, back := other(t), enginetest.Place(t), enginetest.Place(t)
	s := newSalon(t, here)
	first := move(t, here, there)
	second := move(t, there, back)
	if !slices.Equal(first, second) {
		t.Errorf("there: %v\nback: %v", first, second)
	}
	rows := map[string]int64{}
	for _, sum := range first {
		rows[sum.Table] = sum.Rows
	}
	if rows["bookings"] < 100 || rows["events"] < 100 || rows["api_keys"] != 2 || rows["webhook_endpoints"] != 1 {
		t.Errorf("a copy of %v", rows)
	}
	for _, place := range []string{here, there} {
		with(t, place, func(db engine.Engine) {
			err := s.rooms(db).Upkeep.CheckMoved(t.Context())
			if !errors.Is(err, upkeep.ErrMoved) {
				t.Errorf("after it has moved: %v", err)
			}
		})
	}
	with(t, there, func(db engine.Engine) {
		var left int
		q := engine.NewQuerier(t.Context(), db.Readers())
		if err := q.Scan(`SELECT COUNT(*) FROM events WHERE number IS NULL`, nil, &left); err != nil || left > 0 {
			t.Errorf("%d events without a number, %v", left, err)
		}
		s.works(t, db)
	})
	with(t, back, func(db engine.Engine) {
		if err := s.rooms(db).Upkeep.CheckMoved(t.Context()); err != nil {
			t.Error(err)
		}
		s.works(t, db)
	})
}

// tablesOf are all tables of a database but those of the engine, and all its sequences.
func tablesOf(t *testing.T, place string) (tables []string, sequences int) {
	t.Helper()
	query := `SELECT name, 0 FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> 'schema_migrations'`
	if strings.HasPrefix(place, "postgres") {
		query = `SELECT relname, CASE relkind WHEN 'S' THEN 1 ELSE 0 END FROM pg_class
			WHERE relkind IN ('r', 'p', 'S') AND relnamespace = CAST('public' AS regnamespace)
			AND relname NOT LIKE 'server_leases%' AND relname <> 'schema_migrations'`
	}
	with(t, place, func(db engine.Engine) {
		err := engine.NewQuerier(t.Context(), db.Readers()).Each(query, nil, func(scan func(...any) error) error {
			var name string
			var sequence int
			err := scan(&name, &sequence)
			if sequences += sequence; sequence == 0 {
				tables = append(tables, name)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	})
	slices.Sort(tables)
	return tables, sequences
}

// Every table of the schema is copied, with every column, and every sequence goes on: none can be forgotten.
func TestEveryTableIsCopied(t *testing.T) {
	from, to := enginetest.PlaceOnSQLite(t), other(t)
	with(t, from, func(db engine.Engine) { fillEveryTable(t, db) })
	var copiedTables []string
	for _, sum := range move(t, from, to) {
		copiedTables = append(copiedTables, sum.Table)
		if sum.Rows == 0 {
			t.Errorf("no row of %s was copied", sum.Table)
		}
	}
	slices.Sort(copiedTables)
	for _, place := range []string{from, to} {
		tables, sequences := tablesOf(t, place)
		if !slices.Equal(copiedTables, tables) || len(tables) < 30 {
			t.Errorf("copied are %v, of %v", copiedTables, tables)
		}
		with(t, place, func(db engine.Engine) {
			all, err := db.Tables(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			counters := 0
			for _, table := range all {
				if table.Counter != nil {
					counters++
				}
			}
			if counters == 0 || sequences > 0 && counters != sequences {
				t.Errorf("%d counters, and %d sequences", counters, sequences)
			}
		})
	}
}

// fillEveryTable puts a row into each table that has none. Rows refer to each other by the number 1.
func fillEveryTable(t *testing.T, db engine.Engine) {
	t.Helper()
	all, err := db.Tables(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range all {
		var kinds []string
		q := engine.NewQuerier(t.Context(), db.Readers())
		if err := q.All(&kinds, `SELECT type FROM pragma_table_info(?) ORDER BY cid`, table.Name); err != nil {
			t.Fatal(err)
		}
		values := make([]any, len(kinds))
		for i, column := range table.Columns {
			values[i] = map[string]any{"INTEGER": 1, "TEXT": "it's ✂", "BLOB": []byte{0, 255, '\''}}[kinds[i]]
			if column == "end_ms" || column == "busy_end_ms" {
				values[i] = 2
			}
			if column == "response" || column == "body" {
				values[i] = []byte{} // is not NULL
			}
			if column == "notes" || column == "reason" {
				values[i] = ""
			}
		}
		execute(t, db, "INSERT INTO "+table.Name+" ("+strings.Join(table.Columns, ", ")+") VALUES (?"+strings.Repeat(", ?", len(values)-1)+
			") ON CONFLICT DO NOTHING", values...)
	}
}

// A number that was given to a row that is gone is not given again by the copy.
func TestNumbersGoOn(t *testing.T) {
	here, there, back := enginetest.Place(t), other(t), enginetest.Place(t)
	const add = `INSERT INTO key_uses (server, key_id, at_ms, n) VALUES (1, 1, 1, 1)`
	with(t, here, func(db engine.Engine) {
		for range 5 {
			execute(t, db, add)
		}
		execute(t, db, `DELETE FROM key_uses`)
		execute(t, db, `INSERT INTO uid_domains (id, domain) VALUES (7, 'salon.example')`)
	})
	for i, place := range []string{here, there, back} {
		if i > 0 {
			move(t, []string{here, there, back}[i-1], place)
		}
		with(t, place, func(db engine.Engine) {
			execute(t, db, add)
			var id int64
			q := engine.NewQuerier(t.Context(), db.Readers())
			if err := q.Scan(`SELECT MAX(id) FROM key_uses`, nil, &id); err != nil || id != int64(6+i) {
				t.Errorf("in %s the next number is %d, %v", place, id, err)
			}
			execute(t, db, `DELETE FROM key_uses`)
			if i == 0 { // the number was given from outside, and the identity does not know of it
				return
			}
			execute(t, db, `INSERT INTO uid_domains (domain) VALUES (?)`, place)
			if err := q.Scan(`SELECT MAX(id) FROM uid_domains`, nil, &id); err != nil || id != int64(7+i) {
				t.Errorf("in %s the next number of uid_domains is %d, %v", place, id, err)
			}
		})
	}
}

// What PostgreSQL has not numbered yet is numbered before it is copied: SQLite would never do it.
func TestCopyIsNumbered(t *testing.T) {
	here, there := enginetest.PlaceOnPostgres(t), enginetest.PlaceOnSQLite(t)
	newSalon(t, here)
	unnumbered := func(db engine.Engine) (n int) {
		err := engine.NewQuerier(t.Context(), db.Readers()).Scan(`SELECT (SELECT COUNT(*) FROM events WHERE number IS NULL)
			+ (SELECT COUNT(*) FROM booking_history WHERE number < 0)`, nil, &n)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	with(t, here, func(db engine.Engine) {
		if unnumbered(db) == 0 {
			t.Fatal("all is numbered already")
		}
	})
	move(t, here, there)
	with(t, there, func(db engine.Engine) {
		if n := unnumbered(db); n != 0 {
			t.Errorf("%d rows have no number", n)
		}
	})
}

// A copy that is stopped at any page goes on behind it, and comes to the same.
func TestStoppedAndResumed(t *testing.T) {
	here, there := enginetest.Place(t), other(t)
	s := newSalon(t, here)
	stop := errors.New("stop")
	reached := map[string]int64{}
	o := transfer.Options{PageRows: 250}
	var sums []transfer.Sum
	runs := 0
	for {
		pages := 0
		o.Progress = func(table string, rows, of int64) error {
			if rows < reached[table] || rows > of {
				t.Errorf("%s: %d rows of %d, after %d", table, rows, of, reached[table])
			}
			reached[table] = rows
			if pages++; pages == 9 {
				return stop
			}
			return nil
		}
		var err error
		runs++
		if sums, err = copied(t, here, there, o); err == nil {
			break
		}
		if err != stop && !strings.HasSuffix(err.Error(), ": stop") {
			t.Fatal(err)
		}
		with(t, there, func(db engine.Engine) {
			if err := s.rooms(db).Upkeep.CheckMoved(t.Context()); !errors.Is(err, upkeep.ErrArriving) {
				t.Fatalf("half a copy: %v", err)
			}
		})
	}
	if runs < 5 {
		t.Errorf("it was done after %d runs", runs)
	}
	if again := move(t, there, enginetest.Place(t)); !slices.Equal(sums, again) {
		t.Errorf("stopped and resumed: %v\nin one: %v", sums, again)
	}
	with(t, there, func(db engine.Engine) { s.works(t, db) })
}

// A copy whose process is killed goes on.
func TestKilledAndResumed(t *testing.T) {
	here, there := enginetest.Place(t), other(t)
	s := newSalon(t, here)
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childVariable+"="+here+" "+there)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Process.Kill()
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "here\n" {
		t.Fatalf("%q, %v", line, err)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err == nil {
		t.Fatal("it was not killed")
	}
	began := false
	o := transfer.Options{Progress: func(table string, rows, of int64) error {
		if !began && table != "bookings" {
			return fmt.Errorf("it goes on with %s", table)
		}
		began = true
		return nil
	}}
	for deadline := time.Now().Add(20 * time.Second); ; {
		_, err := copied(t, here, there, o)
		if err == nil {
			break
		}
		// On PostgreSQL a process that was killed counts as a server until its lease ends.
		if !errors.Is(err, transfer.ErrInUse) || time.Now().After(deadline) {
			t.Fatal(err)
		}
	}
	with(t, there, func(db engine.Engine) { s.works(t, db) })
}

// Nothing is copied from or to a database that is served.
func TestServedIsRefused(t *testing.T) {
	for i := range 2 {
		places := []string{enginetest.Place(t), other(t)}
		with(t, places[i], func(db engine.Engine) {
			if err := db.JoinServers(t.Context(), func() error { return nil }); err != nil {
				t.Fatal(err)
			}
			if _, err := copied(t, places[0], places[1], transfer.Options{}); !errors.Is(err, transfer.ErrInUse) {
				t.Errorf("database %d is served: %v", i, err)
			}
		})
		move(t, places[0], places[1]) // nothing was left behind
	}
}

// A copy begins in an empty database only, and from one that has not moved.
func TestOthersAreRefused(t *testing.T) {
	here, there, third := enginetest.Place(t), other(t), enginetest.Place(t)
	fails := func(what, from, to, says string) {
		t.Helper()
		if _, err := copied(t, from, to, transfer.Options{}); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", what, err)
		}
	}
	with(t, third, func(db engine.Engine) { execute(t, db, `INSERT INTO rate_servers (server) VALUES (1)`) })
	fails("a target with rows", here, third, "is not empty: its table rate_servers has rows")
	fails("the same database", here, here, "can't be copied to itself")
	stop := func(string, int64, int64) error { return errors.New("stop") }
	if _, err := copied(t, here, there, transfer.Options{Progress: stop}); err == nil {
		t.Fatal("it was not stopped")
	}
	fails("another source", third, there, "holds the beginning of a copy")
	fails("a half copy as the source", there, enginetest.Place(t), "not complete")
	fails("another target", here, enginetest.Place(t), "has moved to")
	with(t, here, func(db engine.Engine) {
		moved, err := transfer.Undo(t.Context(), db)
		if err != nil || moved.Other == "" {
			t.Fatal(moved, err)
		}
		if _, err := transfer.Undo(t.Context(), db); !errors.Is(err, transfer.ErrNotMoved) {
			t.Errorf("undone twice: %v", err)
		}
	})
	fails("a source that was used since", here, there, "was in use since")
	move(t, here, enginetest.Place(t))
}

// What was changed on either side while it was copied is found, and the table is named.
func TestChangesAreFound(t *testing.T) {
	changes := map[string]string{
		"hosts has other values": `UPDATE hosts SET name = name || '!'`,
		"contacts has ": `INSERT INTO contacts (id, workspace_id, email_key, email, name, phone, time_zone, notes, created_ms)
			SELECT 1, MIN(workspace_id), 'x', 'x', 'x', '', 'UTC', '', 1 FROM hosts`,
	}
	for says, change := range changes {
		for side := range 2 {
			places := []string{enginetest.Place(t), other(t)}
			newSalon(t, places[0])
			changed := false
			var err error
			with(t, places[side], func(db engine.Engine) {
				_, err = copied(t, places[0], places[1], transfer.Options{Progress: func(table string, _, _ int64) error {
					if table == "events" && !changed {
						changed = true
						execute(t, db, change)
					}
					return nil
				}})
			})
			if !errors.Is(err, transfer.ErrDiffers) || !strings.Contains(err.Error(), says) || strings.Contains(err.Error(), "bookings") {
				t.Errorf("%s on side %d: %v", change, side, err)
			}
		}
	}
}

// Both databases need this binary's schema.
func TestOlderSchemaIsRefused(t *testing.T) {
	here, there := enginetest.Place(t), other(t)
	with(t, there, func(db engine.Engine) {
		execute(t, db, `DELETE FROM schema_migrations WHERE version = (SELECT MAX(version) FROM schema_migrations)`)
	})
	_, err := copied(t, here, there, transfer.Options{})
	if !errors.Is(err, migrations.ErrOlder) && !errors.Is(err, migrations.ErrForeign) {
		t.Errorf("an older target: %v", err)
	}
}
