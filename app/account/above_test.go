package account_test

import (
	"strings"
	"testing"

	"daybook/app"
	"daybook/app/account"
	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/right"
)

// keyOf makes a key, and returns it with the actor of its calls as the doors have it.
func keyOf(s *apptest.Salon, in account.KeyInput) (account.NewKey, app.Actor) {
	s.T.Helper()
	in.Name = "test"
	made, err := s.Account.CreateKey(s.T.Context(), s.Owner, in)
	s.Must(err)
	k, err := s.Account.Authenticate(made.Value)
	s.Must(err)
	return made, k.Actor(booking.ByAPI)
}

func hostOf(s *apptest.Salon) catalog.HostID {
	s.T.Helper()
	setup, err := s.Setup(s.Workspace.ID)
	s.Must(err)
	return setup.Hosts[0].ID
}

func TestAreasOfAKey(t *testing.T) {
	s := apptest.New(t, apptest.Options{})
	made, a := keyOf(s, account.KeyInput{Scope: account.FullScope, Areas: right.Settings | right.Members})
	if a.Areas != right.Settings|right.Members {
		t.Errorf("the actor has %v", a.Areas)
	}
	s.Must(a.May(app.MayManageEventTypes))
	s.Refused(a.May(app.MayManageKeys), fault.Forbidden, "area")
	rotated, err := s.Account.RotateKey(t.Context(), s.Owner, made.ID.String(), 0)
	s.Must(err)
	if k, err := s.Account.Authenticate(rotated.Value); err != nil || k.Areas != a.Areas {
		t.Errorf("rotated it has %v, %v", k.Areas, err)
	}
	if _, plain := keyOf(s, account.KeyInput{Scope: account.FullScope}); plain.Areas != 0 || plain.May(app.MayManageEndpoints) != nil {
		t.Errorf("a key without areas has %v, or doesn't manage webhook endpoints", plain.Areas)
	}
	_, err = s.Account.CreateKey(t.Context(), s.Owner,
		account.KeyInput{Name: "r", Scope: account.ReadOnlyScope, Areas: right.Settings})
	if e := s.Refused(err, fault.BadRequest, "invalid"); e.Field != "areas" {
		t.Error(e)
	}
}

// A key makes and rotates no key that may do more than it may itself.
func TestNoKeyAboveItself(t *testing.T) {
	s := apptest.New(t, apptest.Options{})
	ctx := t.Context()
	_, a := keyOf(s, account.KeyInput{Scope: account.FullScope, Areas: right.Keys | right.Settings, RateLimit: 60})
	for name, in := range map[string]account.KeyInput{
		"with another area": {Scope: account.FullScope, Areas: right.Settings | right.Members, RateLimit: 60},
		"that is faster":    {Scope: account.FullScope, RateLimit: 61},
	} {
		in.Name = name
		_, err := s.Account.CreateKey(ctx, a, in)
		s.Refused(err, fault.Forbidden, "above_itself")
	}
	for _, in := range []account.KeyInput{
		{Name: "same", Scope: account.FullScope, Areas: right.Keys | right.Settings, RateLimit: 60},
		{Name: "less", Scope: account.FullScope, RateLimit: 60}, {Name: "least", Scope: account.ReadOnlyScope, RateLimit: 1},
	} {
		_, err := s.Account.CreateKey(ctx, a, in)
		s.Must(err)
	}
	other, _ := keyOf(s, account.KeyInput{Scope: account.FullScope, Areas: right.Members})
	_, err := s.Account.RotateKey(ctx, a, other.ID.String(), 0)
	if e := s.Refused(err, fault.Forbidden, "above_itself"); !strings.Contains(e.Error(), "members") {
		t.Error(e)
	}
	if _, err := s.Account.Authenticate(other.Value); err != nil {
		t.Errorf("the key that was not rotated: %v", err)
	}
}

// A key with the area members makes and touches no owners, and managers only with what they may do.
func TestNoMemberAboveTheKey(t *testing.T) {
	s := apptest.New(t, apptest.Options{})
	ctx := t.Context()
	_, weak := keyOf(s, account.KeyInput{Scope: account.FullScope, Areas: right.Members})
	_, strong := keyOf(s, account.KeyInput{Scope: account.FullScope, Areas: right.Members | right.Settings | right.Contacts})
	owner, _, err := s.Account.Invite(ctx, s.Owner, account.MemberInput{Email: "o@salon.example", Role: app.OwnerRole})
	s.Must(err)
	manager, _, err := s.Account.Invite(ctx, strong, account.MemberInput{Email: "m@salon.example", Role: app.ManagerRole})
	s.Must(err)
	staff, _, err := s.Account.Invite(ctx, weak,
		account.MemberInput{Email: "s@salon.example", Role: app.StaffRole, Host: hostOf(s)})
	s.Must(err)
	for name, do := range map[string]func() error{
		"an owner": func() error {
			_, _, err := s.Account.Invite(ctx, strong, account.MemberInput{Email: "x@salon.example", Role: app.OwnerRole})
			return err
		},
		"staff made owner": func() error {
			_, err := s.Account.ChangeMember(ctx, strong, staff.ID.String(), account.MemberInput{Role: app.OwnerRole})
			return err
		},
		"an owner's link": func() error { _, _, err := s.Account.InviteAgain(ctx, strong, owner.ID.String(), false); return err },
		"an owner's end":  func() error { _, err := s.Account.RemoveMember(ctx, strong, owner.ID.String()); return err },
		"an owner made manager": func() error {
			_, err := s.Account.ChangeMember(ctx, strong, owner.ID.String(), account.MemberInput{Role: app.ManagerRole})
			return err
		},
		"a manager by less": func() error {
			_, _, err := s.Account.Invite(ctx, weak, account.MemberInput{Email: "y@salon.example", Role: app.ManagerRole})
			return err
		},
		"a manager's link by less": func() error { _, _, err := s.Account.InviteAgain(ctx, weak, manager.ID.String(), false); return err },
	} {
		t.Log(name)
		s.Refused(do(), fault.Forbidden, "above_itself")
	}
	_, err = s.Account.RemoveMember(ctx, weak, staff.ID.String())
	s.Must(err)
}
