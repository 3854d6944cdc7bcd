package cli

import (
	"database/sql"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"daybook/store/pgtest"
)

// calcomRows are of a Cal.com database, as its schema is documented: one person, a service, and who has booked it.
const calcomRows = `
CREATE SCHEMA cal;
SET search_path = cal;
CREATE TABLE users (id int, name text, email text, "timeZone" text, "defaultScheduleId" int);
CREATE TABLE "Schedule" (id int, "userId" int, name text, "timeZone" text);
CREATE TABLE "Availability" (id int, days int[], "startTime" time, "endTime" time, date date, "scheduleId" int);
CREATE TABLE "EventType" (id int, title text, slug text, length int, "userId" int, "minimumBookingNotice" int);
CREATE TABLE "Booking" (id int, uid text, "userId" int, "eventTypeId" int, "startTime" timestamp(3), "endTime" timestamp(3), status text);
CREATE TABLE "Attendee" (id int, email text, name text, "timeZone" text, "bookingId" int);
CREATE TABLE "Webhook" (id text, "userId" int, "subscriberUrl" text, active boolean, "eventTriggers" text[], secret text);
INSERT INTO users VALUES (1, 'Ana Alt', 'ana@studio.example', 'Europe/Berlin', 1);
INSERT INTO "Schedule" VALUES (1, 1, 'Working hours', NULL);
INSERT INTO "Availability" VALUES (1, '{1,2,3,4,5}', '09:00', '17:00', NULL, 1);
INSERT INTO "EventType" VALUES (1, 'Haircut', 'haircut', 45, 1, 120);
INSERT INTO "Booking" VALUES (1, 'abc', 1, 1, '2098-05-05 08:00', '2098-05-05 08:45', 'accepted'),
	(2, 'def', 1, 1, '2098-05-05 08:30', '2098-05-05 09:15', 'accepted');
INSERT INTO "Attendee" VALUES (1, 'eva@mail.example', 'Eva Muster', 'Europe/Berlin', 1), (2, 'leo@mail.example', 'Leo', 'Europe/Berlin', 2);
INSERT INTO "Webhook" VALUES ('w', 1, 'https://crm.example/hook', true, '{BOOKING_CREATED,BOOKING_CANCELLED}', 'hidden');
`

// A copy of Cal.com's database is taken over by the command: tried, done, and again with nothing new. Nobody is told.
func TestImportOfCalcom(t *testing.T) {
	url := pgtest.Fresh(t, pgtest.Shared(t), "")
	db, err := sql.Open("pgx", url)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(calcomRows); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(url, "?") {
		url += "&schema=cal"
	} else {
		url += "?schema=cal"
	}
	dir := t.TempDir()
	t.Setenv("DAYBOOK_DB", filepath.Join(dir, "daybook.db"))
	file := filepath.Join(dir, "password")
	if err := os.WriteFile(file, []byte("anything\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	from := "import cal.com --workspace salon --database " + url
	for _, c := range []struct {
		args   string
		code   int
		output string
	}{
		{"workspace create Salon --timezone Europe/Berlin --new-database", 0, "salon"},
		{from + " --dry-run", 0, "1 hosts, 1 services and 2 customers are new"},
		{from + " --dry-run --database-password-file " + file, 0, "nothing was changed"},
		{from + " --json --dry-run", 0, `{"dryRun":true,"hosts":{"new":1,"known":0},"services":{"new":1,"known":0},"customers":{"new":2,"known":0},"upcoming":1,"waiting":0,"moved":0,"same":0,"import":null,"left":[{"kind":"booking","id":"def","name":"Leo, 2098-05-05 10:30","why":"its time is taken"}]`},
		{from, 0, "daybook webhooks create --workspace salon --url 'https://crm.example/hook' --events booking.created,booking.cancelled"},
		{from, 0, "0 bookings to come are new, 0 of them wait for approval; 0 have moved, 1 are as they were."},
		{"mail log --workspace salon --json", 0, "[]\n"},
		{"contacts export eva@mail.example --workspace salon", 0, `"start":"2098-05-05T08:00:00Z"`},
		{"import cal.com --workspace salon --database " + strings.Replace(url, "postgres@", "postgres:hidden@", 1), 2, "into DAYBOOK_DATABASE, PGPASSFILE or --database-password-file, not into --database"},
		{"import cal.com --workspace salon --database daybook.db", 2, "postgres://cal@localhost/calendso"},
		{"import cal.com --workspace salon --database postgres://cal@127.0.0.1:1/calendso", 1, "can't connect to postgres://cal@127.0.0.1:1/calendso (connect: connection refused)"},
		{"import cal.com --workspace salon --database " + strings.Replace(url, "schema=cal", "schema=public", 1), 1, "?search_path=NAME"},
		{from + " --team nobody", 1, `there is no team "nobody"`},
		{"import cal.com --workspace nothing --database " + url, 1, "nothing"},
		{"import easyappointments --workspace salon --key-file " + file + " --api http://book.example", 1, "must begin with https://"},
		{"import easyappointments --workspace salon --key-file " + file, 2, "give --api"},
		{"import calendly --workspace salon --key-file " + file + " --api http://api.calendly.example", 1, "must begin with https://"},
		{"import cal.com --workspace salon", 2, "give --database or --key-file"},
		{"import cal.com --workspace salon --key-file " + file + " --database " + url, 2, "give either"},
		{"import cal.com --workspace salon --key-file " + file + " --team studio", 2, "go with --database"},
		{"import cal.com --workspace salon --api https://cal.example --database " + url, 2, "--api goes with --key-file"},
		{"import cal.com --workspace salon --key-file " + file + " --api http://cal.example", 1, "must begin with https://"},
		{"import cal.com --workspace salon --key-file " + file + "x", 1, "no such file"},
	} {
		code, out := command(t, strings.Fields(c.args)...)
		if code != c.code || !strings.Contains(out, c.output) || strings.Contains(out, "hidden") {
			t.Errorf("%s: exit code %d, %s", c.args, code, out)
		}
	}
}

// What another program calls its webhooks is no command of the shell that a line of the report is pasted into.
func TestInShell(t *testing.T) {
	for word, want := range map[string]string{"https://a.example/$(id)`id`": "'https://a.example/$(id)`id`'", "a'b": `'a'\''b'`, "a\nrm x": "'a rm x'"} {
		out, err := exec.CommandContext(t.Context(), "sh", "-c", "printf %s "+inShell(word)).Output()
		if got := inShell(word); got != want || err != nil || string(out) != oneLine(word) {
			t.Errorf("%q is %s and %q in a shell (%v)", word, got, out, err)
		}
	}
}
