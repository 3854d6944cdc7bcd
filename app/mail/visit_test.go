package mail_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"mime"
	netmail "net/mail"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/apptest/outside"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/mail"
	"daybook/app/mail/smtp"
	"daybook/app/money"
)

// visitBed is a salon with three services of two hosts, of which nobody of the team is told.
func visitBed(t testing.TB) *bed {
	t.Helper()
	x := &bed{apptest.New(t, apptest.Options{Name: "Salon Ana", Hosts: []string{"Ana", "Ben"}, Hours: "00:00-24:00"})}
	setup, err := x.Setup(x.Workspace.ID)
	x.Must(err)
	for i, slug := range []string{"colour", "cut", "dry"} {
		x.Offer(slug, []int{60, 45, 30}[i], func(e *catalog.EventType) {
			haircut(e)
			e.Title, e.Price = strings.ToUpper(slug[:1])+slug[1:], &money.Money{Amount: []int64{8000, 4000, 2000}[i], Currency: "EUR"}
			e.Hosts = []catalog.HostRef{{ID: setup.Hosts[i%2].ID}}
			e.MailsOff = []catalog.MailKind{catalog.MailTeamNew, catalog.MailTeamMoved, catalog.MailTeamCancelled, catalog.MailTeamDecision}
			e.ReminderMinutes = []int{60}
		})
	}
	return x
}

// comes books a visit of all three services.
func (x *bed) comes(person, locale string, hour int) booking.Visit {
	x.T.Helper()
	in := booking.VisitInput{Start: apptest.Hours(hour), Invitee: apptest.Input("", "", person).Invitee}
	in.Invitee.Locale, in.Invitee.TimeZone = locale, "Europe/Berlin"
	for _, slug := range []string{"colour", "cut", "dry"} {
		in.Items = append(in.Items, booking.VisitItem{EventType: slug})
	}
	v, err := x.BookVisit(x.T.Context(), x.API, in)
	x.Must(err)
	return v
}

// event is the only event of a calendar, as ical.js reads it.
type event struct {
	Method, UID, Summary, Description, Status, URL string
	Sequence, Events                               int
	Start, End                                     time.Time
}

const readVisit = `
const ICAL = require(process.argv[1]);
const c = new ICAL.Component(ICAL.parse(require("fs").readFileSync(0, "utf8")));
c.getAllSubcomponents("vtimezone").forEach(z => ICAL.TimezoneService.register(z));
const all = c.getAllSubcomponents("vevent"), v = all[0], e = new ICAL.Event(v);
console.log(JSON.stringify({method: c.getFirstPropertyValue("method"), events: all.length, uid: e.uid, sequence: e.sequence,
	summary: e.summary, description: e.description, start: e.startDate.toJSDate().toISOString(), end: e.endDate.toJSDate().toISOString(),
	status: v.getFirstPropertyValue("status"), url: v.getFirstPropertyValue("url")}));`

