package contact_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/audit"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/contact"
	"daybook/app/counter"
	"daybook/app/fault"
	"daybook/app/money"
	"daybook/app/right"
	"daybook/app/subjects"
)

// world is a salon that lets its staff see the customers whom they serve: Mia, whom ana serves, and Cy, whom bob does.
type world struct {
	*apptest.Salon
	mia, cy   booking.Booking
	ana, bob  app.Actor // staff
	manager   app.Actor
	mias, cys string // their contacts
}

func newWorld(t testing.TB, with func(*subjects.Config)) *world {
	t.Helper()
	w := &world{Salon: apptest.New(t, apptest.Options{With: with})}
	for i, slug := range []string{"cut-a", "cut-b"} {
		w.Offer(slug, 60, func(e *catalog.EventType) {
			e.Price = &money.Money{Amount: 4500, Currency: "EUR"}
			e.BookingWindowDays = 90
			e.MinimumNoticeMinutes, e.Hosts = 0, []catalog.HostRef{{ID: catalog.HostID(i + 1)}}
		})
	}
	w.mia, w.cy = w.Booked("cut-a", "1T09", "Mia"), w.Booked("cut-b", "1T09", "Cy")
	w.mias, w.cys = w.mia.ContactID.String(), w.cy.ContactID.String()
	member := app.Actor{Kind: booking.ByOwner, Workspace: w.Workspace.ID, User: 5, Role: app.StaffRole, Host: 1}
	w.ana = member
	member.User, member.Host = 6, 2
	w.bob = member
	w.manager = app.Actor{Kind: booking.ByOwner, Workspace: w.Workspace.ID, User: 7, Role: app.ManagerRole}
	_, err := w.Shop.UpdateWorkspace(t.Context(), w.Owner, func(x *catalog.Workspace) { x.Settings.StaffSeeCustomers = true })
	w.Must(err)
	return w
}

// changed changes what stands on the card of a contact.
func (w *world) changed(a app.Actor, ref string, in booking.ContactInput) (booking.Contact, error) {
	w.T.Helper()
	return w.People.ChangeContact(w.T.Context(), a, ref, func(c *booking.Contact) (booking.ContactInput, error) {
		in.Name, in.Email, in.Phone, in.TimeZone, in.Notes = c.Name, c.Email, c.Phone, c.TimeZone, c.Notes
		return in, nil
	})
}

func (w *world) noted(ref, text string) contact.Entry {
	w.T.Helper()
	e, err := w.People.AddEntry(w.T.Context(), w.Owner, ref, contact.EntryInput{Kind: contact.NoteEntry, Text: text})
	w.Must(err)
	return e
}

// entries are the texts of all entries, page by page of two.
func (w *world) entries(ref string) (texts []string) {
	w.T.Helper()
	two := 2
	for cursor := ""; ; {
		page, err := w.People.Entries(w.T.Context(), w.Owner, ref, &two, cursor)
		w.Must(err)
		for _, e := range page.Data {
			texts = append(texts, e.Text)
		}
		if !page.HasMore {
			return texts
		}
		cursor = *page.NextCursor
	}
}

// together runs do so many times at once, and counts how often it did, and how often it was refused for that reason.
func (w *world) together(n int, do func(ctx context.Context) error, reason string) (done, refused int) {
	w.T.Helper()
	var all sync.WaitGroup
	errs := make([]error, n)
	for i := range errs {
		all.Go(func() { errs[i] = do(w.T.Context()) })
	}
	all.Wait()
	for _, err := range errs {
		if err == nil {
			done++
		} else {
			w.Refused(err, fault.Conflict, reason)
			refused++
		}
	}
	return done, refused
}

