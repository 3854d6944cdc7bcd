package dash

import "daybook/views"

// SalePage is a sale: what is sold, how it is paid, and what was.
type SalePage struct {
	Frame
	BackURL, BackLabel string
	Text               string // whose it is
	Problem            string
	Settled            bool // nothing is due, and it has its receipt
	State              string
	Lines              []SaleLine
	Sums               []Fact // before the total
	Total              string
	Change             string       // what the customer gets back; "" where nothing
	Fixed              bool         // the lines can't be changed any more
	Action             string       // changes the lines
	Hidden             []views.Pair // what its forms send along
	Products           []Product    // to tap on
	Q                  string       // what was searched for
	SearchURL          string
	None               string // why there is no product
	More               string // that there are more than those shown; "" where there aren't
	Discount           *SaleForm
	Tip                *SaleForm
	Voucher            *SaleForm // nil where none can be sold
	Passes             []Fact    // that were sold, with where they are printed
	Pay                *SalePay
	Rows               []TillRow // what was paid
	ReceiptURL         string
	Refund             *Danger
	VoidURL            string // gives the sale up; "" where that can't be
	New                bool   // nothing is in it yet
	Notice             string // that this is no certified till
}

// SaleLine is a line of a sale.
type SaleLine struct {
	Text, Note, Amount, Off string
	Quantity                string // of a product, that can be changed
	ID                      string
	Remove                  string // the label of the button that takes it out; "" is none
}

// Product is a product at the till.
type Product struct {
	ID, Name, Price, Left string
	Image                 views.Image
	Pass                  bool
}

func (p Product) name() string {
	if p.Pass {
		return "pass"
	}
	return "product"
}

// SaleForm is a part of the sale that is folded away until somebody wants it.
type SaleForm struct {
	Title, Submit string
	Do            string // which of the sale's forms it is
	Inputs        []Input
	Quick         []Option // amounts to tap on
	Open          bool
	Clear         string // the label of the button that takes it away; "" where there is nothing
}

// SalePay takes a payment for a sale.
type SalePay struct {
	Due     string
	Action  string
	Methods []Option
	Method  string
	Inputs  []Input
	Free    bool // nothing is due: it is settled without a payment
	ByPass  PayByPass
}

// OpenSale is a sale that waits to be paid.
type OpenSale struct{ URL, Name, Text, Due string }
