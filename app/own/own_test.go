package own_test

import (
	"errors"
	"fmt"
	"io"
	netmail "net/mail"
	"net/netip"
	"path"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/mail"
	"daybook/app/mail/smtp"
	"daybook/app/own"
	"daybook/app/subjects"
	"daybook/store/enginetest"
)

// world is a salon with a service, and what its customers do.
type world struct{ *apptest.Salon }

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{apptest.New(t, apptest.Options{})}
	w.Offer("cut", 60, func(e *catalog.EventType) { e.MinimumNoticeMinutes = 0 })
	return w
}

func (w *world) setup() *catalog.Setup {
	w.T.Helper()
	s, err := w.Setup(w.Workspace.ID)
	w.Must(err)
	return s
}

// customer makes a contact with that e-mail address and that number; "" is none.
func (w *world) customer(name, email, phone string) booking.Contact {
	w.T.Helper()
	c, _, err := w.People.CreateContact(w.T.Context(), w.Owner, booking.ContactInput{Name: name, Email: email, Phone: phone})
	w.Must(err)
	return c
}

// asks asks for a link, from anywhere.
func (w *world) asks(address string) error {
	return w.Own.Ask(w.T.Context(), w.setup(), own.Asked{Address: address, Locale: "en"})
}

// mailed are the links that were mailed so far, the latest first.
func (w *world) mailed() (all []mail.Mail) {
	w.T.Helper()
	page, err := w.Mail.Mails(w.T.Context(), w.Owner, mail.ListInput{})
	w.Must(err)
	return slices.DeleteFunc(page.Data, func(m mail.Mail) bool { return m.Kind != catalog.MailOwn })
}

// token is the secret of the link in a mail.
func (w *world) token(m mail.Mail) string {
	w.T.Helper()
	return path.Base(m.Facts.Own.Path(w.setup()))
}

// link asks for a link and returns its secret.
func (w *world) link(address string) string {
	w.T.Helper()
	before := len(w.mailed())
	w.Must(w.asks(address))
	all := w.mailed()
	if len(all) != before+1 {
		w.T.Fatalf("%d mails, want one more than %d", len(all), before)
	}
	return w.token(all[0])
}

// opens opens the page of who has the address, and returns the device's cookie and the actor.
func (w *world) opens(address string) (string, app.Actor) {
	w.T.Helper()
	cookie, err := w.Own.Open(w.T.Context(), w.setup(), w.link(address))
	w.Must(err)
	c, _, err := w.Own.Device(w.T.Context(), w.Workspace.ID, cookie)
	w.Must(err)
	return cookie, app.Actor{Kind: booking.ByInvitee, Workspace: w.Workspace.ID, Contact: c}
}

// open reports whether a page is open on the device.
func (w *world) open(cookie string) bool {
	w.T.Helper()
	_, _, err := w.Own.Device(w.T.Context(), w.Workspace.ID, cookie)
	if err != nil && !fault.Is(err, fault.NotFound) {
		w.T.Fatal(err)
	}
	return err == nil
}

// works reports whether the link can be opened.
func (w *world) works(token string) bool {
	w.T.Helper()
	err := w.Own.Waits(w.T.Context(), w.setup(), token)
	if err != nil && !fault.Is(err, fault.NotFound) {
		w.T.Fatal(err)
	}
	return err == nil
}

// Whoever is asked for, the answer is the same. A mail goes only to the address that the business keeps of the one contact
// that has what was asked for.
func TestAskingSaysNothing(t *testing.T) {
	w := newWorld(t)
	beside := w.Beside("beside", "eve")
	if _, _, err := w.People.CreateContact(t.Context(), beside.Owner, booking.ContactInput{Name: "Far", Email: "far@mail.example"}); err != nil {
		t.Fatal(err)
	}
	w.customer("Mia", "mia@mail.example", "+49 30 901820")
	w.customer("Tom", "tom@mail.example", "+49 30 901821")
	w.customer("Tim", "tim@mail.example", "+49 30 901821")
	w.customer("Pia", "", "+49 30 901822")
	gone := w.customer("Gone", "gone@mail.example", "")
	from, into := w.customer("From", "from@mail.example", ""), w.customer("Into", "into@mail.example", "")
	w.customer("Often", "often@mail.example", "")
	w.Must(w.People.DeleteContact(t.Context(), w.Owner, gone.ID.String()))
	if _, err := w.People.MergeContacts(t.Context(), w.Owner, from.ID.String(), into.ID.String()); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		w.Must(w.asks("often@mail.example"))
	}
	for _, c := range []struct{ who, address, to string }{
		{"unknown", "nobody@mail.example", ""},
		{"unknown by phone", "+49 30 901829", ""},
		{"known", "mia@mail.example", "mia@mail.example"},
		{"in another case", " MIA@Mail.Example ", "mia@mail.example"},
		{"by phone", "030 901820", "mia@mail.example"},
		{"two with one phone", "+49 30 901821", ""},
		{"without an e-mail address", "+49 30 901822", ""},
		{"erased", "gone@mail.example", ""},
		{"merged into another", "from@mail.example", ""},
		{"who took them over", "into@mail.example", "into@mail.example"},
		{"of another workspace", "far@mail.example", ""},
		{"the fourth time in an hour", "often@mail.example", ""},
	} {
		before, rows := len(w.mailed()), w.rows("own_links")
		if err := w.asks(c.address); err != nil {
			t.Errorf("%s: %v", c.who, err)
		}
		if n := w.rows("own_links") - rows; n != 1 {
			t.Errorf("%s: %d rows were written, want one whoever it is", c.who, n)
		}
		to := ""
		if all := w.mailed(); len(all) > before {
			to = all[0].To
		}
		if to != c.to {
			t.Errorf("%s: mailed to %q, want %q", c.who, to, c.to)
		}
	}
	w.Refused(w.asks("neither"), fault.BadRequest, "invalid")
	w.Refused(w.asks("a@b@c"), fault.BadRequest, "invalid")
}

