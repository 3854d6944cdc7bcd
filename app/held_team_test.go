package app_test

import (
	netmail "net/mail"
	"slices"
	"strings"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/account"
	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/mail"
)

// teamTold says what the sent mails tell the team, by the subject's first words and the times, with what becomes of the
// entry in the reader's calendar.
func (w *world) teamTold(sent []mail.Mail) (told []string) {
	w.T.Helper()
	for i := range sent {
		m := &sent[i]
		if m.Facts.For == mail.ToInvitee {
			continue
		}
		text, err := mail.Compose(w.T.Context(), w.Mail, m, netmail.Address{})
		w.Must(err)
		who, _, _ := strings.Cut(m.To, "@")
		what, _, _ := strings.Cut(text.Subject, ":")
		items := m.Facts.Team
		if len(items) == 0 {
			items = []mail.TeamItem{{Facts: m.Facts}}
		}
		for _, item := range items {
			one := who + " " + what + " " + item.Start.Time().Format("15")
			if item.Previous != 0 {
				one += " from " + item.Previous.Time().Format("15")
			}
			if item.Gone && what == "Moved" {
				one += " gone"
			}
			told = append(told, one)
		}
		if text.Method != "" {
			told[len(told)-1] += " " + text.Method
		}
	}
	slices.Sort(told)
	return told
}

