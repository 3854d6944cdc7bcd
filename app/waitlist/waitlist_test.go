package waitlist_test

import (
	"bytes"
	"database/sql"
	"fmt"
	"net/netip"
	"path"
	"strings"
	"sync"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/mail"
	"daybook/app/mail/smtp"
	"daybook/app/waitlist"
	"daybook/store/enginetest"
)

// world is a salon with two services and somebody who does one of them, and who waits for them.
type world struct {
	*apptest.Salon
	raw *sql.DB // see rows
}

// rows returns the database itself, by one pool of connections for all that a test asks it.
func (w *world) rows() *sql.DB {
	w.T.Helper()
	if w.raw == nil {
		w.raw = enginetest.Raw(w.T, w.Store.Engine)
	}
	return w.raw
}

func newWorld(t testing.TB) *world {
	t.Helper()
	w := &world{Salon: apptest.New(t, apptest.Options{Hosts: []string{"Ana", "Bob"}})}
	w.Offer("cut", 60, func(e *catalog.EventType) {
		e.MinimumNoticeMinutes, e.Hosts = 0, []catalog.HostRef{{ID: 1}, {ID: 2}}
	})
	w.Offer("wash", 30, func(e *catalog.EventType) { e.MinimumNoticeMinutes, e.Hosts = 0, []catalog.HostRef{{ID: 1}} })
	w.Mail.ShareMailServer(mailServer())
	return w
}

// mailServer is where mails go, so that times are offered.
func mailServer() *smtp.Server { return &smtp.Server{Host: "mail.example", Port: 587} }

// day returns a day as so many after Monday, the first.
func day(n int) string { return apptest.Monday.AddDate(0, 0, n).Format(time.DateOnly) }

// wish is one for these days.
func wish(from, to int) waitlist.Wish { return waitlist.Wish{From: day(from), To: day(to)} }

// input is that of somebody who waits for a service in the first days.
func input(eventType, person string, wishes ...waitlist.Wish) waitlist.Input {
	if len(wishes) == 0 {
		wishes = []waitlist.Wish{wish(1, 4)}
	}
	return waitlist.Input{Items: []waitlist.Item{{EventType: eventType}}, Wishes: wishes,
		Invitee: booking.Invitee{Name: person, Email: person + "@mail.example"}}
}

// waits puts somebody on the waitlist for the business.
func (w *world) waits(in waitlist.Input) waitlist.Entry {
	w.T.Helper()
	e, err := w.Waitlist.Join(w.T.Context(), w.Owner, in)
	w.Must(err)
	return e
}

// visitor is whoever looks at the booking page.
func (w *world) visitor() app.Actor {
	return app.Actor{Kind: booking.ByInvitee, Workspace: w.Workspace.ID}
}

// mails are those of a kind that were queued, the latest first.
func (w *world) mails(kind catalog.MailKind) (all []mail.Mail) {
	w.T.Helper()
	page, err := w.Mail.Mails(w.T.Context(), w.Owner, mail.ListInput{Limit: new(100)})
	w.Must(err)
	for _, m := range page.Data {
		if m.Kind == kind {
			all = append(all, m)
		}
	}
	return all
}

// token is that of the links of an entry.
func (w *world) token(e waitlist.Entry) string {
	w.T.Helper()
	setup, err := w.Setup(w.Workspace.ID)
	w.Must(err)
	return path.Base(path.Dir(waitlist.Path(setup, e.ID)))
}

// entry is the entry as it is now.
func (w *world) entry(e waitlist.Entry) waitlist.Entry {
	w.T.Helper()
	now, err := w.Waitlist.WaitlistEntry(w.T.Context(), w.Owner, e.ID.String())
	w.Must(err)
	return now
}

// anybody reports whether the workspace's set-up says that somebody waits.
func (w *world) anybody() bool {
	w.T.Helper()
	setup, err := w.Setup(w.Workspace.ID)
	w.Must(err)
	return setup.Workspace.Waits
}

