package app_test

import (
	"bytes"
	"context"
	"image"
	"image/png"
	"net/netip"
	"sync/atomic"
	"testing"

	"daybook/app"
	"daybook/app/account"
	"daybook/app/apptest"
	"daybook/app/gate"
	"daybook/app/subjects"
	"daybook/app/when"
)

// alongs counts what is written along.
type alongs struct {
	app.Store
	n atomic.Int64
}

// WriteAlong implements app.Store.
func (s *alongs) WriteAlong(ctx context.Context, change func(app.Tx) error) error {
	s.n.Add(1)
	return s.Store.WriteAlong(ctx, change)
}

// What somebody waits for is not written along, which may take longer while many write.
func TestNobodyWaitsForWhatIsWrittenAlong(t *testing.T) {
	var store *alongs
	s := apptest.New(t, apptest.Options{With: func(c *subjects.Config) {
		store = &alongs{Store: c.Store}
		c.Store = store
	}})
	ctx, from := t.Context(), netip.MustParseAddr("203.0.113.7")
	s.Offer("cut", 60, nil)
	u, err := s.Account.CreateUser(ctx, app.Operator(s.Workspace.ID), account.UserInput{Email: "o@salon.example",
		Role: app.OwnerRole, Password: "correct horse battery"})
	s.Must(err)
	var token string
	for name, do := range map[string]func() error{
		"a sign-in": func() (err error) {
			_, _, err = s.Account.SignIn(ctx, account.SignInInput{Email: u.Email, Password: "correct horse battery", Address: from.String()})
			return err
		},
		"a wrong one": func() error {
			_, _, err := s.Account.SignIn(ctx, account.SignInInput{Email: u.Email, Password: "wrong horse battery", Address: from.String()})
			if err == nil {
				t.Error("signed in")
			}
			return nil
		},
		"a session that is used again": func() (err error) {
			if token, _, err = s.Account.SignIn(ctx, account.SignInInput{Email: u.Email, Password: "correct horse battery"}); err != nil {
				return err
			}
			s.Clock.Advance(2 * when.Day)
			_, err = s.Account.SessionOf(ctx, token)
			return err
		},
		"a passkey": func() error { _, err := s.Factor.BeginSignIn(ctx, from); return err },
		"a program that registers": func() error {
			_, err := s.OAuth.Register(ctx, from, []byte(`{"redirect_uris":["https://a.example/"]}`))
			return err
		},
		"a form": func() error { return s.Gate.Count(ctx, gate.Client{Address: from, Most: 9}) },
		"a dry run": func() error {
			_, err := s.DryRun(ctx, s.API, func(ctx context.Context, in *subjects.Set) (any, error) {
				return in.Book(ctx, s.API, apptest.Input("cut", "4T09", "ann"))
			})
			return err
		},
		"a picture": func() error {
			var file bytes.Buffer
			s.Must(png.Encode(&file, image.NewGray(image.Rect(0, 0, 400, 400))))
			_, _, err := s.Pictures.Upload(ctx, s.Owner, file.Bytes())
			return err
		},
	} {
		store.n.Store(0)
		if err := do(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if n := store.n.Load(); n > 0 {
			t.Errorf("%s: %d transactions are written along", name, n)
		}
	}
}
