package counter

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/money"
	"daybook/app/when"
)

// Kind says what a receipt does.
type Kind string

const (
	Issued   Kind = "receipt"
	Reversal Kind = "reversal" // of another one: its amounts are below zero
)

// Kinds lists all kinds.
var Kinds = []Kind{Issued, Reversal}

// LineKind says what a line of a receipt is for.
type LineKind string

const (
	ServiceLine  LineKind = "service"
	TipLine      LineKind = "tip"
	ProductLine  LineKind = "product"
	DiscountLine LineKind = "discount" // its amount is below zero
	PassLine     LineKind = "pass"     // that is sold
	VoucherLine  LineKind = "voucher"  // likewise
	RedeemedLine LineKind = "redeemed" // what a pass paid that was taxed when it was sold; its amount is below zero
)

// LineKinds lists all kinds of lines.
var LineKinds = []LineKind{ServiceLine, TipLine, ProductLine, DiscountLine, PassLine, VoucherLine, RedeemedLine}

// Notice is the sentence on every receipt that Daybook is no certified cash register.
const Notice = "Not a fiscal receipt: Daybook is no certified cash register."

// Receipt stands for money that was received for a booking or a sale. Its amounts are in the minor units of Currency; those of
// lines and payments contain the tax and add up to Total.
type Receipt struct {
	ID         booking.ReceiptID `json:"id"`
	Number     string            `json:"number"` // the year in the workspace's zone, and a number without gaps: 2026-17
	Kind       Kind              `json:"kind"`
	BookingID  booking.BookingID `json:"bookingId"` // 0: of a sale with none, or several; released as a text, it is "" then
	SaleID     *SaleID           `json:"saleId"`    // nil: of none
	Reverses   *Ref              `json:"reverses"`
	ReversedBy *Ref              `json:"reversedBy"`
	Business   Business          `json:"business"`
	Customer   string            `json:"customer"` // "" once the contact is erased
	Start      when.Instant      `json:"start"`    // of the booking, the first of a sale; without one, IssuedAt
	Lines      []Line            `json:"lines"`
	Taxes      []TaxLine         `json:"taxes"`
	Total      int64             `json:"total"`
	Currency   string            `json:"currency"`
	Payments   []Payment         `json:"payments"`
	Deposit    *money.Money      `json:"deposit,omitempty"`     // paid online before; not in Total
	Rounding   money.TaxRounding `json:"taxRounding,omitempty"` // "": once for each rate
	Notice     string            `json:"notice"`
	IssuedAt   when.Instant      `json:"issuedAt"`

	WorkspaceID  catalog.WorkspaceID `json:"-"`
	Host         catalog.HostID      `json:"-"`
	Year         int                 `json:"-"`
	NumberInYear int64               `json:"-"`
}

// Bookings returns the bookings that the receipt is for, each once.
func (r *Receipt) Bookings() (all []booking.BookingID) {
	if r.BookingID != 0 {
		return []booking.BookingID{r.BookingID}
	}
	for _, l := range r.Lines {
		if l.BookingID != nil && !slices.Contains(all, *l.BookingID) {
			all = append(all, *l.BookingID)
		}
	}
	return all
}

// Sale returns the sale of the receipt; 0 if it is of none.
func (r *Receipt) Sale() SaleID {
	if r.SaleID == nil {
		return 0
	}
	return *r.SaleID
}

// Ref refers to another receipt.
type Ref struct {
	ID     booking.ReceiptID `json:"id"`
	Number string            `json:"number"`
}

// Business is the issuer of a receipt, as it was at that time.
type Business struct {
	Name      string `json:"name"`
	Address   string `json:"address"`
	Phone     string `json:"phone"`
	TaxNumber string `json:"taxNumber"`
}

// Line is something that was paid for.
type Line struct {
	Kind      LineKind           `json:"kind"`
	Text      string             `json:"text"`                // the service, an add-on or product, why a discount; "" for a tip
	Quantity  int                `json:"quantity,omitempty"`  // of seats, where it is more than one
	Amount    int64              `json:"amount"`              // of all of them
	TaxRate   *money.Rate        `json:"taxRate"`             // nil is not taxed
	BookingID *booking.BookingID `json:"bookingId,omitempty"` // on the receipt of a sale
}

// TaxLine is the tax of all lines with a rate.
type TaxLine struct {
	Name  string     `json:"name"`
	Rate  money.Rate `json:"rate"`
	Net   int64      `json:"net"`
	Tax   int64      `json:"tax"`
	Gross int64      `json:"gross"`
}

