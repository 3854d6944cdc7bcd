package views

// VoucherPath returns the page on which a workspace sells vouchers.
func VoucherPath(workspace string, q Query) string { return address("/"+workspace+"/voucher", q, "") }

// VoucherPage sells a voucher.
type VoucherPage struct {
	Page
	Action  string
	Problem string
	Amounts []VoucherAmount
	Other   Field // another amount
	Fields  []Field
	Mail    []Field // of the one to whom it is mailed
	Open    bool    // those are shown
}

// VoucherAmount is one of the usual amounts.
type VoucherAmount struct {
	Value, Text string
	Picked      bool
}

func (v VoucherPage) all() []Field {
	all := append([]Field{v.Other}, v.Fields...)
	return append(all, v.Mail...)
}

// BoughtPage shows a voucher to who has bought it.
type BoughtPage struct {
	Page
	Waits  bool // the payment has not arrived
	Text   string
	Worth  string
	For    string
	Action string // shows the code to print; "" where it isn't theirs
	Again  bool   // they have it, and another ends it
	Code   string // "" until they ask for it
}
