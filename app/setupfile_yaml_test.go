package app_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"daybook/app"
)

// What export writes, apply reads as it was: texts that look like something else in YAML, too.
func TestExportedTextsAreReadBack(t *testing.T) {
	for _, text := range []string{
		"~", "null", "yes", "on", "true", "12", "1_000", "0x1F", "0o17", "1e3", ".5", ".inf", "12:30", "2026-12-24", "- a", "-", "? a", "a: b", "a:", ":a",
		"a #b", "#a", "&a", "*a", "!a", "!!str 5", "|", ">", "%a", "@a", "`a", "'a'", `"a"`, `a"b`, "it's", `back\slash`, "a\nb", "a\n\n b\n", "\n a", "a\n",
		"  a", "a  ", "[a]", "{a}", "a, b", "a]", "}", "<<", "---", "...", "--- a", "a\tb", "\ta", "ä😀 ", "\u0085a", "\u2028", "\ufeff", "=", "", " ", "key: |\n  x",
		"Line one\nLine two: with a colon\n  # not a comment\n- nor a list",
	} {
		d := app.SetupDocument{Workspace: app.WorkspaceDocument{Slug: "salon", Name: text}, EventTypes: []app.EventTypeDocument{{
			Slug: "cut", Title: text, Description: text, Hosts: []string{text}, Questions: []app.Question{{Key: "a", Label: text, Options: []string{text, "b"}}},
		}}}
		written, err := d.YAML()
		if err != nil {
			t.Fatal(err)
		}
		read, err := app.SetupValues(written)
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
