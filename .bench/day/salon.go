package main

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"daybook/.bench/product"
	"daybook/app/catalog"
	"daybook/store"
)

const (
	hosts  = 64 // who work at all hours
	copied = 8  // of them have their bookings written into calendars, and the next as many a file that is read
)

// salon is the product with all that is around it.
type salon struct {
	dir, db, key string
	first        time.Time // the first start that is booked
	sinks        *product.Sinks
	calendars    *exec.Cmd // Radicale
	collections  string    // its folder, within dir or shared
	shared       string    // in memory; "" where there is no such place
	files        net.Listener
	server       *product.Process
	reads        *sql.DB
}

// open starts everything.
func open(ctx context.Context, o options, dir string) (s *salon, err error) {
	s = &salon{dir: dir, db: filepath.Join(dir, "day.db"), first: time.Now().UTC().Truncate(24*time.Hour).AddDate(0, 0, 2)}
	begun := s
	defer func() {
		if err != nil {
			begun.close()
		}
	}()
	if s.sinks, err = product.NewSinks(); err != nil {
		return nil, err
	}
	if err = s.serveFiles(); err != nil {
		return nil, err
	}
	caldav, err := s.startRadicale(ctx)
	if err != nil {
		return nil, err
	}
	if err = s.setUp(ctx, caldav); err != nil {
		return nil, err
	}
	address, err := product.FreeAddress()
	if err != nil {
		return nil, err
	}
	args := []string{"--db", s.db, "serve", "--addr", address, "--base-url", "http://" + address, "--webhook-allow",
		"127.0.0.0/8", "--calendar-allow", "127.0.0.0/8", "--bookings-per-hour", "-1", "--smtp-url", s.sinks.Mail()}
	if o.replica {
		args = append(args, "--replica", "file://"+filepath.Join(dir, "replica"))
	}
	cmd, err := s.command(ctx, args...)
	if err != nil {
		return nil, err
	}
	if s.server, err = product.Start(cmd, filepath.Join(dir, "server.log")); err != nil {
		return nil, err
	}
	if s.reads, err = sql.Open("sqlite", "file:"+s.db+"?mode=ro&_pragma=busy_timeout(5000)"); err != nil {
		return nil, err
	}
	return s, s.untilRead(ctx)
}

func (s *salon) command(ctx context.Context, args ...string) (*exec.Cmd, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return product.Command(ctx, s.dir, self, []string{"BENCH_DAY=product"}, args...), nil
}

func (s *salon) close() {
	if s.reads != nil {
		s.reads.Close()
	}
	if s.server != nil {
		s.server.Stop()
	}
	if s.calendars != nil {
		s.calendars.Process.Kill()
		s.calendars.Wait()
	}
	if s.shared != "" {
		os.RemoveAll(s.shared)
	}
	if s.files != nil {
		s.files.Close()
	}
	if s.sinks != nil {
		s.sinks.Close()
	}
}

// serveFiles answers with a calendar of 500 events, all before the first start.
func (s *salon) serveFiles() (err error) {
	if s.files, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		return err
	}
	var file bytes.Buffer
	file.WriteString("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//day//bench//EN\r\n")
	const stamp = "20060102T150405Z"
	for i := range 500 {
		start := s.first.Add(-time.Duration(i+1) * time.Hour)
		fmt.Fprintf(&file, "BEGIN:VEVENT\r\nUID:%d@bench.example\r\nDTSTAMP:%s\r\nDTSTART:%s\r\nDTEND:%s\r\n"+
			"SUMMARY:Away\r\nEND:VEVENT\r\n", i, start.Format(stamp), start.Format(stamp),
			start.Add(time.Hour/2).Format(stamp))
	}
	file.WriteString("END:VCALENDAR\r\n")
	go http.Serve(s.files, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/calendar")
		w.Write(file.Bytes())
	}))
	return nil
}

