package calendar

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"daybook/app/apptest/outside"

	goical "github.com/emersion/go-ical"
)

func zone(t testing.TB, name string) *time.Location {
	t.Helper()
	z, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return z
}

// sample is an invitation with everything that a calendar could trip over; it ends after the clocks change.
func sample(t testing.TB) Invitation {
	return Invitation{
		UID: "bk_1@book.example", Title: "Färben, Schneiden; \"mehr\"\r\nX-EVIL: 1", URL: "https://book.example/booking/abc",
		Description: "Zeile 1\r\nZeile 2, mit: allem; \\ und einer sehr langen Reihe von Wörtern, die gefaltet werden muss: äöüäöüäöüäöüäöüäöü",
		Location:    "Straße 1, Berlin",
		Start:       time.Date(2026, 3, 29, 0, 30, 0, 0, time.UTC), End: time.Date(2026, 3, 29, 2, 30, 0, 0, time.UTC), Zone: zone(t, "Europe/Berlin"),
		Organizer: Person{"Höst, \"Salon\": GmbH\r\nX-EVIL: 2", "book@salon.example"}, Attendees: []Person{{"Bo; B,", "bo@mail.example"}},
		Conference: "https://meet.jit.si/salon-abc", Alarm: time.Hour, Stamp: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC),
	}
}

// read parses with another library than the one that writes.
func read(t testing.TB, text string) (*goical.Calendar, goical.Event) {
	t.Helper()
	for line := range strings.SplitSeq(text, "\r\n") {
		if len(line) > 75 || strings.ContainsAny(line, "\r\n") || strings.HasPrefix(line, "X-EVIL") {
			t.Errorf("line %q", line)
		}
	}
	c, err := goical.NewDecoder(strings.NewReader(text)).Decode()
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	if len(c.Events()) != 1 {
		t.Fatalf("%d events", len(c.Events()))
	}
	return c, c.Events()[0]
}

