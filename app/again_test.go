package app_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"daybook/app/audit"
	"daybook/app/catalog"
	"daybook/store/enginetest"
)

// ranAgain are changes of which the log doesn't tell, and that keep what they make outside of the transaction.
var ranAgain = map[string]func(l *logWorld, ctx context.Context) (do func() error, want []audit.Action){
	"SaveHost": func(l *logWorld, ctx context.Context) (func() error, []audit.Action) {
		return func() error {
			h, err := l.Shop.SaveHost(ctx, l.Owner, catalog.Host{Name: "Dan", Email: "dan@salon.example", TimeZone: "Europe/Berlin"})
			if err == nil {
				h.Name = "Daniela"
				_, err = l.Shop.SaveHost(ctx, l.Owner, h)
			}
			return err
		}, nil
	},
	"SaveEventType": func(l *logWorld, ctx context.Context) (func() error, []audit.Action) {
		return func() error {
			e := catalog.NewEventType()
			e.Slug, e.Title, e.DurationMinutes, e.Hosts = "shave", "Shave", 30, []catalog.HostRef{{ID: 1}}
			e, err := l.Shop.SaveEventType(ctx, l.Owner, e)
			if err == nil {
				e.Title = "A shave"
				_, err = l.Shop.SaveEventType(ctx, l.Owner, e)
			}
			return err
		}, nil
	},
}

// A change may run more than once: where transactions run at once, when it met another one, and where they share a
// commit, when another of them had to be undone. Only its last run counts, for its answer, too.
func TestEveryChangeMayRunAgain(t *testing.T) {
	for _, all := range []map[string]func(*logWorld, context.Context) (func() error, []audit.Action){audited, ranAgain} {
		for name, scenario := range all {
			t.Run(name, func(t *testing.T) {
				t.Setenv("DAYBOOK_TEST_TWICE", "1") // see package enginetest
				l := newLogWorld(t)
				do, want := scenario(l, t.Context())
				raw := enginetest.Raw(t, l.Store.Engine)
				log := logged(t, raw)
				l.Must(do())
				added := strings.TrimPrefix(logged(t, raw), log)
				if got := slices.Collect(strings.Lines(added)); len(got) != len(want) {
					t.Errorf("the log has, of one change:\n%s", added)
				}
			})
		}
	}
}
