package catalog

import (
	"strings"

	"daybook/app/fault"
	"daybook/app/field"
	"daybook/app/money"
	"daybook/app/when"
)

// Product is a thing that the business sells at its counter, such as a shampoo. Products are no part of a Setup: a shop may
// have thousands of them, which no booking needs.
type Product struct {
	ID          ProductID    `json:"id"`
	WorkspaceID WorkspaceID  `json:"-"`
	Name        string       `json:"name"`   // no other product of the workspace has it
	Number      string       `json:"number"` // the shop's own or a barcode; "" is none; no other product has it
	Price       money.Money  `json:"price"`
	TaxRate     *money.Rate  `json:"taxRate"` // nil is the workspace's
	Picture     PictureID    `json:"picture"` // 0 is none
	Stock       *int64       `json:"stock"`   // nil is not counted; below zero more were sold than were counted
	Pass        *PassTerms   `json:"pass"`    // nil is a thing; else each one sold is a pass
	Active      bool         `json:"active"`  // whether it is on sale; one that isn't stays readable
	CreatedAt   when.Instant `json:"createdAt"`
	Sold        bool         `json:"-"` // at least once: it can't be deleted any more
}

const (
	MaxProducts = 2000 // of a workspace, of those that are on sale
	maxStock    = 1_000_000
)

// ProductFields describes the fields of products. Check uses their bounds.
var ProductFields = field.Resource{
	Text: "A thing that is sold at the counter.",
	Fields: []field.Field{
		{Name: "id", Text: "Identifier of the product.", Example: "pd_1p4s8yvz04k2c", InFile: true},
		{Name: "name", Text: "Its name; no other product of the workspace has it.", Least: 1, Most: fault.MaxName,
			InFile: true, Key: true, Required: true},
		{Name: "number", Text: "The shop's own number or a barcode, by which it is found at the till; no other product has it, " +
			"and empty is none.", Most: 64, InFile: true, Clears: true},
		{Name: "price", Of: &money.MoneyFields, Text: "What one costs.", InFile: true, Required: true},
		{Name: "taxRate", Text: "Its tax in percent, for receipts; null is the workspace's rate.", InFile: true},
		{Name: "picture", Text: "Id of its picture; empty is none.", InFile: true, Clears: true},
		{Name: "stock", Text: "How many there are; null isn't counted. Selling one lowers it, also below zero.",
			Least: -maxStock, Most: maxStock, InFile: true},
		{Name: "pass", Of: &PassTermsFields, Text: "What a pass that is sold under this name pays for; null is a thing.", InFile: true},
		{Name: "active", Text: "Whether it is on sale.", InFile: true},
		{Name: "createdAt", Text: "When it was made."},
	},
}

// ProductKey returns the name or the number of a product as they are told apart: whatever their case.
func ProductKey(text string) string { return strings.ToLower(strings.TrimSpace(text)) }

// Check normalises the product. at names its place in the input, for errors. Errors: bad_request.
func (p *Product) Check(at string) error {
	var all fault.Problems
	var err error
	name := ProductFields.Field("name")
	p.Name, err = fault.CheckLine(at+".name", p.Name, name.Least, name.Most)
	all.Add(err)
	p.Number, err = fault.CheckLine(at+".number", p.Number, 0, ProductFields.Field("number").Most)
	all.Add(err)
	if p.Price.Amount < 0 || p.Price.Amount > money.MaxAmount {
		all.Add(fault.Invalid(at+".price.amount", "must lie between 0 and %d minor units", money.MaxAmount))
	}
	all.Add(money.CheckCurrency(at+".price.currency", p.Price.Currency))
	if p.TaxRate != nil {
		all.Add(p.TaxRate.Check(at + ".taxRate"))
	}
	if p.Stock != nil && (*p.Stock < -maxStock || *p.Stock > maxStock) {
		all.Add(fault.Invalid(at+".stock", "must be a whole number from %d to %d", -maxStock, maxStock))
	}
	all.Add(p.Pass.check(at + ".pass"))
	return all.Err()
}

// TaxedProduct returns how a product is taxed now.
func (s *Setup) TaxedProduct(p *Product) money.Taxed { return s.Taxed(&EventType{TaxRate: p.TaxRate}) }

// ProductFilter says which products are listed.
type ProductFilter struct {
	// Text keeps those that have each of its words somewhere in their name or number, as people search: whatever the case
	// and accents. "" keeps all.
	Text     string
	Number   string    // keeps the one with exactly this number; "" keeps all
	Archived bool      // those that aren't on sale any more, in place of those that are
	After    ProductID // from behind this one; 0 begins with the first
	Limit    int
}
