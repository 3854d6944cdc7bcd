package settings

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"daybook/app/catalog"
	"daybook/app/dashboard/web"
	"daybook/app/fault"
	"daybook/views/dash"
)

// The accounts, in the order of the form; the label of each is the message of its name.
var accountNames = []string{"cash", "card", "transfer", "voucher", "other", "online", "tips", "fees", "difference", "clearing"}

// spareRevenue is how many more revenue accounts the form has room for.
const spareRevenue = 2

func (c call) accounts() error { return c.showAccounts(nil, nil) }

func revenueAt(i int) string { return fmt.Sprintf("settings.accounts.revenue[%d].", i) }

// showAccounts is the form with the accounts, or with what was typed and what is wrong with it.
func (c call) showAccounts(typed url.Values, e *fault.Error) error {
	x := catalog.Accounts{}
	if now := c.Setup.Workspace.Settings.Accounts; now != nil {
		x = *now
	}
	v := dash.SettingsPage{SettingsFrame: c.settingsFrame(c.T("books_tab"), dash.AccountsPath), Action: dash.AccountsPath}
	number := func(n int) string {
		if n == 0 {
			return ""
		}
		return strconv.Itoa(n)
	}
	const at = "settings.accounts."
	revenue := dash.Group{Title: c.T("books_revenue"), Hint: c.T("books_revenue_hint")}
	for i := range len(x.Revenue) + spareRevenue {
		r := catalog.RevenueAccount{}
		if i < len(x.Revenue) {
			r = x.Revenue[i]
		}
		rate := ""
		if r.Rate != nil {
			rate = c.RateText(*r.Rate)
		}
		n := strconv.Itoa(i + 1)
		revenue.Inputs = append(revenue.Inputs,
			dash.Input{Name: revenueAt(i) + "rate", Label: c.T("books_rate", "Number", n), Value: rate, Suffix: "%", Decimal: true,
				Placeholder: c.T("books_untaxed")},
			dash.Input{Name: revenueAt(i) + "account", Label: c.T("books_account", "Number", n), Value: r.Account, Half: true, Digits: true},
			dash.Input{Name: revenueAt(i) + "taxKey", Label: c.T("books_key", "Number", n), Value: r.TaxKey, Half: true, Digits: true})
	}
	ways := dash.Group{Title: c.T("books_ways")}
	for _, name := range accountNames {
		ways.Inputs = append(ways.Inputs, dash.Input{Name: at + name, Label: c.T("books_of_" + name), Value: *x.Named()[name], Half: true,
			Digits: true})
	}
	v.Groups = []dash.Group{{Title: "DATEV", Hint: c.T("books_hint"), Inputs: []dash.Input{
		{Name: at + "consultant", Label: c.T("books_consultant"), Value: number(x.Consultant), Half: true, Digits: true},
		{Name: at + "client", Label: c.T("books_client"), Value: number(x.Client), Half: true, Digits: true},
		{Name: at + "length", Label: c.T("books_length"), Value: number(x.Length), Half: true, Digits: true},
		{Name: at + "yearBegins", Label: c.T("books_year"), Value: x.YearBegins, Half: true, Placeholder: "01-01", Hint: c.T("books_year_hint")},
	}}, revenue, ways}
	v.Problem = c.Fill(v.Groups, typed, e)
	return c.Show(web.RefusedStatus(e), dash.Settings(v))
}

// readAccounts reads the form; nil is none.
func readAccounts(form url.Values) (*catalog.Accounts, error) {
	const at = "settings.accounts."
	r := web.Reader{Form: form}
	x := catalog.Accounts{Consultant: r.Whole(at + "consultant"), Client: r.Whole(at + "client"), Length: r.Whole(at + "length"),
		YearBegins: strings.TrimSpace(form.Get(at + "yearBegins"))}
	for name, to := range x.Named() {
		*to = strings.TrimSpace(form.Get(at + name))
	}
	for i := 0; form.Has(revenueAt(i) + "account"); i++ {
		one := catalog.RevenueAccount{Rate: r.Rate(revenueAt(i) + "rate"), Account: strings.TrimSpace(form.Get(revenueAt(i) + "account")),
			TaxKey: strings.TrimSpace(form.Get(revenueAt(i) + "taxKey"))}
		if one.Account != "" || one.TaxKey != "" || one.Rate != nil {
			x.Revenue = append(x.Revenue, one)
		}
	}
	none := x.Consultant == 0 && x.Client == 0 && x.Length == 0 && x.YearBegins == "" && len(x.Revenue) == 0 &&
		!slices.ContainsFunc(accountNames, func(name string) bool { return *x.Named()[name] != "" })
	if none {
		return nil, r.Err
	}
	return &x, r.Err
}

func (c call) saveAccounts() error {
	form, err := c.Posted()
	if err != nil {
		return err
	}
	x, err := readAccounts(form)
	if err == nil {
		_, err = c.Subjects.Shop.UpdateWorkspace(c.Context(), c.Actor, func(w *catalog.Workspace) { w.Settings.Accounts = x })
	}
	if e := web.Refused(err); e != nil {
		return c.showAccounts(form, e)
	}
	if err != nil {
		return err
	}
	return c.Redirect(dash.AccountsPath, "saved")
}