// The team's mails of what was changed in the dashboard wait as the invitee's does: whoever has the booking as before is
// told nothing, and whoever has it no more, or newly, once.
func TestHeldMailsToTheTeam(t *testing.T) {
	for name, c := range map[string]struct {
		steps string // a start, a host, both, "cancel", …, "api…" by a program; + seconds that pass
		want  string
	}{
		"moved":                          {"10 +9", ""},
		"moved, and time passes":         {"10 +10", "ana Moved 10 from 09 REQUEST;olga Moved 10 from 09"},
		"taken back":                     {"10 +3 09 +20", ""},
		"taken back at once":             {"10 09 +20", ""},
		"a chain":                        {"10 +3 11 +20", "ana Moved 11 from 09 REQUEST;olga Moved 11 from 09"},
		"told, then back":                {"10 +20 09 +20", "ana Moved 09 from 10 REQUEST;ana Moved 10 from 09 REQUEST;olga Moved 09 from 10;olga Moved 10 from 09"},
		"moved by a program":             {"api10", "ana Moved 10 from 09 REQUEST;olga Moved 10 from 09"},
		"taken back by a program":        {"10 +3 api09 +20", ""},
		"moved on by a program":          {"10 +3 api11 +20", "ana Moved 11 from 09 REQUEST;olga Moved 11 from 09"},
		"to another host":                {"ben +20", "ana Moved 09 gone CANCEL;ben Now with Ben 09 REQUEST;olga Now with Ben 09"},
		"to another host and back":       {"ben +3 ana +20", ""},
		"to another and back at once":    {"ben ana +20", ""},
		"over another host":              {"ben +3 cem +20", "ana Moved 09 gone CANCEL;cem Now with Cem 09 REQUEST;olga Now with Cem 09"},
		"to another, and moved":          {"ben +3 10 +20", "ana Moved 09 gone CANCEL;ben Moved 10 from 09 REQUEST;olga Moved 10 from 09"},
		"to another, back and moved":     {"ben +3 ana +3 10 +20", "ana Moved 10 from 09 REQUEST;olga Moved 10 from 09"},
		"moved, to another and back":     {"10 +3 ben +3 ana +3 09 +20", ""},
		"to another, moved by a program": {"ben +3 api10 +20", "ana Moved 09 gone CANCEL;ben Moved 10 from 09 REQUEST;olga Moved 10 from 09"},
		"to another, told, and back":     {"ben +20 ana +20", "ana Moved 09 gone CANCEL;ana Now with Ana 09 REQUEST;ben Moved 09 gone CANCEL;ben Now with Ben 09 REQUEST;olga Now with Ana 09;olga Now with Ben 09"},
		"cancelled":                      {"10 +3 cancel +20", "ana Cancelled 09 CANCEL;olga Cancelled 09"},
		"cancelled at another host":      {"ben +3 cancel +20", "ana Cancelled 09 CANCEL;olga Cancelled 09"},
		"moved to the owner":             {"olga +20", "ana Moved 09 gone CANCEL;olga Now with Olga 09 REQUEST"},
		"to the owner and back":          {"olga +3 ana +20", ""},
		"over the owner":                 {"olga +3 ben +20", "ana Moved 09 gone CANCEL;ben Now with Ben 09 REQUEST;olga Now with Ben 09"},
		"over the owner, and cancelled":  {"olga +3 cancel +20", "ana Cancelled 09 CANCEL;olga Cancelled 09"},
		"from the owner, on":             {"olga +20 ben +3 cem +20", "ana Moved 09 gone CANCEL;cem Now with Cem 09 REQUEST;olga Moved 09 gone CANCEL;olga Now with Olga 09 REQUEST"},
		"request moved, confirmed":       {"10 +3 confirm +20", "ana New booking 10 from 09 REQUEST;olga Moved 10 from 09"},
		"request to another, confirmed":  {"ben +3 confirm +20", "ana Moved 09 gone CANCEL;ben New booking 09 REQUEST;olga Now with Ben 09"},
		"request moved, declined":        {"10 +3 decline +20", "ana Cancelled 09 CANCEL"},
	} {
		t.Run(strings.ReplaceAll(name, " ", "-"), func(t *testing.T) {
			w := &world{apptest.New(t, apptest.Options{Hosts: []string{"Ana", "Ben", "Cem", "Olga"}, Hours: "00:00-24:00"})}
			setup, err := w.Setup(w.Workspace.ID)
			w.Must(err)
			hosts := map[string]string{}
			w.offer("cut", 4, func(e *catalog.EventType) {
				e.ReminderMinutes, e.RequiresApproval, e.Hosts = nil, strings.HasPrefix(name, "request"), nil
				for i := range setup.Hosts {
					who := strings.ToLower(setup.Hosts[i].Name)
					hosts[who] = setup.Hosts[i].ID.String()
					e.Hosts = append(e.Hosts, catalog.HostRef{ID: setup.Hosts[i].ID})
				}
			})
			ctx := t.Context()
			_, err = w.Account.CreateUser(ctx, app.Operator(w.Workspace.ID), account.UserInput{Email: "olga@salon.example", Role: app.OwnerRole})
			w.Must(err)
			in := apptest.Input("cut", apptest.At("1T09"), "bo")
			in.Host = hosts["ana"]
			b, err := w.Book(ctx, w.API, in)
			w.Must(err)
			w.sendMails()
			var told []string
			for _, step := range strings.Fields(c.steps) {
				by, what := w.Owner, strings.TrimPrefix(step, "api")
				if what != step {
					by = w.API
				}
				switch {
				case step[0] == '+':
					wait, err := time.ParseDuration(step[1:] + "s")
					w.Must(err)
					told = append(told, w.teamTold(w.sendMails())...)
					w.Clock.Advance(wait)
					told = append(told, w.teamTold(w.sendMails())...)
				case what == "cancel":
					_, err = w.Cancel(ctx, by, b.ID.String(), booking.CancelInput{})
				case what == "confirm":
					_, err = w.Confirm(ctx, by, b.ID.String())
				case what == "decline":
					_, err = w.Decline(ctx, by, b.ID.String(), "")
				case hosts[what] != "":
					_, err = w.Edit(ctx, by, b.ID.String(), patch(t, `{"host":"`+hosts[what]+`"}`), "")
				default:
					_, err = w.Reschedule(ctx, by, b.ID.String(), app.RescheduleInput{Start: "2026-12-01T" + what + ":00:00Z"})
				}
				w.Must(err)
			}
			told = append(told, w.teamTold(w.sendMails())...)
			slices.Sort(told)
			if got := strings.Join(told, ";"); got != c.want {
				t.Errorf("the team is told\n%q, want\n%q", got, c.want)
			}
		})
	}
}

