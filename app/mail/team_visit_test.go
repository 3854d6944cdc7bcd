package mail_test

import (
	"fmt"
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
	"daybook/app/mail/smtp"
)

// teamBed is a salon with a colour of Ana, a cut of Ben, and a dry of Ana with Cem beside her, all of whom are told, and
// whose owner is Olga.
func teamBed(t testing.TB) *bed {
	t.Helper()
	x := &bed{apptest.New(t, apptest.Options{Name: "Salon Ana", Hosts: []string{"Ana", "Ben", "Cem"}, Hours: "00:00-24:00"})}
	setup, err := x.Setup(x.Workspace.ID)
	x.Must(err)
	for i, slug := range []string{"colour", "cut", "dry"} {
		x.Offer(slug, []int{60, 45, 30}[i], func(e *catalog.EventType) {
			haircut(e)
			e.Title, e.MailsOff = strings.ToUpper(slug[:1])+slug[1:], []catalog.MailKind{catalog.MailReminder}
			e.Hosts = []catalog.HostRef{{ID: setup.Hosts[i%2].ID}}
			if slug == "dry" {
				e.Needs = []catalog.Need{{Hosts: 2, Of: []catalog.HostID{setup.Hosts[2].ID}}}
			}
		})
	}
	x.owns("olga@salon.example")
	return x
}

func (x *bed) owns(email string) {
	x.T.Helper()
	_, err := x.Account.CreateUser(x.T.Context(), app.Operator(x.Workspace.ID), account.UserInput{Email: email, Role: app.OwnerRole})
	x.Must(err)
}

// toTeam are the mails to the team that were written since the last call, by who gets them: subjects without the time.
func (x *bed) toTeam(seen *int) (subjects map[string]string, mails map[string]*smtp.Message) {
	x.T.Helper()
	x.write(x.T.Context())
	all := x.log()
	subjects, mails = map[string]string{}, map[string]*smtp.Message{}
	for _, m := range all[*seen:] {
		who, _, team := strings.Cut(m.To, "@salon.example")
		if !team {
			continue
		}
		got, err := mail.Compose(x.T.Context(), x.Mail, &m, netmail.Address{})
		x.Must(err)
		subject := got.Subject
		for _, day := range []string{", Mon, ", ", Tue, ", ", Wed, ", ", Thu, ", ", Fri, ", ", Sat, "} {
			subject, _, _ = strings.Cut(subject, day)
		}
		if subjects[who] != "" {
			x.T.Errorf("%s gets %q and %q", who, subjects[who], subject)
		}
		subjects[who], mails[who] = subject, got
	}
	*seen = len(all)
	return subjects, mails
}