// What nobody may wait for is refused, with the field that is wrong.
func TestJoinRefusesWhatCantBe(t *testing.T) {
	w := newWorld(t)
	for name, c := range map[string]struct {
		change func(in *waitlist.Input)
		field  string
	}{
		"nothing":        {func(in *waitlist.Input) { in.Items = nil }, "items"},
		"seven services": {func(in *waitlist.Input) { in.Items = make([]waitlist.Item, 7) }, "items"},
		"no wish":        {func(in *waitlist.Input) { in.Wishes = nil }, "wishes"},
		"six wishes":     {func(in *waitlist.Input) { in.Wishes = make([]waitlist.Wish, 6) }, "wishes"},
		"no day":         {func(in *waitlist.Input) { in.Wishes[0].From = "2026-02-30" }, "wishes[0].from"},
		"backwards":      {func(in *waitlist.Input) { in.Wishes[0] = wish(3, 2) }, "wishes[0].to"},
		"yesterday":      {func(in *waitlist.Input) { in.Wishes[0] = wish(-3, -1) }, "wishes[0].to"},
		"in two years":   {func(in *waitlist.Input) { in.Wishes[0] = wish(1, 700) }, "wishes[0].to"},
		"no weekday":     {func(in *waitlist.Input) { in.Wishes[0].Days = []string{"monday"} }, "wishes[0].days"},
		"no hours":       {func(in *waitlist.Input) { in.Wishes[0].Hours = []string{"9-12"} }, "wishes[0].hours"},
		"too many hours": {func(in *waitlist.Input) { in.Wishes[0].Hours = make([]string, 5) }, "wishes[0].hours"},
		"until too late": {func(in *waitlist.Input) { in.Until = day(5) }, "until"},
		"until is over":  {func(in *waitlist.Input) { in.Until = day(-1) }, "until"},
		"no address":     {func(in *waitlist.Input) { in.Invitee.Email, in.Invitee.Phone = "", "+4930901820" }, "invitee.email"},
		"no name":        {func(in *waitlist.Input) { in.Invitee.Name = "" }, "invitee.name"},
		"too many seats": {func(in *waitlist.Input) { in.Seats = 2 }, "seats"},
		"unknown add-on": {func(in *waitlist.Input) { in.Items[0].AddOns = []string{"x"} }, "items[0].addOns[0]"},
		"order of one":   {func(in *waitlist.Input) { in.Order = booking.OrderAny }, "order"},
		"who doesn't": {func(in *waitlist.Input) {
			in.Items[0] = waitlist.Item{EventType: "wash", Host: catalog.HostID(2).String()}
		}, "items[0].host"},
		"seats of visits": {func(in *waitlist.Input) { in.Items, in.Seats = append(in.Items, waitlist.Item{EventType: "wash"}), 2 }, "seats"},
	} {
		in := input("cut", "bo")
		c.change(&in)
		_, err := w.Waitlist.Join(t.Context(), w.Owner, in)
		if e := fault.As(err); e == nil || e.Code != fault.BadRequest || e.Field != c.field {
			t.Errorf("%s: %v of %v, want %s", name, err, fault.As(err), c.field)
		}
	}
	for _, in := range []waitlist.Input{input("gone", "bo"), {Items: []waitlist.Item{{EventType: "cut", Host: "hs_unknown"}}}} {
		_, err := w.Waitlist.Join(t.Context(), w.Owner, in)
		w.Refused(err, fault.NotFound, "")
	}
	w.Alter("cut", func(e *catalog.EventType) { e.Hidden = true })
	_, err := w.Waitlist.Join(t.Context(), w.visitor(), input("cut", "bo"))
	w.Refused(err, fault.NotFound, "")
	if w.anybody() {
		t.Error("somebody waits")
	}
}

