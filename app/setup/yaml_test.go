package setup_test

import (
	"encoding/json"
	"fmt"
	"net/netip"
	"reflect"
	"strings"
	"testing"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/setup"
	"daybook/app/subjects"
)

func TestSetupMistakesAreToldTogether(t *testing.T) {
	s := blank(t)
	apply(t, s, salon)
	for _, c := range []struct {
		file string
		want []string
	}{
		{"workspace: {slug: salon}\nhosts:\n  - email: bo@salon.example\n    weekly: {monn: []}\neventTypes:\n  - slug: cut\n    duration: 25\n    name: x\n    buffer: 5\n    price: {}", []string{
			"line 4: hosts[0].weekly.monn: there is no such field; did you mean mon?",
			"line 7: eventTypes[0].duration: there is no such field; did you mean durationMinutes?",
			"line 8: eventTypes[0].name: there is no such field; did you mean title?",
			"line 9: eventTypes[0].buffer: there is no such field; did you mean bufferAfterMinutes or bufferBeforeMinutes?",
			"line 10: eventTypes[0].price.amount: is required",
		}},
		{"workspace: {slug: salon}\nhosts:\n  - email: bo@salon.example\n    timeZone: Mars\n  - email: ana@salon.example\n    weekly:\n      tue: [\"14:00-10:00\"]\neventTypes:\n  - slug: cut\n    seats: 0", []string{
			`line 4: hosts[0].timeZone: "Mars" is no time zone`,
			"line 7: hosts[1].weekly.tue[0]: 14:00-10:00 would last 20:00 hours, into the next day; if the ends are swapped write 10:00-14:00, " +
				"if it is meant write 14:00-24:00 here and 00:00-10:00 on the next day",
			"line 10: eventTypes[0].seats: must lie between 1 and 1000",
		}},
		{"workspace: {slug: salon}\nhosts:\n\t- email: x", []string{"line 3: file: a tab stands at the beginning of this line; YAML is indented by spaces"}},
	} {
		_, err := tryApply(t, s, c.file)
		for _, want := range c.want {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("missing: %s\ngot: %v", want, err)
			}
		}
	}
}

func TestLongNightsThatAreThereStay(t *testing.T) {
	s := blank(t)
	apply(t, s, salon)
	apply(t, s, "workspace: {slug: salon}\nhosts: [{email: bo@salon.example, weekly: {mon: [\"18:00-10:00\"]}}]") // 16 hours
	_, err := tryApply(t, s, "workspace: {slug: salon}\nhosts: [{email: bo@salon.example, weekly: {mon: [\"18:00-10:05\"]}}]")
	if !fault.Is(err, fault.BadRequest) {
		t.Error(err)
	}
}

// Days are the host's, the last one included, whatever the clock does in between; export writes whole days so.
func TestTimeOffByDays(t *testing.T) {
	s := blank(t)
	apply(t, s, salon)
	file := "workspace: {slug: salon}\nhosts:\n  - email: ana@salon.example\n    timeOff:\n" +
		"      - {start: 2027-03-27, end: 2027-03-29, reason: Easter}\n      - {start: 2027-05-01}\n" +
		"      - {start: 2027-06-01, end: 2027-06-02T10:00:00Z}\n  - email: bo@salon.example\n    timeOff: [{start: 2027-05-01}]"
	f, err := setup.Parse([]byte(file))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.SetupFile.ApplySetup(t.Context(), app.Operator(0), f, false); err != nil {
		t.Fatal(err)
	}
	w, err := s.WorkspaceBySlug(t.Context(), "salon")
	if err != nil {
		t.Fatal(err)
	}
	found, err := s.Setup(w.ID)
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range found.Hosts { // Berlin is an hour before London
		want := []string{"2027-03-26T23:00:00Z 2027-03-29T22:00:00Z", "2027-04-30T22:00:00Z 2027-05-01T22:00:00Z", "2027-05-31T22:00:00Z 2027-06-02T10:00:00Z"}
		if h.Name == "Bo" {
			want = []string{"2027-04-30T23:00:00Z 2027-05-01T23:00:00Z"}
		}
		for i, off := range h.TimeOff {
			if got := off.Start.String() + " " + off.End.String(); i >= len(want) || got != want[i] {
				t.Errorf("%s %d: %s", h.Name, i, got)
			}
		}
	}
	d, _ := export(t, s, "salon")
	want := []setup.TimeOffDocument{
		{Start: "2027-03-27", End: "2027-03-29", Reason: "Easter"}, {Start: "2027-05-01", End: "2027-05-01"},
		{Start: "2027-05-31T22:00:00Z", End: "2027-06-02T10:00:00Z"},
	}
	if got := setup.Exported[setup.ExportedHost](d.Hosts[0]).TimeOff; !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
	if again := apply(t, s, file); len(again) != 0 {
		t.Errorf("a second time:\n%s", told(again))
	}
	_, err = tryApply(t, s, "workspace: {slug: salon}\nhosts:\n  - email: bo@salon.example\n    timeOff: [{start: 2027-05-01T10:00:00Z}]")
	if err == nil || !strings.Contains(err.Error(), "line 4: hosts[0].timeOff[0].end: is required where start is a time") {
		t.Error(err)
	}
}

