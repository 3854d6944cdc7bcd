package app_test

import (
	"testing"

	"daybook/app"
	"daybook/app/account"
	"daybook/app/fault"
)

func TestANewPasswordEndsAllSessions(t *testing.T) {
	w := newWorld(t)
	const email, old, fresh = "ana@salon.example", "correct horse 1", "battery staple 2"
	_, err := w.Account.CreateUser(t.Context(), w.ws, account.UserInput{Email: email, Role: app.OwnerRole, Password: old})
	w.must(err)
	token, _, err := w.Account.SignIn(t.Context(), account.SignInInput{Email: email, Password: old, Address: "192.0.2.1"})
	w.must(err)
	_, err = w.Account.SessionOf(t.Context(), token)
	w.must(err)
	_, err = w.Account.SetPassword(t.Context(), "Ana@salon.example", fresh)
	w.must(err)
	if _, err := w.Account.SessionOf(t.Context(), token); !fault.Is(err, fault.Unauthorized) {
		t.Errorf("the session goes on: %v", err)
	}
	if _, _, err := w.Account.SignIn(t.Context(), account.SignInInput{Email: email, Password: fresh, Address: "192.0.2.1"}); err != nil {
		t.Error(err)
	}
}