// A visitor's entry counts once they have said yes on the page of the mail's link; without that it is gone after a day.
func TestVisitorsConfirmThatTheyWait(t *testing.T) {
	w := newWorld(t)
	ctx := t.Context()
	e, err := w.Waitlist.Join(ctx, w.visitor(), input("cut", "bo"))
	w.Must(err)
	mails := w.mails(catalog.MailWaits)
	if e.Status != waitlist.Unconfirmed || len(mails) != 1 || mails[0].To != "bo@mail.example" || w.anybody() {
		t.Fatal(e.Status, mails, w.anybody())
	}
	message, err := mail.Compose(ctx, w.Mail, &mails[0], w.from())
	w.Must(err)
	if strings.Contains(message.Text, "/wait") || !strings.Contains(message.Text, "Cut") {
		t.Errorf("the log shows\n%s", message.Text)
	}
	_, _, err = w.Waitlist.ByToken(ctx, w.token(e))
	w.Must(err)
	if w.entry(e).Status != waitlist.Unconfirmed {
		t.Error("looking at the page confirms it")
	}
	token, other := w.token(e), "0"
	if strings.HasSuffix(token, other) {
		other = "1"
	}
	for _, wrong := range []string{"", token[:len(token)-1], token[:len(token)-1] + other, "x" + token[1:], strings.Repeat("0", len(token))} {
		w.Refused(w.Waitlist.Confirm(ctx, wrong), fault.NotFound, "")
		w.Refused(w.Waitlist.LeaveWaitlist(ctx, wrong), fault.NotFound, "")
	}
	for range 2 { // a second click changes nothing
		w.Must(w.Waitlist.Confirm(ctx, token))
	}
	if now := w.entry(e); now.Status != waitlist.Waiting || now.ConfirmedAt == 0 || !w.anybody() {
		t.Error(now.Status, now.ConfirmedAt, w.anybody())
	}
	for range 2 {
		w.Must(w.Waitlist.LeaveWaitlist(ctx, token))
	}
	if now := w.entry(e); now.Status != waitlist.Ended || now.EndedBy != waitlist.ByLeaving || w.anybody() {
		t.Error(now.Status, now.EndedBy, w.anybody())
	}
	late, err := w.Waitlist.Join(ctx, w.visitor(), input("cut", "lea"))
	w.Must(err)
	w.Clock.Advance(waitlist.ConfirmWithin + time.Minute)
	w.Refused(w.Waitlist.Confirm(ctx, w.token(late)), fault.NotFound, "")
	w.prunes()
	_, err = w.Waitlist.WaitlistEntry(ctx, w.Owner, late.ID.String())
	w.Refused(err, fault.NotFound, "")
}

// Nobody waits for more than three times at once, however they come; nobody is mailed more than three links; and an
// address makes five entries an hour, however many it has of its network.
func TestWaitlistIsBounded(t *testing.T) {
	w := newWorld(t)
	ctx := t.Context()
	var first waitlist.Entry
	for i := range waitlist.MostOfPerson {
		if e := w.waits(input("cut", "bo")); i == 0 {
			first = e
		}
	}
	_, err := w.Waitlist.Join(ctx, w.Owner, input("wash", "BO"))
	w.Refused(err, fault.Conflict, "too_many_waiting")
	var asked []waitlist.Entry
	for range 3 {
		e, err := w.Waitlist.Join(ctx, w.visitor(), input("cut", "bo"))
		w.Must(err) // whoever types the address learns nothing
		asked = append(asked, e)
	}
	_, err = w.Waitlist.Join(ctx, w.visitor(), input("cut", "bo"))
	w.Refused(err, fault.RateLimited, "too_many_mails")
	w.Refused(w.Waitlist.Confirm(ctx, w.token(asked[0])), fault.Conflict, "too_many_waiting")
	w.Must(w.Waitlist.EndEntry(ctx, w.Owner, first.ID.String()))
	w.Must(w.Waitlist.Confirm(ctx, w.token(asked[0])))
	if now := w.entry(first); now.EndedBy != waitlist.ByBusiness {
		t.Error(now.EndedBy)
	}
	for i := range 6 {
		err := w.Waitlist.Spend(ctx, netip.MustParseAddr(fmt.Sprintf("2001:db8:1:%d::1", i)))
		if (err != nil) != (i >= waitlist.MostPerHour) || err != nil && !fault.Is(err, fault.RateLimited) {
			t.Errorf("entry %d of a /48: %v", i+1, err)
		}
	}
	w.Must(w.Waitlist.Spend(ctx, netip.MustParseAddr("2001:db8:2::1")))
}

