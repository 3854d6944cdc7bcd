package dashboard

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"daybook/app/apptest/browser"
	"daybook/app/mail/smtp"
	"daybook/app/page"
	"daybook/app/serve"
	"daybook/app/subjects"
	"daybook/app/upkeep"
	"daybook/app/upkeep/health"
	"daybook/app/when"
	"daybook/views/dash"
)

// replicas is a replicator whose state a test sets.
type replicas struct {
	upkeep.ReplicaTarget
	test  error // of the test restore
	tests int
}

func (r *replicas) Targets() ([]upkeep.ReplicaTarget, bool) {
	return []upkeep.ReplicaTarget{r.ReplicaTarget}, true
}

func (r *replicas) TestRestore(context.Context) (string, error) {
	r.tests++
	return "", r.test
}

// An owner sees on Today that a copy of the database lags for more than an hour, and that it could not be brought back.
func TestReplicaTrouble(t *testing.T) {
	w := newWorld(t)
	b := w.asOwner()
	now := func() when.Instant { return when.At(w.Clock.Now()) }
	r := &replicas{ReplicaTarget: upkeep.ReplicaTarget{Name: "s3://salon/copies", Synced: now()}}
	note := func(page string, text ...string) {
		t.Helper()
		w.Must(w.Upkeep.NoteReplicas(t.Context(), r))
		b.wants(b.get(page), 200, text...)
	}
	const behind, unsure = "The copy of your data is behind.", "It is not sure that your data can be brought back."
	note(dash.TodayPath, "!"+behind, "!"+unsure)
	if r.tests != 1 {
		t.Errorf("%d test restores", r.tests)
	}
	r.Problem, r.Since = "connection refused", now()
	note(dash.TodayPath, "!"+behind)
	w.Clock.Advance(2 * time.Hour)
	note(dash.TodayPath, behind, `href="`+dash.HealthPath+`"`, "!s3://", "!--replica")
	note(dash.HealthPath, "The copy at s3://salon/copies has lacked something for more than an hour", "connection refused")
	r.Problem, r.Since, r.Synced, r.test = "", 0, now(), errors.New("a page is damaged")
	note(dash.TodayPath, "!"+behind)
	w.Clock.Advance(24 * time.Hour)
	note(dash.TodayPath, unsure, "!a page is damaged")
	note(dash.HealthPath, "brought back failed", "a page is damaged")
	if r.tests != 2 {
		t.Errorf("%d test restores in a day", r.tests)
	}
	w.Clock.Advance(6 * time.Hour)
	r.test = nil
	note(dash.TodayPath, "!"+unsure)
	noted, err := w.Upkeep.Replicas(t.Context())
	w.Must(err)
	if r.tests != 3 || noted.Verified != now() || noted.Problem != "" {
		t.Errorf("after %d tests: %+v", r.tests, noted)
	}
	m := w.manager()
	m.wants(m.get(dash.TodayPath), 200, "!kept nowhere else")
	r.Problem, r.Since = "gone", now()
	w.Must(w.Upkeep.NoteReplicas(t.Context(), r))
	w.Clock.Advance(4 * 24 * time.Hour)
	b.wants(w.asOwner().get(dash.TodayPath), 200, unsure, behind)
}

