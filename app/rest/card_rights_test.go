package rest_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"

	"daybook/app/account"
	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/contact"
	"daybook/app/feed"
	"daybook/app/right"
	"daybook/store/enginetest"
)

// carded is a customer of a salon with something of each kind on the card, all of which has the word cardedSecret.
type carded struct{ contact, entry, file, consent, health string }

const cardedSecret = "zanzibar"

func (w *world) carded(s *apptest.Salon) (c carded) {
	w.T.Helper()
	ctx := w.T.Context()
	_, err := s.Shop.UpdateWorkspace(ctx, s.Owner, func(x *catalog.Workspace) { x.Settings.Consents = testConsents })
	w.Must(err)
	booked, err := s.Book(ctx, s.API, apptest.Input("cut", "3T08", "Mia"))
	w.Must(err)
	c.contact = booked.ContactID.String()
	e, err := s.People.AddEntry(ctx, s.Owner, c.contact, contact.EntryInput{Kind: contact.FormulaEntry, Text: cardedSecret})
	w.Must(err)
	paper, err := s.People.ReadFile(ctx, s.Owner, []byte("%PDF-1.7 "+cardedSecret))
	w.Must(err)
	f, err := s.People.AddFile(ctx, s.Owner, c.contact, contact.FileInput{Name: cardedSecret + ".pdf"}, paper)
	w.Must(err)
	x, err := s.People.RecordConsent(ctx, s.Owner, c.contact, contact.ConsentInput{Kind: "health", Signer: cardedSecret, Signature: "1,2 3,4"})
	w.Must(err)
	h, err := s.People.AddHealth(ctx, s.Owner, c.contact, contact.HealthInput{Kind: contact.Allergy, Text: cardedSecret})
	w.Must(err)
	c.entry, c.file, c.consent, c.health = e.ID.String(), f.ID.String(), x.ID.String(), h.ID.String()
	return c
}

// What stands on the cards of two workspaces is told to a key of that workspace with the area, health to none that lists its
// rights, and by nobody else it is changed: no other key, token, link or guest, nor by the name of another's customer.
func TestCardsOfTwoWorkspaces(t *testing.T) {
	w := newWorld(t)
	guests := w.guests()
	cards := []carded{w.carded(w.Salon), w.carded(w.other)}
	listed := func(names ...string) string {
		return w.keyOf(account.KeyInput{Scope: account.FullScope, Areas: right.Contacts, Limits: account.Limits{Rights: names}})
	}
	const none, sees, manages = 0, 1, 2 // sees nothing of health
	type caller struct {
		name, key string
		of, may   int // which workspace's card
	}
	callers := []caller{
		{"the area", w.keyWith(w.Salon, account.FullScope, right.Contacts), 0, manages},
		{"the area, of the other workspace", w.keyWith(w.other, account.FullScope, right.Contacts), 1, manages},
		{"contacts:read", listed("contacts:read"), 0, sees},
		{"contacts:write", listed("contacts:read", "contacts:write"), 0, sees},
		{"bookings:write", listed("bookings:read", "bookings:write"), 0, none},
		{"every other area", w.keyWith(w.Salon, account.FullScope, right.Members|right.Payments|right.Settings|right.Keys), 0, none},
		{"a full key", w.full, 0, none},
		{"a read-only key", w.readOnly, 0, none},
		{"a full key of the other workspace", w.foreign, 1, none},
		{"a public key", w.publicKey(account.Limits{}), 0, none},
		{"a staff member's agent", w.tokenOfStaff(), 0, none},
		{"nobody", "", 0, none},
	}
	for _, g := range guests {
		callers = append(callers, caller{g.name, g.secret, 0, none})
	}
	raw := enginetest.Raw(t, w.Store.Engine)
	before := enginetest.Dump(t, raw)
	for _, by := range callers {
		for of, x := range cards {
			at, theirs := "/api/v1/contacts/"+x.contact, "/api/v1/contacts/"+cards[1-of].contact
			for _, path := range []string{"", "/card", "/entries", "/files", "/files/" + x.file, "/files/" + x.file + "/content", "/consents", "/health"} {
				may := by.of == of && (by.may == manages || by.may == sees && path != "/consents" && path != "/health")
				got := w.do(by.key, "GET", at+path, "")
				told := strings.Contains(strings.ToLower(got.text), cardedSecret)
				switch {
				case may && (got.Code != 200 || path != "" && !told):
					t.Errorf("%s gets %q of workspace %d: %d %s", by.name, path, of, got.Code, got.text)
				case !may && (told || path != "" && got.Code < 401):
					t.Errorf("%s gets %q of workspace %d: %d %s", by.name, path, of, got.Code, got.text)
				}
				if strings.Contains(path, x.file) {
					if got := w.do(by.key, "GET", theirs+path, ""); got.Code < 401 {
						t.Errorf("%s gets %q by the name of another: %d", by.name, path, got.Code)
					}
				}
			}
			for _, write := range []string{"DELETE /entries/" + x.entry, "PATCH /entries/" + x.entry, "DELETE /files/" + x.file, "POST /entries", "POST /consents",
				"POST /consents/" + x.consent + "/withdraw", "POST /health", "DELETE /health/" + x.health} {
				method, path, _ := strings.Cut(write, " ")
				body := map[string]string{"POST /entries": `{"text":"x"}`, "POST /consents": `{"kind":"health"}`, "POST /health": `{"kind":"allergy","text":"x"}`,
					"PATCH /entries/" + x.entry: `{"pinned":true}`}[write]
				names := []string{theirs}
				if by.of != of || by.may == none || by.may == sees && !strings.Contains(path, "entries") && !strings.Contains(path, "files") {
					names = append(names, at)
				}
				for _, name := range names {
					if name == theirs && by.of != of && by.may != none && method == "POST" && !strings.Contains(path, x.consent) {
						continue // that is their own customer
					}
					if got := w.do(by.key, method, name+path, body); got.Code < 401 {
						t.Errorf("%s: %s of workspace %d: %d %s", by.name, write, of, got.Code, got.text)
					}
				}
			}
		}
	}
	changed := enginetest.Differences(before, enginetest.Dump(t, raw))
	for line := range strings.SplitSeq(changed, "\n") {
		if slices.ContainsFunc([]string{"contact", "audit_log"}, func(table string) bool { return strings.Contains(line, table) }) {
			t.Errorf("it was changed: %s", line)
		}
	}
}

