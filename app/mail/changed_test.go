package mail_test

import (
	netmail "net/mail"
	"strings"
	"testing"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/mail"
)

// The mail of a change that keeps the start says in its subject and its first sentence what is another, to the invitee
// and to the team; that of a move says where it went.
func TestMailsSayWhatChanged(t *testing.T) {
	x := &bed{apptest.New(t, apptest.Options{Name: "Salon Ana", Hosts: []string{"Ana", "Ben"}, Hours: "00:00-24:00"})}
	setup, err := x.Setup(x.Workspace.ID)
	x.Must(err)
	hosts := []catalog.HostRef{{ID: setup.Hosts[0].ID}, {ID: setup.Hosts[1].ID}}
	for slug, minutes := range map[string]int{"cut": 45, "colour": 60} {
		x.Offer(slug, minutes, func(e *catalog.EventType) {
			e.Title, e.SlotStepMinutes, e.ReminderMinutes = strings.ToUpper(slug[:1])+slug[1:], 15, nil
			e.Hosts = hosts
		})
	}
	ctx := t.Context()
	day := 0
	for _, c := range []struct {
		name, locale string
		length       string // the end's minutes after the start's hour; "" keeps it
		host, other  bool   // another host, another service
		move         bool
		subject      string
		says         []string
		not          string
	}{
		{"length", "", "01:15", false, false, false, "Length changed: Cut, ", []string{"1 hr 15 min", "until 10:15", "The start stays the same", "Before"}, "new time"},
		{"host", "", "", true, false, false, "Now with Ben: Cut, ", []string{"It is with Ben now, not with Ana."}, "new time"},
		{"service", "", "", false, true, false, "Service changed: Colour, ", []string{"The service is Colour now, not Cut.", "until 10:00"}, "new time"},
		{"service and host", "", "", true, true, false, "Changed: Colour, ", []string{"The service is Colour now, not Cut.", "It is with Ben now, not with Ana."}, "new time"},
		{"move", "", "", false, false, true, "New time: Cut, ", []string{"Here is your new time."}, "not with"},
		{"length", "de", "01:15", false, false, false, "Dauer geändert: Cut, ", []string{"Ihr Termin wurde geändert", "bis 10:15"}, "verschoben"},
		{"length", "fr", "01:15", false, false, false, "Durée modifiée", []string{"Votre rendez-vous a changé", "10:15"}, "nouvel horaire"},
		{"length", "es", "01:15", false, false, false, "Duración cambiada: Cut, ", []string{"Tu reserva ha cambiado", "10:15"}, "nueva hora"},
	} {
		t.Run(c.name+c.locale, func(t *testing.T) {
			day++
			in := apptest.Input("cut", apptest.Hours(24*day+1), "bo") // 9 in Berlin
			in.Invitee.Locale = c.locale
			ana, ben := hosts[0].ID.String(), hosts[1].ID.String()
			in.Host = ana
			b, err := x.Book(ctx, x.API, in)
			x.Must(err)
			change := booking.EditInput{}
			if c.length != "" {
				end := b.Start.Time().Format("2006-01-02T") + "09:15:00Z"
				change.End = &end
			}
			if c.host {
				change.Host = &ben
			}
			if c.other {
				colour := "colour"
				change.EventType = &colour
			}
			if c.move {
				_, err = x.Reschedule(ctx, x.Owner, b.ID.String(), app.RescheduleInput{Start: b.Start.Add(3600e9).String()})
			} else {
				_, err = x.Edit(ctx, x.Owner, b.ID.String(), change, "")
			}
			x.Must(err)
			for n := 1; n > 0; {
				n, err = x.Mail.WriteMails(ctx, 100)
				x.Must(err)
			}
			page, err := x.Mail.Mails(ctx, app.Operator(x.Workspace.ID), mail.ListInput{Booking: b.ID.String()})
			x.Must(err)
			seen := 0
			for i := range page.Data {
				m := &page.Data[i]
				if m.Kind != catalog.MailMoved && (m.Kind != catalog.MailTeamMoved || m.Facts.Gone) {
					continue
				}
				seen++
				got, err := mail.Compose(ctx, x.Mail, m, netmail.Address{})
				x.Must(err)
				text := strings.NewReplacer("\u202f", " ", "\u00a0", " ").Replace(got.Text)
				subject := strings.NewReplacer("\u202f", " ", "\u00a0", " ").Replace(got.Subject)
				if m.Kind == catalog.MailTeamMoved {
					if c.move != strings.HasPrefix(subject, "Moved: ") || strings.Contains(text, "has a new time") != c.move {
						t.Errorf("the team gets %q\n%s", subject, text)
					}
					continue
				}
				if !strings.HasPrefix(subject, c.subject) {
					t.Errorf("subject %q, want %q", subject, c.subject)
				}
				for _, want := range c.says {
					if !strings.Contains(text, want) {
						t.Errorf("it does not say %q:\n%s", want, text)
					}
				}
				if strings.Contains(strings.ToLower(text), c.not) {
					t.Errorf("it says %q:\n%s", c.not, text)
				}
			}
			if seen != 2 {
				t.Errorf("%d mails", seen)
			}
		})
	}
}
