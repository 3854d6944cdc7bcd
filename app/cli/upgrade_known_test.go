package cli

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

func TestLaterVersions(t *testing.T) {
	for _, c := range []struct {
		own, newest       string
		later, comparable bool
	}{
		{"1.2.0", "1.2.0", false, true},
		{"1.2.0", "1.10.0", true, true},
		{"1.2.0", "v1.2.1", true, true},
		{"2.0.0", "1.9.9", false, true},
		{"1.2", "1.2.1", true, true},
		{"1.2.0-rc.1", "1.2.0", true, true},
		{"1.2.0", "1.2.0-rc.1", false, true},
		{"1.2.0-rc.2", "1.2.0-rc.10", true, true},
		{"1.2.0-rc", "1.2.0-alpha", false, true},
		{"1.2.0-1", "1.2.0-rc", true, true},
		{"1.2.0+a", "1.2.0+b", false, true},
		{"dev", "1.2.0", false, false},
		{"ci", "1.2.0", false, false},
	} {
		if is, comparable := later(c.own, c.newest); is != c.later || comparable != c.comparable {
			t.Errorf("later(%q, %q) = %v, %v", c.own, c.newest, is, comparable)
		}
	}
}

func TestKnownVersions(t *testing.T) {
	for text, want := range map[string]knownVersion{
		"1.2.0\n":               {"1.2.0", ""},
		"v1.2.0\nwhat is new\n": {"1.2.0", ""},
		`{"version": "1.2.0"}`:  {"1.2.0", ""},
		`{"tag_name": "v1.2.0", "html_url": "https://git.example/daybook/v1.2.0", "assets": []}`: {"1.2.0", "https://git.example/daybook/v1.2.0"},
		`{"tag_name": "v1.2.0", "html_url": "https://git.example/\u001b[31m"}`:                   {"1.2.0", ""},
	} {
		if got, err := parseKnown(text); err != nil || got != want {
			t.Errorf("%q is %+v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "<!doctype html>", "newest", "1.2.0.4", "1.2.0-\u001b[31m", "{}", "{", `{"version": 1}`} {
		if got, err := parseKnown(text); err == nil {
			t.Errorf("%q is %+v", text, got)
		}
	}
}

// Whether it is newer is told to people in a sentence, and to programs as true or false.
func TestKnownVersionIsTold(t *testing.T) {
	for _, c := range []struct{ newest, want, json string }{
		{"1.3.0", "There is a newer version, 1.3.0; this is 1.2.0.\nhttps://git.example/\n", `"newer":true`},
		{"1.2.0", "No newer version is known there: this is 1.2.0, that 1.2.0.\n", `"newer":false`},
	} {
		for _, asJSON := range []bool{false, true} {
			var out strings.Builder
			cmd := &cobra.Command{}
			cmd.SetOut(&out)
			err := sayKnown(cmd, asJSON, "1.2.0", knownVersion{c.newest, "https://git.example/"})
			if err != nil || !asJSON && out.String() != c.want || asJSON && !strings.Contains(out.String(), c.json) {
				t.Errorf("%s: %q %v", c.newest, &out, err)
			}
		}
	}
}
