package waitlist_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/contact"
	"daybook/app/fault"
	"daybook/app/text"
	"daybook/app/waitlist"
)

const (
	mias  = "+4915112345678"
	leos  = "+4915112345679"
	house = "+4930901820" // a land line
)

// texting is a world whose business sends texts, and takes a telephone number alone for a cut.
func texting(t testing.TB) *world {
	t.Helper()
	w := opened(t)
	w.Alter("cut", func(e *catalog.EventType) { e.AsksFor = catalog.AskEither })
	w.textsGo()
	return w
}

func (w *world) textsGo() {
	w.T.Helper()
	w.Must(w.SQL(`UPDATE workspaces SET texts = 1, revision = revision + 1`))
	w.ForgetSetup(w.Workspace.ID)
}

// byNumber is the input of somebody with a telephone number alone, who ticks the box for texts if agreed says what that said.
func byNumber(eventType, person, number, agreed string) waitlist.Input {
	in := input(eventType, person)
	in.Invitee.Email, in.Invitee.Phone, in.Agreed = "", number, agreed
	return in
}

// asks puts somebody on the waitlist as a visitor does, and confirms returns the entry once its link has confirmed it.
func (w *world) asks(in waitlist.Input) waitlist.Entry {
	w.T.Helper()
	e, err := w.Waitlist.Join(w.T.Context(), w.visitor(), in)
	w.Must(err)
	return e
}

func (w *world) confirms(in waitlist.Input) waitlist.Entry {
	w.T.Helper()
	e := w.asks(in)
	w.Must(w.Waitlist.Confirm(w.T.Context(), w.token(e)))
	return w.entry(e)
}

// texts are the texts that were queued, the first first, as "waits +49… waiting".
func (w *world) texts() (all []string) {
	w.T.Helper()
	page, err := w.Text.Texts(w.T.Context(), w.Owner, text.ListInput{})
	w.Must(err)
	for _, x := range page.Data {
		all = append(all, string(x.Facts.Mail)+" "+x.To+" "+string(x.State))
	}
	slices.Reverse(all)
	return all
}

// calls are whom the business is to call, and why.
func (w *world) calls() (all []string) {
	w.T.Helper()
	calls, err := w.Text.Calls(w.T.Context(), w.Owner)
	w.Must(err)
	for i := range calls {
		all = append(all, calls[i].Name+" "+calls[i].Phone+" "+string(calls[i].Reason()))
	}
	return all
}

func (w *world) want(what string, got []string, want ...string) {
	w.T.Helper()
	if !slices.Equal(got, want) {
		w.T.Errorf("%s: %q, want %q", what, got, want)
	}
}

// A visitor waits by a mobile number alone where a text may go to it and no service asks for an address; the link is texted. The
// business may put anybody on the list by their number.
func TestJoinsByANumberAlone(t *testing.T) {
	w := opened(t)
	ctx := t.Context()
	refused := func(what string, a app.Actor, in waitlist.Input) {
		t.Helper()
		_, err := w.Waitlist.Join(ctx, a, in)
		if e := fault.As(err); e == nil || e.Code != fault.BadRequest || e.Field != "invitee.email" {
			t.Errorf("%s: %v", what, err)
		}
	}
	refused("the service asks for an address", w.visitor(), byNumber("cut", "mia", mias, ""))
	w.Alter("cut", func(e *catalog.EventType) { e.AsksFor = catalog.AskEither })
	refused("no texts go", w.visitor(), byNumber("cut", "mia", mias, ""))
	refused("no texts go, by the business", w.Owner, byNumber("cut", "mia", mias, ""))
	w.textsGo()
	refused("a land line", w.visitor(), byNumber("cut", "mia", house, ""))
	refused("another country", w.visitor(), byNumber("cut", "mia", "+447911123456", ""))
	both := byNumber("cut", "mia", mias, "")
	both.Items = append(both.Items, waitlist.Item{EventType: "wash"})
	refused("a service of the visit asks for an address", w.visitor(), both)
	if e := w.waits(byNumber("wash", "zoe", house, "")); e.Status != waitlist.Waiting {
		t.Errorf("by the business: %v", e.Status)
	}
	w.want("texts so far", w.texts())

	w.Must(w.Write(ctx, func(tx app.Tx) error { return w.Text.Stop(tx, w.Workspace.ID, leos) }))
	_, err := w.Waitlist.Join(ctx, w.visitor(), byNumber("cut", "leo", leos, ""))
	w.Refused(err, fault.Conflict, "no_text")
	e := w.asks(byNumber("cut", "mia", "0151 12345678", ""))
	if e.Status != waitlist.Unconfirmed || e.Invitee.Phone != mias {
		t.Fatalf("%+v", e)
	}
	w.want("texts", w.texts(), "waits "+mias+" waiting")
	if n := len(w.mails(catalog.MailWaits)); n != 0 {
		t.Errorf("%d mails", n)
	}
	w.asks(byNumber("cut", "mia", mias, ""))
	w.asks(byNumber("cut", "mia", mias, ""))
	_, err = w.Waitlist.Join(ctx, w.visitor(), byNumber("cut", "mia", mias, ""))
	w.Refused(err, fault.RateLimited, "too_many_mails")
	w.Must(w.Waitlist.Confirm(ctx, w.token(e)))
	if now := w.entry(e); now.Status != waitlist.Waiting || now.Contact != 0 {
		t.Errorf("confirmed: %v of %v", now.Status, now.Contact)
	}
	for range 2 {
		w.waits(byNumber("cut", "mia", mias, ""))
	}
	_, err = w.Waitlist.Join(ctx, w.Owner, byNumber("cut", "mia", mias, ""))
	w.Refused(err, fault.Conflict, "too_many_waiting")

	w.Must(w.SQL(fmt.Sprintf(`UPDATE texts SET begun_ms = %d, settled_ms = 1, state = 1`, whenAt(w.Clock.Now()))))
	w.Must(w.SQL(`DELETE FROM waitlist_entries WHERE state = 0`))
	_, err = w.Waitlist.Join(ctx, w.visitor(), byNumber("cut", "mia", mias, ""))
	w.Refused(err, fault.Conflict, "no_text") // the number had three texts today
}

