package text_test

import (
	"fmt"
	"net/netip"
	"strings"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/account"
	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/contact"
	"daybook/app/fault"
	"daybook/app/own"
	"daybook/app/text/sms"
	"daybook/app/text/smstest"
	"daybook/app/waitlist"
)

// At night what can wait waits until the morning, and then only the latest is told. What the person does themself, and what
// begins soon, is told at once.
func TestQuietHours(t *testing.T) {
	x := newBed(t)
	x.run()
	c := x.somebody("Mia", "", mine, true, "")
	b := x.book(x.site, c, "3T09")
	x.plan()
	x.settled()
	x.Clock.Set(time.Date(2026, 11, 30, 21, 30, 0, 0, time.UTC)) // 22:30 in Berlin
	x.move(x.Owner, b, "3T11")
	x.plan()
	x.Clock.Advance(time.Minute)
	x.settled()
	x.move(x.Owner, b, "3T13")
	x.plan()
	x.Clock.Advance(time.Minute)
	x.settled()
	if n := len(x.sent()); n != 1 {
		t.Fatalf("%d texts were sent by night: %s", n, x.states())
	}
	x.Clock.Set(time.Date(2026, 12, 1, 7, 0, 1, 0, time.UTC)) // 8:00
	apptest.Eventually(t, "the text goes in the morning", func() bool { return len(x.sent()) == 2 })
	x.settled()
	x.want("texts", x.states(), "confirmed sent, moved dropped, moved sent")
	if got := x.sent()[1]; !strings.Contains(got, "Thu, Dec 3, 2:00") {
		t.Errorf("what was told: %s", got)
	}
	x.Clock.Set(time.Date(2026, 12, 1, 22, 0, 0, 0, time.UTC)) // 23:00
	other := x.book(x.site, x.somebody("Ida", "", "+4915112345679", true, ""), "2T06")
	x.plan()
	apptest.Eventually(t, "who books by night is told at once", func() bool { return len(x.sent()) == 3 })
	_, err := x.Cancel(t.Context(), x.Owner, other.ID.String(), app.CancelInput{})
	x.Must(err)
	x.plan()
	apptest.Eventually(t, "what begins within twelve hours is told at once", func() bool { return len(x.sent()) == 4 })
}

// What the business does at night is told in the morning, once: as it is then.
func TestANightIsToldOnce(t *testing.T) {
	x := newBed(t)
	x.run()
	night, morning := time.Date(2026, 11, 30, 21, 30, 0, 0, time.UTC), time.Date(2026, 12, 1, 7, 0, 1, 0, time.UTC)
	x.Clock.Set(night) // 22:30 in Berlin
	b := x.book(x.Owner, x.somebody("Mia", "", mine, true, ""), "3T09")
	x.plan()
	x.settled()
	x.move(x.Owner, b, "3T11")
	x.plan()
	x.settled()
	x.book(x.Owner, x.somebody("Ida", "", "+4915112345679", true, ""), "1T06")
	x.plan()
	apptest.Eventually(t, "what begins before the morning is confirmed at once", func() bool { return len(x.sent()) == 1 })
	x.Clock.Set(morning)
	apptest.Eventually(t, "the text goes in the morning", func() bool { return len(x.sent()) == 2 })
	x.settled()
	x.want("texts", x.states(), "confirmed sent, moved dropped, confirmed sent")
	if got := x.sent()[1]; !strings.Contains(got, "booked") || !strings.Contains(got, "Thu, Dec 3, 12:00") {
		t.Errorf("what was told: %s", got)
	}
	// Moved and moved back, or cancelled: they know it where it was in the evening.
	x.Clock.Set(night.AddDate(0, 0, 1))
	x.move(x.Owner, b, "3T15")
	x.plan()
	x.settled()
	x.move(x.Owner, b, "3T11")
	x.plan()
	x.settled()
	x.Clock.Set(morning.AddDate(0, 0, 1))
	x.settled()
	if n := len(x.sent()); n != 2 {
		t.Errorf("it was moved back, and told of all the same: %q", x.sent()[2:])
	}
	// Moved and then cancelled: they know it where it was in the evening.
	x.Clock.Set(night.AddDate(0, 0, 1).Add(10*time.Hour + 30*time.Minute))
	later := x.book(x.Owner, x.somebody("Jo", "", "+4915112345670", true, ""), "7T09")
	x.plan()
	apptest.Eventually(t, "by day it goes at once", func() bool { return len(x.sent()) == 3 })
	x.Clock.Set(night.AddDate(0, 0, 2))
	x.move(x.Owner, later, "7T15")
	x.plan()
	x.settled()
	_, err := x.Cancel(t.Context(), x.Owner, later.ID.String(), app.CancelInput{})
	x.Must(err)
	x.plan()
	x.settled()
	x.Clock.Set(morning.AddDate(0, 0, 2))
	apptest.Eventually(t, "it is told in the morning", func() bool { return len(x.sent()) == 4 })
	if got := x.sent()[3]; !strings.Contains(got, "cancelled") || !strings.Contains(got, "Mon, Dec 7, 10:00") {
		t.Errorf("what was cancelled: %s", got)
	}
}