func said(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// Tags, birthday and the way to tell are kept as they were written and compared without case and accents, told to those
// who may see cards and to nobody else, and stay where an input doesn't name them.
func TestTags(t *testing.T) {
	w := newWorld(t, nil)
	ctx := t.Context()
	c, err := w.changed(w.Owner, w.mias, booking.ContactInput{Tags: []string{" Vip", "Öl ", "vip", "blond"},
		Birthday: new("1990-05-03"), TellBy: new("text")})
	w.Must(err)
	want := `"tags":["blond","Öl","Vip"],"birthday":"1990-05-03","tellBy":"text"`
	if got := said(c); !strings.Contains(got, want) {
		t.Error(got)
	}
	c, err = w.changed(w.Owner, w.mias, booking.ContactInput{Birthday: new("--02-29")})
	w.Must(err)
	want = `"tags":["blond","Öl","Vip"],"birthday":"--02-29","tellBy":"text"`
	if got := said(c); !strings.Contains(got, want) {
		t.Error(got)
	}
	_, err = w.changed(w.Owner, w.cys, booking.ContactInput{Tags: []string{"VIP"}})
	w.Must(err)

	mail := w.mia.Invitee.Email
	same, created, err := w.People.CreateContact(ctx, w.Owner, booking.ContactInput{Email: mail, Tags: []string{"ignored"}})
	if w.Must(err); created || !strings.Contains(said(same), want) {
		t.Errorf("%v %s", created, said(same))
	}
	one, err := w.People.ContactByID(ctx, w.ana, w.mias)
	w.Must(err)
	list, err := w.People.Contacts(ctx, w.Owner, contact.Filter{}, nil, "")
	w.Must(err)
	with, err := w.People.ContactsWith(ctx, w.Owner, mail, "")
	w.Must(err)
	found, err := w.People.Lookup(ctx, w.Owner, "mia")
	w.Must(err)
	known, err := w.People.Known(ctx, w.ana, w.mias)
	w.Must(err)
	for what, v := range map[string]any{"one": one, "list": list, "with": with, "lookup": found, "known": known} {
		if got := said(v); !strings.Contains(got, want) {
			t.Errorf("%s: %s", what, got)
		}
	}

	blind := w.API // a full key without the area
	one, err = w.People.ContactByID(ctx, blind, w.mias)
	w.Must(err)
	list, err = w.People.Contacts(ctx, blind, contact.Filter{}, nil, "")
	w.Must(err)
	with, err = w.People.ContactsWith(ctx, blind, mail, "")
	w.Must(err)
	for what, v := range map[string]any{"one": one, "list": list, "with": with} {
		if got := said(v); strings.Contains(got, "tags") || strings.Contains(got, "02-29") || strings.Contains(got, "tellBy") {
			t.Errorf("%s is told to a key without the area: %s", what, got)
		}
	}
	_, _, err = w.People.CreateContact(ctx, blind, booking.ContactInput{Name: "New", Email: "new@x.example", TellBy: new("call")})
	w.Refused(err, fault.Forbidden, "area")
	_, err = w.People.Contacts(ctx, blind, contact.Filter{Tags: []string{"vip"}}, nil, "")
	w.Refused(err, fault.Forbidden, "area")

	names := func(f contact.Filter) (all []string) {
		t.Helper()
		page, err := w.People.Contacts(ctx, w.Owner, f, new(1), "")
		for w.Must(err); ; w.Must(err) {
			for i := range page.Data {
				all = append(all, page.Data[i].Name)
			}
			if !page.HasMore {
				return all
			}
			page, err = w.People.Contacts(ctx, w.Owner, f, new(1), *page.NextCursor)
		}
	}
	for _, x := range []struct {
		f    contact.Filter
		want string
	}{
		{contact.Filter{Tags: []string{"vip"}}, "[Cy Mia]"}, {contact.Filter{Tags: []string{"VIP", "OL"}}, "[Mia]"},
		{contact.Filter{Q: "cy", Tags: []string{"vip"}}, "[Cy]"}, {contact.Filter{Q: "cy", Tags: []string{"blond"}}, "[]"},
		{contact.Filter{Tags: []string{"vi"}}, "[]"},
	} {
		if got := fmt.Sprint(names(x.f)); got != x.want {
			t.Errorf("%+v finds %s, want %s", x.f, got, x.want)
		}
	}
	counts, err := w.People.Tags(ctx, w.manager)
	if w.Must(err); len(counts) != 3 || counts[0].Contacts != 2 || !strings.EqualFold(counts[0].Tag, "vip") || counts[1].Tag != "blond" {
		t.Errorf("%+v", counts)
	}
	_, err = w.People.Tags(ctx, blind)
	w.Refused(err, fault.Forbidden, "area")

	c, err = w.changed(w.Owner, w.mias, booking.ContactInput{Tags: []string{}, Birthday: new(""), TellBy: new("")})
	w.Must(err)
	if got := said(c); !strings.Contains(got, `"tags":[],"birthday":"","tellBy":""`) {
		t.Error(got)
	}
	many := make([]string, contact.MaxTags+1)
	for i := range many {
		many[i] = fmt.Sprint("t", i)
	}
	for _, x := range []struct {
		in    booking.ContactInput
		field string
	}{
		{booking.ContactInput{Tags: many}, "tags"}, {booking.ContactInput{Tags: []string{"a\nb"}}, "tags"},
		{booking.ContactInput{Tags: []string{""}}, "tags"}, {booking.ContactInput{Tags: []string{"a,b"}}, "tags"},
		{booking.ContactInput{Tags: []string{strings.Repeat("ä", 41)}}, "tags"}, {booking.ContactInput{Tags: []string{"\u0301"}}, "tags"},
		{booking.ContactInput{Birthday: new("1990-02-30")}, "birthday"}, {booking.ContactInput{Birthday: new("03.05.1990")}, "birthday"},
		{booking.ContactInput{Birthday: new("1899-12-31")}, "birthday"}, {booking.ContactInput{Birthday: new("--02-30")}, "birthday"},
		{booking.ContactInput{Birthday: new(w.Clock.Now().AddDate(0, 0, 2).Format(time.DateOnly))}, "birthday"},
		{booking.ContactInput{TellBy: new("pigeon")}, "tellBy"},
	} {
		_, err := w.changed(w.Owner, w.mias, x.in)
		if e := w.Refused(err, fault.BadRequest, "invalid"); e.Field != x.field {
			t.Errorf("%+v: %v at %s", x.in, err, e.Field)
		}
	}
	_, err = w.changed(w.Owner, w.mias, booking.ContactInput{Tags: append(many[:contact.MaxTags:contact.MaxTags], "T0")})
	w.Must(err) // one is there twice
}

// An entry is written once. A correction stands in its place with its kind, pin and booking, and the corrected one is
// still there behind it.
func TestEntries(t *testing.T) {
	w := newWorld(t, nil)
	ctx := t.Context()
	first := w.noted(w.mias, "first")
	formula, err := w.People.AddEntry(ctx, w.ana, w.mias, contact.EntryInput{Kind: contact.FormulaEntry, Text: " 6/0 + 6 % 30 min\n",
		Booking: w.mia.ID.String(), Pinned: true})
	w.Must(err)
	if formula.Text != "6/0 + 6 % 30 min" || formula.Author.By != w.ana.ID() || formula.CreatedAt == 0 || formula.Booking != w.mia.ID {
		t.Errorf("%+v", formula)
	}
	w.noted(w.mias, "third")
	if got := fmt.Sprint(w.entries(w.mias)); got != "[6/0 + 6 % 30 min third first]" {
		t.Error(got)
	}
	right, err := w.People.AddEntry(ctx, w.ana, w.mias, contact.EntryInput{Text: "6/0 + 9 %", Corrects: formula.ID.String()})
	w.Must(err)
	if right.Kind != contact.FormulaEntry || !right.Pinned || right.Booking != w.mia.ID || right.Corrects != formula.ID {
		t.Errorf("%+v", right)
	}
	_, err = w.People.AddEntry(ctx, w.Owner, w.mias, contact.EntryInput{Text: "6/0 + 12 %", Corrects: formula.ID.String()})
	w.Refused(err, fault.Conflict, "corrected")
	_, err = w.People.PinEntry(ctx, w.Owner, w.mias, formula.ID.String(), true)
	w.Refused(err, fault.Conflict, "corrected")
	_, err = w.People.PinEntry(ctx, w.ana, w.mias, first.ID.String(), true)
	w.Must(err)
	if got := fmt.Sprint(w.entries(w.mias)); got != "[6/0 + 9 % first third 6/0 + 6 % 30 min]" {
		t.Error(got)
	}
	page, err := w.People.Entries(ctx, w.ana, w.mias, nil, "")
	w.Must(err)
	if e := page.Data[3]; !e.Corrected || e.Pinned || e.Text != formula.Text {
		t.Errorf("%+v", e)
	}
	card, err := w.People.Card(ctx, w.ana, w.mias)
	if w.Must(err); card.Formula == nil || card.Formula.ID != right.ID {
		t.Errorf("%+v", card.Formula)
	}
	plain, err := w.People.AddEntry(ctx, w.Owner, w.mias, contact.EntryInput{Text: "x"})
	if w.Must(err); plain.Kind != contact.NoteEntry {
		t.Errorf("of no kind: %+v", plain)
	}
	w.Must(w.People.DeleteEntry(ctx, w.Owner, w.mias, plain.ID.String()))
	for _, x := range []struct {
		in    contact.EntryInput
		field string
	}{
		{contact.EntryInput{Kind: "note"}, "text"}, {contact.EntryInput{Kind: "note", Text: strings.Repeat("x", 4001)}, "text"},
		{contact.EntryInput{Kind: "note", Text: "a\x00"}, "text"},
		{contact.EntryInput{Kind: "health", Text: "x"}, "kind"},
		{contact.EntryInput{Kind: "note", Text: "x", Booking: w.cy.ID.String()}, "booking"},
		{contact.EntryInput{Kind: "note", Text: "x", Booking: "bk_no"}, "booking"},
	} {
		_, err := w.People.AddEntry(ctx, w.Owner, w.mias, x.in)
		if e := w.Refused(err, fault.BadRequest, "invalid"); e.Field != x.field {
			t.Errorf("%+v: %v", x.in, err)
		}
	}
	other := w.noted(w.cys, "of Cy")
	_, err = w.People.AddEntry(ctx, w.Owner, w.mias, contact.EntryInput{Text: "x", Corrects: other.ID.String()})
	w.Refused(err, fault.NotFound, "")

	w.Refused(w.People.DeleteEntry(ctx, w.ana, w.mias, right.ID.String()), fault.Forbidden, "role")
	w.Must(w.People.DeleteEntry(ctx, w.manager, w.mias, right.ID.String()))
	if got := fmt.Sprint(w.entries(w.mias)); got != "[first third]" {
		t.Errorf("with what it corrects: %s", got)
	}
	w.Refused(w.People.DeleteEntry(ctx, w.manager, w.mias, right.ID.String()), fault.NotFound, "")
	log, err := w.Audit.AuditLog(ctx, w.Owner, audit.ListInput{})
	w.Must(err)
	if got := said(log); !strings.Contains(got, `"action":"contact.entry_deleted","subject":"`+right.ID.String()) || strings.Contains(got, "6/0") {
		t.Error(got)
	}
}

// Authors have the names that they have now.
func TestAuthors(t *testing.T) {
	w := newWorld(t, nil)
	ctx := t.Context()
	key := w.Key("full")
	for _, row := range []string{
		fmt.Sprintf(`users (id, workspace_id, email_key, email, role, host_id, password_hash, created_ms) VALUES
			(5, %d, 'ana@x.example', 'ana@x.example', 'staff', 1, '', 0)`, w.Workspace.ID),
		fmt.Sprintf(`users (id, workspace_id, email_key, email, role, password_hash, created_ms) VALUES
			(7, %d, 'meg@x.example', 'Meg@x.example', 'manager', '', 0)`, w.Workspace.ID),
	} {
		w.Must(w.SQL(`INSERT INTO ` + row))
	}
	program := app.Actor{Kind: booking.ByAPI, Workspace: w.Workspace.ID, Key: key.ID, Areas: right.Contacts}
	for _, a := range []app.Actor{w.ana, w.manager, program, w.bob} {
		if a.User == w.bob.User {
			a.Host = 1
		}
		_, err := w.People.AddEntry(ctx, a, w.mias, contact.EntryInput{Kind: contact.NoteEntry, Text: "x"})
		w.Must(err)
	}
	page, err := w.People.Entries(ctx, w.Owner, w.mias, nil, "")
	w.Must(err)
	var names []string
	for _, e := range page.Data {
		names = append(names, e.Author.Name)
	}
	slices.Reverse(names)
	if want := []string{"ana", "Meg@x.example", key.Name, ""}; !slices.Equal(names, want) {
		t.Errorf("%q, want %q", names, want)
	}
}

// A customer has at most so many entries, however many are written at once.
func TestEntriesAreBounded(t *testing.T) {
	w := newWorld(t, nil)
	w.noted(w.mias, "first")
	w.Must(w.SQL(fmt.Sprintf(`INSERT INTO contact_entries (id, workspace_id, contact_id, kind, text, actor, actor_id)
		WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d)
		SELECT i, %d, %d, 'note', 'x', 'owner', '' FROM n`, contact.MaxEntries-5, w.Workspace.ID, w.mia.ContactID)))
	done, full := w.together(20, func(ctx context.Context) error {
		_, err := w.People.AddEntry(ctx, w.Owner, w.mias, contact.EntryInput{Kind: contact.NoteEntry, Text: "one more"})
		return err
	}, "too_many_entries")
	if done != 4 || full != 16 {
		t.Errorf("%d were written, %d refused", done, full)
	}
}

// The figures of a card are those of visits that took place.
func TestCard(t *testing.T) {
	w := newWorld(t, nil)
	ctx := t.Context()
	card, err := w.People.Card(ctx, w.Owner, w.mias)
	w.Must(err)
	if card.LastVisit != nil || card.NextVisit == nil || card.NextVisit.ID != w.mia.ID || card.UsualHost != 0 || card.EveryDays != 0 ||
		card.Formula != nil || card.Spent == nil || len(card.Spent) != 0 {
		t.Errorf("%+v", card)
	}
	var last booking.Booking
	for i, x := range []struct{ slug, at string }{{"cut-b", "1T11"}, {"cut-a", "3T09"}, {"cut-b", "8T09"}, {"cut-b", "18T09"}, {"cut-a", "20T09"}} {
		b := w.Booked(x.slug, x.at, "Mia")
		if i == 2 {
			_, err := w.Counter.Record(ctx, w.Owner, b.ID.String(), counter.Input{Amount: 1000, Method: "cash", Tip: 200, Currency: "EUR"})
			w.Must(err)
		}
		last = b
	}
	gone := w.Booked("cut-a", "19T09", "Mia")
	_, err = w.Cancel(ctx, w.Owner, gone.ID.String(), booking.CancelInput{})
	w.Must(err)
	w.Clock.Advance(18*24*time.Hour + 12*time.Hour)
	card, err = w.People.Card(ctx, w.ana, w.mias)
	w.Must(err)
	// Visits on the days 1 (two bookings), 3, 8 and 18: 2, 5 and 10 days lie between them.
	if card.LastVisit == nil || card.NextVisit == nil || card.NextVisit.ID != last.ID || card.UsualHost != 2 || card.EveryDays != 5 {
		t.Errorf("%+v", card)
	}
	if card.Spent != nil || card.LastVisit.Price != nil || card.LastVisit.ManageURL != "" || card.LastVisit.EventType != "cut-b" {
		t.Errorf("staff are told what isn't theirs: %v %+v", card.Spent, card.LastVisit)
	}
	card, err = w.People.Card(ctx, w.manager, w.mias)
	w.Must(err)
	if len(card.Spent) != 1 || card.Spent[0] != (money.Money{Amount: 1200, Currency: "EUR"}) {
		t.Errorf("%+v", card.Spent)
	}
	w.Clock.Advance(25 * 30 * 24 * time.Hour)
	card, err = w.People.Card(ctx, w.Owner, w.mias)
	w.Must(err)
	if card.UsualHost != 0 || card.UsualEventType != 0 || card.LastVisit == nil || card.LastVisit.ID != last.ID {
		t.Errorf("two years later: %+v", card)
	}
}

// What was spent is all that was received less what was given back, tips included, by currency, the largest sum first: for
// services that are over, to come and cancelled.
func TestSpent(t *testing.T) {
	w := newWorld(t, nil)
	ctx := t.Context()
	w.Offer("cut-ch", 60, func(e *catalog.EventType) {
		e.MinimumNoticeMinutes, e.BookingWindowDays, e.Price = 0, 90, &money.Money{Amount: 9000, Currency: "CHF"}
	})
	spent := func(want string) {
		t.Helper()
		card, err := w.People.Card(ctx, w.manager, w.mias)
		if w.Must(err); fmt.Sprint(card.Spent) != want {
			t.Errorf("%v, want %s", card.Spent, want)
		}
	}
	pay := func(b booking.Booking, amount, tip int64) booking.PaymentID {
		t.Helper()
		b, err := w.Counter.Record(ctx, w.Owner, b.ID.String(), counter.Input{Amount: amount, Tip: tip, Method: "cash"})
		w.Must(err)
		return b.Payments[len(b.Payments)-1].ID
	}
	ahead, abroad := w.Booked("cut-b", "3T09", "Mia"), w.Booked("cut-ch", "4T09", "Mia")
	pay(w.mia, 4500, 300)
	pay(w.cy, 4500, 0) // another customer's
	part := pay(ahead, 4000, 0)
	spent("[{8800 EUR}]")
	_, err := w.Counter.GiveBack(ctx, w.Owner, part.String(), new(int64(1500)))
	w.Must(err)
	pay(abroad, 9000, 100)
	spent("[{9100 CHF} {7300 EUR}]")
	_, err = w.Cancel(ctx, w.Owner, ahead.ID.String(), booking.CancelInput{})
	w.Must(err)
	spent("[{9100 CHF} {7300 EUR}]")
}

// Where two people, or two services, had as many visits, the usual one is that of the latest; how often somebody comes is made
// of the last five visits alone.
func TestUsualTiesAndLastVisits(t *testing.T) {
	w := newWorld(t, nil)
	// With the booking of day 1: 1, 30, 60, 62, 65, 69 and 74, of which the last five lie 2, 3, 4 and 5 days apart.
	for _, x := range []struct{ slug, at string }{{"cut-a", "30T09"}, {"cut-a", "60T09"}, {"cut-b", "62T09"}, {"cut-b", "65T09"}, {"cut-b", "69T09"}} {
		w.Booked(x.slug, x.at, "Mia")
	}
	usual := func(day, host, every int) {
		t.Helper()
		w.Clock.Set(apptest.Monday.AddDate(0, 0, day))
		card, err := w.People.Card(t.Context(), w.Owner, w.mias)
		w.Must(err)
		setup, err := w.Setup(w.Workspace.ID)
		w.Must(err)
		e := setup.EventTypeByID(card.UsualEventType)
		if card.UsualHost != catalog.HostID(host) || e == nil || e.Slug != []string{"", "cut-a", "cut-b"}[host] || card.EveryDays != every {
			t.Errorf("on day %d: %+v, want %d every %d days", day, card, host, every)
		}
	}
	usual(67, 1, 16) // three to two; 2, 3, 29 and 30 days
	usual(70, 2, 4)  // three each, and the second was there last; 30, 2, 3 and 4 days
	w.Booked("cut-a", "74T09", "Mia")
	usual(75, 1, 4) // four to three; 2, 3, 4 and 5 days
}

// A request that nobody has confirmed is no next visit, and two bookings of one day are one visit.
func TestVisitsOfACard(t *testing.T) {
	w := newWorld(t, nil)
	card := func(ref string) contact.Card {
		t.Helper()
		card, err := w.People.Card(t.Context(), w.Owner, ref)
		w.Must(err)
		return card
	}
	w.Offer("asked", 60, func(e *catalog.EventType) {
		e.BookingWindowDays, e.MinimumNoticeMinutes, e.RequiresApproval = 90, 0, true
	})
	asked := w.Booked("asked", "3T09", "Di")
	if got := card(asked.ContactID.String()); asked.Status != booking.Pending || got.NextVisit != nil {
		t.Errorf("%s: %+v", asked.Status, got.NextVisit)
	}
	w.Booked("cut-b", "1T11", "Mia")
	w.Booked("cut-b", "1T13", "Mia")
	w.Booked("cut-b", "1T15", "Mia")
	w.Booked("cut-a", "3T11", "Mia")
	w.Clock.Advance(36 * time.Hour)
	if got := card(w.mias); got.LastVisit == nil || got.UsualHost != 0 || got.UsualEventType != 0 || got.EveryDays != 0 {
		t.Errorf("after one day: %+v", got)
	}
	w.Clock.Advance(48 * time.Hour)
	// Twice with the first host on two days, three times with the second on one.
	if got := card(w.mias); got.UsualHost != 1 || got.UsualEventType != w.mia.EventTypeID || got.EveryDays != 2 {
		t.Errorf("after two days: %+v", got)
	}
}
