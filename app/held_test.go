package app_test

import (
	"errors"
	"fmt"
	netmail "net/mail"
	"strings"
	"sync"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/mail"
	"daybook/app/when"
)

// The invitee's mail of what was changed in the dashboard waits 10 seconds: what is taken back in that time tells
// nobody, a chain of moves tells once, and from where the invitee knew the booking to be. A crash and another server
// change nothing of that, as the mail waits in the database.
func TestHeldMails(t *testing.T) {
	for name, c := range map[string]struct {
		steps string // what is done: a start, "long", "cancel", …, "api…" by a program; + seconds that pass
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
		"longer, and back at once":     {"long short +20", ""},
		"moved, and back at once":      {"10 09 +20", ""},
		"told, then back":              {"10 +20 09 +20", "moved 10 from 09;moved 09 from 10"},
		"moved by a program":           {"api10", "moved 10 from 09"},
		"taken back by a program":      {"10 +3 api09 +20", ""},
		"moved on by a program":        {"10 +3 api11 +20", "moved 11 from 09"},
		"cancelled":                    {"10 +3 cancel +20", "cancelled 09 from"},
		"cancelled at once":            {"10 cancel +20", "cancelled 09 from"},
		"a chain, cancelled":           {"10 +3 11 +3 cancel +20", "cancelled 09 from"},
		"told, then cancelled":         {"10 +20 11 +3 cancel +20", "moved 10 from 09;cancelled 10 from"},
		"cancelled by a program":       {"10 +3 apicancel +20", "cancelled 09 from"},
		"request moved":                {"10 +20", "moved 10 from 09 pending"},
		"request moved, confirmed":     {"10 +3 confirm +20", "approved 10 from 09"},
		"request, confirmed at once":   {"10 confirm +20", "approved 10 from 09"},
		"request confirmed, back":      {"10 +3 confirm +3 09 +20", "approved 10 from 09;moved 09 from 10"},
		"request back, confirmed":      {"10 +3 09 +3 confirm +20", "approved 09 from"},
		"request moved, declined":      {"10 +3 decline +20", "declined 09 from"},
		"request quietly confirmed":    {"10 +3 confirm +20", "moved 10 from 09"},
		"told, then a chain of others": {"10 +20 11 +3 12 +20", "moved 10 from 09;moved 12 from 10"},
	} {
		t.Run(strings.ReplaceAll(name, " ", "-"), func(t *testing.T) {
			w := newWorld(t)
			w.offer("cut", 1, func(e *catalog.EventType) {
				e.ReminderMinutes, e.RequiresApproval = nil, strings.HasPrefix(name, "request")
				if strings.Contains(name, "quietly") {
					e.MailsOff = []catalog.MailKind{catalog.MailApproved}
				}
			})
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
						if m.Kind == catalog.MailMoved && m.Facts.Status == booking.Pending {
							text += " pending"
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
					_, err = w.Edit(ctx, by, b.ID.String(), patch(t, `{"end":"2026-12-01T`+end+`:00Z"}`), "")
				case step == "confirm":
					_, err = w.Confirm(ctx, by, b.ID.String())
				case step == "decline":
					_, err = w.Decline(ctx, by, b.ID.String(), "")
				case start == "cancel":
					_, err = w.Cancel(ctx, by, b.ID.String(), booking.CancelInput{})
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

// Moved in the dashboard and decided before the invitee is told: the approval names the new time and service beside what
// they knew; what declines names the service and the time that they knew.
func TestWhatIsToldInsteadOfAHeldMail(t *testing.T) {
	w := newWorld(t)
	for slug, title := range map[string]string{"cut": "Cut", "dye": "Colour"} {
		w.offer(slug, 2, func(e *catalog.EventType) {
			e.Title, e.ReminderMinutes, e.RequiresApproval = title, nil, true
		})
	}
	ctx := t.Context()
	changed := func(day string) booking.Booking {
		t.Helper()
		b := w.Booked("cut", day+"T09", "bo"+day)
		w.sendMails()
		_, err := w.Reschedule(ctx, w.Owner, b.ID.String(), app.RescheduleInput{Start: apptest.At(day + "T10")})
		w.Must(err)
		_, err = w.Edit(ctx, w.Owner, b.ID.String(), patch(t, `{"eventType":"dye"}`), "")
		w.Must(err)
		w.writeMails()
		return b
	}
	told := func(b booking.Booking, want catalog.MailKind) string {
		t.Helper()
		w.Clock.Advance(20 * time.Second)
		var found []mail.Mail
		for _, m := range w.sendMails() {
			if m.Facts.For == mail.ToInvitee {
				found = append(found, m)
			}
		}
		if len(found) != 1 || found[0].Kind != want {
			t.Fatalf("the invitee is told %+v", found)
		}
		m, err := w.Mail.Mail(ctx, app.Operator(w.Workspace.ID), found[0].ID.String())
		w.Must(err)
		text, err := mail.Compose(ctx, w.Mail, &m, netmail.Address{})
		w.Must(err)
		return text.Subject + "\n" + text.Text
	}
	says := func(text string, parts ...string) {
		t.Helper()
		for _, part := range parts {
			if !strings.Contains(text, part) {
				t.Errorf("it does not say %q:\n%s", part, text)
			}
		}
	}
	b := changed("1")
	_, err := w.Confirm(ctx, w.Owner, b.ID.String())
	w.Must(err)
	says(told(b, catalog.MailApproved), "Colour, Tue, Dec 1, 11:00", "not Cut", "Before:", "10:00")

	b = changed("2")
	preview, err := w.Mail.PreviewEnding(ctx, w.Owner, b.ID.String(), "")
	w.Must(err)
	says(preview.Subject, "Cut, Wed, Dec 2, 10:00")
	_, err = w.Decline(ctx, w.Owner, b.ID.String(), "")
	w.Must(err)
	says(told(b, catalog.MailDeclined), "Cut, Wed, Dec 2, 10:00", "Cut\n")
}

// While the mail of a change is on its way to a slow mail server, nobody knows whether the invitee will be told: the
// mail of the way back waits for that, and then tells of it.
func TestAHeldMailWaitsForTheOneOnItsWay(t *testing.T) {
	w := newWorld(t)
	w.offer("cut", 1, func(e *catalog.EventType) { e.ReminderMinutes = nil })
	ctx, other := t.Context(), &world{w.Another()}
	b := w.Booked("cut", "1T09", "bo")
	w.sendMails()
	move := func(to string) {
		t.Helper()
		_, err := w.Reschedule(ctx, w.Owner, b.ID.String(), app.RescheduleInput{Start: apptest.At(to)})
		w.Must(err)
	}
	claim := func(at *world) (m mail.Mail, about mail.Subject) {
		t.Helper()
		at.writeMails()
		all, err := at.Mail.ClaimMails(ctx, 0, time.Minute, 10)
		w.Must(err)
		for _, m = range all {
			if m.Facts.For == mail.ToInvitee {
				about, err = at.Mail.MailSubject(ctx, &m)
				w.Must(err)
				return m, about
			}
		}
		t.Fatalf("no mail for the invitee is due: %+v", all)
		return m, about
	}
	move("1T10")
	w.Clock.Advance(10 * time.Second)
	there, about := claim(w)
	if about.Dropped != "" || about.Later != 0 {
		t.Fatalf("the mail of the move: %+v", about)
	}
	move("1T09")
	w.Clock.Advance(11 * time.Second)
	back, about := claim(other)
	if about.Dropped != "" || about.Later <= when.At(w.Now()) {
		t.Fatalf("the mail of the way back is decided too soon: %q, %s", about.Dropped, about.Later)
	}
	w.Must(other.Mail.SettleMail(ctx, mail.Outcome{ID: back.ID, Lease: back.Lease, Released: true, Next: about.Later}))
	w.Must(w.Mail.SettleMail(ctx, mail.Outcome{ID: there.ID, Lease: there.Lease, State: mail.Sent}))
	w.Clock.Advance(5 * time.Second)
	sent := other.sendMails()
	if len(sent) != 1 || sent[0].ID != back.ID || sent[0].Facts.Previous != there.Facts.Start {
		t.Errorf("sent %+v", sent)
	}
}

// Two servers claim what is due while it is taken back: each invitee is told of neither, or of the move and then of the
// way back.
func TestContestOfClaimAndUndo(t *testing.T) {
	w := newWorld(t)
	w.offer("cut", 1, func(e *catalog.EventType) { e.ReminderMinutes = nil })
	ctx, other := t.Context(), &world{w.Another()}
	var all []booking.Booking
	for i := range 16 {
		all = append(all, w.Booked("cut", fmt.Sprintf("%dT%02d", 1+i/4, 9+i%4), fmt.Sprint("p", i)))
	}
	w.sendMails()
	move := func(b *booking.Booking, days int) error {
		to := b.Start.Add(time.Duration(days) * 24 * time.Hour).String()
		_, err := w.Reschedule(ctx, w.Owner, b.ID.String(), app.RescheduleInput{Start: to})
		return err
	}
	for i := range all {
		w.Must(move(&all[i], 7))
	}
	w.writeMails()
	w.Clock.Advance(10 * time.Second)

	var mu sync.Mutex
	told := map[string][]when.Instant{}
	send := func(at *world) error {
		if _, err := at.Mail.WriteMails(ctx, 100); err != nil {
			return err
		}
		for {
			claimed, err := at.Mail.ClaimMails(ctx, 0, time.Minute, 1)
			if err != nil || len(claimed) == 0 {
				return err
			}
			m := &claimed[0]
			about, err := at.Mail.MailSubject(ctx, m)
			if err != nil {
				return err
			}
			o := mail.Outcome{ID: m.ID, Lease: m.Lease, State: mail.Sent}
			switch {
			case about.Later != 0:
				o.Released, o.Next = true, about.Later
			case about.Dropped != "":
				o.State, o.Answer = mail.Dropped, about.Dropped
			case m.Facts.For == mail.ToInvitee:
				mu.Lock()
				told[m.To] = append(told[m.To], m.Facts.Start)
				mu.Unlock()
			}
			if err := at.Mail.SettleMail(ctx, o); err != nil {
				return err
			}
		}
	}
	var group sync.WaitGroup
	failed := make(chan error, 3)
	group.Go(func() { failed <- send(w) })
	group.Go(func() { failed <- send(other) })
	group.Go(func() {
		var err error
		for i := range all {
			err = errors.Join(err, move(&all[i], 0))
		}
		failed <- err
	})
	group.Wait()
	for range 3 {
		w.Must(<-failed)
	}
	for range 3 { // what was looked at too soon waits a moment more
		w.Clock.Advance(10 * time.Second)
		w.Must(send(other))
	}
	twice := 0
	for i := range all {
		b := &all[i]
		switch got := told[b.Invitee.Email]; {
		case len(got) == 0:
		case len(got) == 2 && got[0] == b.Start.Add(7*24*time.Hour) && got[1] == b.Start:
			twice++
		default:
			t.Errorf("%s is told %v", b.Invitee.Email, got)
		}
	}
	t.Logf("%d of %d were told of the move and of the way back, the others of neither", twice, len(all))
}
