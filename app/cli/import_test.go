package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A diary is taken over by the command, with each date of what comes again: tried, done, again with nothing new, and with dates that were
// moved and cancelled there. Nobody is told.
func TestImportOfADiary(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("DAYBOOK_DB", filepath.Join(dir, "daybook.db"))
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	day := func(n int) time.Time { // Mondays at ten, some weeks from now
		now := time.Now().In(berlin)
		return time.Date(now.Year(), now.Month(), now.Day()+8-int(now.Weekday())+7*n, 10, 0, 0, 0, berlin)
	}
	written := func(at time.Time) string { return ";TZID=Europe/Berlin:" + at.Format("20060102T150405") + "\r\n" }
	write := func(name, lines, others string) string {
		path := filepath.Join(dir, name)
		text := "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nUID:w\r\nSUMMARY:Bo bo@mail.example\r\nDTSTART" + written(day(1)) + "DURATION:PT1H\r\nRRULE:FREQ=WEEKLY;COUNT=4\r\n" +
			lines + "END:VEVENT\r\n" + others + "END:VCALENDAR\r\n"
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	daily := "BEGIN:VEVENT\r\nUID:d\r\nSUMMARY:Cy cy@mail.example\r\nDTSTART" + written(day(1).Add(time.Hour)) + "DURATION:PT30M\r\nRRULE:FREQ=DAILY\r\nEND:VEVENT\r\n"
	taken := "BEGIN:VEVENT\r\nUID:t\r\nSUMMARY:Di di@mail.example\r\nDTSTART" + written(day(2)) + "DURATION:PT1H\r\nRRULE:FREQ=WEEKLY;COUNT=1\r\nEND:VEVENT\r\n"
	moved := "BEGIN:VEVENT\r\nUID:w\r\nSUMMARY:Bo bo@mail.example\r\nRECURRENCE-ID" + written(day(2)) + "DTSTART" + written(day(2).Add(4*time.Hour)) + "DURATION:PT1H\r\nEND:VEVENT\r\n"
	file, later := write("diary.ics", "", daily+taken), write("later.ics", "EXDATE"+written(day(3)), moved)
	setup := filepath.Join(dir, "salon.yaml")
	if err := os.WriteFile(setup, []byte("workspace: {slug: salon, name: Salon, timeZone: Europe/Berlin}\nhosts:\n  - {name: Ana, email: ana@salon.example, timeZone: Europe/Berlin}\n"+
		"eventTypes:\n  - {slug: cut, title: Cut, durationMinutes: 60, hosts: [ana@salon.example]}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	from := "import ics --workspace salon --host ana@salon.example --service cut "
	const done = "57 to come and 0 past are new, 0 have moved, 0 are as they were, 2 are left out."
	in := day(2).Format("2006-01-02 15:04")
	for _, c := range []struct {
		args   string
		code   int
		output string
	}{
		{"workspace create Salon --timezone Europe/Berlin --new-database", 0, "salon"},
		{"workspace apply " + setup, 0, ""},
		{from + file + " --dry-run", 0, "nothing was changed"},
		{from + file + " --dry-run", 0, done},
		{from + file + " --json --dry-run", 0, `{"dryRun":true,"upcoming":57,"past":0,"moved":0,"same":0,"import":null,"left":[{"line":2,"name":"Cy","why":"it comes again, and the next 53 dates within a year are taken: import the file again for later ones"},` +
			`{"line":3,"name":"Di, ` + in + `","why":"its time is taken"}]}`},
		{from + file, 0, done},
		{from + file, 0, "0 to come and 0 past are new, 0 have moved, 57 are as they were, 2 are left out."},
		{from + later, 0, "0 to come and 0 past are new, 1 have moved, 2 are as they were, 1 are left out.\n  1 Bo, " + day(3).Format("2006-01-02 15:04") + ": it is cancelled there, and takes place here"},
		{"mail log --workspace salon --json", 0, "[]\n"},
		{"contacts export bo@mail.example --workspace salon", 0, fmt.Sprintf(`"start":"%s"`, day(2).Add(4*time.Hour).UTC().Format(time.RFC3339))},
		{from + setup, 1, "is no iCalendar file"},
	} {
		code, out := command(t, strings.Fields(c.args)...)
		if code != c.code || !strings.Contains(out, c.output) {
			t.Errorf("%s: exit code %d, %s", c.args, code, out)
		}
	}
}
