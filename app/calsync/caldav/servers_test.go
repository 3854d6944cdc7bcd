package caldav

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"daybook/app/apptest"
	"daybook/app/apptest/outside"
	"daybook/app/calsync"
)

// program is a calendar server of Debian's that runs on this machine.
type program struct {
	t        testing.TB
	args     []string
	address  string
	calendar string // the path of the calendar that the tests use
	user     string
	password string
	running  *exec.Cmd
	printed  bytes.Buffer
}

// radicale lets only ana see her calendars: "home" has the events, and "life" the first few of them.
func radicale(t testing.TB, events []string) *program {
	path, err := exec.LookPath("radicale")
	outside.Needs(t, "caldav", err)
	dir := inMemory(t)
	users := filepath.Join(dir, "users")
	write(t, users, "ana:right\nbob:other\n")
	address := outside.Address(t)
	p := &program{t: t, address: address, calendar: "/ana/life/", user: "ana", password: "right", args: []string{path,
		"--server-hosts=" + address, "--storage-filesystem-folder=" + dir, "--auth-type=htpasswd",
		"--auth-htpasswd-filename=" + users, "--auth-htpasswd-encryption=plain", "--auth-delay=0",
		"--rights-type=owner_only", "--config="}}
	// The calendars are laid where it keeps them: uploading so many takes it long.
	for name, of := range map[string][]string{"home": events, "life": events[:min(len(events), few)]} {
		calendar := filepath.Join(dir, "collection-root", "ana", name)
		if err := os.MkdirAll(calendar, 0o755); err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(calendar, ".Radicale.props"), `{"tag": "VCALENDAR", "D:displayname": "Ana’s `+name+`"}`)
		for i, e := range of {
			write(t, filepath.Join(calendar, fmt.Sprintf("%d.ics", i)), file(e))
		}
	}
	p.start()
	p.do("MKCALENDAR", "/ana/tasks/", xmlHead+`<C:mkcalendar`+xmlSpaces+`><set><prop><displayname>Tasks</displayname>
		<C:supported-calendar-component-set><C:comp name="VTODO"/></C:supported-calendar-component-set></prop></set></C:mkcalendar>`)
	return p
}

// few is how many events have one of each kind.
var few = len(recurrences)

// xandikos has an empty calendar, and asks nobody for a password.
func xandikos(t testing.TB) *program {
	path, err := exec.LookPath("xandikos")
	outside.Needs(t, "caldav", err)
	dir, address := t.TempDir(), outside.Address(t)
	host, port, _ := strings.Cut(address, ":")
	p := &program{t: t, address: address, calendar: "/user/calendars/calendar/", user: "ana", password: "any",
		args: []string{path, "-d", dir, "--defaults", "--current-user-principal=/user/", "-l", host, "-p", port}}
	p.start()
	return p
}

// inMemory is a folder of this test that is no disk's, where there is one: radicale waits for the disk at each event.
func inMemory(t testing.TB) string {
	dir, err := os.MkdirTemp("/dev/shm", "daybook-caldav")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

func write(t testing.TB, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// start runs the program, on its old address, until it answers.
func (p *program) start() {
	p.t.Helper()
	p.running = exec.Command(p.args[0], p.args[1:]...)
	p.running.Stdout, p.running.Stderr = &p.printed, &p.printed
	if err := p.running.Start(); err != nil {
		p.t.Fatal(err)
	}
	mine := p.running
	p.t.Cleanup(func() {
		if p.running == mine {
			p.stop()
		}
	})
	apptest.Eventually(p.t, p.args[0]+" answers", func() bool {
		r, err := http.Get("http://" + p.address + "/")
		if err == nil {
			r.Body.Close()
		}
		return err == nil
	})
}

func (p *program) stop() {
	p.running.Process.Kill()
	p.running.Wait()
	p.running = nil
	if p.t.Failed() {
		p.t.Logf("%s:\n%s", p.args[0], tail(p.printed.String()))
	}
}

func tail(text string) string { return text[max(0, len(text)-4000):] }

// do is a request of another client of the calendar.
func (p *program) do(method, path, body string, header ...string) *http.Response {
	p.t.Helper()
	r, err := http.NewRequest(method, "http://"+p.address+path, strings.NewReader(body))
	if err != nil {
		p.t.Fatal(err)
	}
	r.SetBasicAuth(p.user, p.password)
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	a, err := http.DefaultClient.Do(r)
	if err != nil {
		p.t.Fatal(err)
	}
	defer a.Body.Close()
	text, _ := io.ReadAll(a.Body)
	if a.StatusCode >= 300 {
		p.t.Fatalf("%s %s: %d\n%s", method, path, a.StatusCode, text)
	}
	return a
}

// writer is the account as Daybook sees it.
func (p *program) writer(password string) calsync.Writer {
	return account("http://"+p.address+"/", p.user, password, http.DefaultClient)
}

func account(address, user, password string, client *http.Client) calsync.Writer {
	return Open(calsync.Opening{Connection: &calsync.Connection{Address: address, User: user},
		Credentials: calsync.Credentials{Password: password}, HTTP: client}).(calsync.Writer)
}

var monday = time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)

func berlin(t testing.TB) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	return zone
}

