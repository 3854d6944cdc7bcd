package account_test

import (
	"testing"

	"daybook/app"
	"daybook/app/account"
	"daybook/app/apptest"
	"daybook/app/catalog"
)

// What a transaction has made counts for the members that it makes and changes, and for what checks them.
func TestMembersSeeTheirTransaction(t *testing.T) {
	s := apptest.New(t, apptest.Options{})
	staff, _, err := s.Account.Invite(t.Context(), s.Owner, account.MemberInput{Email: "s@salon.example", Role: app.ManagerRole})
	s.Must(err)
	s.Must(s.Store.Write(t.Context(), func(tx app.Tx) error {
		in := s.In(tx)
		h, err := in.Shop.SaveHost(t.Context(), s.Owner, catalog.Host{Name: "Eve", Email: "eve@salon.example", TimeZone: "UTC", Active: true})
		if err != nil {
			return err
		}
		as := account.MemberInput{Email: "eve@salon.example", Role: app.StaffRole, Host: h.ID}
		if _, _, err := in.Account.Invite(t.Context(), s.Owner, as); err != nil {
			return err
		}
		if _, err := in.Account.ChangeMember(t.Context(), s.Owner, staff.ID.String(), as); err != nil {
			return err
		}
		_, err = in.Account.RemoveMember(t.Context(), s.Owner, staff.ID.String(), func(m account.Membership) error {
			if m.HostID != h.ID || m.Setup.Host(h.ID) == nil {
				t.Errorf("%+v", m)
			}
			return nil
		})
		return err
	}))
}