// Of the bookings of a visit, of one with two hosts among them, everybody is told what is news to them when the mail
// goes out, be it moved as a whole or one by one.
func TestHeldMailsOfAVisitToTheTeam(t *testing.T) {
	w := &world{apptest.New(t, apptest.Options{Hosts: []string{"Ana", "Ben", "Cem", "Dan"}, Hours: "00:00-24:00"})}
	setup, err := w.Setup(w.Workspace.ID)
	w.Must(err)
	id := func(i int) catalog.HostID { return setup.Hosts[i].ID }
	for i, slug := range []string{"colour", "cut", "dry"} {
		w.offer(slug, 4, func(e *catalog.EventType) {
			e.DurationMinutes, e.ReminderMinutes, e.Hosts = 60, nil, []catalog.HostRef{{ID: id(i % 2)}}
			if slug == "dry" {
				e.Needs = []catalog.Need{{Hosts: 2, Of: []catalog.HostID{id(2), id(3)}}}
			}
		})
	}
	ctx := t.Context()
	_, err = w.Account.CreateUser(ctx, app.Operator(w.Workspace.ID), account.UserInput{Email: "olga@salon.example", Role: app.OwnerRole})
	w.Must(err)
	in := booking.VisitInput{Start: apptest.At("1T09"), Invitee: apptest.Input("", "", "mia").Invitee}
	for _, slug := range []string{"colour", "cut", "dry"} {
		in.Items = append(in.Items, booking.VisitItem{EventType: slug})
	}
	v, err := w.BookVisit(ctx, w.API, in)
	w.Must(err)
	w.sendMails()
	whole := func(to string) {
		t.Helper()
		_, err := w.MoveVisit(ctx, w.Owner, v.ID.String(), booking.VisitMoveInput{Start: apptest.At(to)})
		w.Must(err)
	}
	one := func(i int, to string) {
		t.Helper()
		_, err := w.Reschedule(ctx, w.Owner, v.Items[i].ID.String(), app.RescheduleInput{Start: apptest.At(to)})
		w.Must(err)
	}
	told := func(after time.Duration) string {
		t.Helper()
		w.Clock.Advance(after)
		return strings.Join(w.teamTold(w.sendMails()), ";")
	}
	want := func(step, got, want string) {
		t.Helper()
		if got != want {
			t.Errorf("%s: the team is told\n%q, want\n%q", step, got, want)
		}
	}
	second := strings.ToLower(w.Again(v.Items[2]).Hosts[1].Name)
	whole("1T12")
	want("moved", told(9*time.Second), "")
	whole("1T09")
	want("and back", told(time.Minute), "")
	whole("1T12")
	one(1, "1T10")
	want("moved, and one back", told(time.Minute), "ana Moved 12 from 09;ana Moved 14 from 11 REQUEST;"+second+
		" Moved 14 from 11 REQUEST;olga Moved 12 from 09;olga Moved 14 from 11")
	one(1, "1T13")
	want("one is moved", told(time.Minute), "ben Moved 13 from 10 REQUEST;olga Moved 13 from 10")
	one(2, "1T16")
	want("another", told(3*time.Second), "")
	whole("1T09")
	want("and then all", told(time.Minute), "ana Moved 09 from 12;ana Moved 11 from 14 REQUEST;ben Moved 10 from 13 REQUEST;"+second+
		" Moved 11 from 14 REQUEST;olga Moved 09 from 12;olga Moved 10 from 13;olga Moved 11 from 14")

	w.Alter("dry", func(e *catalog.EventType) { // whoever was second is free no more
		e.Needs[0].Of = slices.DeleteFunc(e.Needs[0].Of, func(h catalog.HostID) bool { return strings.EqualFold(setup.Host(h).Name, second) })
	})
	other := map[string]string{"cem": "dan", "dan": "cem"}[second]
	one(2, "1T15")
	want("with another second person", told(time.Minute), sorted("ana Moved 15 from 11 REQUEST", second+" Moved 15 from 11 gone CANCEL",
		other+" Moved 15 from 11 REQUEST", "olga Moved 15 from 11"))
	w.Alter("dry", func(e *catalog.EventType) { e.Hosts = append(e.Hosts, catalog.HostRef{ID: id(1)}) })
	_, err = w.Edit(ctx, w.Owner, v.Items[2].ID.String(), patch(t, `{"host":"`+id(1).String()+`"}`), "")
	w.Must(err)
	want("with another who leads", told(time.Minute), sorted("ana Moved 15 gone CANCEL", "ben Now with Ben 15 REQUEST",
		other+" Now with Ben 15 REQUEST", "olga Now with Ben 15"))
	one(2, "1T17")
	_, err = w.Cancel(ctx, w.Owner, v.Items[2].ID.String(), booking.CancelInput{})
	w.Must(err)
	want("moved and cancelled", told(time.Minute), "ben Cancelled 15 CANCEL;"+other+" Cancelled 15 CANCEL;olga Cancelled 15")
}

