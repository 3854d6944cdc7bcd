package setup_test

import (
	"strings"
	"testing"

	"daybook/app/fault"
)

// The accounts of an accountant are what the file says, and what is exported applies as it is; null ends them.
func TestAccountsOfAFile(t *testing.T) {
	s := blank(t)
	apply(t, s, salon)
	named := `workspace: {slug: salon, accounts: {consultant: 1001, client: 42, length: 4, yearBegins: "07-01", cash: "1000",
  revenue: [{rate: 19, account: "8400"}, {rate: null, account: "8200", taxKey: "40"}]}}`
	if got := told(apply(t, s, named)); !strings.Contains(got, `workspace salon.accounts null→{"consultant":1001,"client":42`) {
		t.Error(got)
	}
	_, text := export(t, s, "salon")
	for _, again := range []string{named, text} {
		if all := apply(t, s, again); len(all) != 0 {
			t.Errorf("differs:\n%s", told(all))
		}
	}
	for file, want := range map[string]string{
		`accounts: {consultant: 7}`:                                   "workspace.accounts.consultant: must lie between 1001 and 9999999",
		`accounts: {yearBegins: "02-30"}`:                             "workspace.accounts.yearBegins: must be a day",
		`accounts: {cash: "10 00"}`:                                   "workspace.accounts.cash: must be the number of an account",
		`accounts: {revenue: [{account: "8400"}, {account: "8401"}]}`: "workspace.accounts.revenue[1].rate: has an account already",
		`accounts: {bank: "1200"}`:                                    "workspace.accounts.bank: there is no such field",
	} {
		_, err := tryApply(t, s, "workspace:\n  slug: salon\n  "+file)
		if e := fault.As(err); e == nil || e.Code != fault.BadRequest || !strings.Contains(e.Error(), want) {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
	apply(t, s, "workspace: {slug: salon, accounts: null}")
	if _, text := export(t, s, "salon"); !strings.Contains(text, "accounts: null") {
		t.Error(text)
	}
}
