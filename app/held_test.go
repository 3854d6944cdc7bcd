package app_test

import (
	"strings"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/record"
)

// The invitee's mail of what was changed in the dashboard waits 10 seconds: what is taken back in that time tells
// nobody, a chain of moves tells once, and from where the invitee knew the booking to be. A crash and another server
// change nothing of that, as the mail waits in the database.
func TestHeldMails(t *testing.T) {
	for name, c := range map[string]struct {
		steps string // what is done: a start, "long", "api start" or "cancel"; + seconds that pass
		want  string // what the invitee is told: kind, start and where from
	}{
		"moved":                        {"10 +9", ""},
		"moved, and time passes":       {"10 +10", "moved 10 from 09"},
		"taken back":                   {"10 +3 09 +20", ""},
		"taken back at the last":       {"10 +9 09 +20", ""},
		"a chain":                      {"10 +3 11 +3 12 +20", "moved 12 from 09"},
		"a chain and back":             {"10 +3 11 +3 09 +20", ""},
		"longer":                       {"long +20", "moved 09 from"},
		"longer, and back":             {"long +3 short +20", ""},
		"longer, then moved":           {"long +3 10 +20", "moved 10 from 09"},
		"told, then back":              {"10 +20 09 +20", "moved 10 from 09;moved 09 from 10"},
		"moved by a program":           {"api10", "moved 10 from 09"},
		"taken back by a program":      {"10 +3 api09 +20", ""},
		"moved on by a program":        {"10 +3 api11 +20", "moved 11 from 09"},
		"cancelled":                    {"10 +3 cancel +20", "cancelled 10 from"},
		"told, then a chain of others": {"10 +20 11 +3 12 +20", "moved 10 from 09;moved 12 from 10"},
	} {
		t.Run(strings.ReplaceAll(name, " ", "-"), func(t *testing.T) {
			w := newWorld(t)
			w.offer("cut", 1, func(e *catalog.EventType) { e.ReminderMinutes = nil })
			ctx, other := t.Context(), &world{w.Another()}
			b := w.Booked("cut", "1T09", "bo")
			w.sendMails()
			var told []string
			look := func() {
				for i, at := range []*world{w, other} { // whoever comes first
					for _, m := range at.sendMails() {
						if m.Facts.For != "invitee" {
							continue
						}
						text := string(m.Kind) + " " + m.Facts.Start.Time().Format("15") + " from"
						if m.Facts.Previous != 0 {
							text += " " + m.Facts.Previous.Time().Format("15")
						}
						told = append(told, text)
						if i > 0 {
							t.Errorf("%s is told by the second server", text)
						}
					}
				}
			}
			for _, step := range strings.Fields(c.steps) {
				var err error
				by, start := w.Owner, strings.TrimPrefix(step, "api")
				if start != step {
					by = w.API
				}
				switch {
				case step[0] == '+':
					wait, err := time.ParseDuration(step[1:] + "s")
					w.Must(err)
					look()
					w.Clock.Advance(wait)
					look()
				case step == "long", step == "short":
					end := map[string]string{"long": "10:30", "short": "10:00"}[step]
					_, err = w.Edit.Edit(ctx, by, b.ID.String(), patch(t, `{"end":"2026-12-01T`+end+`:00Z"}`), "")
				case step == "cancel":
					_, err = w.Cancel(ctx, by, b.ID.String(), record.CancelInput{})
				default:
					_, err = w.Reschedule(ctx, by, b.ID.String(), app.RescheduleInput{Start: "2026-12-01T" + start + ":00:00Z"})
				}
				w.Must(err)
			}
			look()
			if got := strings.Join(told, ";"); got != c.want {
				t.Errorf("the invitee is told %q, want %q", got, c.want)
			}
		})
	}
}