// Each of the team has one mail for one change of a visit, with all that concerns them, and an entry in the calendar for
// each booking that they do.
func TestTheTeamIsToldOfAVisitOnce(t *testing.T) {
	x := teamBed(t)
	ctx, seen := t.Context(), 0
	told := func(step string, want map[string]string) map[string]*smtp.Message {
		t.Helper()
		x.Clock.Advance(time.Minute)
		got, mails := x.toTeam(&seen)
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("%s:\n got %q\nwant %q", step, got, want)
		}
		return mails
	}
	all := func(what string) map[string]string {
		return map[string]string{"olga": what + ": Mia, Colour, Cut, Dry", "ana": what + ": Mia, Colour, Dry", "ben": what + ": Mia, Cut",
			"cem": what + ": Mia, Dry"}
	}
	// entries are those that a mail brings to the host, which ical.js reads.
	entries := func(m *smtp.Message, host catalog.HostID, method string, of ...booking.Booking) {
		t.Helper()
		got := append([]smtp.Invitation{{Text: m.Invitation, Method: m.Method}}, m.Further...)
		if len(got) != len(of) {
			t.Fatalf("%q has %d entries, not %d", m.Subject, len(got), len(of))
		}
		for i, b := range of {
			b = x.Again(b)
			e := readByICalJS(t, got[i].Text)
			if e.Events != 1 || e.UID != x.CalendarUID(&b, host) || e.Method != method || got[i].Method != method ||
				!e.Start.Equal(b.Start.Time()) || !e.End.Equal(b.End.Time()) || !strings.HasPrefix(e.Summary, "Mia · ") {
				t.Errorf("%q: %+v of %s, %s to %s", m.Subject, e, b.ID, b.Start, b.End)
			}
		}
	}
	v := x.comes("Mia", "en", 30)
	ana, ben, cem := v.Items[0].Host.ID, v.Items[1].Host.ID, v.Items[2].Hosts[1].ID
	mails := told("booked", all("New booking"))
	entries(mails["ana"], ana, "REQUEST", v.Items[0], v.Items[2])
	entries(mails["ben"], ben, "REQUEST", v.Items[1])
	entries(mails["cem"], cem, "REQUEST", v.Items[2])
	if m := mails["olga"]; m.Invitation != "" || len(m.Further) > 0 {
		t.Errorf("the owner's calendar is not the hosts':\n%s", m.Invitation)
	}
	text := strings.NewReplacer("\u202f", " ", "\u00a0", " ").Replace(mails["ana"].Text)
	for _, want := range []string{"Mia booked Colour, Dry.", "Ana, Cem", "mia@mail.example"} {
		if !strings.Contains(text, want) || strings.Contains(text, "Cut") {
			t.Errorf("no %q, or too much:\n%s", want, text)
		}
	}

	_, err := x.MoveVisit(ctx, x.API, v.ID.String(), booking.VisitMoveInput{Start: apptest.Hours(33)})
	x.Must(err)
	mails = told("moved", all("Moved"))
	entries(mails["ana"], ana, "REQUEST", v.Items[0], v.Items[2])
	if text := mails["olga"].Text; !strings.Contains(text, "The booking of Mia (Colour, Cut, Dry) has a new time.") || !strings.Contains(text, "Before") {
		t.Errorf("moved:\n%s", text)
	}
	_, err = x.Reschedule(ctx, x.API, v.Items[2].ID.String(), app.RescheduleInput{Start: apptest.Hours(36)})
	x.Must(err)
	told("one is moved", map[string]string{"olga": "Moved: Mia, Dry", "ana": "Moved: Mia, Dry", "cem": "Moved: Mia, Dry"})
	_, err = x.Cancel(ctx, x.API, v.Items[1].ID.String(), app.CancelInput{})
	x.Must(err)
	told("one is cancelled", map[string]string{"olga": "Cancelled: Mia, Cut", "ben": "Cancelled: Mia, Cut"})
	_, err = x.CancelVisit(ctx, x.API, v.ID.String(), app.CancelInput{Reason: "water"})
	x.Must(err)
	mails = told("all are cancelled", map[string]string{"olga": "Cancelled: Mia, Colour, Dry", "ana": "Cancelled: Mia, Colour, Dry", "cem": "Cancelled: Mia, Dry"})
	entries(mails["ana"], ana, "CANCEL", v.Items[0], v.Items[2])
	if text := mails["ana"].Text; !strings.Contains(text, "will not take place") || !strings.Contains(text, "> water") {
		t.Errorf("over:\n%s", text)
	}

	x.Alter("cut", func(e *catalog.EventType) { e.RequiresApproval = true })
	v = x.comes("Mia", "en", 54)
	mails = told("asked", all("Please decide"))
	if text := mails["olga"].Text; !strings.Contains(text, "Mia asks for Colour, Cut, Dry.") || strings.Count(text, "/decide") != 1 {
		t.Errorf("asked:\n%s", text)
	}
	_, err = x.Confirm(ctx, x.Owner, v.Items[1].ID.String())
	x.Must(err)
	want := all("New booking")
	delete(want, "olga") // who decides
	told("approved", want)
	x.comes("Mia", "en", 78)
	told("asked again", all("Please decide"))
	x.Clock.Advance(72 * time.Hour)
	_, err = x.Lapse(ctx, 100)
	x.Must(err)
	mails = told("lapsed", all("Cancelled"))
	if text := mails["ana"].Text; !strings.Contains(text, "Nobody decided") {
		t.Errorf("lapsed:\n%s", text)
	}
	v = x.comes("Mia", "en", 126)
	told("asked once more", all("Please decide"))
	_, err = x.Decline(ctx, x.Owner, v.Items[0].ID.String(), "full")
	x.Must(err)
	want = all("Cancelled")
	delete(want, "olga")
	told("declined", want)
}

// The mail of a visit is sent if one of the services that concern its reader tells, and whoever is host and owner has one
// mail, with all of the visit and the entries of their own bookings.
func TestWhoIsToldOfAVisitByItsServices(t *testing.T) {
	x := teamBed(t)
	x.owns("ana@salon.example")
	for _, quiet := range []string{"colour", "cut"} {
		x.Alter(quiet, func(e *catalog.EventType) { e.MailsOff = append(e.MailsOff, catalog.MailTeamNew) })
	}
	seen := 0
	v := x.comes("Mia", "en", 30)
	got, mails := x.toTeam(&seen)
	want := map[string]string{"olga": "New booking: Mia, Colour, Cut, Dry", "ana": "New booking: Mia, Colour, Cut, Dry", "cem": "New booking: Mia, Dry"}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Fatalf("got %q\nwant %q", got, want)
	}
	var uids []string
	for _, i := range append([]smtp.Invitation{{Text: mails["ana"].Invitation}}, mails["ana"].Further...) {
		uids = append(uids, readByICalJS(t, i.Text).UID)
	}
	if ana := v.Items[0].Host.ID; !slices.Equal(uids, []string{x.CalendarUID(&v.Items[0], ana), x.CalendarUID(&v.Items[2], ana)}) {
		t.Errorf("entries %q", uids)
	}
	x.Alter("dry", func(e *catalog.EventType) { e.MailsOff = append(e.MailsOff, catalog.MailTeamNew) })
	x.comes("Leo", "en", 54)
	if got, _ := x.toTeam(&seen); len(got) != 0 {
		t.Errorf("nobody wants to know of it: %q", got)
	}
}

