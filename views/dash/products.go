package dash

import (
	"daybook/views"

	"github.com/a-h/templ"
)

// ProductRow is a product in the owner's list.
type ProductRow struct {
	ID, URL, Name, Text string
	Picture             views.Image
	Stock               string // as it is typed; "" isn't counted
	Out                 bool   // counted, and none is left
	Archived            bool
	Pass                bool   // which isn't counted
	Wrong               string // with the stock
}

// ProductsPage lists what is sold besides services.
type ProductsPage struct {
	Frame
	Tabs    []Tab
	Q       string
	Results string // what is said when the list has changed
	Tab     string // "archived", or "" for what is on sale
	Rows    []ProductRow
	Pager   Pager
}

// ProductPage is the form of a product.
type ProductPage struct {
	Frame
	Action, Problem, Submit string
	Groups                  []Group
	StockWas                string // as the field for the stock showed it first
	Picture                 PictureInput
	Danger                  []Danger
}

func (r ProductRow) wrong() templ.OrderedAttributes {
	if r.Wrong == "" {
		return nil
	}
	return templ.OrderedAttributes{templ.KV[string, any]("aria-invalid", "true"),
		templ.KV[string, any]("aria-describedby", "stock-"+r.ID+"-error"), templ.KV[string, any]("autofocus", true)}
}
