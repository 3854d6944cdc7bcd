package privacy_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path"
	"strings"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/account"
	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/contact"
	"daybook/app/guest"
	"daybook/app/mail"
	"daybook/app/mail/smtp"
	"daybook/app/money"
	"daybook/app/own"
	"daybook/app/rest"
	"daybook/app/right"
	"daybook/app/subjects"
	"daybook/app/vault"
	"daybook/app/waitlist"
	"daybook/app/webhook"
	"daybook/store/enginetest"
)

// The markers stand in everything that the person is known by, and in everything that anybody writes of them.
const (
	marker = "zanzibarina"
	number = "30901820777" // of the person's phone
)

// person is one whose markers are put everywhere, by the doors that take them.
type person struct {
	*world
	door    http.Handler
	key     account.NewKey
	calls   int
	contact string
	first   booking.Booking
	sealed  []string // of consents and health, as the database has them
}

func newPerson(t *testing.T) *person {
	t.Helper()
	w := &world{Salon: apptest.New(t, apptest.Options{With: func(c *subjects.Config) {
		var err error
		if c.Vault, err = vault.NewVault(make([]byte, 32)); err != nil {
			t.Fatal(err)
		}
		c.Webhook = webhook.Config{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}
	}})}
	w.Offer("cut", 60, func(e *catalog.EventType) {
		e.MinimumNoticeMinutes = 0
		e.Price = &money.Money{Amount: 4500, Currency: "EUR"}
		e.Questions = []catalog.Question{{Key: "wish", Label: "Wish", Type: "text"}}
		e.Where = &catalog.Where{Kind: catalog.Video}
		e.Seats = 3
	})
	room, err := w.Shop.AddResource(t.Context(), w.Owner, catalog.Resource{Name: "Room"})
	w.Must(err)
	for _, slug := range []string{"wash", "dye"} {
		w.Offer(slug, 30, func(e *catalog.EventType) {
			e.MinimumNoticeMinutes = 0
			e.Needs = []catalog.Need{{OneOf: []catalog.ResourceID{room.ID}, During: catalog.DuringAll}}
			if slug == "dye" {
				e.DurationMinutes, e.Parts = 60, []catalog.Part{{Work: 20}, {Wait: 20}, {Work: 20}}
			}
		})
	}
	_, err = w.Shop.SetContactFields(t.Context(), w.Owner, []catalog.ContactField{
		{Key: "dog", Label: "Dog", Type: catalog.TextField, OnForm: catalog.Asked}}, nil)
	w.Must(err)
	err = w.Shop.SetConsents(t.Context(), w.Owner, []catalog.ConsentKind{{Key: "health", Name: "Health", Wording: "Allergies are kept.", Health: true}})
	w.Must(err)
	p := &person{world: w}
	p.key, err = w.Account.CreateKey(t.Context(), w.Owner, account.KeyInput{Name: "card", Scope: account.FullScope, Areas: right.Contacts})
	w.Must(err)
	p.door = rest.New(w.Set, rest.Options{Version: "test"})
	_, err = w.Webhook.CreateEndpoint(t.Context(), w.Owner, webhook.EndpointInput{URL: "http://127.0.0.1:1/hook",
		Events: []string{"*"}})
	w.Must(err)
	return p
}

