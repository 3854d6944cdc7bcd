package transfer_test

import (
	"crypto/sha256"
	"fmt"
	"net/netip"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/contact"
	"daybook/app/demo"
	"daybook/app/fault"
	"daybook/app/subjects"
	"daybook/app/vault"
	"daybook/app/webhook"
	"daybook/store"
	"daybook/store/engine"
	"daybook/store/enginetest"
	"daybook/store/transfer"
)

var today = time.Date(2026, 11, 21, 10, 30, 0, 0, time.UTC)

// salon is the demo's salon in a database, and what must work in each copy of it.
type salon struct {
	vault   *vault.Vault
	key     string
	token   string // of a booking's manage link
	booking booking.BookingID
	secret  string          // of a webhook endpoint
	caller  booking.Contact // who has a telephone number and no e-mail
	visit   booking.Visit   // of several services
	walkIn  booking.BookingID
	card    string // what stands on that of the caller
}

func (s *salon) rooms(db engine.Engine) *subjects.Set {
	return subjects.New(s.config(db))
}

func (s *salon) config(db engine.Engine) subjects.Config {
	return subjects.Config{Config: app.Config{Store: store.New(db), Vault: s.vault, Clock: func() time.Time { return today }},
		Webhook: webhook.Config{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}}
}

func newSalon(t *testing.T, place string) *salon {
	t.Helper()
	v, err := vault.NewVault([]byte("a key of thirty-two bytes, it is"))
	if err != nil {
		t.Fatal(err)
	}
	s := &salon{vault: v}
	with(t, place, func(db engine.Engine) { s.fill(t, db) })
	return s
}

