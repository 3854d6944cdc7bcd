package app_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/account"
	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/webhook"
	"daybook/app/when"
)

const contenders = 32 // half of them at each server

// contest has 2 x 16 goroutines do the same at one moment at two servers of w's database, and returns their errors.
func (w *world) contest(do func(at *apptest.Salon, i int) error) []error {
	w.T.Helper()
	return w.contestOf(contenders, do)
}

// contestOf is contest with n goroutines.
func (w *world) contestOf(n int, do func(at *apptest.Salon, i int) error) []error {
	w.T.Helper()
	servers := [2]*apptest.Salon{w.Salon, w.Another()}
	errs := make([]error, n)
	start := make(chan struct{})
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() {
			<-start
			errs[i] = do(servers[i%2], i)
		})
	}
	close(start)
	all.Wait()
	return errs
}

// tally counts errors: those that are nil, and those of that reason. Any other fails the test.
func (w *world) tally(errs []error, reason string) (done, refused int) {
	w.T.Helper()
	for _, err := range errs {
		switch e := fault.As(err); {
		case err == nil:
			done++
		case e != nil && e.Reason == reason:
			refused++
		default:
			w.T.Error(err)
		}
	}
	return done, refused
}

// member adds one who has a password, without the work of hashing it.
func (w *world) member(n int, role app.Role) app.User {
	w.T.Helper()
	u := app.User{ID: id.New[app.UserIDKind](w.Clock.Now()), WorkspaceID: w.Workspace.ID, Email: fmt.Sprintf("m%d@salon.example", n),
		Role: role, PasswordHash: "x", CreatedAt: when.At(w.Clock.Now())}
	w.Must(w.Store.Write(w.T.Context(), func(tx app.Tx) error { return tx.(account.Tx).InsertUser(&u) }))
	return u
}

// All owners take the role from each other, or remove each other, at one moment: one is left.
func TestContestAnOwnerIsLeft(t *testing.T) {
	w := newWorld(t)
	for name, do := range map[string]func(at *apptest.Salon, ref string) error{
		"demoted": func(at *apptest.Salon, ref string) error {
			_, err := at.Account.ChangeMember(t.Context(), w.Owner, ref, account.MemberInput{Role: app.ManagerRole})
			return err
		},
		"removed": func(at *apptest.Salon, ref string) error {
			_, err := at.Account.RemoveMember(t.Context(), w.Owner, ref)
			return err
		},
	} {
		var owners []app.User
		for i := range contenders {
			owners = append(owners, w.member(len(name)*100+i, app.OwnerRole))
		}
		errs := w.contest(func(at *apptest.Salon, i int) error { return do(at, owners[i].ID.String()) })
		if done, refused := w.tally(errs, "last_owner"); done != contenders-1 || refused != 1 {
			t.Errorf("%s: %d of %d, %d refused; want all but one", name, done, contenders, refused)
		}
		for _, u := range owners {
			w.Must(w.Store.Write(t.Context(), func(tx app.Tx) error { return tx.(account.Tx).DeleteUser(u.ID) }))
		}
	}
}

// What has a limit keeps it, however many ask at one moment.
func TestLimitsHoldAtOnce(t *testing.T) {
	w := newWorld(t)
	const room = 3
	for n := range 200 - room {
		w.member(n, app.ManagerRole)
	}
	errs := w.contest(func(at *apptest.Salon, i int) error {
		_, _, err := at.Account.Invite(t.Context(), w.Owner, account.MemberInput{Email: fmt.Sprintf("new%d@salon.example", i), Role: app.ManagerRole})
		return err
	})
	if done, refused := w.tally(errs, "too_many_members"); done != room || refused != contenders-room {
		t.Errorf("members: %d came in, %d were refused; there was room for %d", done, refused, room)
	}

	endpoint := func(at *apptest.Salon, i int) error {
		_, err := at.Webhook.CreateEndpoint(t.Context(), w.Owner, webhook.EndpointInput{URL: fmt.Sprintf("https://8.8.8.8/%d", i), Events: []string{"*"}})
		return err
	}
	for n := range 50 - room {
		w.Must(endpoint(w.Salon, n))
	}
	errs = w.contest(endpoint)
	if done, refused := w.tally(errs, "too_many_endpoints"); done != room || refused != contenders-room {
		t.Errorf("endpoints: %d were made, %d refused; there was room for %d", done, refused, room)
	}
}