// Who has ticked the box when they asked is a contact once the link has confirmed it, and is offered what comes free by text. Who
// hasn't is to be called.
func TestOffersToANumberAlone(t *testing.T) {
	w := texting(t)
	ctx := t.Context()
	asked := w.asks(byNumber("cut", "mia", mias, "Send me texts."))
	if page, err := w.People.Contacts(ctx, w.Owner, contact.Filter{}, nil, ""); err != nil || len(page.Data) != 0 {
		t.Fatalf("a contact before the link confirmed it: %v, %v", page.Data, err)
	}
	w.Must(w.Waitlist.Confirm(ctx, w.token(asked)))
	w.Must(w.Waitlist.Confirm(ctx, w.token(asked)))
	mia := w.entry(asked)
	c, err := w.People.ContactByID(ctx, w.Owner, mia.Contact.String())
	w.Must(err)
	if c.Phone != mias || c.Name != "mia" || c.Texts.State != booking.TextsYes || c.Texts.Wording != "Send me texts." || c.Texts.By != booking.ByInvitee {
		t.Errorf("%+v with %+v", c, c.Texts)
	}
	w.Clock.Advance(time.Minute)
	leo := w.confirms(byNumber("cut", "leo", leos, ""))
	w.carries()
	b := w.frees("cut", "1T09", w.ana())
	w.carries()
	if o := w.offered(mia); o == nil || o.Start != b.Start {
		t.Fatalf("offered %+v", o)
	}
	w.want("texts", w.texts(), "waits "+mias+" waiting", "waits "+leos+" waiting", "offer "+mias+" waiting")
	w.want("calls", w.calls())
	w.Must(w.Waitlist.Refuse(ctx, w.token(mia)))
	w.carries()
	if w.offered(leo) == nil {
		t.Fatal("the next isn't asked")
	}
	w.want("calls", w.calls(), "leo "+leos+" consent")
	taken, err := w.Waitlist.Take(ctx, w.token(leo), waitlist.TakeInput{})
	w.Must(err)
	if k := taken.Booking; k.Start != b.Start || k.Invitee.Phone != leos || k.Invitee.Email != "" || k.Status != booking.Confirmed {
		t.Errorf("booked %+v", k)
	}
	if n := len(w.mails(catalog.MailOffer)); n != 0 {
		t.Errorf("%d mails", n)
	}
	in := byNumber("cut", "mia", mias, "")
	k, err := w.Book(ctx, w.visitor(), booking.BookInput{EventType: "cut", Start: day(2) + "T09:00:00Z", Invitee: in.Invitee})
	w.Must(err)
	w.carries()
	if now := w.entry(mia); now.EndedBy != waitlist.ByElsewhere || k.ContactID != mia.Contact {
		t.Errorf("who has booked it is %v, by %v", now.Status, now.EndedBy)
	}
}

// A time that the business takes back after all is told by text, too.
func TestAnOfferByTextIsTakenBack(t *testing.T) {
	w := texting(t)
	mia := w.confirms(byNumber("cut", "mia", mias, "Send me texts."))
	w.carries()
	w.frees("cut", "1T09", w.ana())
	w.carries()
	if w.offered(mia) == nil {
		t.Fatal("nothing is offered")
	}
	freed, err := w.Waitlist.FreedTimes(t.Context(), w.Owner)
	w.Must(err)
	w.Must(w.Waitlist.OpenFreed(t.Context(), w.Owner, freed[0].ID.String()))
	w.want("texts", w.texts(), "waits "+mias+" waiting", "offer "+mias+" waiting", "offer_over "+mias+" waiting")
}

// What would be texted in quiet time, after the offer has ended, is for somebody to call.
func TestOffersInQuietTimeAreCalled(t *testing.T) {
	w := texting(t)
	_, err := w.Shop.UpdateWorkspace(t.Context(), w.Owner, func(v *catalog.Workspace) {
		v.Settings.Texts = &catalog.TextSettings{QuietFrom: "08:00", QuietTo: "20:00"}
	})
	w.Must(err)
	mia := w.confirms(byNumber("cut", "mia", mias, "Send me texts."))
	w.carries()
	w.frees("cut", "1T09", w.ana())
	w.carries()
	if w.offered(mia) == nil {
		t.Fatal("nothing is offered")
	}
	w.want("texts", w.texts(), "waits "+mias+" waiting")
	w.want("calls", w.calls(), "mia "+mias+" night")
}