// rows counts the rows of a table.
func (w *world) rows(table string) (n int) {
	w.T.Helper()
	w.Must(enginetest.Raw(w.T, w.Store.Engine).QueryRow(`SELECT COUNT(*) FROM ` + table).Scan(&n))
	return n
}

// A network address asks ten times an hour, for whomever.
func TestAnAddressAsksTenTimesAnHour(t *testing.T) {
	w := newWorld(t)
	w.customer("Mia", "mia@mail.example", "")
	ask := func(to string) error {
		return w.Own.Ask(t.Context(), w.setup(), own.Asked{Address: to, From: netip.MustParseAddr("203.0.113.7")})
	}
	for i := range 10 {
		w.Must(ask(fmt.Sprintf("nobody%d@mail.example", i)))
	}
	for _, to := range []string{"mia@mail.example", "nobody@mail.example"} {
		w.Refused(ask(to), fault.RateLimited, "")
	}
	if n := len(w.mailed()); n > 0 {
		t.Errorf("%d mails", n)
	}
	w.Clock.Advance(time.Hour + time.Second)
	w.Must(ask("mia@mail.example"))
}

// A link opens once, within fifteen minutes, and only where it was asked for; of several the last one works.
func TestALinkOpensOnce(t *testing.T) {
	w := newWorld(t)
	beside := w.Beside("beside", "eve")
	other, err := w.Setup(beside.Workspace.ID)
	w.Must(err)
	mia := w.customer("Mia", "mia@mail.example", "")
	first, second := w.link("mia@mail.example"), w.link("mia@mail.example")
	if first == second || w.works(first) || !w.works(second) {
		t.Error("the first link works, or the second doesn't")
	}
	_, err = w.Own.Open(t.Context(), w.setup(), first)
	w.Refused(err, fault.NotFound, "")
	_, err = w.Own.Open(t.Context(), other, second)
	w.Refused(err, fault.NotFound, "")
	cookie, err := w.Own.Open(t.Context(), w.setup(), second)
	w.Must(err)
	_, err = w.Own.Open(t.Context(), w.setup(), second)
	w.Refused(err, fault.NotFound, "")
	if c, until, err := w.Own.Device(t.Context(), w.Workspace.ID, cookie); err != nil || c != mia.ID ||
		until.Time().Sub(w.Clock.Now()) != 30*24*time.Hour {
		t.Errorf("%v %v %v", c, until, err)
	}
	_, _, err = w.Own.Device(t.Context(), beside.Workspace.ID, cookie)
	w.Refused(err, fault.NotFound, "")

	third := w.link("mia@mail.example")
	w.Clock.Advance(15*time.Minute - time.Second)
	if !w.works(third) {
		t.Error("a link is over before its time")
	}
	w.Clock.Advance(time.Second)
	if w.works(third) {
		t.Error("a link's page asks whether to open it after its time")
	}
	_, err = w.Own.Open(t.Context(), w.setup(), third)
	w.Refused(err, fault.NotFound, "")
}

// Many open one link at once at two servers: one of them gets in.
func TestContestOfOpenings(t *testing.T) {
	w := newWorld(t)
	w.customer("Mia", "mia@mail.example", "")
	token, setup := w.link("mia@mail.example"), w.setup()
	servers := []*subjects.Set{w.Set, w.Another().Set}
	var in atomic.Int64
	var all sync.WaitGroup
	begin := make(chan struct{})
	for i := range 24 {
		all.Go(func() {
			<-begin
			switch _, err := servers[i%2].Own.Open(t.Context(), setup, token); {
			case err == nil:
				in.Add(1)
			case !fault.Is(err, fault.NotFound):
				t.Error(err)
			}
		})
	}
	close(begin)
	all.Wait()
	if in.Load() != 1 || w.rows("own_devices") != 1 {
		t.Errorf("%d got in, with %d devices", in.Load(), w.rows("own_devices"))
	}
}