// Changes of one thing at one moment are all kept: none is made from what another has changed meanwhile.
func TestContestNoChangeIsLost(t *testing.T) {
	w := newWorld(t)
	w.offer("cut", 1, nil)
	ana := catalog.HostID(1).String()
	all := func(what string, errs []error) {
		t.Helper()
		if done, _ := w.tally(errs, ""); done != contenders {
			t.Errorf("%s: %d of %d were done", what, done, contenders)
		}
	}

	all("time off", w.contest(func(at *apptest.Salon, i int) error {
		day := fmt.Sprintf("2027-03-%02d", i%28+1)
		_, err := at.Shop.AddTimeOff(t.Context(), w.Owner, ana, day+"T10:00", day+"T11:00", fmt.Sprint("no ", i))
		return err
	}))
	h, err := w.Shop.Host(w.Owner, ana)
	w.Must(err)
	if len(h.TimeOff) != contenders {
		t.Errorf("time off: %d of %d are kept", len(h.TimeOff), contenders)
	}

	all("the workspace's name", w.contest(func(at *apptest.Salon, i int) error {
		_, err := at.Shop.UpdateWorkspace(t.Context(), w.Owner, func(ws *catalog.Workspace) { ws.Name += "x" })
		return err
	}))
	ws, err := w.WorkspaceBySlug(t.Context(), "salon")
	w.Must(err)
	if n := strings.Count(ws.Name, "x"); n != contenders {
		t.Errorf("the workspace's name: %d of %d changes are kept", n, contenders)
	}

	all("copies", w.contest(func(at *apptest.Salon, i int) error {
		_, err := at.Shop.CopyEventType(t.Context(), w.Owner, "cut")
		return err
	}))
	setup, err := w.Setup(w.Workspace.ID)
	w.Must(err)
	positions := map[int]bool{}
	for _, e := range setup.EventTypes {
		positions[e.Position] = true
	}
	if len(setup.EventTypes) != contenders+1 || len(positions) != contenders+1 {
		t.Errorf("copies: %d event types in %d positions, want %d", len(setup.EventTypes), len(positions), contenders+1)
	}

	var refs []string
	for i := range contenders + 1 {
		c, _, err := w.People.CreateContact(t.Context(), w.Owner, booking.ContactInput{Name: "P", Email: fmt.Sprintf("p%d@mail.example", i), Notes: fmt.Sprintf("note %d.", i)})
		w.Must(err)
		refs = append(refs, c.ID.String())
	}
	all("merges", w.contest(func(at *apptest.Salon, i int) error {
		_, err := at.People.MergeContacts(t.Context(), w.Owner, refs[i+1], refs[0])
		return err
	}))
	c, err := w.People.ContactByID(t.Context(), w.Owner, refs[0])
	w.Must(err)
	for i := range contenders {
		if !strings.Contains(c.Notes, fmt.Sprintf("note %d.", i+1)) {
			t.Errorf("merges: note %d is lost", i+1)
		}
	}

	k := w.Key(account.FullScope)
	values := make([]string, contenders)
	all("rotations", w.contest(func(at *apptest.Salon, i int) error {
		rotated, err := at.Account.RotateKey(t.Context(), app.Operator(w.Workspace.ID), k.ID.String(), time.Hour)
		values[i] = rotated.Value
		return err
	}))
	working := 0
	for _, v := range values {
		if _, err := w.Account.CheckKey(v); err == nil {
			working++
		}
	}
	if working != 2 {
		t.Errorf("rotations: %d values work, want the last one and the one before", working)
	}
}

// An address that was handed out is not ended by one who asked for it at the same moment.
func TestContestFeedAddressIsTheSameForAll(t *testing.T) {
	w := newWorld(t)
	urls := make([]string, contenders)
	w.tally(w.contest(func(at *apptest.Salon, i int) (err error) {
		urls[i], err = at.Feed.FeedURL(t.Context(), w.Owner, "", false)
		return err
	}), "")
	for _, u := range urls {
		if u != urls[0] {
			t.Errorf("%s and %s", u, urls[0])
		}
	}
}

// Of servers that start at one moment on a new database each signs with the same key.
func TestContestFormKeyIsOne(t *testing.T) {
	w := newWorld(t)
	keys := make([]string, contenders)
	w.tally(w.contest(func(at *apptest.Salon, i int) error {
		key, err := at.Upkeep.FormKey(t.Context())
		keys[i] = string(key)
		return err
	}), "")
	for _, k := range keys {
		if k != keys[0] {
			t.Fatal("two keys were handed out")
		}
	}
}
