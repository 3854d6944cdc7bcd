package app_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"daybook/app/booking"
)

// Every list of states is made from the one table, so that a new state is written there and nowhere forgotten.
func TestStatusesInOnePlace(t *testing.T) {
	const state = `(?:booking\.)?(pending|confirmed|rescheduled|cancelled|no_show|Pending|Confirmed|Rescheduled|Cancelled|NoShow)`
	listed := regexp.MustCompile(`\b` + state + "[`\"]*" + `(?:, ?|\|| or | and | (?:\|\||&&) [\w.]+ [!=]= )` + "[`\"]*" + state + `(?:[^:\w]|$)`)
	other := regexp.MustCompile(`[eE]xample:|\.such\(| (?:int|string)$`) // an example, and fields of a struct
	found := 0
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") || strings.HasSuffix(path, "_templ.go") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name := filepath.ToSlash(strings.TrimPrefix(path, ".."+string(filepath.Separator)))
		for i, line := range strings.Split(string(text), "\n") {
			code, _, _ := strings.Cut(line, " // ")
			two := listed.FindStringSubmatch(code)
			if two == nil || strings.EqualFold(two[1], two[2]) || other.MatchString(code) {
				continue
			}
			if name == "app/booking/status.go" || name == "store/state.go" { // the table, and the stored codes
				found++
				continue
			}
			t.Errorf("%s:%d lists states: take them from app/booking/status.go: %s", name, i+1, strings.TrimSpace(line))
		}
		return nil
	})
	if err != nil || found == 0 {
		t.Errorf("the walk found no table: %v", err)
	}
}

func TestStatuses(t *testing.T) {
	for _, s := range booking.Statuses {
		if s.Label() == "" || s.Such() == "" || s.Those() == "" || booking.Statuses[s.Index()] != s {
			t.Errorf("the table says too little of %s", s)
		}
		if s.Stands() && !s.Live() {
			t.Errorf("%s takes place, but takes no time", s)
		}
	}
	const live, standing = "confirmed, pending or rescheduled", "confirmed and rescheduled"
	const shown, copied = "confirmed, pending, no_show and rescheduled", "confirmed, no_show and rescheduled"
	if got := booking.NamesOf(booking.LiveStatuses, "", " or "); got != live {
		t.Errorf("live: %s, want %s", got, live)
	}
	if got := booking.NamesOf(booking.StandingStatuses, "", " and "); got != standing {
		t.Errorf("standing: %s, want %s", got, standing)
	}
	if got := booking.NamesOf(booking.ShownStatuses, "", " and "); got != shown {
		t.Errorf("shown: %s, want %s", got, shown)
	}
	inOthers := slices.DeleteFunc(slices.Clone(booking.Statuses), func(s booking.Status) bool { return !s.Copied() })
	if got := booking.NamesOf(inOthers, "", " and "); got != copied {
		t.Errorf("copied: %s, want %s", got, copied)
	}
}
