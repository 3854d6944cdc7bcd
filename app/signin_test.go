package app_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"daybook/app"
	"daybook/app/account"
	"daybook/app/catalog"
	"daybook/app/fault"
)

const ownersPassword = "correct horse 1"

func (w *world) owner() app.User {
	w.T.Helper()
	in := account.UserInput{Email: "ana@salon.example", Role: app.OwnerRole, Password: ownersPassword}
	u, err := w.Account.CreateUser(w.T.Context(), app.Operator(w.Workspace.ID), in)
	w.Must(err)
	return u
}

// atOnce runs n tries at the same time and counts how they ended.
func atOnce(n int, try func(i int) error) (tried, refused, passed int) {
	var mu sync.Mutex
	var all sync.WaitGroup
	start := make(chan struct{})
	for i := range n {
		all.Go(func() {
			<-start
			err := try(i)
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err == nil:
				passed++
			case fault.Is(err, fault.RateLimited):
				refused++
			default:
				tried++
			}
		})
	}
	close(start)
	all.Wait()
	return tried, refused, passed
}

// 200 guesses sent at once are no more than 5 sent one after the other.
func TestGuessesAtOnceAreLimited(t *testing.T) {
	w := newWorld(t)
	owner := w.owner()
	token, _, err := w.Account.SignIn(t.Context(), account.SignInInput{Email: owner.Email, Password: ownersPassword, Address: "192.0.2.9"})
	w.Must(err)
	session, err := w.Account.SessionOf(t.Context(), token)
	w.Must(err)
	guess := func(i int, email, address string) error {
		in := account.SignInInput{Email: email, Password: fmt.Sprint("wrong password ", i), Address: address}
		_, _, err := w.Account.SignIn(t.Context(), in)
		return err
	}
	for _, c := range []struct {
		name string
		most int
		try  func(i int) error
	}{
		{"sign-in from one address", 5, func(i int) error {
			return guess(i, owner.Email, "192.0.2.1")
		}},
		{"sign-in to many accounts from one address", 30, func(i int) error {
			return guess(i, fmt.Sprint(i, "@x.example"), "192.0.2.2")
		}},
		{"sign-in from everywhere", 95, func(i int) error { // 100 less the 5 of above
			return guess(i, owner.Email, fmt.Sprint("198.51.100.", i))
		}},
		{"change of the password", 5, func(i int) error {
			return w.Account.ChangePassword(t.Context(), session, fmt.Sprint("wrong password ", i), "a new password")
		}},
	} {
		tried, refused, passed := atOnce(200, c.try)
		t.Logf("%s: of 200 at once %d were tried and %d refused", c.name, tried, refused)
		if tried == 0 || tried > c.most || passed != 0 || refused != 200-tried {
			t.Errorf("%s: %d tried, %d refused, %d passed; want at most %d tried", c.name, tried, refused, passed, c.most)
		}
	}
}

// A set-up link and an invitation hash a password only as often as a form is sent by somebody who mistypes.
func TestLinksAtOnceAreLimited(t *testing.T) {
	w := newWorld(t)
	link, err := w.Account.NewSetupLink(t.Context())
	w.Must(err)
	token := link[len("/setup/"):]
	if there, err := w.Account.SetupLink(t.Context(), token); err != nil || there == nil || there.Slug != "salon" {
		t.Fatal(there, err)
	}
	tried, refused, passed := atOnce(200, func(int) error {
		// What is typed is refused only behind the hash: there is a workspace, which the caller did not see.
		_, _, err := w.Account.TakeSetupLink(t.Context(), token, account.FirstInput{
			Email: "ana@salon.example", Password: ownersPassword,
			Workspace: catalog.WorkspaceInput{Slug: "x", Name: "X", TimeZone: "UTC"},
		})
		return err
	})
	t.Logf("set-up: of 200 at once %d were tried and %d refused", tried, refused)
	if tried == 0 || tried > 5 || passed != 0 {
		t.Errorf("set-up: %d tried, %d refused, %d passed; want at most 5 tried", tried, refused, passed)
	}
	owner := w.owner()
	_, link, err = w.Account.Invite(t.Context(), owner.Actor(), account.MemberInput{Email: "bo@salon.example", Role: app.ManagerRole})
	w.Must(err)
	tried, refused, passed = atOnce(200, func(int) error {
		_, _, err := w.Account.TakeInvitation(t.Context(), link[len("/invite/"):], ownersPassword, "")
		return err
	})
	t.Logf("invitation: of 200 at once 1 was taken, %d were tried in vain and %d refused", tried, refused)
	if passed != 1 || refused == 0 {
		t.Errorf("invitation: %d tried, %d refused, %d passed; want 1 passed", tried, refused, passed)
	}
}