// readByICalJS reads a calendar with the library that Thunderbird is built on.
func readByICalJS(t testing.TB, text string) (e event) {
	t.Helper()
	module := filepath.Join(outside.Modules(t, "icaljs", "ical.js"), "ical.js/dist/ical.es5.cjs")
	cmd := exec.Command("node", "-e", readVisit, module)
	cmd.Stdin, cmd.Stderr = strings.NewReader(text), os.Stderr
	out, err := cmd.Output()
	if err == nil {
		err = json.Unmarshal(out, &e)
	}
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// arrived is a mail as its recipient has it.
type arrived struct {
	subject, text string
	event
}

// next waits for the n-th mail that the sink takes, which must be the last.
func (k *sink) next(n int) (got arrived) {
	k.t.Helper()
	apptest.Eventually(k.t, fmt.Sprint("mail ", n), func() bool { return len(k.mails()) >= n })
	m, err := netmail.ReadMessage(strings.NewReader(k.mails()[n-1].body))
	if err != nil {
		k.t.Fatal(err)
	}
	got.subject, err = new(mime.WordDecoder).DecodeHeader(m.Header.Get("Subject"))
	if err != nil {
		k.t.Fatal(err)
	}
	spaces := strings.NewReplacer("\u202f", " ", "\u00a0", " ")
	got.subject = spaces.Replace(got.subject)
	for _, p := range parts(k.t, m.Header.Get("Content-Type"), m.Header.Get("Content-Transfer-Encoding"), m.Body) {
		switch {
		case strings.HasPrefix(p.kind, "text/plain"):
			got.text = spaces.Replace(p.text)
		case strings.HasPrefix(p.kind, "text/calendar"):
			got.event = readByICalJS(k.t, p.text)
		}
	}
	return got
}

// only waits until all changes are in the log, and fails if more mails than n have been written that don't wait.
func (x *bed) only(n int) {
	x.T.Helper()
	x.write(x.T.Context())
	apptest.Eventually(x.T, "no mail is due", func() bool {
		due := 0
		for _, m := range x.log() {
			if m.State == mail.Waiting && m.Kind != catalog.MailReminder {
				due++
			}
		}
		return due == 0
	})
	var sent []string
	for _, m := range x.log() {
		if m.State == mail.Sent {
			sent = append(sent, string(m.Kind))
		}
	}
	if len(sent) != n {
		x.T.Fatalf("%d mails were sent, want %d: %q", len(sent), n, sent)
	}
}

// A visit tells its customer once of each change, and is one entry in their calendar.
func TestAVisitIsOneMailAndOneEntry(t *testing.T) {
	x, k := visitBed(t), newSink(t, nil, false)
	ctx := t.Context()
	v := x.comes("mia", "en", 30)
	x.run(k.server(smtp.NoTLS), nil)
	booked := k.next(1)
	x.only(1)
	has := func(got arrived, all ...string) {
		t.Helper()
		for _, want := range all {
			if !strings.Contains(got.text, want) {
				t.Errorf("%q does not say %q:\n%s", got.subject, want, got.text)
			}
		}
	}
	link := "https://book.example/visit/"
	if booked.subject != "Confirmed: Colour, Cut, Dry, Tue, Dec 1, 2:00 PM" && !strings.HasPrefix(booked.subject, "Confirmed: Colour, Cut, Dry, ") {
		t.Errorf("subject %q", booked.subject)
	}
	has(booked, "Colour", "Ana · €80", "Cut", "Ben · €40", "Dry", "Ana · €20", "€140, paid on site", link)
	if strings.Contains(booked.text, "/booking/") || strings.Count(booked.text, link) != 2 || strings.Count(booked.text, "/calendar.ics") != 1 {
		t.Errorf("not one link and its calendar entry:\n%s", booked.text)
	}
	first := booked.event
	if first.Method != "REQUEST" || first.Events != 1 || first.UID != v.ID.String()+"@book.example" || first.Status != "CONFIRMED" ||
		!first.Start.Equal(v.Start.Time()) || !first.End.Equal(v.End.Time()) || first.Summary != "Colour, Cut, Dry · Salon Ana" ||
		!strings.Contains(first.Description, "Cut · Ben") || !strings.HasPrefix(first.URL, link) {
		t.Errorf("the entry is %+v", first)
	}
	last := first
	grows := func(got arrived, method string) {
		t.Helper()
		if got.UID != first.UID || got.Sequence <= last.Sequence || got.Method != method || got.Events != 1 {
			t.Errorf("%+v after %+v", got.event, last)
		}
		last = got.event
	}

	x.Clock.Advance(time.Minute)
	_, err := x.MoveVisit(ctx, x.API, v.ID.String(), booking.VisitMoveInput{Start: apptest.Hours(33)})
	x.Must(err)
	moved := k.next(2)
	x.only(2)
	grows(moved, "REQUEST")
	if !moved.Start.Equal(v.Start.Time().Add(3*time.Hour)) || !strings.HasPrefix(moved.subject, "New time: Colour, Cut, Dry, ") {
		t.Errorf("%q, %+v", moved.subject, moved.event)
	}
	has(moved, "Here is your new time.", "Before", "€140, paid on site")

	x.Clock.Advance(time.Minute)
	_, err = x.Reschedule(ctx, x.API, v.Items[2].ID.String(), app.RescheduleInput{Start: apptest.Hours(36)})
	x.Must(err)
	alone := k.next(3)
	x.only(3)
	grows(alone, "REQUEST")
	has(alone, "Your booking has changed", "Dry: ", " now, not ", "Colour")

	x.Clock.Advance(time.Minute)
	_, err = x.Cancel(ctx, x.API, v.Items[0].ID.String(), app.CancelInput{})
	x.Must(err)
	part := k.next(4)
	x.only(4)
	grows(part, "REQUEST")
	has(part, "Part of your booking is cancelled", "cancel this: Colour.", "Ben · €40", "€60, paid on site", link)
	if part.Summary != "Cut, Dry · Salon Ana" || part.Status != "CONFIRMED" || strings.Contains(part.text, "€80") {
		t.Errorf("%+v\n%s", part.event, part.text)
	}

	x.Clock.Advance(time.Minute)
	_, err = x.CancelVisit(ctx, x.API, v.ID.String(), app.CancelInput{Reason: "water"})
	x.Must(err)
	over := k.next(5)
	x.only(5)
	grows(over, "CANCEL")
	has(over, "Your booking is cancelled", "> water", "Cut", "Dry")
	if over.Status != "CANCELLED" || strings.Contains(over.text, "Colour") || strings.Contains(over.text, link) {
		t.Errorf("%+v\n%s", over.event, over.text)
	}
}

// A visit has one set of reminders: of the booking that it begins with, whichever that is.
func TestAVisitIsRemindedOfOnce(t *testing.T) {
	x := visitBed(t)
	ctx := t.Context()
	v := x.comes("mia", "en", 30)
	reminders := func() (waiting []mail.Mail) {
		t.Helper()
		x.write(ctx)
		for _, m := range x.log() {
			if m.Kind == catalog.MailReminder && m.State == mail.Waiting {
				waiting = append(waiting, m)
			}
		}
		return waiting
	}
	of := func(step string, b *booking.Booking) {
		t.Helper()
		got := reminders()
		if len(got) != 1 || got[0].BookingID != b.ID {
			t.Fatalf("%s: %d reminders: %+v", step, len(got), got)
		}
		if now := x.Again(*b); got[0].DueAt != now.Start.Add(-time.Hour) {
			t.Errorf("%s: due %s, the booking begins %s", step, got[0].DueAt, now.Start)
		}
	}
	of("booked", &v.Items[0])
	x.Clock.Advance(time.Minute)
	_, err := x.Reschedule(ctx, x.API, v.Items[2].ID.String(), app.RescheduleInput{Start: apptest.Hours(28)})
	x.Must(err)
	of("the last is first", &v.Items[2])
	x.Clock.Advance(time.Minute)
	_, err = x.MoveVisit(ctx, x.API, v.ID.String(), booking.VisitMoveInput{Start: apptest.Hours(52)})
	x.Must(err)
	of("moved as a whole", &v.Items[2])
	x.Clock.Advance(time.Minute)
	_, err = x.Cancel(ctx, x.API, v.Items[2].ID.String(), app.CancelInput{})
	x.Must(err)
	of("the first is cancelled", &v.Items[0])
	x.Clock.Advance(time.Minute)
	_, err = x.CancelVisit(ctx, x.API, v.ID.String(), app.CancelInput{})
	x.Must(err)
	if got := reminders(); len(got) != 0 {
		t.Errorf("over: %+v", got)
	}
}

func (x *bed) write(ctx context.Context) {
	x.T.Helper()
	for n := 1; n > 0; {
		var err error
		n, err = x.Mail.WriteMails(ctx, 100)
		x.Must(err)
	}
}

// A request for a visit is one request, and is decided in one mail. What waits for a mail server while the visit changes
// tells of the visit as it is, and a move that was taken back of nothing.
func TestAVisitTellsNoOldNews(t *testing.T) {
	x := visitBed(t)
	x.Alter("cut", func(e *catalog.EventType) { e.RequiresApproval = true })
	ctx := t.Context()
	v := x.comes("mia", "en", 30)
	x.write(ctx)
	x.Clock.Advance(time.Minute)
	_, err := x.Confirm(ctx, x.Owner, v.Items[1].ID.String())
	x.Must(err)
	x.write(ctx)
	x.Clock.Advance(time.Minute)
	_, err = x.MoveVisit(ctx, x.Owner, v.ID.String(), booking.VisitMoveInput{Start: apptest.Hours(33)})
	x.Must(err)
	x.write(ctx)
	x.Clock.Advance(2 * time.Second)
	_, err = x.MoveVisit(ctx, x.Owner, v.ID.String(), booking.VisitMoveInput{Start: apptest.Hours(30)})
	x.Must(err)
	x.write(ctx)
	x.Clock.Advance(time.Minute)
	_, err = x.Cancel(ctx, x.API, v.Items[2].ID.String(), app.CancelInput{})
	x.Must(err)
	x.write(ctx)
	k := newSink(t, nil, false)
	x.run(k.server(smtp.NoTLS), nil)
	approved, part := k.next(1), k.next(2)
	x.only(2)
	if !strings.HasPrefix(approved.subject, "Confirmed: Colour, Cut, ") || strings.Contains(approved.text, "Dry") ||
		approved.Status != "CONFIRMED" {
		t.Errorf("approved: %q, %+v\n%s", approved.subject, approved.event, approved.text)
	}
	if !strings.Contains(part.text, "cancel this: Dry.") || strings.Contains(part.text, " now, not ") || part.UID != approved.UID ||
		part.Sequence < approved.Sequence {
		t.Errorf("in part: %+v\n%s", part.event, part.text)
	}
	for _, m := range x.log() {
		if m.Kind == catalog.MailWaiting && m.Answer != "it is decided" || m.Kind == catalog.MailMoved && m.State != mail.Dropped {
			t.Errorf("%s is %s: %s", m.Kind, m.State, m.Answer)
		}
	}

	again, err := x.Mail.SendAgain(ctx, x.API, v.Items[0].ID.String())
	if err == nil {
		t.Fatalf("%s went out again at once", again.Kind)
	}
	x.Clock.Advance(2 * time.Minute)
	if again, err = x.Mail.SendAgain(ctx, x.API, v.Items[0].ID.String()); err != nil || again.Kind != catalog.MailCancelled {
		t.Errorf("sent again: %s, %v", again.Kind, err)
	}
	preview, err := x.Mail.PreviewEnding(ctx, x.Owner, v.Items[0].ID.String(), "ill")
	x.Must(err)
	if !strings.Contains(preview.Text, "cancel this: Colour.") || preview.Method != "REQUEST" {
		t.Errorf("the preview:\n%s", preview.Text)
	}
}

// Every mail of a visit reads well in every language: no key is left, and the services stand in it with price and sum.
func TestVisitMailsInFourLanguages(t *testing.T) {
	x := visitBed(t)
	ctx := t.Context()
	for n, c := range []struct{ locale, total, part, moved string }{
		{"en", "Total", "had to cancel this: Colour.", "Dry: "},
		{"de", "Gesamt", "musste leider absagen: Colour.", "Dry: jetzt "},
		{"fr", "Total", "a dû annuler : Colour.", "Dry : maintenant "},
		{"es", "Total", "ha tenido que cancelar: Colour.", "Dry: ahora "},
	} {
		v := x.comes("bo"+c.locale, c.locale, 30+24*n)
		x.write(ctx)
		x.Clock.Advance(2 * time.Second)
		_, err := x.Reschedule(ctx, x.API, v.Items[2].ID.String(), app.RescheduleInput{Start: v.End.Add(2 * time.Hour).String()})
		x.Must(err)
		x.write(ctx)
		for _, m := range x.log() {
			if m.To != strings.ToLower(m.To) || !strings.HasPrefix(m.To, "bo"+c.locale) {
				continue
			}
			got, err := mail.Compose(ctx, x.Mail, &m, netmail.Address{})
			x.Must(err)
			text := strings.NewReplacer("\u202f", " ", "\u00a0", " ").Replace(got.Subject + "\n" + got.Text)
			for _, want := range []string{"Colour", "Cut", "Dry", c.total, "140"} {
				if !strings.Contains(text, want) {
					t.Errorf("%s %s has no %q:\n%s", c.locale, m.Kind, want, text)
				}
			}
			if strings.Contains(text, "mail_") || m.Kind == catalog.MailMoved && !strings.Contains(text, c.moved) {
				t.Errorf("%s %s:\n%s", c.locale, m.Kind, text)
			}
		}
		preview, err := x.Mail.PreviewEnding(ctx, x.Owner, v.Items[0].ID.String(), "")
		x.Must(err)
		if text := strings.NewReplacer("\u202f", " ", "\u00a0", " ").Replace(preview.Text); !strings.Contains(text, c.part) {
			t.Errorf("%s:\n%s", c.locale, text)
		}
	}
}

// A request for a visit that is declined, or lapses, is one mail.
func TestAVisitThatIsRefusedIsOneMail(t *testing.T) {
	x := visitBed(t)
	x.Alter("cut", func(e *catalog.EventType) { e.RequiresApproval = true })
	ctx := t.Context()
	declined, lapsed := x.comes("mia", "en", 30), x.comes("leo", "en", 60)
	x.Clock.Advance(time.Minute)
	_, err := x.Decline(ctx, x.Owner, declined.Items[1].ID.String(), "full")
	x.Must(err)
	x.write(ctx)
	x.Clock.Advance(72 * time.Hour)
	_, err = x.Lapse(ctx, 100)
	x.Must(err)
	x.write(ctx)
	got := map[catalog.MailKind]int{}
	for _, m := range x.log() {
		if m.Kind != catalog.MailReminder {
			got[m.Kind]++
		}
		if m.Kind != catalog.MailDeclined && m.Kind != catalog.MailLapsed {
			continue
		}
		sent, err := mail.Compose(ctx, x.Mail, &m, netmail.Address{})
		x.Must(err)
		if sent.Method != "CANCEL" || !strings.Contains(sent.Subject, "Colour, Cut, Dry, ") || strings.Contains(sent.Text, "/visit/") {
			t.Errorf("%s: %s %q\n%s", m.Kind, sent.Method, sent.Subject, sent.Text)
		}
	}
	if got[catalog.MailDeclined] != 1 || got[catalog.MailLapsed] != 1 || got[catalog.MailApproved] != 0 || lapsed.ID == declined.ID {
		t.Errorf("%v", got)
	}
}

// The others of a visit have their mails, and its entry, when its first booking was deleted.
func TestAVisitWithoutItsFirstBooking(t *testing.T) {
	x := visitBed(t)
	ctx := t.Context()
	v := x.comes("mia", "en", 30)
	x.write(ctx)
	x.Clock.Advance(time.Minute)
	for _, of := range []string{"booking_history WHERE booking_id", "mails WHERE booking_id", "bookings WHERE id"} {
		x.Must(x.SQL(fmt.Sprintf("DELETE FROM %s = %d", of, v.Items[0].ID)))
	}
	_, err := x.Cancel(ctx, x.API, v.Items[1].ID.String(), app.CancelInput{})
	x.Must(err)
	x.write(ctx)
	all := x.log()
	m := all[len(all)-1]
	for _, one := range all {
		if one.Kind == catalog.MailCancelled {
			m = one
		}
	}
	sent, err := mail.Compose(ctx, x.Mail, &m, netmail.Address{})
	x.Must(err)
	if m.Kind != catalog.MailCancelled || sent.Method != "REQUEST" || !strings.Contains(sent.Text, "Dry") || strings.Contains(sent.Text, "Colour") ||
		!strings.Contains(sent.Invitation, "UID:"+v.ID.String()+"@book.example") {
		t.Errorf("%s %s:\n%s\n%s", m.Kind, sent.Method, sent.Text, sent.Invitation)
	}
}

// A service that was moved to another day has a reminder of its own, which is about that day; those whose time has come
// have none.
func TestAVisitOnTwoDays(t *testing.T) {
	x := visitBed(t)
	ctx := t.Context()
	v := x.comes("mia", "en", 30)
	x.write(ctx)
	x.Clock.Advance(time.Minute)
	_, err := x.Reschedule(ctx, x.API, v.Items[1].ID.String(), app.RescheduleInput{Start: apptest.Hours(54)})
	x.Must(err)
	reminders := func() (waiting []mail.Mail) {
		t.Helper()
		x.write(ctx)
		for _, m := range x.log() {
			if m.Kind == catalog.MailReminder && m.State == mail.Waiting {
				waiting = append(waiting, m)
			}
		}
		slices.SortFunc(waiting, func(a, b mail.Mail) int { return cmp.Compare(a.DueAt, b.DueAt) })
		return waiting
	}
	got := reminders()
	if len(got) != 2 || got[0].BookingID != v.Items[0].ID || got[1].BookingID != v.Items[1].ID {
		t.Fatalf("%d reminders: %+v", len(got), got)
	}
	for i, texts := range [][3]string{{"Colour, Dry, ", "Dry", "Cut"}, {"Cut, ", "Ben · €40", "Colour"}} {
		b := x.Again(v.Items[i])
		if got[i].DueAt != b.Start.Add(-time.Hour) {
			t.Errorf("due %s, the booking begins %s", got[i].DueAt, b.Start)
		}
		sent, err := mail.Compose(ctx, x.Mail, &got[i], netmail.Address{})
		x.Must(err)
		text := strings.NewReplacer("\u202f", " ", "\u00a0", " ").Replace(sent.Text)
		day := b.Start.Time().In(berlin(t)).Format("Jan 2")
		if !strings.HasPrefix(sent.Subject, "Reminder: "+texts[0]) || !strings.Contains(sent.Subject, day) || !strings.Contains(text, texts[1]) ||
			strings.Contains(text, texts[2]) {
			t.Errorf("%q\n%s", sent.Subject, text)
		}
		e := readByICalJS(t, sent.Invitation)
		if now := x.visit(v); !e.Start.Equal(now.Start.Time()) || !e.End.Equal(now.End.Time()) || e.Summary != "Colour, Dry, Cut · Salon Ana" ||
			!strings.Contains(e.Description, "Cut") || !strings.Contains(e.Description, "Colour") {
			t.Errorf("the entry: %+v", e)
		}
	}

	x.Clock.Set(v.Start.Time().Add(time.Minute))
	_, err = x.Reschedule(ctx, x.API, v.Items[1].ID.String(), app.RescheduleInput{Start: apptest.Hours(56)})
	x.Must(err)
	if got = reminders(); len(got) != 2 || got[1].BookingID != v.Items[1].ID || got[1].DueAt != x.Again(v.Items[1]).Start.Add(-time.Hour) {
		// the reminder of the first day was due before, and is dropped when it is looked at
		t.Errorf("the visit has begun: %+v", got)
	}
}

func berlin(t testing.TB) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	return zone
}

