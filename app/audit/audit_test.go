package audit_test

import (
	"strings"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/account"
	"daybook/app/apptest"
	"daybook/app/audit"
	"daybook/app/fault"
	"daybook/store/enginetest"
)

// entries are those of the log, the newest first.
func entries(t *testing.T, s *apptest.Salon, in audit.ListInput) (all []audit.Entry) {
	t.Helper()
	for {
		page, err := s.Audit.AuditLog(t.Context(), s.Owner, in)
		s.Must(err)
		all = append(all, page.Data...)
		if page.NextCursor == nil {
			return all
		}
		in.Cursor = *page.NextCursor
	}
}

func TestKeysAreLogged(t *testing.T) {
	s := apptest.New(t, apptest.Options{})
	key, err := s.Account.CreateKey(t.Context(), s.Owner, account.KeyInput{Name: "till", Scope: account.ReadOnlyScope})
	s.Must(err)
	_, err = s.Account.RotateKey(t.Context(), s.Owner, key.ID.String(), 0)
	s.Must(err)
	for range 2 { // the second time changes nothing
		_, err = s.Account.RevokeKey(t.Context(), app.Operator(0), key.ID.String())
		s.Must(err)
	}
	_, err = s.Account.RotateKey(t.Context(), s.Owner, key.ID.String(), 0)
	if !fault.Is(err, fault.Conflict) {
		t.Fatal(err)
	}
	all := entries(t, s, audit.ListInput{Topic: "key"})
	if len(all) != 3 {
		t.Fatal(all)
	}
	revoked, rotated, created := all[0], all[1], all[2]
	for _, e := range all {
		if e.Subject != key.ID.String() || e.At == 0 || !strings.HasPrefix(e.ID.String(), "log_") {
			t.Errorf("%+v", e)
		}
	}
	if created.Action != audit.KeyCreated || created.To != "read-only" || created.By != audit.Business || created.Door != audit.Dashboard {
		t.Errorf("%+v", created)
	}
	if rotated.Action != audit.KeyRotated || revoked.Action != audit.KeyRevoked || revoked.By != audit.Operator || revoked.Door != audit.Command {
		t.Errorf("%+v, %+v", rotated, revoked)
	}
}

// A change whose entry can't be written does not happen.
func TestNoChangeWithoutItsEntry(t *testing.T) {
	s := apptest.New(t, apptest.Options{})
	enginetest.Break(t, enginetest.Raw(t, s.Store.Engine), "audit_log", "INSERT", "")
	if _, err := s.Account.CreateKey(t.Context(), s.Owner, account.KeyInput{Name: "till", Scope: account.FullScope}); err == nil {
		t.Error("the key was made without an entry")
	}
	keys, err := s.Account.Keys(t.Context(), s.Owner)
	if s.Must(err); len(keys) > 0 {
		t.Error(keys)
	}
}

// The database itself refuses to change an entry.
func TestEntriesAreNeverChanged(t *testing.T) {
	s := apptest.New(t, apptest.Options{})
	_, err := s.Account.CreateKey(t.Context(), s.Owner, account.KeyInput{Name: "till", Scope: account.FullScope})
	s.Must(err)
	raw := enginetest.Raw(t, s.Store.Engine)
	if _, err := raw.Exec(`UPDATE audit_log SET at_ms = at_ms + 1`); err == nil || !strings.Contains(err.Error(), "never changed") {
		t.Error(err)
	}
}

// Nobody's words get into an entry.
func TestNoteRefusesWords(t *testing.T) {
	s := apptest.New(t, apptest.Options{})
	for _, e := range []audit.Entry{
		{Action: "key.made"},
		{Action: audit.KeyCreated, Subject: "ana@salon.example"},
		{Action: audit.KeyCreated, To: "Ana Keller"},
		{Action: audit.KeyCreated, From: "+49 30 1234"},
		{Action: audit.SettingsChanged, Fields: []string{"name: Ana"}},
		{Action: audit.SettingsChanged, Fields: make([]string, 101)},
		{Action: audit.SignedIn, Device: "Ana's phone"},
		{Action: audit.SignedIn, Device: "Firefox/Ana"},
	} {
		err := s.Store.Write(t.Context(), func(tx app.Tx) error { return audit.Note(tx, s.Clock.Now(), s.Owner, e) })
		if err == nil {
			t.Errorf("%+v was written", e)
		}
	}
	nowhere := s.Owner
	nowhere.Workspace = 0
	err := s.Store.Write(t.Context(), func(tx app.Tx) error {
		return audit.Note(tx, s.Clock.Now(), nowhere, audit.Entry{Action: audit.KeyCreated})
	})
	if err == nil {
		t.Error("an entry of no workspace was written")
	}
}

// Entries are kept for a year, and then deleted.
func TestEntriesOfAYearAreKept(t *testing.T) {
	s := apptest.New(t, apptest.Options{})
	note := func(n int) {
		s.Must(s.Store.Write(t.Context(), func(tx app.Tx) error {
			for range n {
				if err := audit.Note(tx, s.Clock.Now(), s.Owner, audit.Entry{Action: audit.KeyRotated}); err != nil {
					return err
				}
			}
			return nil
		}))
	}
	prune := func() int {
		for _, d := range s.Duties() {
			if d.Prune != nil {
				s.Must(d.Prune(t.Context()))
			}
		}
		return len(entries(t, s, audit.ListInput{Topic: "key"}))
	}
	note(230)
	s.Clock.Advance(audit.Kept - time.Minute)
	note(3)
	if n := prune(); n != 233 {
		t.Errorf("%d entries", n)
	}
	s.Clock.Advance(2 * time.Minute)
	if n := prune(); n != 3 {
		t.Errorf("%d entries", n)
	}
}