func TestSetupReport(t *testing.T) {
	s := blank(t)
	apply(t, s, salon)
	f, err := setup.Parse([]byte("workspace: {slug: salon}\nhosts: [{email: bo@salon.example, active: false}]\neventTypes:\n  - slug: cut\n" +
		"    price: {amount: 100, currency: USD}\n    payment: online\n    bufferAfterMinutes: 10\n  - {slug: wash, bufferAfterMinutes: 0}"))
	if err != nil {
		t.Fatal(err)
	}
	r, err := s.SetupFile.ApplySetup(t.Context(), app.Operator(0), f, true)
	if err != nil {
		t.Fatal(err)
	}
	if want := []setup.Unnamed{{Kind: "host", Name: "ana@salon.example", Active: true}, {Kind: "eventType", Name: "shave", Active: true}}; !reflect.DeepEqual(r.Left, want) {
		t.Errorf("left %+v", r.Left)
	}
	want := []setup.Warning{
		{Line: 5, Path: "eventTypes[0].price", Message: "the currency is USD, but the workspace's is EUR"},
		{Line: 6, Path: "eventTypes[0].payment", Message: "Stripe isn't connected, so nobody is asked to pay online; connect it by: daybook payments connect --workspace salon"},
		{Line: 4, Path: "eventTypes[0].slotStepMinutes", Message: "a start every 45 minutes leaves 35 minutes empty after each booking on a full day, " +
			"as one takes 55 with its buffers; every 60 minutes leaves 5, every 55 none"},
	}
	want[2].Message = strings.Replace(want[2].Message, "every 60 minutes leaves 5, ", "every 30 minutes leaves 5, ", 1)
	if !reflect.DeepEqual(r.Warnings, want) {
		t.Errorf("got  %+v\nwant %+v", r.Warnings, want)
	}
}

func TestStepAdvice(t *testing.T) {
	for _, c := range []struct {
		duration, after, step int
		want                  string
	}{
		{45, 0, 45, ""}, {45, 15, 15, ""}, {45, 10, 55, ""}, {45, 10, 15, ""}, {30, 0, 60, "every 15 minutes leaves none"},
		{45, 10, 45, "every 30 minutes leaves 5, every 55 none"}, {7, 0, 5, "every 7 minutes leaves none"},
	} {
		e := catalog.EventType{DurationMinutes: c.duration, BufferAfterMinutes: c.after, SlotStepMinutes: c.step}
		if got := e.StepAdvice(); (got == "") != (c.want == "") || !strings.HasSuffix(got, c.want) {
			t.Errorf("%+v: %q", c, got)
		}
	}
}