// Whom nothing reaches is passed over: those with an address where no mails go, those with a number alone where no texts do.
func TestOnlyWhoIsReachedIsOffered(t *testing.T) {
	for _, texts := range []bool{true, false} {
		w := texting(t)
		mia := w.waits(byNumber("cut", "mia", mias, ""))
		w.Clock.Advance(time.Minute)
		bo := w.waits(input("cut", "bo"))
		gets := bo
		if texts {
			w.Mail.ShareMailServer(nil)
			gets = mia
		} else {
			w.Must(w.SQL(`UPDATE workspaces SET texts = 0, revision = revision + 1`))
			w.ForgetSetup(w.Workspace.ID)
		}
		w.carries()
		b := w.frees("cut", "1T09", w.ana())
		w.carries()
		for _, e := range []waitlist.Entry{mia, bo} {
			if offered := w.offered(e) != nil; offered != (e.ID == gets.ID) {
				t.Errorf("texts go %v: %s is offered it: %v", texts, e.Invitee.Name, offered)
			}
			if e.ID != gets.ID {
				_, err := w.Waitlist.OfferEntry(t.Context(), w.Owner, e.ID.String(), waitlist.OfferTime{Start: b.Start.String()})
				w.Refused(err, fault.Conflict, "page_only")
			}
		}
	}
}

// Who takes an offer of a service that asks for an address gives it then.
func TestTakingByANumberAlone(t *testing.T) {
	w := texting(t)
	ctx := t.Context()
	e := w.waits(byNumber("wash", "mia", mias, ""))
	w.carries()
	w.frees("wash", "1T09", w.ana())
	w.carries()
	_, err := w.Waitlist.Take(ctx, w.token(e), waitlist.TakeInput{})
	if wrong := w.Refused(err, fault.BadRequest, "contact_missing"); wrong.Field != "invitee.email" || len(wrong.Others) != 0 {
		t.Errorf("refused for %+v", wrong)
	}
	taken, err := w.Waitlist.Take(ctx, w.token(e), waitlist.TakeInput{Email: "mia@mail.example", Phone: leos})
	w.Must(err)
	if p := taken.Booking.Invitee; p.Email != "mia@mail.example" || p.Phone != mias {
		t.Errorf("booked by %+v", p)
	}
}

// Entries by a number alone go with the contact who has it when that is erased, stay through a merge, and stand in the file about
// one person; those of another contact with the number are left.
func TestNumbersOfContacts(t *testing.T) {
	w := texting(t)
	ctx := t.Context()
	known := func(name, phone string) booking.Contact {
		c, _, err := w.People.CreateContact(ctx, w.Owner, booking.ContactInput{Name: name, Email: name + "@mail.example", Phone: phone})
		w.Must(err)
		return c
	}
	mia, cem := known("mia", mias), known("cem", "")
	counts := w.confirms(byNumber("cut", "mia", mias, ""))
	if counts.Contact != mia.ID {
		t.Fatalf("the entry is of %v", counts.Contact)
	}
	asked := w.asks(byNumber("cut", "mia", mias, ""))
	var file bytes.Buffer
	w.Must(w.Privacy.ExportPerson(ctx, w.Owner, mia.ID.String(), &file))
	for _, e := range []waitlist.Entry{counts, asked} {
		if !strings.Contains(file.String(), e.ID.String()) {
			t.Errorf("the file lacks %v:\n%s", e.Status, file.String())
		}
	}
	other := known("ola", mias)
	w.Must(w.People.DeleteContact(ctx, w.Owner, other.ID.String()))
	var n int
	w.Must(w.rows().QueryRow(`SELECT COUNT(*) FROM waitlist_entries`).Scan(&n))
	if n != 1 { // which is nobody's yet goes
		t.Errorf("%d entries are left of one person and another with the number", n)
	}
	late := w.asks(byNumber("cut", "mia", mias, ""))
	_, err := w.People.MergeContacts(ctx, w.Owner, mia.ID.String(), cem.ID.String())
	w.Must(err)
	for _, e := range []waitlist.Entry{counts, late} {
		if now := w.entry(e); now.Contact != cem.ID {
			t.Errorf("merged: %v of %v", now.Status, now.Contact)
		}
	}
	w.carries()
	w.frees("cut", "1T09", w.ana())
	w.carries()
	w.want("calls", w.calls(), "mia "+mias+" consent")
	w.Must(w.People.DeleteContact(ctx, w.Owner, cem.ID.String()))
	for table, left := range map[string]int{"waitlist_entries": 0, "texts": 0, "text_calls": 0} {
		w.Must(w.rows().QueryRow(`SELECT COUNT(*) FROM ` + table).Scan(&n))
		if n != left {
			t.Errorf("%d rows of %s are left", n, table)
		}
	}
}