// The page Health says first whether anything is wrong. Owners of the first workspace see the server; those of another
// one what waits of theirs, and they confirm no keys. Managers don't see it.
func TestHealthPage(t *testing.T) {
	w := newWorld(t)
	b := w.asOwner()
	b.wants(b.get(dash.HealthPath), 200, "!All is well", "No mail server is set up")
	b.wants(b.get(dash.TodayPath), 200, "No mail server: nobody gets mails.")
	w.Mail.ShareMailServer(&smtp.Server{Host: "mail.example", Port: 587})
	b.wants(b.get(dash.TodayPath), 200, "!No mail server")
	b.wants(b.get(dash.SettingsPath), 200, `href="`+dash.HealthPath+`"`)
	b.wants(b.get(dash.HealthPath), 200, ">All is well<", "No mail waits", "No delivery is late", "No copy is kept elsewhere",
		"!keys-sheet")
	r := &replicas{ReplicaTarget: upkeep.ReplicaTarget{Name: "s3://salon/copies", Synced: when.At(w.Clock.Now())}}
	w.Must(w.Upkeep.NoteReplicas(t.Context(), r))
	b.wants(b.get(dash.HealthPath), 200, "!All is well", ">This needs your attention<", "Nobody has confirmed yet", "daybook keys-sheet",
		"s3://salon/copies", "The last test restore went well", "Has everything until")
	b.wants(b.get(dash.TodayPath), 200, "The keys of your copies are kept nowhere else.")
	other := w.stranger()
	other.wants(other.get(dash.HealthPath), 200, ">All is well<", "first business look after the server", "No mail waits",
		"!s3://salon", "!keys-sheet", "!Version")
	other.wants(other.post(dash.HealthKeysPath), 403)
	other.wants(other.get(dash.TodayPath), 200, "!kept nowhere else")
	b.wants(b.get(dash.HealthPath), 200, "Nobody has confirmed yet")
	b.wants(b.post(dash.HealthKeysPath), 303)
	b.wants(b.get(dash.HealthPath), 200, ">All is well<", "Confirmed: ", "!Nobody has confirmed")
	b.wants(b.get(dash.TodayPath), 200, "!kept nowhere else")
	m := w.manager()
	m.wants(m.get(dash.HealthPath), 403)
	m.wants(m.get(dash.SettingsPath), 200, "!"+dash.HealthPath)
}

// The page has no fault that a machine finds, with everything on it; the keys are confirmed by a button.
func TestHealthInBrowser(t *testing.T) {
	w := newWorld(t)
	free := int64(40e9)
	set := w.Subjects(func(c *subjects.Config) {
		c.Machine = health.Machine{Name: "salon", Version: "v1.0.0", Path: filepath.Join(t.TempDir(), "daybook.db"), Domains: []string{"book.example.com"},
			Space:       func(string) (health.Space, error) { return health.Space{Size: 80e9, Free: free}, nil },
			ClockSynced: func() (bool, error) { return false, nil }}
		if err := os.WriteFile(c.Machine.Path, make([]byte, 5e6), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(c.Machine.Path, saturday, saturday); err != nil {
			t.Fatal(err)
		}
	})
	for range 5 * 24 {
		w.Must(set.Health.Sample(t.Context()))
		w.Clock.Advance(time.Hour)
		free -= 3e9 / 24
	}
	r := &replicas{ReplicaTarget: upkeep.ReplicaTarget{Name: "s3://salon-copies/daybook-of-the-salon-in-berlin", Synced: when.At(w.Clock.Now().Add(-2 * time.Hour)),
		Problem: "connection refused", Since: when.At(w.Clock.Now().Add(-2 * time.Hour))}}
	w.Must(set.Upkeep.NoteReplicas(t.Context(), r))
	door, pages := New(set, Options{}), page.New(set, page.Options{})
	handler, err := serve.Handler(serve.Config{Routes: func(mux *http.ServeMux) { door.Routes(mux); pages.Routes(mux) }, Pages: pages.Pages})
	w.Must(err)
	w.server = httptest.NewServer(handler)
	t.Cleanup(func() { door.Shutdown(context.Background()); w.server.Close() })
	b := w.browse()
	b.signIn(w)
	b.open("/dashboard")
	b.sees("The copy of your data is behind.")
	shot(b, "health-today")
	b.open(dash.HealthPath)
	for _, text := range []string{"This needs your attention", "25 GB of 80 GB", "full in about 8 days (an estimate)", "Keys kept elsewhere"} {
		b.sees(text)
	}
	axe := browser.Axe(t)
	b.accessible("health", dash.HealthPath, axe)
	b.open(dash.HealthPath)
	b.click(`form[action="` + dash.HealthKeysPath + `"] button`)
	b.sees("Confirmed: ")
	w.asOwner().post("/dashboard/account/language", "locale", "de")
	b.accessible("health-german", dash.HealthPath, axe)
}
