package setup_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/fault"
	"daybook/app/money"
	"daybook/app/setup"
	"daybook/app/subjects"
)

const salon = `
workspace: {slug: salon, name: Salon Ana, timeZone: Europe/Berlin, currency: EUR}
hosts:
  - name: Ana
    email: ana@salon.example
    weekly: {mon: ["09:00-12:00", "13:00-17:00"], sat: ["22:00-02:00"], sun: ["00:00-24:00"]}
    overrides: [{date: 2026-12-24, hours: ["09:00-12:00"]}, {date: 2026-12-25, hours: []}]
    timeOff: [{start: 2026-12-28T00:00:00Z, end: 2027-01-02T00:00:00+01:00, reason: Holiday}]
  - {name: Bo, email: bo@salon.example, timeZone: Europe/London}
eventTypes:
  - slug: cut
    title: Haircut
    durationMinutes: 45
    price: {amount: 4500}
    hosts: [Ana@salon.example, bo@salon.example]
    bufferAfterMinutes: 10
    questions: [{key: length, label: "How long?", type: choice, options: [short, long]}, {key: note, label: Anything else, required: true}]
  - {slug: shave, title: Shave, durationMinutes: 20}
  - {slug: wash, title: Wash, durationMinutes: 10}
`

// blank is a Service on a new file.
func blank(t testing.TB) *subjects.Set {
	t.Helper()
	return apptest.New(t, apptest.Options{Empty: true}).Set
}