// A request that could not be told of before it was approved isn't told any more: the approval is.
func TestAnApprovalIsTold(t *testing.T) {
	x := newBed(t)
	x.run()
	x.Alter("cut", func(e *catalog.EventType) { e.RequiresApproval = true })
	x.phone.Fail(smstest.Broken)
	b := x.book(x.site, x.somebody("Mia", "", mine, true, ""), "3T09")
	x.plan()
	x.settled()
	_, err := x.Confirm(t.Context(), x.Owner, b.ID.String())
	x.Must(err)
	x.plan()
	x.Clock.Advance(61 * time.Second)
	x.settled()
	x.want("texts", x.states(), "confirmed dropped, confirmed sent")
	if got := x.sent(); len(got) != 1 || !strings.Contains(got[0], "booked") {
		t.Errorf("what was told: %q", got)
	}
}

// A reminder that could not be sent in the evening isn't sent by night: it waits for the morning, or goes by mail.
func TestRemindersDontGoAtNight(t *testing.T) {
	x := newBed(t)
	x.run()
	x.Alter("cut", func(e *catalog.EventType) { e.ReminderMinutes = []int{12*60 + 20} })
	c := x.somebody("Mia", "mia@mail.example", mine, true, contact.TellByText)
	x.book(x.site, c, "2T08:15") // due at 19:55, when it is 20:55 in Berlin
	x.plan()
	x.settled()
	x.phone.Fail(smstest.Broken, smstest.Broken, smstest.Broken, smstest.Broken)
	x.Clock.Set(time.Date(2026, 12, 1, 19, 55, 0, 0, time.UTC))
	for _, pause := range []time.Duration{0, time.Minute, 5 * time.Minute, 15 * time.Minute, time.Hour} {
		x.Clock.Advance(pause + time.Second)
		x.settled()
	}
	x.want("at 22:16", x.states(), "confirmed sent, reminder waiting")
	x.Clock.Set(time.Date(2026, 12, 2, 7, 0, 1, 0, time.UTC))
	x.settled()
	x.want("in the morning", x.states(), "confirmed sent, reminder sent")
	x.Alter("cut", func(e *catalog.EventType) { e.ReminderMinutes = []int{90} })
	x.book(x.site, c, "3T06:30") // 7:30: to be reminded of at 21:00
	x.plan()
	x.settled()
	x.phone.Fail(smstest.Broken, smstest.Broken, smstest.Broken, smstest.Broken, smstest.Broken, smstest.Broken)
	x.Clock.Set(time.Date(2026, 12, 2, 20, 0, 1, 0, time.UTC))
	x.settled()
	for range 3 {
		x.Clock.Advance(16 * time.Minute)
		x.settled()
	}
	if got := x.states(); !strings.HasSuffix(got, "reminder dropped") {
		t.Errorf("what can't wait until the morning: %s", got)
	}
	x.wantMails("mia@mail.example", "reminder")
}