// call sends a request to the API, with a key of its own that its answer is kept under, and reads the answer into to.
func (p *person) call(method, path, body string, to any) {
	p.T.Helper()
	r := httptest.NewRequest(method, "/api/v1/"+path, strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer "+p.key.Value)
	r.Header.Set("Content-Type", "application/json")
	if p.calls++; method == http.MethodPost {
		r.Header.Set("Idempotency-Key", fmt.Sprint("call-", p.calls))
	}
	answer := httptest.NewRecorder()
	p.door.ServeHTTP(answer, r)
	text, err := io.ReadAll(answer.Body)
	p.Must(err)
	if answer.Code >= 300 {
		p.T.Fatalf("%s %s: %d %s", method, path, answer.Code, text)
	}
	if to != nil {
		p.Must(json.Unmarshal(text, to))
	}
}

// comes books, pays, moves, complains and cancels; and everybody is told.
func (p *person) comes() {
	p.T.Helper()
	ctx := p.T.Context()
	p.call("POST", "contacts", `{"name":"Zanzibarina Quux","email":"Zanzibarina@mail.example","phone":"+49 `+number+`",
		"timeZone":"Europe/Berlin","notes":"Zanzibarina likes tea"}`, nil)
	var b struct {
		ID       string
		Payments []struct{ ID string }
	}
	p.call("POST", "bookings", `{"eventType":"cut","start":"`+apptest.At("1T09")+`","seats":2,
		"invitee":{"name":"Zanzibarina Quux","email":"zanzibarina@mail.example","phone":"+49 `+number+`"},
		"notes":"Zanzibarina wants tea","contactFields":{"dog":"Zanzibarina's Rex"},"answers":{"wish":"a Zanzibarina"},"metadata":{"crm":"zanzibarina-1"},
		"participants":["Tom Zanzibarina","Zanzibarina Quux"]}`, &b)
	p.call("PATCH", "bookings/"+b.ID, `{"internalNote":"Zanzibarina pays late","notes":"Zanzibarina wants coffee"}`, nil)
	p.call("POST", "bookings/"+b.ID+"/reschedule", `{"start":"`+apptest.At("2T09")+`","reason":"Zanzibarina asked"}`, nil)
	p.call("POST", "bookings/"+b.ID+"/payments", `{"amount":4500,"method":"cash","tip":100,"note":"Zanzibarina's sister"}`, &b)
	var receipt struct{ ID string }
	p.call("POST", "bookings/"+b.ID+"/receipt", ``, &receipt)
	p.Must(p.Counter.MailReceipt(ctx, p.Owner, receipt.ID, "zanzibarina.office@mail.example"))
	p.call("POST", "invitations", `{"eventType":"cut","email":"zanzibarina@mail.example"}`, nil)
	var second struct{ ID string }
	p.call("POST", "bookings", `{"eventType":"cut","start":"`+apptest.At("3T09")+`",
		"invitee":{"name":"Z. Quux","email":"ZANZIBARINA@mail.example"}}`, &second)
	p.call("POST", "bookings/"+second.ID+"/cancel", `{"reason":"Zanzibarina is ill"}`, nil)
	var visit struct{ ID string }
	p.call("POST", "holds", `{"items":[{"eventType":"wash"},{"eventType":"dye"}],"start":"`+apptest.At("3T11")+`"}`, &visit)
	p.call("POST", "visits", `{"items":[{"eventType":"wash"},{"eventType":"dye"}],"start":"`+apptest.At("3T11")+`","hold":"`+visit.ID+`",
		"invitee":{"name":"Zanzibarina Quux","email":"zanzibarina@mail.example"},"notes":"Zanzibarina wants both"}`, &visit)
	p.call("POST", "visits/"+visit.ID+"/reschedule", `{"start":"`+apptest.At("3T13")+`","reason":"Zanzibarina asked again"}`, nil)
	p.call("POST", "visits/"+visit.ID+"/cancel", `{"reason":"Zanzibarina is ill again"}`, nil)
	_, err := p.People.ImportContacts(ctx, p.Owner, contact.ImportInput{File: []byte(
		"Client ID,Name,E-mail,Notes\nZanzibarina-7,Zanzibarina Quux,zanzibarina@mail.example,Zanzibarina is new\n")})
	p.Must(err)
	_, err = p.Mail.WriteMails(ctx, 1000)
	p.Must(err)
	p.Clock.Advance(time.Hour) // what waits is due
	p.told()
	p.Must(p.Counter.MailReceipt(ctx, p.Owner, receipt.ID, "zanzibarina.home@mail.example")) // this one waits
	p.Mail.ShareMailServer(&smtp.Server{Host: "mail.example", Port: 587})
	setup, err := p.Setup(p.Workspace.ID)
	p.Must(err)
	_, err = p.Guest.Ask(ctx, setup, guest.Asked{From: netip.MustParseAddr("198.51.100.1"), BookInput: booking.BookInput{
		EventType: "cut", Start: apptest.At("4T09"), Notes: "Zanzibarina's assistant asks",
		Invitee: booking.Invitee{Name: "Zanzibarina Quux", Email: "zanzibarina@mail.example"}}})
	p.Must(err)
	page, err := p.People.Contacts(ctx, p.Owner, contact.Filter{Q: "zanzibarina"}, nil, "")
	p.Must(err)
	p.contact = page.Data[0].ID.String()
	p.first, err = p.Booking(ctx, p.Owner, b.ID)
	p.Must(err)
	p.card()
	p.page(setup)
	p.waits()
	p.outside(p.first.ID)
}

// card writes on the person's card.
func (p *person) card() {
	p.T.Helper()
	ctx := p.T.Context()
	_, err := p.People.ChangeContact(ctx, p.Owner, p.contact, func(c *booking.Contact) (booking.ContactInput, error) {
		return booking.ContactInput{Name: c.Name, Email: c.Email, Phone: c.Phone, TimeZone: c.TimeZone, Notes: c.Notes,
			Tags: []string{"Friend of Zanzibarina"}, Fields: map[string]any{"dog": "Zanzibarina's Bello"}, Birthday: new("1990-05-03"), TellBy: new("call")}, nil
	})
	p.Must(err)
	e, err := p.People.AddEntry(ctx, p.Owner, p.contact, contact.EntryInput{Kind: contact.FormulaEntry, Text: "Zanzibarina: 6/0 + 6 %",
		Booking: p.first.ID.String()})
	p.Must(err)
	_, err = p.People.AddEntry(ctx, p.Owner, p.contact, contact.EntryInput{Text: "Zanzibarina: 6/0 + 9 %", Corrects: e.ID.String()})
	p.Must(err)
	paper, err := p.People.ReadFile(ctx, p.Owner, []byte("%PDF-1.7 signed by Zanzibarina"))
	p.Must(err)
	p.call("POST", "contacts/"+p.contact+"/consents", `{"kind":"health","signer":"Zanzibarina Sealed"}`, nil)
	p.call("POST", "contacts/"+p.contact+"/health", `{"kind":"allergy","text":"Zanzibarina itches"}`, nil)
	_, err = p.People.RecordConsent(ctx, p.Owner, p.contact, contact.ConsentInput{Kind: "health", Signer: "Zanzibarina", Signature: "10,20 12,24"})
	p.Must(err)
	for _, table := range enginetest.Tables(p.T, p.raw()) {
		p.each(table, func(column string, _ int, value string) {
			if table == "contact_consents" && column == "sealed" || table == "contact_health" && column == "sealed" {
				p.sealed = append(p.sealed, value)
			}
			if low := strings.ToLower(value); strings.Contains(low, marker+" itches") || strings.Contains(low, marker+" sealed") {
				p.T.Errorf("%s.%s has what is to be sealed: %s", table, column, value)
			}
		})
	}
	for range 3 {
		_, err = p.People.AddFile(ctx, p.Owner, p.contact, contact.FileInput{Name: "zanzibarina.pdf", Booking: p.first.ID.String()}, paper)
		p.Must(err)
	}
}

// page opens the person's own page by a link, and asks for another one.
func (p *person) page(setup *catalog.Setup) {
	p.T.Helper()
	ctx := p.T.Context()
	p.Must(p.Own.Ask(ctx, setup, own.Asked{Address: "zanzibarina@mail.example"}))
	page, err := p.Mail.Mails(ctx, p.Owner, mail.ListInput{})
	p.Must(err)
	_, err = p.Own.Open(ctx, setup, path.Base(page.Data[0].Facts.Own.Path(setup)))
	p.Must(err)
	p.Must(p.Own.Ask(ctx, setup, own.Asked{Address: "zanzibarina@mail.example"}))
}

// waits puts the person on the waitlist, twice: by the business, and by a page that nobody has answered to.
func (p *person) waits() {
	p.T.Helper()
	in := waitlist.Input{Items: []waitlist.Item{{EventType: "cut"}}, Wishes: []waitlist.Wish{{From: "2026-12-01", To: "2026-12-04"}},
		Invitee: booking.Invitee{Name: "Zanzibarina Quux", Email: "Zanzibarina@mail.example"}}
	for _, a := range []app.Actor{p.Owner, {Kind: booking.ByInvitee, Workspace: p.Workspace.ID}} {
		_, err := p.Waitlist.Join(p.T.Context(), a, in)
		p.Must(err)
	}
}

// rows counts those of a table.
func (p *person) rows(table string) (n int) {
	p.T.Helper()
	p.Must(p.raw().QueryRow(`SELECT COUNT(*) FROM ` + table).Scan(&n))
	return n
}

// told settles mails and webhooks with answers that repeat what was sent.
func (p *person) told() {
	p.T.Helper()
	ctx := p.T.Context()
	mails, err := p.Mail.ClaimMails(ctx, p.Workspace.ID, time.Minute, 5)
	p.Must(err)
	if len(mails) == 0 {
		p.T.Fatal("no mail is due")
	}
	for i := range mails {
		p.Must(p.Mail.SettleMail(ctx, mail.Outcome{ID: mails[i].ID, Lease: mails[i].Lease, State: mail.Failed,
			Answer: "550 no zanzibarina here"}))
	}
	endpoints, err := p.Webhook.Endpoints(ctx, p.Owner)
	p.Must(err)
	batches, err := p.Webhook.ClaimDeliveries(ctx, []webhook.Claim{{Lane: endpoints[0].ID, Limit: 3}}, time.Minute)
	p.Must(err)
	var outcomes []webhook.Outcome
	for _, b := range batches {
		for _, d := range b.Deliveries {
			outcomes = append(outcomes, webhook.Outcome{ID: d.ID, Workspace: d.Workspace, Endpoint: b.Endpoint,
				Lease: d.Lease, State: webhook.DeliveryFailed, Status: 422, Error: "HTTP 422", Response: []byte(`zanzibarina is unknown`)})
		}
	}
	if len(outcomes) == 0 {
		p.T.Fatal("no delivery is due")
	}
	p.Must(p.Webhook.SettleDeliveries(ctx, outcomes))
}

// outside is what Stripe and other calendars have answered, and who unsubscribed.
func (p *person) outside(b booking.BookingID) {
	p.T.Helper()
	ws, id, host := p.Workspace.ID, int64(b), 1
	for _, row := range []string{
		fmt.Sprintf(`mail_refusals VALUES (%d, 'zanzibarina@mail.example', 'reminders', 0)`, ws),
		fmt.Sprintf(`texts (id, workspace_id, contact_id, kind, phone, facts, visitor, due_ms, until_ms, answer) SELECT 1, %d, contact_id, 'confirmed', '+'
			|| '%s', '{"email":"zanzibarina@mail.example"}', 0, 0, 0, 'zanzibarina has no phone' FROM bookings WHERE id = %d`, ws, number, id),
		fmt.Sprintf(`text_messages (id, workspace_id, contact_id, phone, message) SELECT 1, %d, contact_id, '+' || '%s', 'It is Zanzibarina' FROM bookings
			WHERE id = %d`, ws, number, id),
		fmt.Sprintf(`text_calls (id, workspace_id, contact_id, kind, phone, name, start_ms, why) SELECT 1, %d, contact_id, 'moved', '+' || '%s', 'Zanzibarina',
			0, '' FROM bookings WHERE id = %d`, ws, number, id),
		fmt.Sprintf(`text_numbers (workspace_id, phone) SELECT %d, c.phone FROM bookings b JOIN contacts c ON c.id = b.contact_id WHERE b.id = %d`, ws, id),
		fmt.Sprintf(`contact_texts (workspace_id, contact_id, phone, state, at_ms, actor, actor_id, wording) SELECT %d, contact_id, '+' || '%s', 1, 0, '', '',
			'Zanzibarina agrees' FROM bookings WHERE id = %d`, ws, number, id),
		fmt.Sprintf(`checkouts (id, workspace_id, booking_id, state, request, session, url, created_ms) VALUES (1, %d, %d, 3,
			'{"email":"zanzibarina@mail.example"}', 'cs_1', 'https://pay.example/zanzibarina', 0)`, ws, id),
		fmt.Sprintf(`payments (id, workspace_id, booking_id, kind, attempt, status, amount, currency, error, intent, created_ms)
			VALUES (1, %d, %d, 0, 1, 2, 1, 'EUR', 'the card of Zanzibarina is lost', 'pi_1', 0)`, ws, id),
		fmt.Sprintf(`payment_jobs (id, workspace_id, booking_id, action, state, due_ms, error, created_ms) VALUES (1, %d, %d,
			0, 1, 0, 'the card of Zanzibarina is lost', 0)`, ws, id),
		fmt.Sprintf(`payment_cards (workspace_id, booking_id, amount, currency, wording, customer, source)
			VALUES (%d, %d, 1, 'EUR', '', 'cus_zanzibarina', 'pm_zanzibarina')`, ws, id),
		fmt.Sprintf(`calendar_connections (id, workspace_id, host_id, kind, name, address, account, secret, from_file, state,
			due_ms, created_ms) VALUES (1, %d, %d, 'caldav', 'Work', '', '', '', 0, 'ok', 0, 0)`, ws, host),
		fmt.Sprintf(`calendars (id, workspace_id, connection_id, remote, name, read_only, blocks, target, details, position)
			VALUES (1, %d, 1, '/', '', 0, 1, 1, 0, '')`, ws),
		fmt.Sprintf(`calendar_copies (booking_id, calendar_id, workspace_id, uid, item, etag, remove, problem, wish)
			VALUES (%d, 1, %d, 'uid', '/1.ics', '', 0, 'zanzibarina is no summary', 'moved')`, id, ws),
	} {
		p.Must(p.SQL(`INSERT INTO ` + row))
	}
}

// places are the columns that have a marker.
func (p *person) places() map[string]int {
	p.T.Helper()
	found := map[string]int{}
	for _, table := range enginetest.Tables(p.T, p.raw()) {
		p.each(table, func(column string, _ int, value string) {
			if low := strings.ToLower(value); strings.Contains(low, marker) || strings.Contains(low, number) {
				found[table+"."+column]++
			}
		})
	}
	return found
}

// marked are the places that the doors put markers in. A new one belongs here, and into store/erase.go.
var marked = []string{"answers.body", "booking_history.reason", "bookings.details", "bookings.email",
	"bookings.internal_note", "booking_fields.value", "bookings.counter", "bookings.name", "calendar_copies.problem", "checkouts.request",
	"checkouts.url", "contact_entries.text", "contact_fields.value", "contact_file_parts.data",
	"contact_files.name", "contact_tags.tag", "contact_tags.tag_key", "contact_terms.term", "contacts.email", "contacts.email_key", "contacts.name", "contacts.notes",
	"contacts.foreign_id", "contacts.phone", "deliveries.response", "events.body", "guest_requests.email_key", "guest_requests.input", "import_contacts.changes", "invitation_links.email",
	"invitation_links.email_key", "mail_refusals.email_key", "mails.answer", "mails.facts", "mails.recipient",
	"texts.answer", "texts.facts", "texts.phone", "text_messages.message", "text_messages.phone", "text_calls.name", "text_calls.phone", "text_numbers.phone",
	"contact_texts.phone", "contact_texts.wording",
	"waitlist_entries.details", "waitlist_entries.email_key", "payment_cards.customer", "payment_cards.source", "payment_jobs.error", "payments.error", "receipts.customer"}

func (p *person) isEverywhere() {
	p.T.Helper()
	found := p.places()
	for _, place := range marked {
		if found[place] == 0 {
			p.T.Errorf("%s has no marker: the test doesn't reach it", place)
		}
		delete(found, place)
	}
	if len(found) > 0 {
		p.T.Errorf("markers stand in other places, too: %v", found)
	}
}

func (p *person) isNowhere() {
	p.T.Helper()
	if found := p.places(); len(found) > 0 {
		p.T.Errorf("the person is still named in %v", found)
	}
	for _, table := range []string{"contact_entries", "contact_files", "contact_file_parts", "contact_tags", "contact_fields", "booking_fields",
		"contact_consents", "contact_health", "waitlist_entries", "own_links", "own_devices", "contacts WHERE birthday <> '' OR tell_by <> ''"} {
		if n := p.rows(table); n > 0 {
			p.T.Errorf("%d rows are left in %s", n, table)
		}
	}
	if b := p.Again(p.first); b.Invitee.Name != erased || len(b.Payments) != 1 || b.Payments[0].Amount != 4500 {
		p.T.Errorf("the amounts are gone: %+v", b)
	}
}

// After a deletion by hand no column of any table names the person.
func TestDeletedByHandIsNamedNowhere(t *testing.T) {
	p := newPerson(t)
	p.comes()
	p.isEverywhere()
	if len(p.sealed) != 3 {
		t.Errorf("%d texts are sealed", len(p.sealed))
	}
	p.Clock.Advance(4 * 24 * time.Hour)
	p.Must(p.People.DeleteContact(t.Context(), p.Owner, p.contact))
	p.sweep()
	p.isNowhere()
	p.file()
}

// Neither does one after a deletion by age.
func TestDeletedByAgeIsNamedNowhere(t *testing.T) {
	p := newPerson(t)
	p.comes()
	p.later(2)
	p.chooses(1, 0)
	p.night()
	p.isNowhere()
	if n, err := p.Privacy.State(t.Context(), p.Owner); err != nil || n.State.Last.Contacts != 1 {
		t.Errorf("%+v, %v", n, err)
	}
}

// Of somebody who comes again, who has another name and address by now, the old bookings name nobody.
func TestOldBookingsOfRegularsNameNobody(t *testing.T) {
	p := newPerson(t)
	p.comes()
	_, err := p.People.UpdateContact(t.Context(), p.Owner, p.contact, booking.ContactInput{Name: "Bea", Email: "bea@mail.example"})
	p.Must(err)
	p.later(2)
	p.book(t, 3, "Bea")
	for _, d := range p.Duties() {
		if d.Prune != nil {
			p.Must(d.Prune(t.Context())) // answers to requests are kept for a day
		}
	}
	p.chooses(1, 0)
	p.night()
	found := p.places()
	// What is by address and not of a booking is the contact's, who is still there by another one.
	for _, place := range []string{"mail_refusals.email_key", "invitation_links.email", "invitation_links.email_key",
		"mails.recipient", "mails.answer", "contacts.foreign_id", "contact_tags.tag", "contact_tags.tag_key", "contact_entries.text",
		"contact_fields.value", "contact_files.name", "contact_file_parts.data", "contact_texts.phone", "contact_texts.wording",
		"text_messages.message", "text_messages.phone", "text_numbers.phone"} {
		delete(found, place)
	}
	if len(found) > 0 {
		t.Errorf("the person is still named in %v", found)
	}
	if got := fmt.Sprint(p.contacts()); got != "[Bea]" {
		t.Error(got)
	}
	// What is on the card of who still comes says no more which of the bookings without a name was theirs.
	if n := p.rows("contact_entries WHERE booking_id IS NOT NULL") + p.rows("contact_files WHERE booking_id IS NOT NULL"); n > 0 {
		t.Errorf("%d entries and files lead to a booking without a name", n)
	}
}

// Once the log is in the file, no byte of it names the person who was deleted: what an erasure frees is overwritten.
func (p *person) file() {
	p.T.Helper()
	if enginetest.OnPostgres() {
		return
	}
	p.Must(p.SQL(`PRAGMA wal_checkpoint(TRUNCATE)`))
	for _, suffix := range []string{"", "-wal"} {
		text, err := os.ReadFile(p.Store.Path() + suffix)
		if err != nil {
			if os.IsNotExist(err) {
				continue
			}
			p.T.Fatal(err)
		}
		low := bytes.ToLower(text)
		for _, m := range append([]string{marker, number}, p.sealed...) {
			m = strings.ToLower(m)
			if n := bytes.Count(low, []byte(m)); n > 0 {
				at := bytes.Index(low, []byte(m))
				p.T.Errorf("the file%s has %s %d times, first at %d: %q", suffix, m, n, at, text[max(0, at-60):at+60])
			}
		}
	}
}