// What export writes, apply reads as it was: texts that look like something else in YAML, too.
func TestExportedTextsAreReadBack(t *testing.T) {
	for _, text := range []string{
		"~", "null", "yes", "on", "true", "12", "1_000", "0x1F", "0o17", "1e3", ".5", ".inf", "12:30", "2026-12-24", "- a", "-", "? a", "a: b", "a:", ":a",
		"a #b", "#a", "&a", "*a", "!a", "!!str 5", "|", ">", "%a", "@a", "`a", "'a'", `"a"`, `a"b`, "it's", `back\slash`, "a\nb", "a\n\n b\n", "\n a", "a\n",
		"  a", "a  ", "[a]", "{a}", "a, b", "a]", "}", "<<", "---", "...", "--- a", "a\tb", "\ta", "ä😀 ", "\u0085a", "\u2028", "\ufeff", "=", "", " ", "key: |\n  x",
		"Line one\nLine two: with a colon\n  # not a comment\n- nor a list",
	} {
		d := setup.Document{Workspace: setup.WorkspaceObject(&catalog.Workspace{Slug: "salon", Name: text}), EventTypes: []setup.Object{setup.EventTypeObject(&catalog.EventType{
			Slug: "cut", Title: text, Description: text, Hosts: []catalog.HostRef{{ID: 1}}, Questions: []catalog.Question{{Key: "a", Label: text, Options: []string{text, "b"}}},
		}, text)}}
		written, err := d.YAML()
		if err != nil {
			t.Fatal(err)
		}
		read, err := setup.SetupValues(written)
		if err != nil {
			t.Errorf("%q: %v\n%s", text, err, written)
			continue
		}
		want, _ := json.Marshal(d)
		var wanted any
		if err := json.Unmarshal(want, &wanted); err != nil {
			t.Fatal(err)
		}
		if e := read.(map[string]any)["eventTypes"].([]any)[0].(map[string]any); e["title"] != text || e["description"] != text ||
			!reflect.DeepEqual(e["hosts"], []any{text}) || !reflect.DeepEqual(e["questions"].([]any)[0].(map[string]any)["options"], []any{text, "b"}) {
			t.Errorf("%q is read as %q\n%s", text, e, written)
		}
	}
}

// The reference of the set-up file applies as it is, without a warning, and names every field that there is.
func TestSetupExample(t *testing.T) {
	s := blank(t)
	f, err := setup.Parse([]byte(setup.Example))
	if err != nil {
		t.Fatal(err)
	}
	r, err := s.SetupFile.ApplySetup(t.Context(), app.Operator(0), f, false)
	if err != nil || len(r.Warnings) > 0 {
		t.Fatal(err, r.Warnings)
	}
	for _, name := range setup.FieldNames() {
		if !strings.Contains(setup.Example, name+":") {
			t.Errorf("the example lacks %s", name)
		}
	}
	if again := apply(t, s, setup.Example); len(again) != 0 {
		t.Errorf("a second time:\n%s", told(again))
	}
	// The calendars stand there as comments, since their secrets are nowhere.
	listed := strings.NewReplacer("calendars: [] ", "calendars: ", "\n    #  ", "\n      ").Replace(setup.Example)
	f, err = setup.Parse([]byte(listed))
	if err != nil {
		t.Fatal(err)
	}
	f.Resolve(func(string) (string, error) { return "https://calendar.example/secret", nil })
	r, err = s.SetupFile.ApplySetup(t.Context(), app.Operator(0), f, false)
	if err != nil || len(r.Warnings) > 0 || len(r.Differences) != 1 || strings.Count(string(r.Differences[0].To), "kind") != 2 {
		t.Errorf("with calendars: %v %+v", err, r)
	}
	// So does the sender of texts.
	lines := strings.NewReplacer("\n  # textSender: ", "\n  textSender: ", "\n  #   ", "\n    ").Replace(setup.Example)
	f, err = setup.Parse([]byte(lines))
	if err != nil {
		t.Fatal(err)
	}
	f.Resolve(func(string) (string, error) { return "a-secret", nil })
	s = apptest.New(t, apptest.Options{Empty: true, With: func(c *subjects.Config) {
		c.Text.Allow = []netip.Prefix{netip.MustParsePrefix("192.168.1.0/24")}
	}}).Set
	r, err = s.SetupFile.ApplySetup(t.Context(), app.Operator(0), f, false)
	if err != nil || len(r.Warnings) > 0 || !strings.Contains(fmt.Sprintf("%s", r.Differences), `"secret":"file:/etc/daybook/phone.password"`) {
		t.Errorf("with a sender: %v %s", err, r.Differences)
	}
}