// Reminders that are due at night come when it ends, or the evening before, or not by text.
func TestRemindersAtNight(t *testing.T) {
	x := newBed(t)
	x.Alter("cut", func(e *catalog.EventType) { e.ReminderMinutes = []int{90} })
	c := x.somebody("Mia", "mia@mail.example", mine, true, contact.TellByText)
	for start, want := range map[string]string{
		"1T09:00": "07:30", // due at 8:30 in Berlin: as it is
		"2T08:15": "07:00", // due at 7:45: at 8:00
		"3T06:30": "20:00", // due at 6:00, and it begins at 7:30: the evening before
	} {
		b := x.book(x.site, c, start)
		x.plan()
		texts := x.texts()
		last := texts[len(texts)-1]
		if got := last.DueAt.Time().UTC().Format("15:04"); last.BookingID != b.ID || last.Kind != catalog.TextReminder || got != want {
			t.Errorf("%s: %s at %s, want %s", start, last.Kind, got, want)
		}
	}
	x.Clock.Set(time.Date(2026, 12, 4, 22, 0, 0, 0, time.UTC))
	x.book(x.site, c, "5T05:00")
	x.plan()
	if last := x.states(); !strings.HasSuffix(last, "confirmed waiting") {
		t.Errorf("a booking that is younger than the night: %s", last)
	}
	x.wantMails("mia@mail.example", "reminder")
}

// STOP between planning and sending is heeded: the mail of the same thing goes instead, once.
func TestStopBeforeSending(t *testing.T) {
	x := newBed(t)
	b := x.book(x.Owner, x.somebody("Mia", "mia@mail.example", mine, true, contact.TellByText), "1T09")
	x.plan()
	x.want("texts", x.states(), "confirmed waiting")
	x.Must(x.Write(t.Context(), func(tx app.Tx) error { return x.Text.Stop(tx, x.Workspace.ID, mine) }))
	x.run()
	x.settled()
	x.want("texts", x.states(), "confirmed dropped")
	x.wantMails("mia@mail.example", "confirmed")
	x.move(x.Owner, b, "1T11")
	x.plan()
	x.want("texts", x.states(), "confirmed dropped")
	x.wantMails("mia@mail.example", "confirmed", "moved")
}

// Whom nothing can tell of a change of the business is to be called, until somebody did.
func TestWhoIsToBeCalled(t *testing.T) {
	x := newBed(t)
	b := x.book(x.Owner, x.somebody("Mia", "", mine, false, ""), "1T09")
	x.move(app.Actor{Kind: booking.ByInvitee, Workspace: x.Workspace.ID, Booking: b.ID}, b, "1T10")
	x.plan()
	calls, err := x.Text.Calls(t.Context(), x.Owner)
	x.Must(err)
	if len(calls) != 0 {
		t.Fatalf("what they did themself: %+v", calls)
	}
	x.move(x.Owner, b, "1T11")
	x.plan()
	calls, err = x.Text.Calls(t.Context(), x.Owner)
	x.Must(err)
	if len(calls) != 1 || calls[0].Name != "Mia" || calls[0].Phone != mine || calls[0].Kind != catalog.TextMoved || calls[0].Start.String() != "2026-12-01T11:00:00Z" {
		t.Fatalf("calls: %+v", calls)
	}
	x.Must(x.Text.Called(t.Context(), x.Owner, calls[0].ID.String()))
	if calls, err = x.Text.Calls(t.Context(), x.Owner); err != nil || len(calls) != 0 {
		t.Errorf("after it was done: %+v, %v", calls, err)
	}
}

// The month's segments are counted; beyond them mails go, and owners are told at 80 and at 100 %, once each.
func TestTheCap(t *testing.T) {
	x := newBed(t)
	_, err := x.Shop.UpdateWorkspace(t.Context(), x.Owner, func(w *catalog.Workspace) { w.Settings.Texts = &catalog.TextSettings{Cap: 5} })
	x.Must(err)
	_, err = x.Account.CreateUser(t.Context(), x.Owner, account.UserInput{Email: "boss@salon.example", Role: app.OwnerRole})
	x.Must(err)
	x.run()
	for n := range 7 {
		c := x.somebody(fmt.Sprint("Mia", n), fmt.Sprintf("mia%d@mail.example", n), fmt.Sprintf("+4915112345%03d", n), true, contact.TellByText)
		x.book(x.Owner, c, fmt.Sprintf("1T%02d", 9+n))
		x.plan()
		x.settled()
	}
	x.want("texts", x.states(), strings.Repeat("confirmed sent, ", 5)+"confirmed dropped, confirmed dropped")
	x.wantMails("mia6@mail.example", "confirmed")
	x.wantMails("boss@salon.example", "team_texts", "team_texts")
	x.Clock.Set(time.Date(2027, 1, 4, 12, 0, 0, 0, time.UTC))
	x.book(x.Owner, x.somebody("Ida", "ida@mail.example", "+4915112345999", true, contact.TellByText), "36T09")
	x.plan()
	x.settled()
	if s := x.states(); !strings.HasSuffix(s, "confirmed sent") {
		t.Errorf("in the next month: %s", s)
	}
}