// A page closes after thirty days, by its button, and on the oldest device once there are more than ten.
func TestAPageCloses(t *testing.T) {
	w := newWorld(t)
	w.customer("Mia", "mia@mail.example", "")
	cookie, a := w.opens("mia@mail.example")
	w.Clock.Advance(30*24*time.Hour - time.Second)
	if !w.open(cookie) {
		t.Error("it closed before its time")
	}
	w.Clock.Advance(time.Second)
	if w.open(cookie) {
		t.Error("it is open after thirty days")
	}
	one, _ := w.opens("mia@mail.example")
	two, _ := w.opens("mia@mail.example")
	w.Must(w.Own.Leave(t.Context(), a, one))
	if w.open(one) || !w.open(two) {
		t.Error("the button closes the page on this device, and on no other")
	}
	link := w.link("mia@mail.example")
	w.Must(w.Own.LeaveAll(t.Context(), a))
	if w.open(two) || w.works(link) {
		t.Error("the button for all devices leaves one open, or a link")
	}
	var cookies []string
	for range 11 {
		w.Clock.Advance(time.Hour)
		cookie, _ := w.opens("mia@mail.example")
		cookies = append(cookies, cookie)
	}
	if w.open(cookies[0]) || !w.open(cookies[1]) || !w.open(cookies[10]) {
		t.Error("of eleven devices the oldest must end, and no other")
	}
	if n, err := w.Own.Devices(t.Context(), a); err != nil || n != 10 {
		t.Errorf("%d devices, %v", n, err)
	}
}

// Another address, another number, a merge and an erasure end what is open and what was mailed, in their own transaction;
// another name ends nothing.
func TestWhatEndsAPage(t *testing.T) {
	for _, c := range []struct {
		what string
		do   func(w *world, mia, bea booking.Contact) error
		mia  bool // Mia's page stays open
		bea  bool // Bea's does
	}{
		{"another name", func(w *world, mia, bea booking.Contact) error {
			_, err := w.People.UpdateContact(t.Context(), w.Owner, mia.ID.String(),
				booking.ContactInput{Name: "Mia M", Email: mia.Email, Phone: mia.Phone})
			return err
		}, true, true},
		{"another e-mail address", func(w *world, mia, bea booking.Contact) error {
			_, err := w.People.UpdateContact(t.Context(), w.Owner, mia.ID.String(),
				booking.ContactInput{Name: "Mia", Email: "mia@new.example", Phone: mia.Phone})
			return err
		}, false, true},
		{"another number", func(w *world, mia, bea booking.Contact) error {
			_, err := w.People.UpdateContact(t.Context(), w.Owner, mia.ID.String(),
				booking.ContactInput{Name: "Mia", Email: mia.Email, Phone: "+49 30 901899"})
			return err
		}, false, true},
		{"a merge", func(w *world, mia, bea booking.Contact) error {
			_, err := w.People.MergeContacts(t.Context(), w.Owner, mia.ID.String(), bea.ID.String())
			return err
		}, false, false},
		{"an erasure", func(w *world, mia, bea booking.Contact) error {
			return w.People.DeleteContact(t.Context(), w.Owner, mia.ID.String())
		}, false, true},
		{"what is rolled back", func(w *world, mia, bea booking.Contact) error {
			err := w.Store.Write(t.Context(), func(tx app.Tx) error {
				if err := w.In(tx).People.DeleteContact(t.Context(), w.Owner, mia.ID.String()); err != nil {
					return err
				}
				return io.EOF
			})
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}, true, true},
	} {
		t.Run(c.what, func(t *testing.T) {
			w := newWorld(t)
			mia, bea := w.customer("Mia", "mia@mail.example", "+49 30 901820"), w.customer("Bea", "bea@mail.example", "+49 30 901830")
			device, _ := w.opens(mia.Email)
			others, _ := w.opens(bea.Email)
			link, other := w.link(mia.Email), w.link(bea.Email)
			w.Must(c.do(w, mia, bea))
			if w.open(device) != c.mia || w.works(link) != c.mia {
				t.Errorf("Mia's page is open: %t, her link works: %t; want %t", w.open(device), w.works(link), c.mia)
			}
			if w.open(others) != c.bea || w.works(other) != c.bea {
				t.Errorf("Bea's page is open: %t, her link works: %t; want %t", w.open(others), w.works(other), c.bea)
			}
		})
	}
}