func apply(t testing.TB, s *subjects.Set, text string) []setup.Difference {
	t.Helper()
	all, err := tryApply(t, s, text)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func tryApply(t testing.TB, s *subjects.Set, text string) ([]setup.Difference, error) {
	t.Helper()
	f, err := setup.Parse([]byte(text))
	if err != nil {
		return nil, err
	}
	r, err := s.SetupFile.ApplySetup(t.Context(), app.Operator(0), f, false)
	return r.Differences, err
}

func export(t testing.TB, s *subjects.Set, slug string) (setup.Document, string) {
	t.Helper()
	w, err := s.WorkspaceBySlug(t.Context(), slug)
	if err != nil {
		t.Fatal(err)
	}
	d, err := s.SetupFile.ExportSetup(t.Context(), app.Operator(w.ID))
	if err != nil {
		t.Fatal(err)
	}
	text, err := d.YAML()
	if err != nil {
		t.Fatal(err)
	}
	return d, string(text)
}

// told are the differences in a few words.
func told(all []setup.Difference) string {
	var lines []string
	for _, d := range all {
		if d.Change == "create" {
			lines = append(lines, "+"+d.Kind+" "+d.Name)
		} else {
			lines = append(lines, fmt.Sprintf("%s %s.%s %s→%s", d.Kind, d.Name, d.Field, d.From, d.To))
		}
	}
	return strings.Join(lines, "\n")
}

func TestApplySetupCreates(t *testing.T) {
	s := blank(t)
	want := "+workspace salon\n+host ana@salon.example\n+host bo@salon.example\n+eventType cut\n+eventType shave\n+eventType wash"
	if got := told(apply(t, s, salon)); got != want {
		t.Errorf("got\n%s", got)
	}
	d, _ := export(t, s, "salon")
	cut, shave := setup.Exported[setup.ExportedType](d.EventTypes[0]), setup.Exported[setup.ExportedType](d.EventTypes[1])
	ana := setup.Exported[setup.ExportedHost](d.Hosts[0])
	if !reflect.DeepEqual(cut.Price, &money.Money{Amount: 4500, Currency: "EUR"}) || cut.SlotStepMinutes != 45 || cut.MinimumNoticeMinutes != 60 ||
		cut.BookingWindowDays != 60 || cut.Seats != 1 || !cut.Active || cut.Questions[1].Type != "text" {
		t.Errorf("defaults: %+v", cut)
	}
	if !reflect.DeepEqual(cut.Hosts, []string{"ana@salon.example", "bo@salon.example"}) || !reflect.DeepEqual(shave.Hosts, []string{"ana@salon.example"}) {
		t.Errorf("hosts: %v %v", cut.Hosts, shave.Hosts)
	}
	if ana.TimeZone != "Europe/Berlin" || ana.TimeOff[0].End != "2027-01-01T23:00:00Z" || ana.Weekly["tue"] == nil || len(ana.Weekly["tue"]) != 0 {
		t.Errorf("host: %+v", ana)
	}
}

func TestExportedSetupAppliesAsItIs(t *testing.T) {
	s := blank(t)
	apply(t, s, salon)
	d, text := export(t, s, "salon")
	asJSON, _ := json.MarshalIndent(d, "", "\t")
	for _, again := range []string{salon, text, string(asJSON)} {
		if all := apply(t, s, again); len(all) != 0 {
			t.Errorf("differs:\n%s", told(all))
		}
	}
	other := blank(t)
	apply(t, other, text)
	if _, copied := export(t, other, "salon"); copied != text {
		t.Errorf("copied to another database:\n%s\nwant\n%s", copied, text)
	}
	// Within one database the ids are taken: a copy under another slug gets its own.
	second := strings.Replace(text, "id: "+d.Workspace.ID(), "", 1)
	second = strings.Replace(second, "slug: salon", "slug: second", 1)
	apply(t, s, second)
	copied, _ := export(t, s, "second")
	if copied.Hosts[0].ID() == d.Hosts[0].ID() || copied.EventTypes[0].ID() == d.EventTypes[0].ID() || len(setup.Exported[setup.ExportedType](copied.EventTypes[0]).Hosts) != 2 {
		t.Errorf("copy: %+v", copied)
	}
	if all := apply(t, s, text); len(all) != 0 {
		t.Errorf("the copy changed the first:\n%s", told(all))
	}
}

func TestApplySetupChanges(t *testing.T) {
	for _, c := range []struct{ name, file, want string }{
		{"left out stays", `eventTypes: [{slug: cut}]`, ""},
		{"a field", `eventTypes: [{slug: cut, durationMinutes: 60}]`, "eventType cut.durationMinutes 45→60"},
		{"step as the duration", `eventTypes: [{slug: cut, durationMinutes: 60, slotStepMinutes: null}]`,
			"eventType cut.durationMinutes 45→60\neventType cut.slotStepMinutes 45→60"},
		{"free", `eventTypes: [{slug: cut, price: null}]`, `eventType cut.price {"amount":4500,"currency":"EUR"}→null`},
		{"price", `eventTypes: [{slug: cut, price: {amount: 10}}]`, `eventType cut.price {"amount":4500,"currency":"EUR"}→{"amount":10,"currency":"EUR"}`},
		{"a new price in the workspace's new currency", "eventTypes: [{slug: wash, price: {amount: 10}}]", `eventType wash.price null→{"amount":10,"currency":"EUR"}`},
		{"a list", `eventTypes: [{slug: cut, hosts: [bo@salon.example]}]`, `eventType cut.hosts ["ana@salon.example","bo@salon.example"]→["bo@salon.example"]`},
		{"a day", `hosts: [{email: ANA@salon.example, weekly: {sat: null, mon: ["10:00-12:00"]}}]`,
			"host ana@salon.example.email \"ana@salon.example\"→\"ANA@salon.example\"\n" +
				`host ana@salon.example.weekly.mon ["09:00-12:00","13:00-17:00"]→["10:00-12:00"]` + "\n" +
				`host ana@salon.example.weekly.sat ["22:00-02:00"]→[]`},
		{"no time off", `hosts: [{email: ana@salon.example, timeOff: null, overrides: []}]`,
			`host ana@salon.example.overrides [{"date":"2026-12-24","hours":["09:00-12:00"]},{"date":"2026-12-25","hours":[]}]→[]` + "\n" +
				`host ana@salon.example.timeOff [{"start":"2026-12-28T00:00:00Z","end":"2027-01-01T23:00:00Z","reason":"Holiday"}]→[]`},
		{"inactive", `hosts: [{email: bo@salon.example, active: false}]`, "host bo@salon.example.active true→false"},
		{"order", `eventTypes: [{slug: wash}, {slug: cut}]`, `workspace salon.eventTypes ["cut","shave","wash"]→["wash","shave","cut"]`},
		{"a new one between", `eventTypes: [{slug: cut}, {slug: dye, title: Dye, durationMinutes: 90}]`, "+eventType dye"},
		{"rename by id", `hosts: [{id: $bo, email: bob@salon.example}]`, `host bo@salon.example.email "bo@salon.example"→"bob@salon.example"`},
		{"swapped addresses", `hosts: [{id: $bo, email: ana@salon.example}, {id: $ana, email: bo@salon.example}]`,
			`host bo@salon.example.email "bo@salon.example"→"ana@salon.example"` + "\n" + `host ana@salon.example.email "ana@salon.example"→"bo@salon.example"`},
		{"swapped slugs", `eventTypes: [{id: $cut, slug: shave}, {id: $shave, slug: cut}]`,
			`eventType cut.slug "cut"→"shave"` + "\n" + `eventType shave.slug "shave"→"cut"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := blank(t)
			apply(t, s, salon)
			d, _ := export(t, s, "salon")
			ids := strings.NewReplacer("$ana", d.Hosts[0].ID(), "$bo", d.Hosts[1].ID(), "$cut", d.EventTypes[0].ID(), "$shave", d.EventTypes[1].ID())
			file := "workspace: {slug: salon}\n" + ids.Replace(c.file)
			f, err := setup.Parse([]byte(file))
			if err != nil {
				t.Fatal(err)
			}
			dry, err := s.SetupFile.ApplySetup(t.Context(), app.Operator(0), f, true)
			if err != nil {
				t.Fatal(err)
			}
			if after, _ := export(t, s, "salon"); !reflect.DeepEqual(after, d) {
				t.Error("the dry run changed something")
			}
			all := apply(t, s, file)
			if got := told(all); got != c.want || got != told(dry.Differences) {
				t.Errorf("got\n%s\nwant\n%s\ndry run\n%s", got, c.want, told(dry.Differences))
			}
			if again := apply(t, s, file); len(again) != 0 && !strings.Contains(c.name, "swapped") {
				t.Errorf("a second time:\n%s", told(again))
			}
		})
	}
}

func TestApplySetupOrder(t *testing.T) {
	s := blank(t)
	apply(t, s, salon)
	apply(t, s, `{"workspace": {"slug": "salon"}, "eventTypes": [{"slug": "shave"}, {"slug": "dye", "title": "Dye", "durationMinutes": 5}, {"slug": "cut"}]}`)
	d, _ := export(t, s, "salon")
	var slugs []string
	for _, e := range d.EventTypes {
		slugs = append(slugs, setup.Exported[setup.ExportedType](e).Slug)
	}
	if got := strings.Join(slugs, " "); got != "shave dye cut wash" {
		t.Error(got)
	}
}

func TestWrongSetup(t *testing.T) {
	head := "workspace: {slug: salon}\n"
	for _, c := range []struct{ file, want string }{
		{"", "line 1: file: is empty"},
		{"[]", "line 1: file: must be a mapping with the fields eventTypes, hosts, products, resources, workspace"},
		{"workspace: [", "file: is neither YAML nor JSON"},
		{"{\"workspace\": {}\n", "file: is neither YAML nor JSON"},
		{head + "---\nb: 2", "line 2: file: must hold one document"},
		{"workspace: \xff", "file: must be UTF-8"},
		{"hosts: []", "workspace.slug: is required"},
		{"workspace: {slug: new}", `line 1: workspace.name: is required: there is no workspace "new" yet`},
		{"workspace: {slug: api, name: x, timeZone: UTC}", `line 1: workspace.slug: "api" is used by the server itself`},
		{"workspace: {slug: salon, id: bk_1}", `line 1: workspace.id: "bk_1" is no id`},
		{"workspace: {slug: salon, timezone: UTC}", "line 1: workspace.timezone: there is no such field; did you mean timeZone?"},
		{"workspace: {slug: salon, slug: salon}", "line 1: workspace.slug: stands twice"},
		{"workspace: {slug: salon, weather: fine}", "line 1: workspace.weather: there is no such field; there are about, accounts, address, assistantsMayBook, color, consents, contactFields, country, currency, description, holdsTimes, holidays, id, logoUrl, name, phone, redirectHosts, retention, reviewsUrl, sellsVouchers, slug, staffSeeCustomers, tax, textSender, texts, timeOff, timeZone, videoServer, waitMargin, waitlistOfferMinutes"},
		{"workspace: {slug: salon, timeZone: Mars}", `line 1: workspace.timeZone: "Mars" is no time zone`},
		{head + "hosts: {}", "line 2: hosts: must be a list"},
		{head + "hosts:\n  - name: Cy", "line 3: hosts[0].email: is required"},
		{head + "hosts:\n  - email: cy@x.example", "line 3: hosts[0].name: is required: this one is new"},
		{head + "hosts:\n  - name: Cy\n    email: cy", "line 4: hosts[0].email: must be an e-mail address"},
		{head + "hosts:\n  - email: bo@salon.example\n  - email: BO@salon.example", "line 4: hosts[1]: is the same host as hosts[0]"},
		{head + "hosts:\n  - email: bo@salon.example\n    weekly:\n      monday: []", "line 5: hosts[0].weekly.monday: there is no such field; did you mean mon?"},
		{head + "hosts:\n  - email: bo@salon.example\n    weekly:\n      mon: [9-12]", `line 5: hosts[0].weekly.mon[0]: "9-12" is not a range of hours like 09:00-12:00`},
		{head + "hosts:\n  - email: bo@salon.example\n    weekly: {mon: [\"09:00-12:00\",\n    \"11:00-13:00\"]}", "line 4: hosts[0].weekly.mon: 09:00-12:00 and 11:00-13:00 overlap"},
		{head + "hosts:\n  - email: bo@salon.example\n    overrides: [{date: 2026-02-30, hours: []}]", `hosts[0].overrides[0].date: "2026-02-30" is not a date like 2026-12-24`},
		{head + "hosts:\n  - email: bo@salon.example\n    overrides: [{date: 2026-02-20}]", `hosts[0].overrides[0].hours: is required`},
		{head + "hosts:\n  - email: bo@salon.example\n    timeOff: [{start: 28.12.2026, end: 2026-12-29T00:00:00Z}]", "line 4: hosts[0].timeOff[0].start: expected a day such as 2026-12-24"},
		{head + "eventTypes:\n  - title: x", "line 3: eventTypes[0].slug: is required"},
		{head + "eventTypes:\n  - slug: x", "line 3: eventTypes[0].title: is required: this one is new"},
		{head + "eventTypes:\n  - slug: cut\n    durationMinutes: 45.5", "line 4: eventTypes[0].durationMinutes: must be a whole number, not 45.5"},
		{head + "eventTypes:\n  - slug: cut\n    durationMinutes: '45'", `line 4: eventTypes[0].durationMinutes: must be a whole number, not "45"`},
		{head + "eventTypes:\n  - slug: cut\n    durationMinutes: 10081", "line 4: eventTypes[0].durationMinutes: must lie between 1 and 10080"},
		{head + "eventTypes:\n  - slug: cut\n    durationMinutes: null", "line 4: eventTypes[0].durationMinutes: must be a whole number, not null"},
		{head + "eventTypes:\n  - slug: cut\n    durationMinutes: 99999999999", "line 4: eventTypes[0].durationMinutes: must be a whole number"},
		{head + "eventTypes:\n  - slug: cut\n    title: 5", `line 4: eventTypes[0].title: must be a text; put it in quotes: "5"`},
		{head + "eventTypes:\n  - slug: cut\n    price: 4500", "line 4: eventTypes[0].price: must be a mapping with the fields amount, currency"},
		{head + "eventTypes:\n  - slug: cut\n    price: {currency: EUR}", "line 4: eventTypes[0].price.amount: is required"},
		{head + "eventTypes:\n  - slug: cut\n    price:\n      amount: 1\n      currency: euro", "line 6: eventTypes[0].price.currency: must be a three-letter"},
		{head + "eventTypes:\n  - slug: cut\n    requiresApproval: yes please", `line 4: eventTypes[0].requiresApproval: must be true or false, not "yes please"`},
		{head + "eventTypes:\n  - slug: cut\n    payment: cash", "line 4: eventTypes[0].payment: must be online or on_site"},
		{head + "eventTypes:\n  - slug: cut\n    hosts: [nobody@x.example]", `line 4: eventTypes[0].hosts[0]: "nobody@x.example" is no host of this workspace`},
		{head + "eventTypes:\n  - slug: cut\n    hosts: []", "line 4: eventTypes[0].hosts: name at least one host"},
		{head + "eventTypes:\n  - slug: cut\n    questions: [{key: a b, label: x}]", "line 4: eventTypes[0].questions[0].key: must be"},
		{head + "eventTypes:\n  - slug: cut\n  - {slug: new, title: x, durationMinutes: 5}\n  - {slug: new}", "line 5: eventTypes[2]: is the same event type as eventTypes[1]"},
		{head + "eventTypes:\n  - &a {slug: cut}\n  - <<: *a", "line 4: eventTypes[1]: merge keys"},
		{head + "eventTypes: &a [*a]", "eventTypes[0]"},
		{"{\n\"workspace\": {\"slug\": \"salon\"},\n\"eventTypes\": [{\"slug\": \"cut\",\n\t\"seats\": 0}]}", "line 4: eventTypes[0].seats: must lie between 1 and 1000"},
		{strings.Repeat("#", setup.MaxBytes+1), "file: must have at most 4 MiB"},
		{bomb(), "the file's aliases make it too large"},
		{head + "hosts: [" + strings.Repeat("{email: a@x.example},", 501) + "]", "line 2: hosts: at most 500"},
	} {
		t.Run(c.want, func(t *testing.T) {
			s := blank(t)
			apply(t, s, salon)
			before, _ := export(t, s, "salon")
			_, err := tryApply(t, s, c.file)
			if e := fault.As(err); e == nil || e.Code != fault.BadRequest || !strings.Contains(e.Error(), c.want) {
				t.Errorf("got  %v\nwant %s", err, c.want)
			}
			if after, _ := export(t, s, "salon"); !reflect.DeepEqual(after, before) {
				t.Error("something was changed")
			}
		})
	}
}

// bomb is a small file whose aliases stand for a billion texts.
func bomb() string {
	b := "workspace: {slug: salon}\nhosts:\n  - email: a@x.example\n    overrides:\n      - &a {date: 2026-01-01, hours: ["
	b += strings.Repeat("x,", 990) + "]}\n"
	b += "      - *a\n      - *a\n"
	return b + strings.Repeat("      - *a\n", 900) + strings.Repeat("  - {email: b@x.example, overrides: ["+strings.Repeat("*a,", 900)+"]}\n", 3)
}

func FuzzParseSetup(f *testing.F) {
	f.Add([]byte(salon))
	f.Add([]byte(bomb()[:200]))
	f.Add([]byte(`{"workspace":{"slug":"a\ud83d\ude00"},"hosts":[{"id":"hs_1"}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		_, err := setup.Parse(text)
		if e := fault.As(err); err != nil && (e == nil || e.Code != fault.BadRequest) {
			t.Errorf("%v", err)
		}
	})
}