// Visitors can make the workspace send to its own country only, three texts a day to a number, and a third of the month.
func TestWhatVisitorsCanCause(t *testing.T) {
	x := newBed(t)
	_, err := x.Shop.UpdateWorkspace(t.Context(), x.Owner, func(w *catalog.Workspace) { w.Settings.Texts = &catalog.TextSettings{Cap: 30} })
	x.Must(err)
	x.run()
	c := x.somebody("Mia", "mia@mail.example", mine, true, contact.TellByText)
	for n := range 5 {
		x.book(x.site, c, fmt.Sprintf("1T%02d", 9+n))
		x.plan()
		x.settled()
	}
	x.want("to one number", x.states(), strings.Repeat("confirmed sent, ", 3)+"confirmed dropped, confirmed dropped")
	x.wantMails("mia@mail.example", "confirmed", "confirmed")
	x.book(x.site, x.somebody("Jo", "jo@mail.example", "+18762101234", true, contact.TellByText), "2T09")
	x.plan()
	x.settled()
	x.wantMails("jo@mail.example", "confirmed")
	for n := range 9 {
		x.book(x.site, x.somebody(fmt.Sprint("P", n), fmt.Sprintf("p%d@mail.example", n), fmt.Sprintf("+4915112346%03d", n), true, contact.TellByText), fmt.Sprintf("3T%02d", 9+n))
		x.plan()
		x.settled()
	}
	if n := len(x.sent()); n != 10 {
		t.Errorf("%d texts that visitors caused of a cap of 30, want 10: %s", n, x.states())
	}
	x.book(x.Owner, x.somebody("Own", "own@mail.example", "+4915112347000", true, contact.TellByText), "4T09")
	x.plan()
	x.settled()
	if n := len(x.sent()); n != 11 {
		t.Errorf("the business itself can't send any more: %s", x.states())
	}
}

// What the sender refuses has failed, and the mail goes. What it can't take now is tried again. What it may have taken is
// asked for, and never sent a second time.
func TestWhatTheSenderDoes(t *testing.T) {
	x := newBed(t)
	x.run()
	c := x.somebody("Mia", "mia@mail.example", mine, true, contact.TellByText)
	next := 9
	book := func(trouble ...smstest.Trouble) {
		x.phone.Fail(trouble...)
		x.book(x.Owner, c, fmt.Sprintf("1T%02d", next))
		next++
		x.plan()
		x.settled()
	}
	book(smstest.Broken)
	x.want("after 503", x.states(), "confirmed waiting")
	x.Clock.Advance(61 * time.Second)
	x.settled()
	x.want("a minute later", x.states(), "confirmed sent")
	book(smstest.Lose)
	x.Clock.Advance(61 * time.Second)
	x.settled()
	x.want("after a lost answer", x.states(), "confirmed sent, confirmed sent")
	if n := len(x.sent()); n != 2 {
		t.Errorf("%d texts were sent, want 2: %q", n, x.sent())
	}
	twilio := smstest.NewTwilio()
	x.sends(&sms.Sender{Preset: sms.Twilio, URL: smstest.Start(t, twilio), Account: twilio.Account, Secret: sms.Secret(twilio.Token), From: twilio.From[0]})
	twilio.Fail(smstest.Lose)
	book()
	x.want("at Twilio", x.states(), "confirmed sent, confirmed sent, confirmed perhaps")
	x.wantMails("mia@mail.example")
	x.Clock.Advance(time.Hour)
	x.settled()
	if n := len(twilio.Sent()); n != 1 {
		t.Errorf("%d texts at Twilio, want 1", n)
	}
	texts := x.texts()
	_, err := x.Text.ResendText(t.Context(), x.Owner, texts[2].ID.String())
	x.Must(err)
	x.settled()
	x.want("sent by the button", x.states(), "confirmed sent, confirmed sent, confirmed sent")
	twilio.From = nil // of which Twilio refuses to send
	book()
	x.want("refused", x.states(), "confirmed sent, confirmed sent, confirmed sent, confirmed failed")
	x.wantMails("mia@mail.example", "confirmed")
	x.Must(x.Text.SetSender(t.Context(), x.Owner, nil))
	x.book(x.Owner, c, "2T09")
	x.plan()
	x.wantMails("mia@mail.example", "confirmed", "confirmed")
}