// startRadicale starts a CalDAV server with an empty calendar for each host whose bookings are copied.
func (s *salon) startRadicale(ctx context.Context) (address string, err error) {
	path, err := exec.LookPath("radicale")
	if err != nil {
		return "", fmt.Errorf("%w: apt-get install radicale", err)
	}
	where := s.dir
	if _, err := os.Stat("/dev/shm"); err == nil { // it waits for the disk at each entry
		if where, err = os.MkdirTemp("/dev/shm", "daybook-day-"); err != nil {
			return "", err
		}
		s.shared = where
	}
	users := filepath.Join(where, "users")
	err = os.WriteFile(users, []byte("ana:right\n"), 0o600)
	s.collections = filepath.Join(where, "collection-root", "ana")
	for i := range copied {
		folder := filepath.Join(s.collections, fmt.Sprint("host-", i))
		err = errors.Join(err, os.MkdirAll(folder, 0o755), os.WriteFile(filepath.Join(folder, ".Radicale.props"),
			fmt.Appendf(nil, `{"tag": "VCALENDAR", "D:displayname": "host-%d"}`, i), 0o600))
	}
	if err != nil {
		return "", err
	}
	if address, err = product.FreeAddress(); err != nil {
		return "", err
	}
	cmd := exec.CommandContext(ctx, path, "--server-hosts="+address, "--storage-filesystem-folder="+where,
		"--auth-type=htpasswd", "--auth-htpasswd-filename="+users, "--auth-htpasswd-encryption=plain", "--auth-delay=0",
		"--rights-type=owner_only", "--logging-level=error", "--config=")
	if err := cmd.Start(); err != nil {
		return "", err
	}
	s.calendars = cmd
	for range 200 {
		c, err := net.Dial("tcp", address)
		if err == nil {
			return address, c.Close()
		}
		time.Sleep(50 * time.Millisecond)
	}
	return "", errors.New("radicale doesn't answer")
}

// setUp makes the workspace, as an owner does, with a webhook endpoint and a key.
func (s *salon) setUp(ctx context.Context, caldav string) error {
	type object = map[string]any
	secret := func(name, text string) string {
		path := filepath.Join(s.dir, name)
		if err := os.WriteFile(path, []byte(text+"\n"), 0o600); err != nil {
			return ""
		}
		return "file:" + path
	}
	week := object{}
	for _, day := range catalog.Weekdays {
		week[day] = []string{"00:00-24:00"}
	}
	password, file := secret("password", "right"), secret("file", "http://"+s.files.Addr().String()+"/away.ics")
	var people, types []object
	for i := range hosts {
		name := fmt.Sprint("host-", i)
		email := name + "@bench.example"
		host := object{"name": name, "email": email, "timeZone": "UTC", "weekly": week}
		switch {
		case i < copied:
			host["calendars"] = []object{{"name": "own", "kind": "caldav", "address": "http://" + caldav + "/", "user": "ana",
				"password": password, "blocks": []string{name}, "target": name}}
		case i < 2*copied:
			host["calendars"] = []object{{"name": "away", "kind": "ics", "address": file}}
		}
		people = append(people, host)
		types = append(types, object{"slug": name, "title": "With " + name, "durationMinutes": 15, "slotStepMinutes": 15,
			"minimumNoticeMinutes": 0, "bookingWindowDays": 730, "hosts": []string{email}, "cancellationNoticeMinutes": 0})
	}
	text, err := json.Marshal(object{"workspace": object{"slug": "day", "name": "Day", "timeZone": "Europe/Berlin",
		"currency": "EUR"}, "hosts": people, "eventTypes": types})
	if err != nil {
		return err
	}
	path := filepath.Join(s.dir, "setup.json")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		return err
	}
	if _, err := s.daybook(ctx, "workspace", "apply", path); err != nil {
		return err
	}
	if _, err := s.daybook(ctx, "webhooks", "create", "--workspace", "day", "--events", "*", "--url", s.sinks.Hook(),
		"--webhook-allow", "127.0.0.0/8"); err != nil {
		return err
	}
	out, err := s.daybook(ctx, "keys", "create", "--workspace", "day", "--name", "day", "--rate-limit", "1000000",
		"--json")
	if err != nil {
		return err
	}
	var key struct{ Key string }
	err = json.Unmarshal(out, &key)
	s.key = key.Key
	return err
}

func (s *salon) daybook(ctx context.Context, args ...string) ([]byte, error) {
	cmd, err := s.command(ctx, append([]string{"--db", s.db}, args...)...)
	if err != nil {
		return nil, err
	}
	return product.Output(cmd)
}

