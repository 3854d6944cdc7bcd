package brand

import (
	"encoding/json"
	"testing"

	"golang.org/x/text/language"
)

func TestPhrase(t *testing.T) {
	read := func(text string) (p Phrase) {
		t.Helper()
		if err := json.Unmarshal([]byte(text), &p); err != nil {
			t.Fatal(err)
		}
		return p
	}
	for _, c := range []struct {
		phrase string
		lang   language.Tag
		args   []any
		want   string
	}{
		{`"Save"`, language.English, nil, "Save"},
		{`"Save"`, language.English, []any{"Name", "Ana"}, "Save"},
		{`"{{.Name}}, {{.Who}}"`, language.English, []any{"Who", "Name", "Name", "{{.Who}}"}, "{{.Who}}, Name"},
		{`"{{.Name}}"`, language.English, nil, "Name"},
		{`{"one": "{{.Count}} hour", "other": "{{.Count}} hours"}`, language.English, []any{"Count", 1}, "1 hour"},
		{`{"one": "{{.Count}} hour", "other": "{{.Count}} hours"}`, language.English, []any{"Count", int64(1)}, "1 hour"},
		{`{"one": "{{.Count}} hour", "other": "{{.Count}} hours"}`, language.English, []any{"Count", 0}, "0 hours"},
		{`{"one": "{{.Count}} heure", "other": "{{.Count}} heures"}`, language.French, []any{"Count", 0}, "0 heure"},
		{`{"one": "un", "many": "{{.Count}} de", "other": "{{.Count}}"}`, language.French, []any{"Count", 1_000_000}, "1000000 de"},
		{`{"one": "un", "other": "{{.Count}}"}`, language.Spanish, []any{"Count", 1_000_000}, "1000000"},
	} {
		if got := read(c.phrase).Text(c.lang, c.args); got != c.want {
			t.Errorf("%s with %v: %q, want %q", c.phrase, c.args, got, c.want)
		}
	}
	for _, wrong := range []string{`1`, `{"one": "x"}`, `{"few": "x", "other": "y"}`, `"{{.Name"`, `"{{Name}}"`} {
		if err := json.Unmarshal([]byte(wrong), new(Phrase)); err == nil {
			t.Errorf("%s was taken", wrong)
		}
	}
}
