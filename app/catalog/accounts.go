package catalog

import (
	"fmt"
	"regexp"
	"slices"
	"time"

	"daybook/app/fault"
	"daybook/app/field"
	"daybook/app/money"
)

// Accounts are the numbers by which a business's accountant books what was taken. None is ever guessed: what is empty is not
// known, and an export that needs it says so.
type Accounts struct {
	Consultant int    `json:"consultant"` // DATEV's number of the tax adviser; 0 is not known
	Client     int    `json:"client"`     // DATEV's number of the business there; 0 is not known
	Length     int    `json:"length"`     // digits of the accounts; 0 is not known
	YearBegins string `json:"yearBegins"` // the first day of each fiscal year, MM-DD; "" is not known

	Revenue    []RevenueAccount `json:"revenue"` // one for each rate of tax
	Cash       string           `json:"cash"`
	Card       string           `json:"card"`
	Transfer   string           `json:"transfer"`
	Voucher    string           `json:"voucher"` // vouchers on paper, and what is owed to holders of one's own
	Other      string           `json:"other"`
	Online     string           `json:"online"` // paid to the payment provider
	Tips       string           `json:"tips"`
	Fees       string           `json:"fees"`       // of no-shows and late cancellations
	Difference string           `json:"difference"` // of counted cash
	Clearing   string           `json:"clearing"`   // between the ways in which one receipt was paid
}

// RevenueAccount is where what was earned at a rate of tax is booked.
type RevenueAccount struct {
	Rate    *money.Rate `json:"rate"` // nil is for what is not taxed
	Account string      `json:"account"`
	TaxKey  string      `json:"taxKey"` // "" where the account has its tax
}

const maxRevenueAccounts = 20

var (
	accountForm = regexp.MustCompile(`^[0-9A-Za-z.\-]{1,20}$`)
	taxKeyForm  = regexp.MustCompile(`^[0-9A-Za-z.\-]{0,10}$`)
	yearForm    = regexp.MustCompile(`^\d\d-\d\d$`)
)

// AccountsFields describes accounts. Check uses their bounds.
var AccountsFields = field.Resource{
	Text: "The numbers by which the accountant books what was taken. None is guessed: what is empty is not known.",
	Fields: []field.Field{
		{Name: "consultant", Text: "DATEV's number of the tax adviser (Beraternummer), 1001 to 9999999; 0 is none.", Most: 9_999_999,
			InFile: true, Clears: true},
		{Name: "client", Text: "DATEV's number of the business there (Mandantennummer), 1 to 99999; 0 is none.", Most: 99_999,
			InFile: true, Clears: true},
		{Name: "length", Text: "How many digits an account has, 4 to 8 (Sachkontenlänge); 0 is not known.", Most: 8, InFile: true, Clears: true},
		{Name: "yearBegins", Text: "The day on which a fiscal year begins, such as `01-01`; empty is not known.", InFile: true,
			Clears: true, Example: "01-01"},
		{Name: "revenue", Text: "The accounts of what is earned, one for each rate of tax.", InFile: true, Clears: true},
		{Name: "cash", Text: "The account of cash.", InFile: true, Clears: true},
		{Name: "card", Text: "The account of payments by card.", InFile: true, Clears: true},
		{Name: "transfer", Text: "The account of transfers.", InFile: true, Clears: true},
		{Name: "voucher", Text: "The account of vouchers.", InFile: true, Clears: true},
		{Name: "other", Text: "The account of other payments.", InFile: true, Clears: true},
		{Name: "online", Text: "The account of what is paid online.", InFile: true, Clears: true},
		{Name: "tips", Text: "The account of tips.", InFile: true, Clears: true},
		{Name: "fees", Text: "The account of fees for no-shows and late cancellations.", InFile: true, Clears: true},
		{Name: "difference", Text: "The account of differences of counted cash.", InFile: true, Clears: true},
		{Name: "clearing", Text: "The account between the ways in which one receipt was paid, where there are several.", InFile: true,
			Clears: true},
	},
}

// RevenueAccountFields describes one of them.
var RevenueAccountFields = field.Resource{
	Text: "Where what was earned at a rate of tax is booked.",
	Fields: []field.Field{
		{Name: "rate", Text: "In percent; null is for what is not taxed.", InFile: true},
		{Name: "account", Text: "The account.", InFile: true, Required: true, Example: "8400"},
		{Name: "taxKey", Text: "The key of the tax (at DATEV the BU-Schlüssel); empty where the account has its tax.", InFile: true, Clears: true},
	},
}

// Named are the accounts that have a name, by it.
func (x *Accounts) Named() map[string]*string {
	return map[string]*string{"cash": &x.Cash, "card": &x.Card, "transfer": &x.Transfer, "voucher": &x.Voucher, "other": &x.Other,
		"online": &x.Online, "tips": &x.Tips, "fees": &x.Fees, "difference": &x.Difference, "clearing": &x.Clearing}
}

// RevenueOf returns the account for a rate, or nil.
func (x *Accounts) RevenueOf(rate *money.Rate) *RevenueAccount {
	at := slices.IndexFunc(x.Revenue, func(r RevenueAccount) bool { return sameRate(r.Rate, rate) })
	if at < 0 {
		return nil
	}
	return &x.Revenue[at]
}

func sameRate(a, b *money.Rate) bool { return a == nil && b == nil || a != nil && b != nil && *a == *b }

// check returns bad_request for what no chart of accounts has. at names its place in the input.
func (x *Accounts) check(at string) error {
	if x == nil {
		return nil
	}
	var p fault.Problems
	for _, n := range []struct {
		name               string
		value, least, most int
	}{{"consultant", x.Consultant, 1001, 9_999_999}, {"client", x.Client, 1, 99_999}, {"length", x.Length, 4, 8}} {
		if n.value != 0 && (n.value < n.least || n.value > n.most) {
			p.Add(fault.Invalid(at+"."+n.name, "must lie between %d and %d", n.least, n.most))
		}
	}
	if _, err := time.Parse(time.DateOnly, "2025-"+x.YearBegins); x.YearBegins != "" && (err != nil || !yearForm.MatchString(x.YearBegins)) {
		p.Add(fault.Invalid(at+".yearBegins", "must be a day of the year such as 01-01"))
	}
	for name, account := range x.Named() {
		if *account != "" && !accountForm.MatchString(*account) {
			p.Add(badAccount(at + "." + name))
		}
	}
	if len(x.Revenue) > maxRevenueAccounts {
		p.Add(fault.Invalid(at+".revenue", "at most %d", maxRevenueAccounts))
	}
	for i, r := range x.Revenue {
		at := fmt.Sprintf("%s.revenue[%d]", at, i)
		if !accountForm.MatchString(r.Account) {
			p.Add(badAccount(at + ".account"))
		}
		if !taxKeyForm.MatchString(r.TaxKey) {
			p.Add(fault.Invalid(at+".taxKey", "must be the key of a tax, of at most 10 letters and digits"))
		}
		if r.Rate != nil {
			p.Add(r.Rate.Check(at + ".rate"))
		}
		if slices.ContainsFunc(x.Revenue[:i], func(o RevenueAccount) bool { return sameRate(o.Rate, r.Rate) }) {
			p.Add(fault.Invalid(at+".rate", "has an account already"))
		}
	}
	return p.Err()
}

func badAccount(at string) error {
	return fault.Invalid(at, "must be the number of an account, of at most 20 letters and digits")
}
