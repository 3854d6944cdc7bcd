package dash

import "daybook/views"

// Pay takes what is due for a booking with one tap, or leads to the form that takes something else.
type Pay struct {
	Name    string // whose booking it is
	Due     string // "€45.00"
	Action  string
	Amount  string // what is due, as the form sends it
	Back    string // where to go afterwards
	Quick   []Option
	MoreURL string
	Visit   bool // it is for all of a visit
}

// BookingTill is the money of a booking: what is paid, what is due, and what was taken at the counter.
type BookingTill struct {
	State    string
	Settled  bool // nothing is due
	Pay      *Pay
	Imported string // what the other program said of an imported booking, such as what was paid there
	All      *Pay   // takes what is due for all of the visit; nil where there is no more than this
	AllText  string // "All of the visit: €174 due"
	Rows     []TillRow
	IssueURL string // makes a receipt of what is paid though something is due; "" where there is nothing for it
}

// TillRow is money that was taken at the counter.
type TillRow struct {
	Text, When, Note    string
	Gone                bool // all of it was given back
	UndoURL             string
	Name                string // for the label of undo
	Receipt, ReceiptURL string
	Back                *Danger // gives some of it back; nil where nothing can be
}

// PayPage takes an amount for a booking.
type PayPage struct {
	Frame
	BackURL, BackLabel string
	Text               string // what for: "Haircut, Tue, Nov 24, 9:00"
	State              string
	Due                string // "" when nothing is due
	Imported           string // see BookingTill
	Action, Back       string
	Visit              bool   // it is for all of a visit
	SellURL            string // makes a sale of it, for products and discounts; "" where that can't be
	Problem            string
	Methods            []Option
	Method             string
	Groups             []Group
	ByPass             *PayByPass // nil where nothing is due, and for a visit
}

// PayByPass pays with a pass or voucher.
type PayByPass struct {
	Action string
	Hidden []views.Pair
	Passes []Option // of the customer, that can pay
	Code   Input    // of any
	Open   bool
}

// ReceiptPage is a receipt, on screen as on paper.
type ReceiptPage struct {
	Frame
	BackURL, BackLabel string
	Heading            string // "Receipt 2026-17"
	Reversal           bool
	Business           string
	About              []string // address, phone, tax number
	Facts              []Fact
	Lines              []ReceiptLine
	Total              string
	Taxes              []TaxLine
	Paid               []Fact
	Links              []Fact // what it reverses, or is reversed by
	Rows               []TillRow
	Mail               *ReceiptMail // nil where it can't be mailed
	MailURL            string
	Customer           *ReceiptCustomer // nil where it goes by mail alone
	Words              string           // the business's own, below it
	Law                string           // what asks for a certified till; "" where none is known
}

// ReceiptMail sends a receipt to somebody. Without groups there is no mail server.
type ReceiptMail struct {
	Groups  []Group
	Problem string
}

// ReceiptCustomer sends a receipt the way that its customer likes.
type ReceiptCustomer struct {
	Problem string
	Sent    []Fact // the texts by which it went, and how
}

// ReceiptLine is what was paid for.
type ReceiptLine struct{ Text, Rate, Amount string }

// TaxLine sums up one rate.
type TaxLine struct{ Name, Net, Tax, Gross string }

// ReceiptsPage lists receipts, the newest first.
type ReceiptsPage struct {
	Frame
	Tabs  []Tab
	Rows  []ReceiptRow
	Pager Pager
}

// ReceiptRow is a receipt in the list.
type ReceiptRow struct {
	URL, Number, When, Name, Total string
	Badge                          Badge
}

// TillPage is the money of a day, and its close.
type TillPage struct {
	Frame
	Tabs                       []Tab
	Label                      string // "Today, Tue, Nov 24"
	Date                       string
	PrevURL, NextURL, TodayURL string
	Takings                    []Taking
	Sum                        *Taking
	Drawer                     []Fact // what the drawer should hold
	Expected                   string
	Closes                     []DayClose // of this day
	Past                       []DayClose
	SellURL                    string     // begins a sale
	Sales                      []OpenSale // that wait to be paid
	Notice                     string     // that this is no certified till
	Problem                    string
	Groups                     []Group
	Open                       bool // the form to close is shown
	Again                      bool // the day was closed before
}

// Taking is what came in by one method.
type Taking struct{ Method, Received, Back, Sum, Tips string }

// DayClose is how a day was closed.
type DayClose struct {
	Day, URL          string
	Expected, Counted string
	Difference        Badge
	Note, Who         string
}