// Payment is how a part of a receipt was paid.
type Payment struct {
	Method booking.Method  `json:"method"`
	Amount int64           `json:"amount"` // with the tip
	At     when.Instant    `json:"at"`
	PassID *booking.PassID `json:"passId,omitempty"` // the voucher that paid; nil is money
}

// NumberOf returns the number of a receipt in a year as text.
func NumberOf(year int, number int64) string {
	return strconv.Itoa(year) + "-" + strconv.FormatInt(number, 10)
}

// closeReceipt puts what is left of the payments on a new receipt, if anything is.
func (s *Service) closeReceipt(ch *app.Change, of func(*booking.CounterPayment) bool) *Receipt {
	b := ch.Booking
	r := newReceipt(ch)
	service, tips := int64(0), Line{Kind: TipLine}
	var used []Line // what passes paid that carries no tax again
	for i := range b.Payments {
		p := &b.Payments[i]
		if !of(p) {
			continue
		}
		amount, tip := p.Left()
		service += amount
		tips.Amount += tip
		if p.Receipt = &r.ID; p.Pass != nil && p.Pass.TaxedWhenSold {
			used = append(used, redeemedLine(b, p, amount))
			continue
		}
		r.Payments = append(r.Payments, paymentBy(p.Method, amount+tip, p.CreatedAt, p.Pass))
	}
	if len(r.Payments) == 0 && len(used) == 0 {
		return nil
	}
	r.Lines = append(r.Lines, serviceLines(b, ch.Setup, service)...)
	if tips.Amount != 0 {
		r.Lines = append(r.Lines, tips)
	}
	if off := b.Discount.Units(); off > 0 && b.Taxed != nil && b.Price != nil && service == b.Taxed.Gross(b.Price.Amount-off) {
		full := b.Taxed.Gross(b.Price.Amount)
		r.Lines = serviceLines(b, ch.Setup, full)
		r.Lines = append(r.Lines, Line{Kind: DiscountLine, Amount: service - full, TaxRate: r.Lines[0].TaxRate})
		if tips.Amount != 0 {
			r.Lines = append(r.Lines, tips)
		}
	}
	r.Lines = append(r.Lines, used...)
	for _, l := range r.Lines {
		r.Total += l.Amount
	}
	r.tax(ch.Setup.Workspace.Tax)
	r.Deposit = depositOf(b)
	if !b.Invitee.Erased() && b.Invitee.Name != booking.WalkIn {
		r.Customer = b.Invitee.Name
	}
	number(ch, r)
	return r
}

// paymentBy returns a payment of a receipt, by a pass where it is taxed when it is used.
func paymentBy(method booking.Method, amount int64, at when.Instant, use *booking.PassUse) Payment {
	p := Payment{Method: method, Amount: amount, At: at}
	if use != nil {
		p.PassID = &use.ID
	}
	return p
}

// redeemedLine returns the line of what a pass has paid for a booking that was taxed when the pass was sold.
func redeemedLine(b *booking.Booking, p *booking.CounterPayment, amount int64) Line {
	l := Line{Kind: RedeemedLine, Text: p.Pass.Title, Amount: -amount}
	if b.Taxed != nil && b.Taxed.Mode != "" {
		rate := b.Taxed.Rate
		l.TaxRate = &rate
	}
	return l
}

// depositOf returns what of the price was paid online as a deposit, and not given back; nil for nothing. It isn't money
// of the counter: a receipt names it, and its lines and tax are those of the rest.
func depositOf(b *booking.Booking) *money.Money {
	if b.Payment == nil || b.Payment.For() != booking.ForDeposit {
		return nil
	}
	paid, back := b.PaidOnline()
	if paid <= back {
		return nil
	}
	return &money.Money{Amount: paid - back, Currency: b.Payment.Currency}
}

// tax sums up the lines by rate, and computes the tax of each as the workspace rounds it.
func (r *Receipt) tax(x *money.Tax) {
	name := ""
	if x != nil {
		name, r.Rounding = x.Name, x.Rounding
	}
	all := []TaxLine{}
	for _, l := range r.Lines {
		if l.TaxRate == nil {
			continue
		}
		i := slices.IndexFunc(all, func(x TaxLine) bool { return x.Rate == *l.TaxRate })
		if i < 0 {
			i, all = len(all), append(all, TaxLine{Name: name, Rate: *l.TaxRate})
		}
		all[i].Gross += l.Amount
		all[i].Tax += all[i].Rate.Within(l.Amount)
	}
	for i := range all {
		if r.Rounding != money.ByLine {
			all[i].Tax = all[i].Rate.Within(all[i].Gross)
		}
		all[i].Net = all[i].Gross - all[i].Tax
	}
	r.Taxes = all
}