// However many confirm at once, no more than three entries of a person count.
func TestContestOfConfirmations(t *testing.T) {
	w := newWorld(t)
	ctx := t.Context()
	w.waits(input("cut", "bo"))
	w.waits(input("cut", "bo"))
	var tokens []string
	for range 3 {
		e, err := w.Waitlist.Join(ctx, w.visitor(), input("cut", "bo"))
		w.Must(err)
		tokens = append(tokens, w.token(e))
	}
	var all sync.WaitGroup
	for i := range 30 {
		all.Go(func() {
			if err := w.Waitlist.Confirm(ctx, tokens[i%3]); err != nil && !fault.Is(err, fault.Conflict) {
				t.Error(err)
			}
		})
	}
	all.Wait()
	page, err := w.Waitlist.Waitlist(ctx, w.Owner, waitlist.ListInput{Status: "waiting"})
	w.Must(err)
	if len(page.Data) != waitlist.MostOfPerson {
		t.Errorf("%d entries count", len(page.Data))
	}
}

// An entry ends by itself after its last day, and is deleted 30 days later.
func TestEntriesEndByTime(t *testing.T) {
	w := newWorld(t)
	e := w.waits(input("cut", "bo", wish(1, 2), wish(3, 9)))
	if e.Until != day(9) {
		t.Error(e.Until)
	}
	in := input("cut", "cem", wish(1, 9))
	in.Until = day(4)
	soon := w.waits(in)
	w.Clock.Advance(5 * 24 * time.Hour)
	w.prunes()
	if now := w.entry(soon); now.Status != waitlist.Ended || now.EndedBy != waitlist.ByTime || w.entry(e).Status != waitlist.Waiting {
		t.Error(now.Status, now.EndedBy, w.entry(e).Status)
	}
	w.Clock.Advance(31 * 24 * time.Hour)
	w.prunes()
	_, err := w.Waitlist.WaitlistEntry(t.Context(), w.Owner, soon.ID.String())
	w.Refused(err, fault.NotFound, "")
	if now := w.entry(e); now.EndedBy != waitlist.ByTime || w.anybody() {
		t.Error(now.EndedBy, w.anybody())
	}
}

// Wishes are read on the workspace's clock, over midnight, too.
func TestWishes(t *testing.T) {
	w := newWorld(t)
	zone, err := time.LoadLocation("Europe/Berlin")
	w.Must(err)
	e := w.waits(input("cut", "bo", waitlist.Wish{From: day(1), To: day(3), Days: []string{"tue", "wed"}, Hours: []string{"09:00-12:00", "22:00-02:00"}}))
	for text, want := range map[string]bool{"1T09:00": true, "1T08:59": false, "1T11:59": true, "1T12:00": false, "1T23:30": true, "2T01:59": true,
		"2T02:00": false, "3T01:00": true, "3T10:00": false, "4T01:00": false, "1T01:00": false} {
		n, clock, _ := strings.Cut(text, "T")
		at, err := time.ParseInLocation("2006-01-02T15:04", day(int(n[0]-'0'))+"T"+clock, zone)
		w.Must(err)
		if e.Wants(whenAt(at), zone) != want {
			t.Errorf("%s: %v", text, !want)
		}
	}
}

