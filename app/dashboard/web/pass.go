package web

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/counter"
	"daybook/app/money"
	"daybook/app/pass"
)

// PassesOf returns the passes of a contact that can pay; the one that ends first is the first.
func (c *Call) PassesOf(contact booking.ContactID) ([]pass.Pass, error) {
	page, err := c.Subjects.Pass.Passes(c.Context(), c.Actor, pass.Query{Contact: contact.String(), Owed: true})
	all := slices.DeleteFunc(page.Data, func(p pass.Pass) bool { return p.Status != pass.Active })
	slices.SortStableFunc(all, func(a, b pass.Pass) int {
		if a.EndsAt == 0 || b.EndsAt == 0 { // one without an end comes last
			return cmp.Compare(b.EndsAt, a.EndsAt)
		}
		return cmp.Or(cmp.Compare(a.EndsAt, b.EndsAt), cmp.Compare(a.ID, b.ID))
	})
	return all, err
}

// PassTerms says what a product that is a pass pays for: "Pass for 10 visits"; "" for a thing.
func (c *Call) PassTerms(p *catalog.Product) string {
	switch {
	case p.Pass == nil:
		return ""
	case p.Pass.Credits > 0:
		return c.T("pass_for_visits", "Count", p.Pass.Credits)
	}
	return c.T("pass_for_amount", "Amount", c.Money(&money.Money{Amount: p.Pass.Amount, Currency: p.Price.Currency}))
}

// PassName returns what a pass is called; a voucher has no title.
func (c *Call) PassName(title string) string {
	if title == "" {
		return c.T("till_voucher")
	}
	return title
}

// VoucherName is "Voucher for Ada".
func (c *Call) VoucherName(whom string) string {
	if whom == "" {
		return c.T("till_voucher")
	}
	return c.T("pass_voucher_for", "Name", whom)
}

// PassWorth writes what is on a pass: credits, or an amount.
func (c *Call) PassWorth(p *pass.Pass, n int64) string {
	if p.Kind == pass.Credits {
		return strconv.FormatInt(n, 10)
	}
	return c.Money(&money.Money{Amount: n, Currency: p.Currency})
}

// PassUntil is the last day on which a pass is good; "" for one without an end.
func (c *Call) PassUntil(p *pass.Pass) string {
	if p.EndsAt == 0 {
		return ""
	}
	return c.Day(c.At(p.EndsAt.Add(-time.Millisecond)))
}

// SoldText returns the text of a line of a receipt or a sale in the member's language.
func (c *Call) SoldText(kind counter.LineKind, text string) string {
	switch kind {
	case counter.TipLine:
		return c.T("till_tip")
	case counter.VoucherLine:
		return c.VoucherName(text)
	case counter.RedeemedLine:
		return c.T("pass_redeemed", "Name", c.PassName(text))
	}
	return text
}

// PaidBy says how something was paid: "Cash", "Ten cuts, 2 visits".
func (c *Call) PaidBy(m booking.Method, use *booking.PassUse) string {
	if use == nil {
		return c.MethodName(m)
	}
	if use.Credits > 0 {
		return c.PassName(use.Title) + ", " + c.T("pass_visits_count", "Count", use.Credits)
	}
	return c.PassName(use.Title)
}