// Health stands in no list, event or calendar, whoever asks, and in nothing that happens to a customer's bookings later.
func TestHealthIsInNoList(t *testing.T) {
	w := newWorld(t)
	c := w.carded(w.Salon)
	ctx := t.Context()
	later, err := w.Book(ctx, w.API, apptest.Input("cut", "4T08", "Mia"))
	w.Must(err)
	address, err := w.Feed.FeedURL(ctx, w.Owner, "", false)
	w.Must(err)
	_, path, _ := strings.Cut(address, "/calendar/")
	mux := http.NewServeMux()
	feed.New(w.Feed, slog.New(slog.DiscardHandler)).Routes(mux)
	ics := httptest.NewRecorder()
	mux.ServeHTTP(ics, httptest.NewRequest("GET", "/calendar/"+path, nil))
	told := map[string]string{"the calendar": ics.Body.String()}
	key := w.keyWith(w.Salon, account.FullScope, right.Contacts)
	for _, list := range []string{"contacts", "contacts/" + c.contact, "bookings", "bookings/" + later.ID.String(), "events"} {
		told[list] = w.do(key, "GET", "/api/v1/"+list, "").text
	}
	for name, text := range told {
		if strings.Contains(strings.ToLower(text), cardedSecret) || !strings.Contains(text, "Mia") {
			t.Errorf("%s: %s", name, text)
		}
	}
}

// What a visitor's program books of a service that requires a consent is a request, the same for who has one: nobody learns of
// a consent by trying.
func TestPublicKeysLearnOfNoConsent(t *testing.T) {
	w := newWorld(t)
	key := w.publicKey(account.Limits{})
	w.eventType("dye", 30, func(e *catalog.EventType) { e.Requires = []catalog.Requirement{{Consent: "patch-test", Within: 180}} })
	known := w.do(w.full, "POST", "/api/v1/contacts", `{"name":"Mia","email":"mia@x.example"}`).json(t)["id"].(string)
	_, err := w.People.RecordConsent(t.Context(), w.Owner, known, contact.ConsentInput{Kind: "patch-test"})
	w.Must(err)
	var told []string
	for _, who := range []string{"mia@x.example", "new@x.example"} {
		got := w.do(key, "POST", visitors+"bookings", bookingBody("dye", "2026-12-02T08:00:00Z", who))
		if b := got.json(t); got.Code != 201 || b["status"] != "pending" || b["pendingReason"] != "approval" {
			t.Errorf("%s: %d %s", who, got.Code, got.text)
		} else if _, err := w.Cancel(t.Context(), w.Owner, b["id"].(string), booking.CancelInput{}); err != nil {
			t.Error(err)
		}
		told = append(told, regexp.MustCompile(`"(id|manageUrl|createdAt|updatedAt|expiresAt)":"[^"]*"`).ReplaceAllString(got.text, ""))
	}
	if told[0] != told[1] {
		t.Errorf("who has a consent is told\n%s\nanybody else\n%s", told[0], told[1])
	}
}
