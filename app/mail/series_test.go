package mail_test

import (
	"bytes"
	"encoding/json"
	netmail "net/mail"
	"os"
	"os/exec"
	"path/filepath"
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
)

const readDates = `
const ICAL = require(process.argv[1]);
const c = new ICAL.Component(ICAL.parse(require("fs").readFileSync(0, "utf8")));
console.log(JSON.stringify(c.getAllSubcomponents("vevent").map(v => { const e = new ICAL.Event(v); return {
	method: c.getFirstPropertyValue("method"), uid: e.uid, sequence: e.sequence, summary: e.summary, description: e.description,
	start: e.startDate.toJSDate().toISOString(), end: e.endDate.toJSDate().toISOString(), status: v.getFirstPropertyValue("status")}; })));`

// datesIn returns the events of the one file that a mail brings, as ical.js reads them.
func datesIn(t testing.TB, m *smtp.Message) (all []event) {
	t.Helper()
	body, err := smtp.Written(m)
	if err != nil {
		t.Fatal(err)
	}
	var raw bytes.Buffer
	if _, err := body.WriteTo(&raw); err != nil {
		t.Fatal(err)
	}
	got, err := netmail.ReadMessage(&raw)
	if err != nil {
		t.Fatal(err)
	}
	var files []string
	for _, p := range parts(t, got.Header.Get("Content-Type"), got.Header.Get("Content-Transfer-Encoding"), got.Body) {
		if strings.Contains(p.kind, ".ics") || strings.HasPrefix(p.kind, "application/ics") {
			files = append(files, p.text)
		}
	}
	if len(files) != 1 {
		t.Fatalf("%q has %d files", m.Subject, len(files))
	}
	module := filepath.Join(outside.Modules(t, "icaljs", "ical.js"), "ical.js/dist/ical.es5.cjs")
	cmd := exec.Command("node", "-e", readDates, module)
	cmd.Stdin, cmd.Stderr = strings.NewReader(files[0]), os.Stderr
	out, err := cmd.Output()
	if err == nil {
		err = json.Unmarshal(out, &all)
	}
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// starts writes when the events begin, "08T10:00", a cancelled one with a minus, by time.
func starts(events []event) string {
	var all []string
	for _, e := range events {
		text := e.Start.UTC().Format("02T15:04")
		if e.Status == "CANCELLED" {
			text = "-" + text
		}
		all = append(all, text)
	}
	return strings.Join(all, " ")
}

// seriesBed is a salon with a cut of Ana, of which she is told, a colour of hers and a dry of Ben's.
func seriesBed(t testing.TB) *bed {
	t.Helper()
	x := &bed{apptest.New(t, apptest.Options{Name: "Salon Ana", Hosts: []string{"Ana", "Ben"}, Hours: "00:00-24:00"})}
	setup, err := x.Setup(x.Workspace.ID)
	x.Must(err)
	for i, slug := range []string{"cut", "colour", "dry"} {
		x.Offer(slug, []int{45, 60, 30}[i], func(e *catalog.EventType) {
			haircut(e)
			e.Title, e.MailsOff = strings.ToUpper(slug[:1])+slug[1:], []catalog.MailKind{catalog.MailReminder}
			e.Hosts = []catalog.HostRef{{ID: setup.Hosts[i/2].ID}}
		})
	}
	return x
}

// repeats books a series of cuts, or of visits of those services, from 10 o'clock tomorrow on.
func (x *bed) repeats(unit booking.SeriesUnit, count int, items ...string) booking.Series {
	x.T.Helper()
	in := booking.SeriesInput{Repeat: booking.SeriesRepeat{Every: 1, Unit: unit, Count: count}, EventType: "cut", Start: x.Clock.Now().Add(27 * time.Hour).Format(time.RFC3339),
		Invitee: apptest.Input("", "", "Mia").Invitee}
	in.Invitee.Locale, in.Invitee.TimeZone = "en", "UTC"
	for _, slug := range items {
		in.EventType, in.Items = "", append(in.Items, booking.VisitItem{EventType: slug})
	}
	made, err := x.BookSeries(x.T.Context(), x.API, in)
	x.Must(err)
	return made
}

func (x *bed) moves(s booking.Series, scope booking.SeriesScope, from, days, hours int) {
	x.T.Helper()
	b := x.Again(s.Bookings[from])
	_, err := x.MoveSeries(x.T.Context(), x.Owner, s.ID.String(), booking.SeriesMoveInput{From: b.ID.String(), Scope: scope,
		Start: b.Start.Add(time.Duration(24*days+hours) * time.Hour).String()})
	x.Must(err)
}

// sends writes and sends what is due, and returns it by who gets it: the customer gets only one.
func (x *bed) sends() map[string]*smtp.Message {
	x.T.Helper()
	ctx, got := x.T.Context(), map[string]*smtp.Message{}
	x.write(ctx)
	for {
		claimed, err := x.Mail.ClaimMails(ctx, 0, time.Minute, 10)
		x.Must(err)
		if len(claimed) == 0 {
			return got
		}
		for _, m := range claimed {
			about, err := x.Mail.MailSubject(ctx, &m)
			x.Must(err)
			o := mail.Outcome{ID: m.ID, Lease: m.Lease, State: mail.Sent, Told: about.Told}
			if about.Dropped != "" {
				o.State, o.Answer = mail.Dropped, about.Dropped
			} else {
				who, _, _ := strings.Cut(m.To, "@")
				if got[who] != nil && who == "mia" {
					x.T.Errorf("%s gets %q twice", who, got[who].Subject)
				}
				got[who], err = mail.ComposeAbout(ctx, x.Mail, &m, &about, netmail.Address{})
				x.Must(err)
				spaces := strings.NewReplacer("\u202f", " ", "\u00a0", " ")
				got[who].Text, got[who].Subject = spaces.Replace(got[who].Text), spaces.Replace(got[who].Subject)
			}
			x.Must(x.Mail.SettleMail(ctx, o))
		}
	}
}

// says fails unless the mail has each of the texts, and none of those behind a "-".
func (x *bed) says(m *smtp.Message, texts ...string) {
	x.T.Helper()
	if m == nil {
		x.T.Fatal("no mail")
	}
	for _, want := range texts {
		text, not := strings.CutPrefix(want, "-")
		if strings.Contains(m.Subject+"\n"+m.Text, text) == not {
			x.T.Errorf("%q: %v in %s\n%s", text, !not, m.Subject, m.Text)
		}
	}
}

// The file of a series has every date of it, for the invitee and for each host; the mail of a move says where each was.
func TestASeriesIsOneFile(t *testing.T) {
	x := seriesBed(t)
	s := x.repeats(booking.SeriesWeek, 4)
	sent := x.sends()
	for who, host := range map[string]catalog.HostID{"mia": 0, "ana": s.Bookings[0].Host.ID} {
		all := datesIn(t, sent[who])
		if got := starts(all); got != "01T10:00 08T10:00 15T10:00 22T10:00" {
			t.Errorf("%s: %s", who, got)
		}
		for i, e := range all {
			if e.UID != x.CalendarUID(&s.Bookings[i], host) || e.Method != "PUBLISH" {
				t.Errorf("%s: %+v", who, e)
			}
		}
		x.says(sent[who], "4 × Cut", "-Cut, Cut")
		if e := readByICalJS(t, sent[who].Invitation); e.Events != 1 || e.Method != "REQUEST" || e.UID != all[0].UID {
			t.Errorf("%s is invited to %+v", who, e)
		}
	}
	x.moves(s, booking.SeriesFollowing, 1, 1, 2)
	x.Clock.Advance(time.Minute) // the team's wait
	sent = x.sends()
	x.says(sent["mia"], "3 × Cut", "Wednesday, December 16, 2026", "Before: Tue, Dec 15, 10:00 AM", "Before: Tue, Dec 22, 10:00 AM")
	for _, who := range []string{"mia", "ana"} {
		all := datesIn(t, sent[who])
		if got := starts(all); got != "09T12:00 16T12:00 23T12:00" || all[2].Sequence != 1 {
			t.Errorf("%s: %s %+v", who, got, all[2])
		}
	}
	_, err := x.CancelSeries(t.Context(), x.Owner, s.ID.String(), booking.SeriesCancelInput{From: s.Bookings[0].ID.String(), Scope: booking.SeriesAll})
	x.Must(err)
	sent = x.sends()
	for _, who := range []string{"mia", "ana"} {
		if got := starts(datesIn(t, sent[who])); got != "-01T10:00 -09T12:00 -16T12:00 -23T12:00" {
			t.Errorf("%s: %s", who, got)
		}
	}
}

// Each date of a series of visits is one entry of the invitee's, and each service one of its host's, all in one file.
func TestASeriesOfVisitsIsOneFile(t *testing.T) {
	x := seriesBed(t)
	s := x.repeats(booking.SeriesWeek, 3, "colour", "cut", "dry")
	sent := x.sends()
	x.says(sent["mia"], "3 × Colour, 3 × Cut, 3 × Dry", "Also on:           Tuesday, December 8, 2026")
	all := datesIn(t, sent["mia"])
	if got := starts(all); got != "01T10:00 08T10:00 15T10:00" {
		t.Errorf("%s", got)
	}
	for i, e := range all {
		if e.UID != s.Bookings[3*i].VisitUID(x.UIDDomain()) || e.Summary != "Colour, Cut, Dry · Salon Ana" || e.End.Sub(e.Start) != 135*time.Minute ||
			strings.Count(e.Description, " · ") != 3 {
			t.Errorf("%+v", e)
		}
	}
	if got := starts(datesIn(t, sent["ana"])); got != "01T10:00 01T11:00 08T10:00 08T11:00 15T10:00 15T11:00" {
		t.Errorf("Ana: %s", got)
	}
	if got := starts(datesIn(t, sent["ben"])); got != "01T11:45 08T11:45 15T11:45" {
		t.Errorf("Ben: %s", got)
	}
	_, err := x.Cancel(t.Context(), x.API, s.Bookings[0].ID.String(), app.CancelInput{}) // the first colour
	x.Must(err)
	x.sends()
	x.moves(s, booking.SeriesAll, 1, 0, 3)
	sent = x.sends()
	all = datesIn(t, sent["mia"])
	if got := starts(all); got != "01T14:00 08T13:00 15T13:00" || all[0].Summary != "Cut, Dry · Salon Ana" {
		t.Errorf("moved: %s %+v", got, all[0])
	}
	x.says(sent["mia"], "Before: 10:00")
	_, err = x.CancelSeries(t.Context(), x.Owner, s.ID.String(), booking.SeriesCancelInput{From: s.Bookings[3].ID.String(), Scope: booking.SeriesFollowing})
	x.Must(err)
	if got := starts(datesIn(t, x.sends()["mia"])); got != "-08T13:00 -15T13:00" {
		t.Errorf("cancelled: %s", got)
	}
}

// The mail about a series is sent again from any of its dates, with those as they are now.
func TestASeriesIsSentAgain(t *testing.T) {
	x := seriesBed(t)
	ctx := t.Context()
	s := x.repeats(booking.SeriesWeek, 4)
	x.sends()
	_, err := x.Reschedule(ctx, x.API, s.Bookings[1].ID.String(), app.RescheduleInput{Start: apptest.At("9T15")})
	x.Must(err)
	_, err = x.Cancel(ctx, x.API, s.Bookings[3].ID.String(), app.CancelInput{})
	x.Must(err)
	x.Clock.Advance(time.Hour)
	x.write(ctx)
	for {
		claimed, err := x.Mail.ClaimMails(ctx, 0, time.Minute, 10)
		x.Must(err)
		if len(claimed) == 0 {
			break
		}
		for _, m := range claimed {
			x.Must(x.Mail.SettleMail(ctx, mail.Outcome{ID: m.ID, Lease: m.Lease, State: mail.Sent}))
		}
	}
	x.Clock.Advance(time.Hour)
	if _, err := x.Mail.SendAgain(ctx, x.Owner, s.Bookings[2].ID.String()); err != nil {
		t.Fatal(err)
	}
	sent := x.sends()
	x.says(sent["mia"], "3 × Cut", "Tuesday, December 1, 2026", "Wednesday, December 9, 2026", "Tuesday, December 15, 2026", "-December 8", "-December 22")
	if got := starts(datesIn(t, sent["mia"])); got != "01T10:00 09T15:00 15T10:00" {
		t.Errorf("%s", got)
	}
	x.Clock.Advance(9 * 24 * time.Hour) // the first is over
	if _, err := x.Mail.SendAgain(ctx, x.Owner, s.Bookings[2].ID.String()); err != nil {
		t.Fatal(err)
	}
	x.says(x.sends()["mia"], "-December 1,", "Tuesday, December 15, 2026")
}

// A mail about a series that is over is not sent again, nor one about a request that is decided.
func TestASeriesThatIsOverIsNotSentAgain(t *testing.T) {
	x := seriesBed(t)
	ctx := t.Context()
	s := x.repeats(booking.SeriesWeek, 4)
	x.sends()
	_, err := x.CancelSeries(ctx, x.Owner, s.ID.String(), booking.SeriesCancelInput{From: s.Bookings[2].ID.String(), Scope: booking.SeriesAll})
	x.Must(err)
	x.Clock.Advance(time.Minute)
	x.sends()
	x.Clock.Advance(time.Hour)
	for _, m := range x.log() {
		if m.Kind == catalog.MailConfirmed {
			_, err := x.Mail.ResendMail(ctx, app.Operator(x.Workspace.ID), m.ID.String())
			x.Refused(err, "conflict", "overtaken")
		}
	}
	if m, err := x.Mail.SendAgain(ctx, x.Owner, s.Bookings[3].ID.String()); err != nil || m.Kind != catalog.MailCancelled {
		t.Errorf("%s %v", m.Kind, err)
	}
	x.says(x.sends()["mia"], "4 × Cut")
}

// A mail that was held up tells of the dates that are still to come.
func TestASeriesMailOutlivesItsFirstDate(t *testing.T) {
	x := seriesBed(t)
	x.Clock.Advance(30 * 24 * time.Hour) // ids of other tests tell no later time
	s := x.repeats(booking.SeriesDay, 3)
	x.write(t.Context())
	x.Clock.Advance(36 * time.Hour)
	sent := x.sends()
	x.says(sent["mia"], "2 × Cut", "-December 31,", "Friday, January 1, 2027", "Saturday, January 2, 2027")
	_, err := x.CancelSeries(t.Context(), x.API, s.ID.String(), booking.SeriesCancelInput{From: s.Bookings[1].ID.String(), Scope: booking.SeriesAll})
	x.Must(err)
	x.says(x.sends()["mia"], "2 × Cut")
}

// What a series tells of a date is what is news of it: neither one that is back where it was, nor one that a later mail
// tells of.
func TestASeriesTellsNoOldNews(t *testing.T) {
	x := seriesBed(t)
	ctx := t.Context()
	s := x.repeats(booking.SeriesWeek, 4)
	x.sends()
	alone := func(n int, start string) {
		t.Helper()
		_, err := x.Reschedule(ctx, x.Owner, s.Bookings[n].ID.String(), app.RescheduleInput{Start: apptest.At(start)})
		x.Must(err)
	}
	alone(0, "1T12") // in the dashboard, so that its mails wait
	x.moves(s, booking.SeriesAll, 0, 0, -2)
	sent := x.sends()
	x.says(sent["mia"], "3 × Cut", "Tuesday, December 8, 2026", "-December 1,", "Before: 10:00")
	x.Clock.Advance(time.Minute)
	sent = x.sends()
	if got := starts(datesIn(t, sent["ana"])); got != "08T08:00 15T08:00 22T08:00" {
		t.Errorf("Ana: %s", got)
	}
	x.Clock.Advance(time.Minute)
	if sent := x.sends(); len(sent) > 0 {
		t.Errorf("more: %v", sent)
	}

	alone(2, "15T12")
	x.moves(s, booking.SeriesFollowing, 1, 0, -2) // the third is at 10 now, and is known at 8
	sent = x.sends()
	x.says(sent["mia"], "3 × Cut", "Before: 8:00 AM", "-12:00 PM")
	x.Clock.Advance(time.Minute)
	if sent := x.sends(); len(sent) != 1 || !strings.Contains(sent["ana"].Subject, "3 × Cut") {
		t.Errorf("more: %v", sent)
	}

	x.moves(s, booking.SeriesAll, 0, 1, 0)
	x.write(ctx)
	alone(3, "23T14") // before the mail of the series is sent
	sent = x.sends()
	x.says(sent["mia"], "3 × Cut", "-December 23")
	x.Clock.Advance(time.Minute)
	sent = x.sends()
	x.says(sent["mia"], "Wednesday, December 23, 2026", "Tuesday, December 22, 2026")
	x.moves(s, booking.SeriesAll, 0, 0, 1)
	x.write(ctx)
	x.moves(s, booking.SeriesAll, 0, 0, -1) // nobody has heard of either
	if sent := x.sends(); sent["mia"] != nil {
		t.Errorf("%s\n%s", sent["mia"].Subject, sent["mia"].Text)
	}
}