func newReceipt(ch *app.Change) *Receipt {
	b := ch.Booking
	return &Receipt{
		ID: id.New[booking.ReceiptIDKind](ch.Now), Kind: Issued, BookingID: b.ID, Start: b.Start, Host: b.Host.ID,
		Business: businessOf(ch.Setup), Lines: []Line{}, Taxes: []TaxLine{}, Payments: []Payment{},
		Currency: b.Currency(ch.Setup), Notice: Notice, IssuedAt: when.At(ch.Now),
		WorkspaceID: b.WorkspaceID, Year: ch.Now.In(ch.Setup.Zone).Year(),
	}
}

// businessOf returns who issues receipts, as it is now.
func businessOf(s *catalog.Setup) Business {
	w := &s.Workspace
	b := Business{Name: w.Name, Address: w.Settings.Address, Phone: w.Settings.Phone}
	if w.Tax != nil {
		b.TaxNumber = w.Tax.Number
	}
	return b
}

// number gives the receipt its number and saves it, once the booking is saved: the counter of receipts is locked last.
func number(ch *app.Change, r *Receipt) {
	ch.After(func() error { return numbered(tx(ch), r) })
}

// numbered gives the receipt its number and saves it.
func numbered(tx Tx, r *Receipt) (err error) {
	if r.NumberInYear, err = tx.NextReceiptNumber(r.WorkspaceID, r.Year); err != nil {
		return err
	}
	r.Number = NumberOf(r.Year, r.NumberInYear)
	return tx.InsertReceipt(r)
}

// reversal makes r, which is new, the reversal of a receipt.
func (old *Receipt) reversal(r *Receipt) *Receipt {
	r.Kind, r.Reverses, r.Customer, r.Total, r.Currency = Reversal, &Ref{old.ID, old.Number}, old.Customer, -old.Total, old.Currency
	r.Rounding = old.Rounding
	for _, l := range old.Lines {
		l.Amount = -l.Amount
		r.Lines = append(r.Lines, l)
	}
	for _, x := range old.Taxes {
		x.Net, x.Tax, x.Gross = -x.Net, -x.Tax, -x.Gross
		r.Taxes = append(r.Taxes, x)
	}
	for _, p := range old.Payments {
		p.Amount = -p.Amount
		r.Payments = append(r.Payments, p)
	}
	return r
}

// reverse takes a receipt back by another one, and puts what stays of it on a new one.
func (s *Service) reverse(ch *app.Change, which booking.ReceiptID) error {
	old, err := tx(ch).Receipt(ch.Booking.WorkspaceID, which)
	if err != nil {
		return err
	}
	number(ch, old.reversal(newReceipt(ch)))
	var on []booking.PaymentID
	for i := range ch.Booking.Payments {
		if p := &ch.Booking.Payments[i]; p.Receipt != nil && *p.Receipt == which {
			p.Receipt = nil
			on = append(on, p.ID)
		}
	}
	s.closeReceipt(ch, func(p *booking.CounterPayment) bool { return slices.Contains(on, p.ID) && p.Stays() })
	return nil
}

// IssueReceipt makes a receipt for what has been paid for a booking so far, even if something is still due. Errors:
// not_found, forbidden, conflict nothing_to_receipt, conflict in_sale: the sale will have it.
func (s *Service) IssueReceipt(ctx context.Context, a app.Actor, ref string) (r Receipt, err error) {
	if err := a.May(app.MayTakeMoney); err != nil {
		return r, err
	}
	_, err = s.Core.Change(ctx, a, ref, func(ch *app.Change) error {
		if sale, err := openSale(tx(ch), ch.Booking.WorkspaceID, ch.Booking.ID); err != nil || sale != 0 {
			return cmp.Or(err, inSale(sale))
		}
		ch.Booking.Payments = slices.Clone(ch.Booking.Payments)
		made := s.closeReceipt(ch, func(p *booking.CounterPayment) bool { return p.Receipt == nil && p.Stays() })
		if made == nil {
			return fault.Conflictf("nothing_to_receipt", "All that was paid for this booking stands on a receipt already, "+
				"or nothing was.")
		}
		ch.Note(booking.ActReceipt, "")
		ch.After(func() error { r = *made; return nil }) // behind the number
		return nil
	})
	return r, err
}

// Receipt returns one receipt. Errors: not_found, forbidden.
func (s *Service) Receipt(ctx context.Context, a app.Actor, ref string) (Receipt, error) {
	if err := a.May(app.MaySeeReceipts); err != nil {
		return Receipt{}, err
	}
	return s.seenReceipt(ctx, s.Reader(ctx), a, ref)
}

