package app_test

import (
	"strings"
	"testing"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/setup"
)

// The paragraph for the kind of mail comes first, then the nearest language.
func TestWordsFor(t *testing.T) {
	e := catalog.EventType{Words: []catalog.MailWords{{Text: "all"}, {Locale: "de", Text: "de"}, {Locale: "de-AT", Text: "at"},
		{Kind: catalog.MailReminder, Locale: "fr", Text: "rappel"}, {Kind: catalog.MailReceipt, Text: "receipt"}}}
	for _, c := range []struct {
		kind catalog.MailKind
		tags []string
		want string
	}{
		{catalog.MailConfirmed, []string{"en"}, "all"}, {catalog.MailConfirmed, []string{"de-CH", "de"}, "de"},
		{catalog.MailConfirmed, []string{"DE-at", "de"}, "at"}, {catalog.MailReminder, []string{"fr-CA"}, "rappel"},
		{catalog.MailReminder, []string{"es", ""}, "all"}, {catalog.MailReceipt, []string{"de"}, "receipt"},
	} {
		if got := catalog.MailWordsFor(e.Words, c.kind, c.tags...); got != c.want {
			t.Errorf("%s %v: %q, want %q", c.kind, c.tags, got, c.want)
		}
	}
}

// Words, redirectUrl and where come out of the set-up file as they went in; what is wrong with them is refused with its
// place, there and when an event type is saved.
func TestWordsAndWhereInTheSetUp(t *testing.T) {
	w := &world{apptest.New(t, apptest.Options{Empty: true})}
	const text = `
workspace: {slug: salon, name: Salon, timeZone: UTC, redirectHosts: [WWW.salon.example], videoServer: "https://meet.salon.example/rooms/"}
hosts: [{name: Ana, email: ana@salon.example}]
eventTypes:
  - {slug: cut, title: Cut, durationMinutes: 30, hosts: [ana@salon.example], redirectUrl: "https://www.salon.example/thanks",
     where: {kind: in_person, text: Park Lane 2, travelMinutes: 20},
     words: [{text: "Bring a towel."}, {kind: reminder, locale: de, text: "Bis bald!"}]}
`
	w.Apply(text)
	doc, err := w.SetupFile.ExportSetup(t.Context(), w.Owner)
	w.Must(err)
	yaml, err := doc.YAML()
	w.Must(err)
	apply := func(text string) (setup.Report, error) {
		file, err := setup.Parse([]byte(text))
		if err != nil {
			return setup.Report{}, err
		}
		return w.SetupFile.ApplySetup(t.Context(), app.Operator(0), file, true)
	}
	for _, same := range []string{text, string(yaml)} {
		if report, err := apply(same); err != nil || len(report.Differences) != 0 {
			t.Errorf("%v %+v\n%s", err, report.Differences, same)
		}
	}
	for wrong, field := range map[string]string{
		`redirectUrl: "https://evil.example/"`:                        "redirectUrl",
		`redirectUrl: "http://www.salon.example/"`:                    "redirectUrl",
		`redirectUrl: "https://www.salon.example@evil.example/"`:      "redirectUrl",
		`where: {kind: video, travelMinutes: 5}`:                      "where.travelMinutes",
		`where: {kind: invitee_calls}`:                                "where.text",
		`where: {kind: moon}`:                                         "where.kind",
		`words: [{kind: team_new, text: x}]`:                          "words[0].kind",
		`words: [{text: x}, {text: y}]`:                               "words[1]",
		`words: [{text: "` + strings.Repeat("x", 2001) + `"}]`:        "words[0].text",
		`words: [{locale: "de\nX-Evil", text: x}]`:                    "words[0].locale",
		`where: {kind: text, text: ` + strings.Repeat("x", 501) + `}`: "where.text",
		`where: {kind: text, text: x, travelMinutes: 1441}`:           "where.travelMinutes",
	} {
		_, err := apply("workspace: {slug: salon}\neventTypes: [{slug: cut, " + wrong + "}]")
		if e := fault.As(err); e == nil || e.Code != fault.BadRequest || !strings.HasSuffix(e.Field, field) {
			t.Errorf("%.60s: %v", wrong, err)
		}
	}
	for wrong, field := range map[string]string{`redirectHosts: ["https://x.example"]`: "redirectHosts", `videoServer: "http://x.example"`: "videoServer",
		`videoServer: "https://x.example/?a=1"`: "videoServer"} {
		_, err := apply("workspace: {slug: salon, " + wrong + "}")
		if e := fault.As(err); e == nil || e.Code != fault.BadRequest || !strings.HasSuffix(e.Field, field) {
			t.Errorf("%s: %v", wrong, err)
		}
	}
	// A form that saves the event type is held to the same.
	all, err := w.Setup(w.Workspace.ID)
	w.Must(err)
	e := all.EventTypes[0]
	e.RedirectURL = "https://evil.example/"
	_, err = w.Shop.SaveEventType(t.Context(), w.Owner, e)
	if f := fault.As(err); f == nil || f.Field != "eventType.redirectUrl" {
		t.Error(err)
	}
	// The API shows them.
	got, err := w.EventType(w.API, e.Slug)
	w.Must(err)
	if got.Where == nil || got.Where.TravelMinutes != 20 || len(got.Words) != 2 || got.RedirectURL != "https://www.salon.example/thanks" {
		t.Errorf("%+v", got)
	}
}