// A host who is another one after the move of a visit, and the one before, each have one mail of all that concerns them.
func TestAVisitGoesToSomebodyElse(t *testing.T) {
	x := teamBed(t)
	ctx, seen := t.Context(), 0
	setup, err := x.Setup(x.Workspace.ID)
	x.Must(err)
	ana, ben := setup.Hosts[0].ID, setup.Hosts[1].ID
	for _, slug := range []string{"colour", "cut"} {
		x.Alter(slug, func(e *catalog.EventType) { e.Hosts = []catalog.HostRef{{ID: ana}, {ID: ben}} })
	}
	in := booking.VisitInput{Start: apptest.Hours(30), Invitee: apptest.Input("", "", "Mia").Invitee}
	for _, slug := range []string{"colour", "cut"} {
		in.Items = append(in.Items, booking.VisitItem{EventType: slug})
	}
	v, err := x.BookVisit(ctx, x.API, in)
	x.Must(err)
	was, other := v.Items[0].Host.ID, ana
	if was == ana {
		other = ben
	}
	x.toTeam(&seen)
	x.Clock.Advance(time.Minute)
	for _, slug := range []string{"colour", "cut"} {
		x.Alter(slug, func(e *catalog.EventType) { e.Hosts = []catalog.HostRef{{ID: other}} })
	}
	_, err = x.MoveVisit(ctx, x.API, v.ID.String(), booking.VisitMoveInput{Start: apptest.Hours(33)})
	x.Must(err)
	got, mails := x.toTeam(&seen)
	left, now := "ana", "ben"
	if was == ben {
		left, now = now, left
	}
	if got[left] != "Moved: Mia, Colour, Cut" || got[now] != "Moved: Mia, Colour, Cut" {
		t.Fatalf("%q, %v", got, v.Items)
	}
	gone := mails[left]
	if !strings.Contains(gone.Text, "gone to somebody else") || gone.Method != "CANCEL" || len(gone.Further) != 1 || gone.Further[0].Method != "CANCEL" {
		t.Errorf("%s:\n%s", gone.Method, gone.Text)
	}
	if m := mails[now]; m.Method != "REQUEST" || len(m.Further) != 1 || !strings.Contains(m.Text, "new time") {
		t.Errorf("%s:\n%s", m.Method, m.Text)
	}
}

// A request that waits for a mail server while its first booking ends still asks for the others.
func TestARequestAsksForWhatIsLeft(t *testing.T) {
	x := teamBed(t)
	ctx := t.Context()
	x.Alter("cut", func(e *catalog.EventType) { e.RequiresApproval = true })
	v := x.comes("Mia", "en", 30)
	x.write(ctx)
	x.Clock.Advance(time.Minute)
	_, err := x.Cancel(ctx, x.API, v.Items[0].ID.String(), app.CancelInput{})
	x.Must(err)
	x.write(ctx)
	asks := func(m *mail.Mail) (string, string) {
		about, err := x.Mail.MailSubject(ctx, m)
		x.Must(err)
		got, err := mail.Compose(ctx, x.Mail, m, netmail.Address{})
		x.Must(err)
		return about.Dropped, got.Text
	}
	for _, m := range x.log() {
		if m.Kind != catalog.MailTeamDecision || m.To != "olga@salon.example" {
			continue
		}
		if dropped, text := asks(&m); dropped != "" || !strings.Contains(text, "Mia asks for Cut, Dry.") {
			t.Errorf("dropped %q:\n%s", dropped, text)
		}
		_, err = x.Confirm(ctx, x.Owner, v.Items[1].ID.String())
		x.Must(err)
		if dropped, _ := asks(&m); dropped != "it is decided" {
			t.Errorf("it is decided: %q", dropped)
		}
		return
	}
	t.Error("nobody is asked")
}

// The second entry of a host is a file of the mail as it arrives.
func TestTheMailOfSeveralEntriesAsItArrives(t *testing.T) {
	x, k := teamBed(t), newSink(t, nil, false)
	x.comes("Mia", "en", 30)
	x.run(k.server(smtp.NoTLS), nil)
	apptest.Eventually(t, "all mails", func() bool { return len(k.mails()) >= 5 })
	found := false
	for _, sent := range k.mails() {
		m, err := netmail.ReadMessage(strings.NewReader(sent.body))
		x.Must(err)
		if m.Header.Get("To") != "<ana@salon.example>" {
			continue
		}
		found = true
		var kinds []string
		for _, p := range parts(t, m.Header.Get("Content-Type"), m.Header.Get("Content-Transfer-Encoding"), m.Body) {
			kinds = append(kinds, strings.Split(p.kind, "; name")[0])
			if strings.Contains(p.kind, "text/calendar") && readByICalJS(t, p.text).Method != "REQUEST" {
				t.Errorf("%s:\n%s", p.kind, p.text)
			}
		}
		want := []string{"multipart/mixed", "multipart/alternative", "text/plain; charset=UTF-8", "text/html; charset=UTF-8",
			"text/calendar; method=REQUEST; charset=UTF-8", "application/ics", "text/calendar; charset=UTF-8; method=REQUEST"}
		if !slices.Equal(kinds, want) {
			t.Errorf("parts %q", kinds)
		}
	}
	if !found {
		t.Error("Ana has no mail")
	}
}