func (s *salon) fill(t *testing.T, db engine.Engine) {
	t.Helper()
	set := s.rooms(db)
	r, err := demo.Fill(t.Context(), set, s.config(db), today)
	if err != nil {
		t.Fatal(err)
	}
	s.key = r.Key
	k, err := set.Account.Authenticate(r.Key)
	if err != nil {
		t.Fatal(err)
	}
	actor := k.Actor(booking.ByAPI)
	e, err := set.Webhook.CreateEndpoint(t.Context(), actor, webhook.EndpointInput{URL: "http://127.0.0.1:9/", Events: []string{"*"}})
	if err != nil {
		t.Fatal(err)
	}
	s.secret = e.Secret
	all, err := set.Bookings(t.Context(), actor, booking.ListBookingsInput{Limit: new(1)})
	if err != nil || len(all.Data) == 0 {
		t.Fatal(len(all.Data), err)
	}
	s.booking = all.Data[0].ID
	s.token = all.Data[0].ManageURL[strings.LastIndex(all.Data[0].ManageURL, "/")+1:]
	upcoming, err := set.Bookings(t.Context(), actor, booking.ListBookingsInput{Limit: new(100), Scope: "upcoming"})
	if err != nil {
		t.Fatal(err)
	}
	one := slices.IndexFunc(upcoming.Data, func(b booking.Booking) bool { return b.Visit != nil && b.Visit.Of > 1 })
	if one < 0 {
		t.Fatal("the demo has no visit")
	}
	if s.visit, err = set.Visit(t.Context(), actor, upcoming.Data[one].Visit.ID.String()); err != nil {
		t.Fatal(err)
	}
	people, err := set.People.Contacts(t.Context(), actor, contact.Filter{}, new(100), "")
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(people.Data, func(c booking.Contact) bool { return c.Email == "" && c.Phone != "" })
	if at < 0 {
		t.Fatal("the demo has nobody without an e-mail")
	}
	s.caller = people.Data[at]
	owner := app.Actor{Kind: booking.ByOwner, Role: app.OwnerRole, Workspace: actor.Workspace}
	s.cardOf(t, set, owner)
	if s.caller, err = set.People.ContactByID(t.Context(), actor, s.caller.ID.String()); err != nil {
		t.Fatal(err)
	}
	walkIn, err := set.Book(t.Context(), owner, booking.BookInput{EventType: "haircut", Start: "2026-11-25T03:00:00Z",
		Override: []string{"outside_hours", "off_grid"}})
	if err != nil {
		t.Fatal(err)
	}
	s.walkIn = walkIn.ID
	if _, err := set.Upkeep.FormKey(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// works checks that the key, the manage link and the webhook's secret of the salon work in a database.
func (s *salon) works(t *testing.T, db engine.Engine) {
	t.Helper()
	set := s.rooms(db)
	k, err := set.Account.Authenticate(s.key)
	if err != nil {
		t.Fatal("the key:", err)
	}
	if b, _, err := set.BookingByToken(t.Context(), s.token); err != nil || b.ID != s.booking {
		t.Errorf("the manage link leads to %v, %v", b.ID, err)
	}
	found, err := set.People.ContactsWith(t.Context(), k.Actor(booking.ByAPI), "", s.caller.Phone)
	if err != nil || len(found.Data) != 1 || !reflect.DeepEqual(found.Data[0], s.caller) {
		t.Errorf("who has %s is %+v, %v", s.caller.Phone, found.Data, err)
	}
	card, err := s.onCard(t, set, app.Actor{Kind: booking.ByOwner, Role: app.OwnerRole, Workspace: k.WorkspaceID})
	if err != nil || card != s.card {
		t.Errorf("on the card stands %s, %v; want %s", card, err, s.card)
	}
	v, err := set.Visit(t.Context(), k.Actor(booking.ByAPI), s.visit.ID.String())
	if err != nil || !reflect.DeepEqual(v, s.visit) {
		t.Errorf("the visit is %+v, %v, want %+v", v, err, s.visit)
	}
	walkIn, err := set.Booking(t.Context(), k.Actor(booking.ByAPI), s.walkIn.String())
	if err != nil || walkIn.ContactID != 0 || walkIn.Invitee != (booking.Invitee{Name: booking.WalkIn}) {
		t.Errorf("who walked in is %+v of %d, %v", walkIn.Invitee, walkIn.ContactID, err)
	}
	if _, _, err := set.Upkeep.StoredSecrets(t.Context()); err != nil {
		t.Error("the secrets:", err)
	}
	endpoints, err := set.Webhook.Endpoints(t.Context(), k.Actor(booking.ByAPI))
	if err != nil || len(endpoints) != 1 {
		t.Fatal(len(endpoints), err)
	}
	if _, err := set.Webhook.TestEndpoint(t.Context(), k.Actor(booking.ByAPI), endpoints[0].ID.String()); err != nil {
		t.Fatal(err)
	}
	batches, err := set.Webhook.ClaimDeliveries(t.Context(), []webhook.Claim{{Lane: endpoints[0].ID, Limit: 9}}, time.Minute)
	if err != nil || len(batches) != 1 || batches[0].Err != nil || !slices.Equal(batches[0].Secrets, []string{s.secret}) {
		t.Errorf("a delivery is signed with %+v, %v", batches, err)
	}
	if len(batches) == 1 && len(batches[0].Deliveries) == 0 {
		t.Error("nothing is delivered")
	}
}

// staysSealed wants a server with another key to read nothing of health in the database, and to notice.
func (s *salon) staysSealed(t *testing.T, db engine.Engine) {
	t.Helper()
	wrong, err := vault.NewVault([]byte("another key of 32 bytes, it is.."))
	if err != nil {
		t.Fatal(err)
	}
	config := s.config(db)
	config.Vault = wrong
	set := subjects.New(config)
	owner := app.Actor{Kind: booking.ByOwner, Role: app.OwnerRole, Workspace: s.caller.WorkspaceID}
	if _, err := set.People.HealthEntries(t.Context(), owner, s.caller.ID.String(), nil, ""); err == nil || fault.As(err) != nil {
		t.Errorf("with another key health is read: %v", err)
	}
	if _, _, err := set.Upkeep.StoredSecrets(t.Context()); err == nil {
		t.Error("another key is not noticed")
	}
	for _, table := range []string{"contact_health", "contact_consents"} {
		var plain int
		q := engine.NewQuerier(t.Context(), db.Readers())
		if err := q.Scan(`SELECT COUNT(*) FROM `+table+` WHERE sealed LIKE '%Latex%' OR sealed LIKE '%signer%'`, nil, &plain); err != nil || plain > 0 {
			t.Errorf("%d rows of %s are in the clear, %v", plain, table, err)
		}
	}
}

// copied runs one copy in handles of its own.
func copied(t *testing.T, from, to string, o transfer.Options) (sums []transfer.Sum, err error) {
	t.Helper()
	with(t, from, func(from engine.Engine) {
		with(t, to, func(to engine.Engine) { sums, err = transfer.Copy(t.Context(), from, to, o) })
	})
	return sums, err
}

func move(t *testing.T, from, to string) []transfer.Sum {
	t.Helper()
	sums, err := copied(t, from, to, transfer.Options{PageRows: 100})
	if err != nil {
		t.Fatal(err)
	}
	return sums
}

// with opens a database for do.
func with(t *testing.T, place string, do func(engine.Engine)) {
	t.Helper()
	db, err := enginetest.Connect(t.Context(), place)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}()
	do(db)
}

func execute(t *testing.T, db engine.Engine, query string, args ...any) {
	t.Helper()
	err := db.Write(t.Context(), func(tx *engine.Transaction) error { _, err := tx.Exec(query, args...); return err })
	if err != nil {
		t.Fatal(query, err)
	}
}

// other is a fresh database on the other engine than the one that is tested. It skips the test where that is
// PostgreSQL and not installed.
func other(t *testing.T) string {
	t.Helper()
	if enginetest.OnPostgres() {
		return enginetest.PlaceOnSQLite(t)
	}
	return enginetest.PlaceOnPostgres(t)
}

// cardOf writes on the card of the caller.
func (s *salon) cardOf(t *testing.T, set *subjects.Set, owner app.Actor) {
	t.Helper()
	ref := s.caller.ID.String()
	if _, err := set.Shop.SetContactFields(t.Context(), owner, []catalog.ContactField{
		{Key: "dog", Label: "Dog", Type: catalog.TextField, OnForm: catalog.Asked}}, nil); err != nil {
		t.Fatal(err)
	}
	_, err := set.People.ChangeContact(t.Context(), owner, ref, func(c *booking.Contact) (booking.ContactInput, error) {
		return booking.ContactInput{Name: c.Name, Email: c.Email, Phone: c.Phone, TimeZone: c.TimeZone, Notes: c.Notes,
			Tags: []string{"Öl", "vip"}, Fields: map[string]any{"dog": "Bello"}, Birthday: new("--02-29"), TellBy: new("call")}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := set.People.AddEntry(t.Context(), owner, ref, contact.EntryInput{Kind: contact.FormulaEntry, Text: "6/0 + 6 %",
		Pinned: true}); err != nil {
		t.Fatal(err)
	}
	paper, err := set.People.ReadFile(t.Context(), owner, append([]byte("%PDF-1.7"), make([]byte, 600_000)...))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := set.People.AddFile(t.Context(), owner, ref, contact.FileInput{Name: "consent.pdf"}, paper); err != nil {
		t.Fatal(err)
	}
	_, err = set.Shop.UpdateWorkspace(t.Context(), owner, func(w *catalog.Workspace) {
		w.Settings.Consents = append(w.Settings.Consents, catalog.ConsentKind{Key: "allergies", Name: "Allergies", Wording: "They are kept.", Health: true})
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := set.People.RecordConsent(t.Context(), owner, ref, contact.ConsentInput{Kind: "allergies", Signer: "Öz", Signature: "1,2 3,4"}); err != nil {
		t.Fatal(err)
	}
	if _, err := set.People.AddHealth(t.Context(), owner, ref, contact.HealthInput{Kind: contact.Allergy, Text: "Latex, Öl"}); err != nil {
		t.Fatal(err)
	}
	if s.card, err = s.onCard(t, set, owner); err != nil {
		t.Fatal(err)
	}
}

// onCard is all that stands on the card of the caller, in words.
func (s *salon) onCard(t *testing.T, set *subjects.Set, owner app.Actor) (string, error) {
	t.Helper()
	ref := s.caller.ID.String()
	c, err := set.People.ContactByID(t.Context(), owner, ref)
	if err != nil {
		return "", err
	}
	entries, err := set.People.Entries(t.Context(), owner, ref, nil, "")
	if err != nil {
		return "", err
	}
	files, err := set.People.Files(t.Context(), owner, ref, nil, "")
	if err != nil || len(files.Data) != 1 {
		return "", fmt.Errorf("%d files: %w", len(files.Data), err)
	}
	f, data, err := set.People.File(t.Context(), owner, ref, files.Data[0].ID.String(), false)
	if err != nil {
		return "", err
	}
	consents, err := set.People.Consents(t.Context(), owner, ref, nil, "")
	if err != nil || len(consents.Data) != 1 {
		return "", fmt.Errorf("%d consents: %w", len(consents.Data), err)
	}
	signed, drawn, err := set.People.SignedConsent(t.Context(), owner, ref, consents.Data[0].ID.String())
	if err != nil {
		return "", err
	}
	health, err := set.People.HealthEntries(t.Context(), owner, ref, nil, "")
	return fmt.Sprint(c.Tags, c.Fields, *c.Birthday, *c.TellBy, entries.Data, f, sha256.Sum256(data), signed, drawn, health.Data), err
}