func TestAnInvitationIsReadByAnotherLibrary(t *testing.T) {
	i := sample(t)
	i.Sequence = 3
	c, e := read(t, i.Text())
	get := func(name string) string {
		v, err := e.Props.Text(name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		return v
	}
	if m, _ := c.Props.Text("METHOD"); m != "REQUEST" {
		t.Error("method", m)
	}
	for name, want := range map[string]string{
		"SUMMARY": `Färben, Schneiden; "mehr" X-EVIL: 1`, "LOCATION": i.Location, "UID": i.UID, "STATUS": "CONFIRMED",
		"DESCRIPTION": strings.ReplaceAll(i.Description, "\r\n", "\n"),
	} {
		if got := get(name); got != want {
			t.Errorf("%s %q, want %q", name, got, want)
		}
	}
	if n, _ := e.Props.Get("SEQUENCE").Int(); n != 3 {
		t.Error("sequence", n)
	}
	start, err := e.DateTimeStart(nil)
	if err != nil || !start.Equal(i.Start) || start.Location().String() != "Europe/Berlin" {
		t.Error(start, err)
	}
	if end, err := e.DateTimeEnd(nil); err != nil || !end.Equal(i.End) {
		t.Error(end, err)
	}
	if o := e.Props.Get("ORGANIZER"); o.Value != "mailto:book@salon.example" || o.Params.Get("CN") != "Höst Salon GmbH X-EVIL 2" {
		t.Errorf("organizer %+v", o)
	}
	if a := e.Props.Get("ATTENDEE"); a.Value != "mailto:bo@mail.example" || a.Params.Get("CN") != "Bo B" || a.Params.Get("PARTSTAT") != "ACCEPTED" {
		t.Errorf("attendee %+v", a)
	}
	if len(e.Children) != 1 || e.Children[0].Name != "VALARM" || e.Children[0].Props.Get("TRIGGER").Value != "-PT60M" {
		t.Errorf("alarm %+v", e.Children)
	}
	if c.Children[0].Name != "VTIMEZONE" || len(c.Children[0].Children) < 2 {
		t.Errorf("zone %+v", c.Children[0])
	}
}

// states are a booking's life as its invitations.
func states(t testing.TB) []Invitation {
	asked := sample(t)
	asked.Tentative = true
	confirmed := sample(t)
	confirmed.Sequence = 1
	moved := confirmed
	moved.Sequence, moved.Start, moved.End = 2, moved.Start.Add(48*time.Hour), moved.End.Add(48*time.Hour)
	gone := moved
	gone.Sequence, gone.Cancel = 3, true
	return []Invitation{asked, confirmed, moved, gone}
}

// apply does what a calendar does with invitations (RFC 5546): of one UID the highest sequence counts.
func apply(t testing.TB, all []Invitation) (shown []string) {
	t.Helper()
	type entry struct {
		sequence int
		text     string
	}
	calendar := map[string]entry{}
	for _, i := range all {
		c, e := read(t, i.Text())
		uid, _ := e.Props.Text("UID")
		n, _ := e.Props.Get("SEQUENCE").Int()
		if have, ok := calendar[uid]; ok && have.sequence > n {
			continue
		}
		start, _ := e.DateTimeStart(nil)
		status, _ := e.Props.Text("STATUS")
		method, _ := c.Props.Text("METHOD")
		text := start.UTC().Format("02T15:04 ") + status
		if method == "CANCEL" {
			text = ""
		}
		calendar[uid] = entry{n, text}
	}
	for _, e := range calendar {
		if e.text != "" {
			shown = append(shown, e.text)
		}
	}
	return shown
}

func TestTheStatesOfABookingInOrder(t *testing.T) {
	all := states(t)
	for n, want := range map[int][]string{1: {"29T00:30 TENTATIVE"}, 2: {"29T00:30 CONFIRMED"}, 3: {"31T00:30 CONFIRMED"}, 4: nil} {
		if got := apply(t, all[:n]); !slices.Equal(got, want) {
			t.Errorf("after %d: %v, want %v", n, got, want)
		}
	}
	late := []Invitation{all[0], all[2], all[1]} // the mail of the confirmation was held up
	if got := apply(t, late); !slices.Equal(got, []string{"31T00:30 CONFIRMED"}) {
		t.Errorf("out of order: %v", got)
	}
}

// Wherever and whenever: the text says the instant that was meant, and explains the zone.
func TestTimesInManyZones(t *testing.T) {
	for _, name := range []string{"Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "America/St_Johns", "Africa/Casablanca", "Asia/Kathmandu", "Pacific/Apia", "UTC"} {
		for day := range 366 {
			i := sample(t)
			i.Zone, i.Alarm = zone(t, name), 0
			i.Start = time.Date(2026, 1, 1, 0, 30, 0, 0, time.UTC).Add(time.Duration(day) * 25 * time.Hour)
			i.End = i.Start.Add(90 * time.Minute)
			c, e := read(t, i.Text())
			if start := meant(t, c, e.Props.Get("DTSTART")); !start.Equal(i.Start) {
				t.Fatalf("%s: %v, want %v", name, start, i.Start)
			}
		}
	}
}

// meant reads a time by the object's own VTIMEZONE, as a program does that knows no zone by name.
func meant(t testing.TB, c *goical.Calendar, p *goical.Prop) time.Time {
	t.Helper()
	if p.Params.Get("TZID") == "" {
		at, err := p.DateTime(time.UTC)
		if err != nil {
			t.Fatal(err)
		}
		return at
	}
	wall, err := time.Parse(wallClock, p.Value)
	if err != nil {
		t.Fatal(err)
	}
	type onset struct {
		at     time.Time
		before int
		after  int
	}
	var all []onset
	for _, part := range c.Children[0].Children {
		at, _ := time.Parse(wallClock, part.Props.Get("DTSTART").Value)
		all = append(all, onset{at, offsetOf(part.Props.Get("TZOFFSETFROM").Value), offsetOf(part.Props.Get("TZOFFSETTO").Value)})
	}
	slices.SortFunc(all, func(a, b onset) int { return a.at.Compare(b.at) })
	offset := all[0].after
	for _, o := range all {
		if !wall.Before(o.at) {
			offset = o.after
		}
	}
	return wall.Add(-time.Duration(offset) * time.Second)
}

func offsetOf(s string) int {
	var h, m int
	fmt.Sscanf(s[1:], "%2d%2d", &h, &m)
	if s[0] == '-' {
		return -(h*3600 + m*60)
	}
	return h*3600 + m*60
}

func TestAFeedIsReadByAnotherLibrary(t *testing.T) {
	f := Feed{Name: "Salon, Ana", Zone: zone(t, "Europe/Berlin")}
	for n := range 3 {
		at := time.Date(2026, 3, 1+n, 9, 0, 0, 0, time.UTC)
		f.Events = append(f.Events, FeedEvent{UID: fmt.Sprint("bk_", n), Title: "Bo · Cut", Description: "bo@mail.example\n+49", Start: at, End: at.Add(time.Hour), Tentative: n == 1, Changed: at})
	}
	text := f.Text()
	c, err := goical.NewDecoder(strings.NewReader(text)).Decode()
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(text, "VALUE=DURATION;VALUE") || !strings.Contains(text, "REFRESH-INTERVAL;VALUE=DURATION:PT15M\r\n") {
		t.Error(text[:300])
	}
	if len(c.Events()) != 3 || text != f.Text() {
		t.Errorf("%d events", len(c.Events()))
	}
	if s, _ := c.Events()[1].Props.Text("STATUS"); s != "TENTATIVE" {
		t.Error(s)
	}
}

const readInNode = `
const ICAL = require(process.argv[1]);
const text = require("fs").readFileSync(0, "utf8");
const out = text.split("\0").map(t => {
	const c = new ICAL.Component(ICAL.parse(t));
	c.getAllSubcomponents("vtimezone").forEach(z => ICAL.TimezoneService.register(z));
	const v = c.getFirstSubcomponent("vevent"), e = new ICAL.Event(v);
	const a = v.getFirstSubcomponent("valarm"), p = v.getFirstProperty("attendee");
	return {method: c.getFirstPropertyValue("method"), uid: e.uid, sequence: e.sequence, summary: e.summary, description: e.description,
		location: e.location, start: e.startDate.toJSDate().toISOString(), end: e.endDate.toJSDate().toISOString(), zone: e.startDate.zone.tzid,
		status: v.getFirstPropertyValue("status"), organizer: e.organizer, attendee: p.getFirstValue(), name: p.getParameter("cn"),
		conference: (c => c ? [c.type, c.getParameter("feature"), c.getFirstValue()].join(" ") : "")(v.getFirstProperty("conference")),
		alarm: a ? a.getFirstPropertyValue("trigger").toSeconds() : 0};
});
console.log(JSON.stringify(out));`

// ical.js, which Thunderbird is built on, reads the same.
func TestInvitationsAreReadByICalJS(t *testing.T) {
	module := filepath.Join(outside.Modules(t, "icaljs", "ical.js"), "ical.js/dist/ical.es5.cjs")
	all := states(t)
	var texts []string
	for _, i := range all {
		texts = append(texts, i.Text())
	}
	cmd := exec.Command("node", "-e", readInNode, module)
	cmd.Stdin, cmd.Stderr = strings.NewReader(strings.Join(texts, "\x00")), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var got []struct {
		Method, UID, Summary, Description, Location, Zone, Status, Organizer, Attendee, Name, Conference string
		Sequence                                                                                         int
		Alarm                                                                                            float64
		Start, End                                                                                       time.Time
	}
	if err := json.NewDecoder(bytes.NewReader(out)).Decode(&got); err != nil {
		t.Fatal(err)
	}
	for n, i := range all {
		g := got[n]
		alarm := -3600.0
		if i.Cancel {
			alarm = 0
		}
		if g.Method != i.Method() || g.UID != i.UID || g.Sequence != i.Sequence || g.Summary != `Färben, Schneiden; "mehr" X-EVIL: 1` ||
			g.Location != i.Location || !g.Start.Equal(i.Start) || !g.End.Equal(i.End) || g.Zone != "Europe/Berlin" || g.Status != string(i.status()) ||
			g.Organizer != "mailto:book@salon.example" || g.Conference != "uri VIDEO https://meet.jit.si/salon-abc" || g.Name != "Bo B" || g.Alarm != alarm || g.Description != strings.ReplaceAll(i.Description, "\r\n", "\n") {
			t.Errorf("%d: %+v", n, g)
		}
	}
}

func TestAnEntryIsReadByAnotherLibrary(t *testing.T) {
	i := sample(t)
	from := Entry{UID: "daybook-bk_1@book.example", Title: i.Title, Description: i.Description, Location: i.Location,
		URL: i.URL, Start: i.Start.In(i.Zone), End: i.End.In(i.Zone), Sequence: 2, Stamp: i.Stamp}
	text := from.Text()
	c, e := read(t, text)
	for _, word := range []string{"METHOD", "ATTENDEE", "ORGANIZER", "VALARM"} {
		if strings.Contains(text, word) {
			t.Errorf("%s would have a server mail somebody, or ring:\n%s", word, text)
		}
	}
	if c.Children[0].Name != "VTIMEZONE" || !meant(t, c, e.Props.Get("DTSTART")).Equal(from.Start) ||
		!meant(t, c, e.Props.Get("DTEND")).Equal(from.End) {
		t.Error(text)
	}
	for name, want := range map[string]string{"UID": from.UID, "SUMMARY": `Färben, Schneiden; "mehr" X-EVIL: 1`,
		"LOCATION": i.Location, "TRANSP": "OPAQUE", "STATUS": "CONFIRMED", "DESCRIPTION": strings.ReplaceAll(i.Description, "\r\n", "\n")} {
		if got, err := e.Props.Text(name); got != want || err != nil {
			t.Errorf("%s %q, want %q: %v", name, got, want, err)
		}
	}
	if n, _ := e.Props.Get("SEQUENCE").Int(); n != 2 || e.Props.Get("URL").Value != i.URL {
		t.Error(text)
	}
}