// What is put back, moved on or given to somebody else after a visit was dragged, before anything else happened to it, is
// told from where the reader knows it to be, by a mail of its own: the one about the visit was sent without it.
func TestHeldMailsOfOneServiceOfADraggedVisit(t *testing.T) {
	for name, c := range map[string]struct {
		steps string // a start of the second service, or its host; + seconds that pass
		want  string // beyond the others' move
	}{
		"put back":                      {"10 +60", ""},
		"told, then put back":           {"+20 10 +60", "ana Moved 10 from 13 REQUEST;ana Moved 13 from 10;olga Moved 10 from 13;olga Moved 13 from 10"},
		"moved on":                      {"11 +60", "ana Moved 11 from 10 REQUEST;olga Moved 11 from 10"},
		"moved on, and on":              {"11 +3 16 +60", "ana Moved 16 from 10 REQUEST;olga Moved 16 from 10"},
		"moved on, told, and on":        {"11 +20 16 +60", "ana Moved 11 from 10 REQUEST;ana Moved 16 from 11 REQUEST;olga Moved 11 from 10;olga Moved 16 from 11"},
		"to another host":               {"ben +60", "ana Moved 13 from 10 gone CANCEL;ben Now with Ben 13 REQUEST;olga Moved 13 from 10"},
		"to another host and back":      {"ben +3 ana +60", "ana Moved 13 from 10 REQUEST;olga Moved 13 from 10"},
		"to another and back, put back": {"ben +3 ana +3 10 +60", ""},
	} {
		t.Run(strings.ReplaceAll(name, " ", "-"), func(t *testing.T) {
			w := &world{apptest.New(t, apptest.Options{Hosts: []string{"Ana", "Ben"}, Hours: "00:00-24:00"})}
			setup, err := w.Setup(w.Workspace.ID)
			w.Must(err)
			hosts := map[string]string{"ana": setup.Hosts[0].ID.String(), "ben": setup.Hosts[1].ID.String()}
			ctx := t.Context()
			_, err = w.Account.CreateUser(ctx, app.Operator(w.Workspace.ID), account.UserInput{Email: "olga@salon.example", Role: app.OwnerRole})
			w.Must(err)
			in := booking.VisitInput{Start: apptest.At("1T09"), Invitee: apptest.Input("", "", "mia").Invitee}
			for _, slug := range []string{"colour", "cut", "dry"} {
				w.offer(slug, 4, func(e *catalog.EventType) {
					e.DurationMinutes, e.ReminderMinutes = 60, nil
					e.Hosts = []catalog.HostRef{{ID: setup.Hosts[0].ID}, {ID: setup.Hosts[1].ID}}
				})
				in.Items = append(in.Items, booking.VisitItem{EventType: slug, Host: hosts["ana"]})
			}
			v, err := w.BookVisit(ctx, w.API, in)
			w.Must(err)
			w.sendMails()
			_, err = w.MoveVisit(ctx, w.Owner, v.ID.String(), booking.VisitMoveInput{Start: apptest.At("1T12")})
			w.Must(err)
			w.writeMails()
			w.Clock.Advance(3 * time.Second)
			var told []string
			cut := v.Items[1].ID.String()
			for _, step := range strings.Fields(c.steps) {
				switch {
				case step[0] == '+':
					seconds, err := time.ParseDuration(step[1:] + "s")
					w.Must(err)
					for range int(seconds / time.Second) { // each mail at its time
						w.Clock.Advance(time.Second)
						told = append(told, w.teamTold(w.sendMails())...)
					}
				case hosts[step] != "":
					_, err = w.Edit(ctx, w.Owner, cut, patch(t, `{"host":"`+hosts[step]+`"}`), "")
				default:
					_, err = w.Reschedule(ctx, w.Owner, cut, app.RescheduleInput{Start: apptest.At("1T" + step)})
				}
				w.Must(err)
			}
			want := []string{"ana Moved 12 from 09", "ana Moved 14 from 11 REQUEST", "olga Moved 12 from 09", "olga Moved 14 from 11"}
			if c.want != "" {
				want = append(want, strings.Split(c.want, ";")...)
			}
			slices.Sort(told)
			if got, want := strings.Join(told, ";"), sorted(want...); got != want {
				t.Errorf("the team is told\n%q, want\n%q", got, want)
			}
			if c.steps[0] == '+' {
				return // it was in the mail about the visit
			}
			for again := range 2 { // as the log shows the mail about the visit, and as it is sent again
				page, err := w.Mail.Mails(ctx, app.Operator(w.Workspace.ID), mail.ListInput{})
				w.Must(err)
				seen := 0
				for _, m := range page.Data {
					if len(m.Facts.Team) == 0 || m.Kind != catalog.MailTeamMoved {
						continue
					}
					seen++
					text, err := mail.Compose(ctx, w.Mail, &m, netmail.Address{})
					w.Must(err)
					if !strings.Contains(text.Text, "Colour") || strings.Contains(text.Subject+text.Text, "Cut") || len(text.Further) > 1 {
						t.Errorf("the mail about the others, %d:\n%s\n%s", again, text.Subject, text.Text)
					}
					if again == 0 {
						_, err := w.Mail.ResendMail(ctx, app.Operator(w.Workspace.ID), m.ID.String())
						w.Must(err)
					}
				}
				if seen != 2 {
					t.Errorf("%d mails about several services", seen)
				}
				w.sendMails()
			}
		})
	}
}

func sorted(all ...string) string {
	slices.Sort(all)
	return strings.Join(all, ";")
}