// However often strangers try a member's address, the member gets in with a browser that they have signed in with
// before, and with no other; a wrong password there counts for that browser alone.
func TestStrangersLockNoKnownBrowserOut(t *testing.T) {
	w := newWorld(t)
	owner := w.owner()
	in := account.SignInInput{Email: owner.Email, Password: ownersPassword, Address: "192.0.2.9"}
	_, u, err := w.Account.SignIn(t.Context(), in)
	w.Must(err)
	known := account.KnownBrowser(&u)
	for i := range 110 {
		_, _, err := w.Account.SignIn(t.Context(), account.SignInInput{Email: owner.Email, Password: "wrong password",
			Address: fmt.Sprintf("2001:db8:%x::1", i)})
		if (i < 100) != fault.Is(err, fault.Unauthorized) {
			t.Fatalf("try %d: %v", i, err)
		}
	}
	if _, _, err := w.Account.SignIn(t.Context(), in); !fault.Is(err, fault.RateLimited) {
		t.Errorf("an unknown browser: %v", err)
	}
	in.Browser = known
	if _, _, err := w.Account.SignIn(t.Context(), in); err != nil {
		t.Errorf("the known browser: %v", err)
	}
	in.Password = "wrong password"
	for i := range 6 {
		if _, _, err := w.Account.SignIn(t.Context(), in); (i < 5) != fault.Is(err, fault.Unauthorized) {
			t.Errorf("wrong try %d of the known browser: %v", i, err)
		}
	}
}

// Who goes away before their turn has tried no password, and is not made to wait for it.
func TestSignInEndsWithTheClient(t *testing.T) {
	w := newWorld(t)
	owner := w.owner()
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	in := account.SignInInput{Email: owner.Email, Password: "wrong password", Address: "192.0.2.1"}
	for range 10 {
		if _, _, err := w.Account.SignIn(gone, in); !errors.Is(err, context.Canceled) {
			t.Fatalf("a client that is gone: %v", err)
		}
	}
	in.Password = ownersPassword
	if _, _, err := w.Account.SignIn(t.Context(), in); err != nil {
		t.Errorf("attempts that were never made count: %v", err)
	}
}

// Success forgives: somebody who signs in often is never locked out.
func TestSignInForgives(t *testing.T) {
	w := newWorld(t)
	owner := w.owner()
	in := account.SignInInput{Email: owner.Email, Address: "192.0.2.1"}
	for range 4 {
		for range 4 {
			in.Password = "wrong password"
			if _, _, err := w.Account.SignIn(t.Context(), in); !fault.Is(err, fault.Unauthorized) {
				t.Fatal(err)
			}
		}
		in.Password = ownersPassword
		if _, _, err := w.Account.SignIn(t.Context(), in); err != nil {
			t.Fatal(err)
		}
	}
	for range 40 { // more than the limit of an address
		if _, _, err := w.Account.SignIn(t.Context(), in); err != nil {
			t.Fatal(err)
		}
	}
}

// The set-up link ends with the first user, however they came, for good.
func TestSetupLinkEndsWithTheFirstUser(t *testing.T) {
	w := newWorld(t)
	link, err := w.Account.NewSetupLink(t.Context())
	w.Must(err)
	token := link[len("/setup/"):]
	w.owner()
	if _, err := w.Account.SetupLink(t.Context(), token); !fault.Is(err, fault.NotFound) {
		t.Errorf("the link still shows: %v", err)
	}
	_, _, err = w.Account.TakeSetupLink(t.Context(), token, account.FirstInput{Email: "eve@x.example", Password: ownersPassword})
	if !fault.Is(err, fault.NotFound) {
		t.Errorf("the link still makes owners: %v", err)
	}
	all, err := w.Store.Users(w.Workspace.ID, 10)
	w.Must(err)
	if len(all) != 1 {
		t.Errorf("%d users, want 1: %v", len(all), all)
	}
	if link, err := w.Account.NewSetupLink(t.Context()); link != "" || err != nil {
		t.Errorf("another link: %q %v", link, err)
	}
}