// A text whose server was killed while it was being sent is asked for where that can be, else it counts as perhaps sent.
func TestKilledWhileSending(t *testing.T) {
	x := newBed(t)
	c := x.somebody("Mia", "mia@mail.example", mine, true, contact.TellByText)
	x.book(x.Owner, c, "1T09")
	x.plan()
	// What a killed server leaves: a claim that is begun, whose lease is over.
	x.Must(x.SQL(`UPDATE texts SET sending = 7, begun_ms = due_ms, segments = 1`))
	x.run()
	x.settled()
	x.want("the phone never got it", x.states(), "confirmed sent")
	if n := len(x.sent()); n != 1 {
		t.Errorf("%d texts, want 1", n)
	}
}

// The same at a service that can't be asked by our reference: it is perhaps sent, and stays so.
func TestKilledWhereNobodyCanBeAsked(t *testing.T) {
	x := newBed(t)
	twilio := smstest.NewTwilio()
	x.sends(&sms.Sender{Preset: sms.Twilio, URL: smstest.Start(t, twilio), Account: twilio.Account, Secret: sms.Secret(twilio.Token), From: twilio.From[0]})
	x.book(x.Owner, x.somebody("Mia", "mia@mail.example", mine, true, contact.TellByText), "1T09")
	x.plan()
	x.Must(x.SQL(`UPDATE texts SET sending = 7, begun_ms = due_ms, segments = 1`))
	x.run()
	x.settled()
	x.want("nobody knows", x.states(), "confirmed perhaps")
	x.wantMails("mia@mail.example")
	if n := len(twilio.Sent()); n != 0 {
		t.Errorf("%d texts were sent", n)
	}
}

// More than ten changes an hour from one network address cause no more texts; another address does.
func TestOneAddressCausesTenAnHour(t *testing.T) {
	x := newBed(t)
	from := func(address string) app.Actor {
		a := x.site
		a.From = netip.MustParseAddr(address)
		return a
	}
	for n := range 12 {
		c := x.somebody(fmt.Sprint("P", n), "", fmt.Sprintf("+4915112346%03d", n), true, "")
		x.book(from(fmt.Sprintf("2001:db8:7:%d::1", n)), c, fmt.Sprintf("3T%02d", 9+n)) // of one /48
		x.plan()
	}
	x.want("from one address", x.states(), strings.TrimSuffix(strings.Repeat("confirmed waiting, ", 10), ", "))
	x.book(from("2001:db8:8::1"), x.somebody("Jo", "", mine, true, ""), "4T09")
	x.plan()
	if n := len(x.texts()); n != 11 {
		t.Errorf("another address can't: %s", x.states())
	}
	x.Clock.Advance(61 * time.Minute)
	x.book(from("2001:db8:7::9"), x.somebody("Ida", "", "+4915112348000", true, ""), "5T09")
	x.plan()
	if n := len(x.texts()); n != 12 {
		t.Errorf("an hour later: %s", x.states())
	}
}

// Links to pages of one's own and requests to wait count with the bookings: ten texts an hour from one /48, whatever is asked for.
func TestWhatIsAskedForCountsWithTheTen(t *testing.T) {
	x := newBed(t)
	a, where := x.site, netip.MustParseAddr("2001:db8:7::1")
	a.From = where
	for n := range 6 {
		x.book(a, x.somebody(fmt.Sprint("P", n), "", fmt.Sprintf("+4915112346%03d", n), true, ""), fmt.Sprintf("3T%02d", 9+n))
		x.plan()
	}
	setup, err := x.Setup(x.Workspace.ID)
	x.Must(err)
	ask := func(n int, from netip.Addr) {
		t.Helper()
		c := x.somebody(fmt.Sprint("O", n), "", fmt.Sprintf("+4915112347%03d", n), false, "")
		x.Must(x.Own.Ask(t.Context(), setup, own.Asked{Address: c.Phone, From: from}))
	}
	wait := func(n int, from netip.Addr) error {
		b := a
		b.From = from
		_, err := x.Waitlist.Join(t.Context(), b, waitlist.Input{Items: []waitlist.Item{{EventType: "cut"}},
			Wishes:  []waitlist.Wish{{From: "2026-12-08", To: "2026-12-11"}},
			Invitee: booking.Invitee{Name: fmt.Sprint("W", n), Phone: fmt.Sprintf("+4915112348%03d", n)}})
		return err
	}
	for n := range 2 {
		ask(n, where.Next())
		x.Must(wait(n, where))
	}
	ask(8, where)
	x.Refused(wait(8, where), fault.Conflict, "no_text")
	x.book(a, x.somebody("Last", "", mine, true, ""), "4T09")
	x.plan()
	if n := len(x.texts()); n != 10 {
		t.Errorf("%d texts from one network, want 10: %s", n, x.states())
	}
	elsewhere := netip.MustParseAddr("2001:db8:8::1")
	ask(9, elsewhere)
	x.Must(wait(9, elsewhere))
	if n := len(x.texts()); n != 12 {
		t.Errorf("another address can't: %s", x.states())
	}
}