// visit is the visit as the owner sees it.
func (x *bed) visit(v booking.Visit) booking.Visit {
	x.T.Helper()
	now, err := x.Visit(x.T.Context(), x.Owner, v.ID.String())
	x.Must(err)
	return now
}

// A cancellation that gives way to a later mail is told by that one, whatever it is about.
func TestACancellationIsToldByTheLaterMail(t *testing.T) {
	link := func(b *booking.Booking) app.Actor {
		return app.Actor{Kind: booking.ByInvitee, Workspace: b.WorkspaceID, Booking: b.ID}
	}
	for name, c := range map[string]struct {
		asked bool
		by    func(*bed, *booking.Booking) app.Actor
		then  func(*bed, booking.Visit) error
		want  string
		mails int
	}{
		"one is moved": {then: func(x *bed, v booking.Visit) error {
			_, err := x.Reschedule(x.T.Context(), x.API, v.Items[2].ID.String(), app.RescheduleInput{Start: apptest.Hours(36)})
			return err
		}, want: "had to cancel this: Cut.", mails: 1},
		"all are moved": {by: func(_ *bed, b *booking.Booking) app.Actor { return link(b) }, then: func(x *bed, v booking.Visit) error {
			_, err := x.MoveVisit(x.T.Context(), x.API, v.ID.String(), booking.VisitMoveInput{Start: apptest.Hours(36)})
			return err
		}, want: "As you asked, this was cancelled: Cut.", mails: 1},
		"it is approved": {asked: true, then: func(x *bed, v booking.Visit) error {
			_, err := x.Confirm(x.T.Context(), x.Owner, v.Items[0].ID.String())
			return err
		}, want: "had to cancel this: Cut.", mails: 2},
	} {
		t.Run(name, func(t *testing.T) {
			x, k := visitBed(t), newSink(t, nil, false)
			ctx := t.Context()
			x.Alter("cut", func(e *catalog.EventType) { e.RequiresApproval = c.asked })
			v := x.comes("mia", "en", 30)
			x.write(ctx)
			x.Must(x.SQL("UPDATE mails SET state = 1"))
			x.Clock.Advance(time.Minute)
			by := x.API
			if c.by != nil {
				by = c.by(x, &v.Items[1])
			}
			_, err := x.Cancel(ctx, by, v.Items[1].ID.String(), app.CancelInput{})
			x.Must(err)
			x.write(ctx)
			x.Clock.Advance(time.Minute)
			x.Must(c.then(x, v))
			x.write(ctx)
			x.run(k.server(smtp.NoTLS), nil)
			told := 0
			for n := range c.mails {
				if got := k.next(n + 1); strings.Contains(got.text, c.want) {
					told++
				}
			}
			if told != 1 {
				t.Errorf("%d mails say %q:\n%s", told, c.want, k.next(c.mails).text)
			}
		})
	}
}

