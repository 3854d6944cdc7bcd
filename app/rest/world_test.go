package rest_test

import (
	"net/http"
	"sync"
	"testing"

	"daybook/app/account"
	"daybook/app/apptest"
	"daybook/app/catalog"
	"daybook/app/money"
	"daybook/app/rest"
	"daybook/app/subjects"
	"daybook/app/vault"
)

const base = "https://book.test"

// world is the door of a salon, and of another workspace beside it.
type world struct {
	*apptest.Salon
	door  http.Handler
	other *apptest.Salon

	full, readOnly, foreign string // values of API keys; foreign is of the other workspace
	fullKey                 account.NewKey

	mu    sync.Mutex
	heard []heard // every answer with a body
}

const (
	ana catalog.HostID = 1 + iota
	bob
	cyd // of the other workspace
)

// newWorld has two workspaces. In "salon", ana and bob work in Berlin every day from 09:00 to 17:00; ana alone serves
// cut (45 minutes), wash (20, buffers 5 and 10) and talk (30, by approval), both serve color (90, three questions),
// and class has three seats. In "other", cyd serves cut. The keys have a rate that tests don't reach.
// testVault is of a server with a key for its secrets, without which nothing of a customer's health is kept.
var testVault = func() *vault.Vault {
	v, err := vault.NewVault(make([]byte, 32))
	if err != nil {
		panic(err)
	}
	return v
}()

// testConsents are the kinds of a salon.
var testConsents = []catalog.ConsentKind{{Key: "health", Name: "Health", Wording: "My allergies are kept.", Health: true},
	{Key: "patch-test", Name: "Patch test", Wording: "I had a patch test.", Days: 180, Health: true}}

func newWorld(t testing.TB) *world {
	t.Helper()
	w := &world{Salon: apptest.New(t, apptest.Options{Hosts: []string{"ana", "bob"}, With: func(c *subjects.Config) {
		c.BaseURL.Host, c.Vault = "book.test", testVault
	}})}
	_, err := w.Shop.UpdateWorkspace(t.Context(), w.Owner, func(x *catalog.Workspace) { x.Settings.Consents = testConsents })
	w.Must(err)
	w.other = w.Beside("other", "cyd")
	w.door = rest.New(w.Set, rest.Options{Version: "test"})
	w.eventType("cut", 45, nil)
	w.eventType("wash", 20, func(e *catalog.EventType) { e.BufferBeforeMinutes, e.BufferAfterMinutes, e.SlotStepMinutes = 5, 10, 5 })
	w.eventType("talk", 30, func(e *catalog.EventType) { e.RequiresApproval = true })
	w.eventType("color", 90, func(e *catalog.EventType) {
		e.Hosts = []catalog.HostRef{{ID: ana}, {ID: bob}}
		e.Price, e.NoShowFee = &money.Money{Amount: 9000, Currency: "EUR"}, &money.Money{Amount: 2000, Currency: "EUR"}
		e.Questions = []catalog.Question{
			{Key: "tone", Label: "Which tone?", Type: "choice", Options: []string{"red", "blond"}},
			{Key: "first", Label: "First time?", Type: "checkbox"}, {Key: "wish", Label: "Wishes", Type: "long_text"},
		}
	})
	w.eventType("class", 60, func(e *catalog.EventType) { e.Seats = 3 })
	w.other.Offer("cut", 30, func(e *catalog.EventType) { e.MinimumNoticeMinutes = 0 })
	w.fullKey = w.Key(account.FullScope)
	w.full, w.readOnly, w.foreign = w.fullKey.Value, w.Key(account.ReadOnlyScope).Value, w.other.Key(account.FullScope).Value
	return w
}

// eventType adds an event type that can be booked without notice.
func (w *world) eventType(slug string, minutes int, change func(*catalog.EventType)) catalog.EventType {
	w.T.Helper()
	return w.Offer(slug, minutes, func(e *catalog.EventType) {
		e.MinimumNoticeMinutes = 0
		if change != nil {
			change(e)
		}
	})
}