// untilRead waits until all connected calendars were read.
func (s *salon) untilRead(ctx context.Context) error {
	for range 600 {
		out, err := s.daybook(ctx, "calendars", "list", "--workspace", "day", "--json")
		if err != nil {
			return err
		}
		type connection struct{ State string }
		var all []connection
		if err := json.Unmarshal(out, &all); err != nil {
			return err
		}
		if len(all) == 2*copied && !slices.ContainsFunc(all, func(c connection) bool { return c.State != "ok" }) {
			return nil
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(200 * time.Millisecond):
		}
	}
	out, _ := s.daybook(ctx, "calendars", "list", "--workspace", "day")
	return fmt.Errorf("calendars weren't read:\n%s", out)
}

// waiting is how much is still to be sent.
type waiting struct{ changes, mails, hooks, copies int }

func (w waiting) String() string {
	return fmt.Sprintf("%d changes that somebody follows, %d mails, %d webhooks, %d entries of calendars", w.changes,
		w.mails, w.hooks, w.copies)
}

func (s *salon) queued(ctx context.Context) (w waiting, err error) {
	now := time.Now().UnixMilli()
	err = s.reads.QueryRowContext(ctx, `SELECT (SELECT COALESCE(MAX(number), 0) FROM booking_history) -
		(SELECT MIN(last_number) FROM followers WHERE name IN ('mail', 'calendars')),
		(SELECT COUNT(*) FROM mails WHERE state = 0 AND (sending <> 0 OR due_ms <= ?)),
		(SELECT COUNT(*) FROM deliveries WHERE state = 0),
		(SELECT COUNT(*) FROM calendar_copies WHERE due_ms IS NOT NULL)`, now).
		Scan(&w.changes, &w.mails, &w.hooks, &w.copies)
	return w, err
}

// untilSent waits until nothing is to be sent.
func (s *salon) untilSent(ctx context.Context, most time.Duration) (time.Time, error) {
	began := time.Now()
	for {
		w, err := s.queued(ctx)
		if err != nil || w == (waiting{}) {
			return time.Now(), err
		}
		if time.Since(began) > most {
			return time.Now(), fmt.Errorf("still waiting after %s: %s", most, w)
		}
		select {
		case <-ctx.Done():
			return time.Now(), context.Cause(ctx)
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// nothingLost compares what visitors were told with what there is, and with what the others were sent.
func (s *salon) nothingLost(ctx context.Context, d *day) error {
	var bookings, live, own, events, sent, failed int
	var slugs []string
	for i := range copied {
		slugs = append(slugs, fmt.Sprintf("'host-%d'", i))
	}
	err := s.reads.QueryRowContext(ctx, `SELECT COUNT(*), SUM(`+store.Live+`), SUM(`+store.Live+` AND event_type_id IN
		(SELECT id FROM event_types WHERE slug IN (`+strings.Join(slugs, ",")+`))) FROM bookings`).
		Scan(&bookings, &live, &own)
	if err != nil {
		return err
	}
	if err := s.reads.QueryRowContext(ctx, `SELECT (SELECT COUNT(*) FROM events),
		(SELECT COUNT(*) FROM mails WHERE state = 1), (SELECT COUNT(*) FROM mails WHERE state = 2)`).
		Scan(&events, &sent, &failed); err != nil {
		return err
	}
	entries, err := filepath.Glob(filepath.Join(s.collections, "*", "*.ics"))
	if err != nil {
		return err
	}
	fmt.Printf("bookings %d (%d live), events %d, webhooks taken %d, mails sent %d (taken %d), entries of calendars %d"+
		"\n", bookings, live, events, s.sinks.Hooks.Load(), sent, s.sinks.Mails.Load(), len(entries))
	var errs []error
	expect := func(what string, got, want int) {
		if got != want {
			errs = append(errs, fmt.Errorf("%s: %d, not %d", what, got, want))
		}
	}
	expect("bookings", bookings, d.made())
	expect("live bookings", live, d.made()-d.done("cancel"))
	expect("events", events, d.made()+d.done("move")+d.done("cancel"))
	expect("webhooks", int(s.sinks.Hooks.Load()), events)
	expect("entries of calendars", len(entries), own)
	expect("mails failed", failed, 0)
	expect("mails taken", int(s.sinks.Mails.Load()), sent)
	return errors.Join(errs...)
}