// Whoever doesn't see all of a visit sees the mail of their own booking's end, and no link that leads to the others.
func TestAPreviewShowsNoOtherBookings(t *testing.T) {
	x := visitBed(t)
	ctx := t.Context()
	v := x.comes("mia", "en", 30)
	ben := app.Actor{Kind: booking.ByOwner, User: 99, Workspace: x.Workspace.ID, Role: app.StaffRole, Host: v.Items[1].Host.ID}
	seen, err := x.Mail.PreviewEnding(ctx, ben, v.Items[1].ID.String(), "ill")
	x.Must(err)
	whole := seen.Subject + seen.Text + seen.HTML + seen.Invitation
	for _, hidden := range []string{"Colour", "Dry", "/visit/", v.ID.String(), "€80"} {
		if strings.Contains(whole, hidden) {
			t.Errorf("the preview shows %q:\n%s\n%s", hidden, seen.Text, seen.Invitation)
		}
	}
	if !strings.Contains(seen.Text, "Cut") || !strings.Contains(seen.Text, "ill") {
		t.Errorf("it shows nothing:\n%s", seen.Text)
	}
	all, err := x.Mail.PreviewEnding(ctx, x.Owner, v.Items[1].ID.String(), "ill")
	x.Must(err)
	if !strings.Contains(all.Text, "Colour") || !strings.Contains(all.Text, "/visit/") {
		t.Errorf("the owner sees not all of it:\n%s", all.Text)
	}
}