// Staff see and end the entries that they could serve, keys those that are theirs as a whole.
func TestWhoSeesEntries(t *testing.T) {
	w := newWorld(t)
	ctx := t.Context()
	hosts := w.hosts()
	anybody, ana, wash := w.waits(input("cut", "a")), input("cut", "b"), w.waits(input("wash", "c"))
	ana.Items[0].Host = hosts[0].String()
	forAna := w.waits(ana)
	bob := app.Actor{Kind: booking.ByOwner, User: 7, Role: app.StaffRole, Host: hosts[1], Workspace: w.Workspace.ID}
	page, err := w.Waitlist.Waitlist(ctx, bob, waitlist.ListInput{})
	w.Must(err)
	if len(page.Data) != 1 || page.Data[0].ID != anybody.ID {
		t.Errorf("Bob sees %v", page.Data)
	}
	for _, e := range []waitlist.Entry{forAna, wash} {
		w.Refused(w.Waitlist.EndEntry(ctx, bob, e.ID.String()), fault.NotFound, "")
		w.Refused(w.Waitlist.EndEntry(ctx, w.visitor(), e.ID.String()), fault.NotFound, "")
	}
	own, err := w.Waitlist.Join(ctx, bob, input("cut", "d"))
	w.Must(err)
	if own.Items[0].Host != hosts[1].String() {
		t.Errorf("staff put somebody on the list of %s", own.Items[0].Host)
	}
	var seen int
	in := waitlist.ListInput{Limit: new(2)}
	for more := true; more; {
		page, err := w.Waitlist.Waitlist(ctx, w.Owner, in)
		w.Must(err)
		if seen += len(page.Data); page.NextCursor != nil {
			in.Cursor = *page.NextCursor
		}
		more = page.HasMore
	}
	if seen != 4 {
		t.Errorf("pages have %d entries", seen)
	}
}

// Entries go with a contact that is erased, stay through a merge, and stand in the file about one person.
func TestEntriesOfContacts(t *testing.T) {
	w := newWorld(t)
	ctx := t.Context()
	contact := func(name string) booking.Contact {
		c, _, err := w.People.CreateContact(ctx, w.Owner, booking.ContactInput{Name: name, Email: name + "@mail.example"})
		w.Must(err)
		return c
	}
	early := w.waits(input("cut", "bo"))
	bo, cem := contact("bo"), contact("cem")
	late := w.waits(input("cut", "bo"))
	_, err := w.People.MergeContacts(ctx, w.Owner, bo.ID.String(), cem.ID.String())
	w.Must(err)
	for _, e := range []waitlist.Entry{early, late} {
		if now := w.entry(e); now.Status != waitlist.Waiting || now.Contact != cem.ID {
			t.Errorf("merged: %v of %v", now.Status, now.Contact)
		}
	}
	var file bytes.Buffer
	w.Must(w.Privacy.ExportPerson(ctx, w.Owner, cem.ID.String(), &file))
	if !strings.Contains(file.String(), late.ID.String()) || !strings.Contains(file.String(), early.ID.String()) {
		t.Errorf("the file has\n%s", file.String())
	}
	file.Reset()
	w.Must(w.Privacy.ExportOwn(ctx, app.Actor{Kind: booking.ByInvitee, Workspace: w.Workspace.ID, Contact: cem.ID}, &file))
	if !strings.Contains(file.String(), late.ID.String()) {
		t.Errorf("the person's own file has\n%s", file.String())
	}
	w.Must(w.People.DeleteContact(ctx, w.Owner, cem.ID.String()))
	var n int
	w.Must(w.rows().QueryRow(`SELECT COUNT(*) FROM waitlist_entries`).Scan(&n))
	if n != 0 {
		t.Errorf("%d entries are left", n)
	}
}

// What becomes of entries is told to endpoints that name it, without the person.
func TestWaitlistEvents(t *testing.T) {
	w := newWorld(t)
	w.hooks("waitlist.joined", "waitlist.ended")
	e := w.waits(input("cut", "zanzibarina"))
	w.Must(w.Waitlist.EndEntry(t.Context(), w.Owner, e.ID.String()))
	bodies := w.told()
	if len(bodies) != 2 || !strings.Contains(bodies[0], `"waitlist.joined"`) || !strings.Contains(bodies[1], `"endedBy":"business"`) {
		t.Errorf("told %v", bodies)
	}
	for _, b := range bodies {
		if strings.Contains(strings.ToLower(b), "zanzibarina") || !strings.Contains(b, e.ID.String()) {
			t.Error(b)
		}
	}
}