// A visit or a series that is booked at once is one change of the ten.
func TestAVisitCountsOnce(t *testing.T) {
	x := newBed(t)
	x.Offer("wash", 15, func(e *catalog.EventType) { e.MinimumNoticeMinutes, e.AsksFor = 0, catalog.AskEither })
	x.Alter("cut", func(e *catalog.EventType) { e.SeriesUpTo = 20 })
	a := x.site
	a.From = netip.MustParseAddr("2001:db8:7::1")
	for n := range 5 {
		c := x.somebody(fmt.Sprint("P", n), "", fmt.Sprintf("+4915112346%03d", n), true, "")
		who := booking.Invitee{Name: c.Name, Phone: c.Phone}
		_, err := x.BookVisit(t.Context(), a, booking.VisitInput{Start: apptest.At(fmt.Sprintf("3T%02d", 9+2*n)), Invitee: who,
			Items: []booking.VisitItem{{EventType: "wash"}, {EventType: "cut"}, {EventType: "wash"}}})
		x.Must(err)
		x.plan()
		c = x.somebody(fmt.Sprint("S", n), "", fmt.Sprintf("+4915112347%03d", n), true, "")
		_, err = x.BookSeries(t.Context(), a, booking.SeriesInput{Start: apptest.At(fmt.Sprintf("4T%02d", 9+2*n)), EventType: "cut",
			Invitee: booking.Invitee{Name: c.Name, Phone: c.Phone}, Repeat: booking.SeriesRepeat{Every: 1, Unit: booking.SeriesWeek, Count: 6}})
		x.Must(err)
		x.plan()
	}
	if n := strings.Count(x.states(), "confirmed waiting"); n != 10 {
		t.Errorf("five visits and five series caused %d texts, want 10: %s", n, x.states())
	}
	x.book(a, x.somebody("Ida", "", mine, true, ""), "5T09")
	x.plan()
	if n := strings.Count(x.states(), "confirmed waiting"); n != 10 {
		t.Errorf("the eleventh change of an hour causes a text: %s", x.states())
	}
}

// A reminder can ask whether the person comes. That it did is noted once it was sent, and a member can ask again by the
// person's way.
func TestTextsAsk(t *testing.T) {
	x := newBed(t)
	x.Alter("cut", func(e *catalog.EventType) { e.ReminderMinutes, e.AsksComing = []int{24 * 60}, true })
	c := x.somebody("Mia", "mia@mail.example", mine, true, contact.TellByText)
	b := x.book(x.Owner, c, "3T09")
	x.plan()
	x.run()
	x.settled()
	x.Clock.Set(time.Date(2026, 12, 2, 9, 0, 1, 0, time.UTC))
	x.settled()
	x.want("texts", x.states(), "confirmed sent, reminder sent")
	if got := x.sent(); len(got) != 2 || !strings.Contains(got[1], "Reply 1 if you") {
		t.Fatalf("sent: %q", got)
	}
	apptest.Eventually(t, "it is noted that they were asked", func() bool { return x.Again(b).Coming != nil })
	x.Clock.Advance(2 * time.Minute)
	m, err := x.Mail.AskComing(t.Context(), x.Owner, b.ID.String())
	x.Must(err)
	x.want("asked again at", m.To, mine)
	x.settled()
	x.want("texts", x.states(), "confirmed sent, reminder sent, reminder sent")
	_, err = x.Mail.AskComing(t.Context(), x.Owner, b.ID.String())
	x.Refused(err, fault.Conflict, "sent_lately")
	x.wantMails("mia@mail.example")
}
