package app_test

import (
	"testing"

	"daybook/app"
	"daybook/app/account"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
)

func TestANewPasswordEndsAllSessions(t *testing.T) {
	w := newWorld(t)
	const email, old, fresh = "ana@salon.example", "correct horse 1", "battery staple 2"
	_, err := w.Account.CreateUser(t.Context(), app.Operator(w.Workspace.ID), account.UserInput{Email: email, Role: app.OwnerRole, Password: old})
	w.Must(err)
	token, _, err := w.Account.SignIn(t.Context(), account.SignInInput{Email: email, Password: old, Address: "192.0.2.1"})
	w.Must(err)
	_, err = w.Account.SessionOf(t.Context(), token)
	w.Must(err)
	_, err = w.Account.SetPassword(t.Context(), app.Operator(0), "Ana@salon.example", fresh)
	w.Must(err)
	if _, err := w.Account.SessionOf(t.Context(), token); !fault.Is(err, fault.Unauthorized) {
		t.Errorf("the session goes on: %v", err)
	}
	if _, _, err := w.Account.SignIn(t.Context(), account.SignInInput{Email: email, Password: fresh, Address: "192.0.2.1"}); err != nil {
		t.Error(err)
	}
}

// An owner manages the keys of their own workspace only; the operator of all workspaces manages every key.
func TestKeysOfAnotherWorkspace(t *testing.T) {
	w := newWorld(t)
	other, err := w.Shop.CreateWorkspace(t.Context(), app.Operator(0), catalog.WorkspaceInput{Slug: "other", Name: "O", TimeZone: "UTC"})
	w.Must(err)
	owner := app.Actor{Kind: booking.ByOwner, Workspace: other.ID, User: 1, Role: app.OwnerRole}
	key, err := w.Account.CreateKey(t.Context(), app.Operator(w.Workspace.ID), account.KeyInput{Name: "k", Scope: account.FullScope})
	w.Must(err)
	ref := key.ID.String()
	for _, a := range []app.Actor{owner, app.Operator(other.ID)} {
		if _, err := w.Account.RotateKey(t.Context(), a, ref, 0); !fault.Is(err, fault.NotFound) {
			t.Errorf("rotating: %v", err)
		}
		if _, err := w.Account.RevokeKey(t.Context(), a, ref); !fault.Is(err, fault.NotFound) {
			t.Errorf("revoking: %v", err)
		}
		if all, err := w.Account.Keys(t.Context(), a); err != nil || len(all) != 0 {
			t.Errorf("listing: %v %v", all, err)
		}
	}
	nowhere := owner
	nowhere.Workspace = 0
	if all, err := w.Account.Keys(t.Context(), nowhere); err != nil || len(all) != 0 {
		t.Errorf("an owner of no workspace: %v %v", all, err)
	}
	if all, err := w.Account.Keys(t.Context(), app.Operator(0)); err != nil || len(all) != 1 {
		t.Errorf("the operator of all: %v %v", all, err)
	}
	if _, err := w.Account.RevokeKey(t.Context(), app.Operator(0), ref); err != nil {
		t.Error(err)
	}
}