// seenReceipt returns the receipt if the actor sees its host, or its booking, as those do who do it beside that host.
func (s *Service) seenReceipt(ctx context.Context, from Reads, a app.Actor, ref string) (Receipt, error) {
	missing := fault.Missing("receipt", ref)
	which, err := id.Parse[booking.ReceiptIDKind](ref)
	if err != nil {
		return Receipt{}, missing
	}
	r, err := from.Receipt(a.Workspace, which)
	if err == nil && !a.Sees(r.Host) {
		if _, err = s.Core.Find(ctx, a, r.BookingID.String()); err != nil && r.SaleID != nil {
			_, err = s.findSale(from, a, r.SaleID.String())
		}
	}
	if err != nil {
		return Receipt{}, fault.OrMissing(err, missing)
	}
	return r, nil
}

// ReceiptQuery says which receipts are listed. Its fields hold the query parameters, as text.
type ReceiptQuery struct {
	Booking          string // "" is all
	From, To         string // when they were issued; a bare date is a day in TimeZone
	TimeZone, Cursor string
	Limit            *int
}

// Receipts lists receipts, the latest first. An unknown booking gives an empty list with a hint. Errors: bad_request,
// forbidden.
func (s *Service) Receipts(ctx context.Context, a app.Actor, q ReceiptQuery) (page fault.Page[Receipt], err error) {
	if err := a.May(app.MaySeeReceipts); err != nil {
		return page, err
	}
	f, err := q.filter()
	if err != nil {
		return page, err
	}
	n := f.Limit
	f.Limit++
	if a.Own() {
		if f.Host = a.Host; f.Host == 0 {
			return fault.PageOf([]Receipt{}, n, nil), nil
		}
	}
	rows, err := s.Reader(ctx).Receipts(a.Workspace, f)
	if err != nil {
		return page, err
	}
	page = fault.PageOf(rows, n, func(r *Receipt) string { return q.list().Cursor(int64(r.ID)) })
	if len(page.Data) == 0 && q.Booking != "" {
		page.Hint, err = s.noBooking(ctx, a, q.Booking)
	}
	return page, err
}

// noBooking returns the hint of a booking's receipts, where the actor sees no booking of that id; "" if there is one.
func (s *Service) noBooking(ctx context.Context, a app.Actor, ref string) (string, error) {
	if whole := booking.WholeID(ref); whole != "" && whole != ref {
		return fmt.Sprintf("Name the booking by its whole id, %s.", whole), nil
	}
	_, err := s.Core.Find(ctx, a, ref)
	switch {
	case fault.Is(err, fault.NotFound):
		return err.Error(), nil
	case fault.Is(err, fault.Forbidden):
		return "", nil // whoever may see no bookings is told nothing of them
	}
	return "", err
}

// list names the receipts that the query lists.
func (q *ReceiptQuery) list() fault.List {
	return fault.List{"receipts", q.Booking, q.From, q.To, q.TimeZone}
}

func (q *ReceiptQuery) filter() (f ReceiptFilter, err error) {
	if f.Limit, err = fault.PageLimit(q.Limit, 50); err != nil {
		return f, err
	}
	zone := time.UTC
	if q.TimeZone != "" {
		if zone, err = catalog.CheckZone("timeZone", q.TimeZone); err != nil {
			return f, err
		}
	}
	if f.From, err = firstSince("from", q.From, zone); err != nil {
		return f, err
	}
	if f.To, err = firstSince("to", q.To, zone); err != nil {
		return f, err
	}
	if q.From != "" && q.To != "" && f.From > f.To {
		return f, fault.Invalid("from", "must not lie after to")
	}
	if q.Booking != "" {
		if f.Booking, err = id.Parse[booking.BookingIDKind](q.Booking); err != nil {
			f.Booking = -1 // of no booking
		}
	}
	if q.Cursor != "" {
		var last int64
		if err := q.list().Read(q.Cursor, &last); err != nil {
			return f, err
		}
		if f.To == 0 || booking.ReceiptID(last) < f.To {
			f.To = booking.ReceiptID(last)
		}
	}
	return f, nil
}

// firstSince returns the lowest id of a receipt of that time or later; 0 for "".
func firstSince(field, text string, zone *time.Location) (booking.ReceiptID, error) {
	at, err := booking.ParseBound(field, text, zone)
	if err != nil || text == "" {
		return 0, err
	}
	return id.First[booking.ReceiptIDKind](at.Time()), nil
}