// After an erasure no row has what opened the page, nor the mails with the links: those of a contact that was merged and
// of an address that was changed, too.
func TestNothingIsLeftAfterAnErasure(t *testing.T) {
	w := newWorld(t)
	mia, old := w.customer("Mia", "zanzibarina@mail.example", ""), w.customer("Old", "zanzibarina@old.example", "")
	w.opens(mia.Email)
	w.opens(old.Email)
	_, err := w.People.UpdateContact(t.Context(), w.Owner, mia.ID.String(), booking.ContactInput{Name: "Mia", Email: "zanzibarina@new.example"})
	w.Must(err)
	_, err = w.People.MergeContacts(t.Context(), w.Owner, old.ID.String(), mia.ID.String())
	w.Must(err)
	w.opens("zanzibarina@new.example")
	w.Must(w.People.DeleteContact(t.Context(), w.Owner, mia.ID.String()))
	for more := true; more; {
		w.Must(w.Store.Write(t.Context(), func(tx app.Tx) (err error) {
			more, err = tx.SweepErasure(100)
			return err
		}))
	}
	for _, table := range []string{"own_links", "own_devices", "mails"} {
		if n := w.rows(table); n > 0 {
			t.Errorf("%d rows are left in %s", n, table)
		}
	}
}

// Neither the database nor the log of mails has a secret that opens a page, and a mail that comes too late isn't sent.
func TestNoSecretIsKept(t *testing.T) {
	w := newWorld(t)
	w.Mail.ShareMailServer(&smtp.Server{Host: "mail.example", Port: 587, From: netmail.Address{Address: "book@salon.example"}})
	w.customer("Mia", "mia@mail.example", "")
	cookie, _ := w.opens("mia@mail.example")
	token := w.link("mia@mail.example")
	db := enginetest.Raw(t, w.Store.Engine)
	for _, table := range enginetest.Tables(t, db) {
		rows, err := db.Query(`SELECT * FROM ` + table)
		w.Must(err)
		columns, err := rows.Columns()
		w.Must(err)
		for rows.Next() {
			values, to := make([]any, len(columns)), make([]any, len(columns))
			for i := range values {
				to[i] = &values[i]
			}
			w.Must(rows.Scan(to...))
			if text := fmt.Sprintf("%s", values); strings.Contains(text, token) || strings.Contains(text, cookie) {
				t.Errorf("%s has a secret: %s", table, text)
			}
		}
		w.Must(rows.Err())
	}
	m := w.mailed()[0]
	shown, err := mail.Compose(t.Context(), w.Mail, &m, netmail.Address{})
	w.Must(err)
	about, err := w.Mail.MailSubject(t.Context(), &m)
	w.Must(err)
	about.Sends = true
	sent, err := mail.ComposeAbout(t.Context(), w.Mail, &m, &about, netmail.Address{})
	w.Must(err)
	if at := "https://book.example/salon/_me/" + token; strings.Contains(shown.Text, token) || !strings.Contains(sent.Text, at) ||
		sent.To != "mia@mail.example" || sent.Subject != "Your link to your bookings at Salon" {
		t.Errorf("%+v\n%s", sent, shown.Text)
	}
	w.link("mia@mail.example")
	if about, err := w.Mail.MailSubject(t.Context(), &m); err != nil || about.Dropped == "" {
		t.Errorf("the mail with the link that was replaced would be sent: %v", err)
	}
	m = w.mailed()[0]
	w.Clock.Advance(15 * time.Minute)
	if about, err := w.Mail.MailSubject(t.Context(), &m); err != nil || about.Dropped == "" {
		t.Errorf("the mail with a link that is over would be sent: %v", err)
	}
}

// What has ended is deleted: links that went to nobody after an hour, devices after their thirty days, and links once the
// log of mails has forgotten theirs.
func TestOldRowsAreDeleted(t *testing.T) {
	w := newWorld(t)
	w.customer("Mia", "mia@mail.example", "")
	w.opens("mia@mail.example")
	w.Must(w.asks("nobody@mail.example"))
	prune := func(links, devices int) {
		t.Helper()
		for _, d := range w.Duties() {
			if d.Prune != nil {
				w.Must(d.Prune(t.Context()))
			}
		}
		if l, d := w.rows("own_links"), w.rows("own_devices"); l != links || d != devices {
			t.Errorf("%d links and %d devices, want %d and %d", l, d, links, devices)
		}
	}
	prune(2, 1)
	w.Clock.Advance(time.Hour + time.Second)
	prune(1, 1)
	w.Clock.Advance(30 * 24 * time.Hour)
	prune(1, 0)
	w.Clock.Advance(61 * 24 * time.Hour)
	prune(0, 0)
}