func askedOf(t testing.TB, calendar, cursor string) calsync.Asked {
	return calsync.Asked{Calendar: calendar, Cursor: cursor, From: monday.UnixMilli(),
		To: monday.AddDate(2, 0, 0).UnixMilli(), Zone: berlin(t)}
}

// zoneText defines Europe/Berlin, as every event with that TZID needs.
const zoneText = `BEGIN:VTIMEZONE
TZID:Europe/Berlin
BEGIN:STANDARD
DTSTART:19961027T030000
RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10
TZNAME:CET
TZOFFSETFROM:+0200
TZOFFSETTO:+0100
END:STANDARD
BEGIN:DAYLIGHT
DTSTART:19810329T020000
RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3
TZNAME:CEST
TZOFFSETFROM:+0100
TZOFFSETTO:+0200
END:DAYLIGHT
END:VTIMEZONE
`

// recurrences are the kinds of events; @ is a day, and N the event's UID.
var recurrences = []string{
	"DTSTART:@T090000Z\nDTEND:@T100000Z",
	"DTSTART;TZID=Europe/Berlin:@T090000\nDTEND;TZID=Europe/Berlin:@T093000\nRRULE:FREQ=WEEKLY;COUNT=20\n" +
		"EXDATE;TZID=Europe/Berlin:@T090000",
	"DTSTART;TZID=Europe/Berlin:@T100000\nDURATION:PT45M\nRRULE:FREQ=WEEKLY;COUNT=6\nEND:VEVENT\nBEGIN:VEVENT\nUID:N\n" +
		"DTSTAMP:20260101T000000Z\nRECURRENCE-ID;TZID=Europe/Berlin:@T100000\nDTSTART;TZID=Europe/Berlin:@T150000\n" +
		"DTEND;TZID=Europe/Berlin:@T160000",
	"DTSTART;TZID=Europe/Berlin:@T110000\nDURATION:PT45M\nRRULE:FREQ=DAILY;COUNT=4\nEND:VEVENT\nBEGIN:VEVENT\nUID:N\n" +
		"DTSTAMP:20260101T000000Z\nRECURRENCE-ID;TZID=Europe/Berlin:@T110000\nDTSTART;TZID=Europe/Berlin:@T110000\n" +
		"DTEND;TZID=Europe/Berlin:@T120000\nSTATUS:CANCELLED",
	"DTSTART:@T120000Z\nDTEND:@T130000Z\nRRULE:FREQ=MONTHLY;BYDAY=2TU;UNTIL=20270101T000000Z",
	"DTSTART:@T130000Z\nDTEND:@T140000Z\nRDATE:20260401T130000Z,20260402T130000Z",
	"DTSTART;VALUE=DATE:@\nRRULE:FREQ=YEARLY;COUNT=3",
	"DTSTART:@T140000\nDTEND:@T150000\nRRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE;COUNT=8",
	"DTSTART:@T150000Z\nDTEND:@T160000Z\nTRANSP:TRANSPARENT",
	"DTSTART:@T160000Z\nDTEND:@T170000Z\nATTENDEE;PARTSTAT=DECLINED:mailto:somebody@else.example\nORGANIZER:mailto:boss@else.example",
}

// event is the nth of events of all kinds, without its zone.
func event(n int) string {
	day := monday.AddDate(0, 0, n%300).Format("20060102")
	uid := fmt.Sprintf("event-%04d@test", n)
	text := strings.NewReplacer("UID:N", "UID:"+uid, "@else", "@else", "@", day).Replace(recurrences[n%len(recurrences)])
	return strings.ReplaceAll("BEGIN:VEVENT\nUID:"+uid+"\nDTSTAMP:20260101T000000Z\nSUMMARY:Nobody’s business\n"+text+
		"\nEND:VEVENT\n", "\n", "\r\n")
}

// file is a calendar with those events.
func file(events ...string) string {
	return strings.ReplaceAll("BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//test//EN\n"+zoneText, "\n", "\r\n") +
		strings.Join(events, "") + "END:VCALENDAR\r\n"
}

// in is a server of this process.
func in(t testing.TB, h http.HandlerFunc) string {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s.URL
}
