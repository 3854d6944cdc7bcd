package app_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/account"
	"daybook/app/audit"
	"daybook/app/fault"
	"daybook/app/subjects"
	"daybook/store"
	"daybook/store/engine"
	"daybook/store/enginetest"
)

// counted is an engine that counts what it is asked for.
type counted struct {
	engine.Engine
	reads, writes atomic.Int64
}

func (c *counted) Readers() *engine.Pool { c.reads.Add(1); return c.Engine.Readers() }

func (c *counted) Write(ctx context.Context, change func(*engine.Transaction) error) error {
	c.writes.Add(1)
	return c.Engine.Write(ctx, change)
}

func (c *counted) WriteAlong(ctx context.Context, change func(*engine.Transaction) error) error {
	c.writes.Add(1)
	return c.Engine.WriteAlong(ctx, change)
}

// A wrong password costs the database the same for the address of a member as for one that nobody has.
func TestFailedSignInTellsNobodyWhoIsAMember(t *testing.T) {
	w := newWorld(t)
	owner := w.owner()
	var db *counted
	s := w.Subjects(func(c *subjects.Config) {
		db = &counted{Engine: w.Store.Engine}
		c.Store = store.New(db)
	})
	raw := enginetest.Raw(t, w.Store.Engine)
	// cost is how often a failed sign-in reads and writes, and which tables it has filled with how many rows.
	cost := func(email, address string) string {
		t.Helper()
		before := enginetest.Dump(t, raw)
		db.reads.Store(0)
		db.writes.Store(0)
		in := account.SignInInput{Email: email, Password: "wrong password", Address: address, Agent: "Mozilla/5.0"}
		if _, _, err := s.Account.SignIn(t.Context(), in); !fault.Is(err, fault.Unauthorized) {
			t.Fatal(err)
		}
		text := fmt.Sprintf("%d reads, %d transactions", db.reads.Load(), db.writes.Load())
		after := enginetest.Dump(t, raw)
		for _, table := range slices.Sorted(maps.Keys(after)) {
			rows := after[table]
			if more := len(rows) - len(before[table]); more != 0 {
				text += fmt.Sprintf(", %d rows in %s", more, table)
			}
		}
		return text
	}
	for i, name := range []string{"the first time", "the second time"} { // from an address of its own
		member := cost(owner.Email, fmt.Sprintf("2001:db8:%x::1", 2*i+1))
		nobody := cost("nobody@salon.example", fmt.Sprintf("2001:db8:%x::1", 2*i+2))
		t.Logf("%s: %s", name, member)
		if member != nobody {
			t.Errorf("%s: a member costs %s; nobody costs %s", name, member, nobody)
		}
	}
}

// A failed sign-in is logged with its time once that can be written, and not for a member who is gone.
func TestFailedSignInsAreLoggedLater(t *testing.T) {
	w := newWorld(t)
	owner := w.owner()
	bob, err := w.Account.CreateUser(t.Context(), app.Operator(w.Workspace.ID),
		account.UserInput{Email: "bob@salon.example", Role: app.ManagerRole, Password: ownersPassword})
	w.Must(err)
	logged := func() (all []audit.Entry) {
		t.Helper()
		page, err := w.Audit.AuditLog(t.Context(), w.Owner, audit.ListInput{})
		w.Must(err)
		for _, e := range page.Data {
			if e.Action == audit.SignInFailed {
				all = append(all, e)
			}
		}
		return all
	}
	at := w.Clock.Now()
	for _, email := range []string{owner.Email, strings.ToUpper(owner.Email), bob.Email, "nobody@salon.example"} {
		in := account.SignInInput{Email: email, Password: "wrong password", Address: "192.0.2.1"}
		if _, _, err := w.Account.SignIn(t.Context(), in); !fault.Is(err, fault.Unauthorized) {
			t.Fatal(err)
		}
	}
	_, err = w.Account.RemoveMember(t.Context(), owner.Actor(), bob.ID.String())
	w.Must(err)
	raw := enginetest.Raw(t, w.Store.Engine)
	enginetest.Break(t, raw, "audit_log", "INSERT", "")
	w.Clock.Advance(time.Minute)
	if w.Upkeep.Tend(t.Context()) == nil {
		t.Error("the log can't be written, and nobody is told")
	}
	enginetest.Mend(t, raw, "audit_log")
	for range 2 {
		w.Clock.Advance(time.Minute)
		w.Must(w.Upkeep.Tend(t.Context()))
	}
	if all := logged(); len(all) != 1 || all[0].Subject != owner.ID.String() || !all[0].At.Time().Equal(at) {
		t.Errorf("%+v, want one of %s at %s", all, owner.ID, at)
	}
}
