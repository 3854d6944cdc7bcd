package mail

import (
	"strings"
	"time"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/mail/smtp"
	"daybook/app/record"
	"daybook/app/when"
	"daybook/views"
)

// Receipt is a receipt for money that was taken at the counter, or the reversal of one, as it was when it was mailed.
// Its JSON is that of the API's Receipt.
type Receipt struct {
	Number     string      `json:"number"`
	Kind       string      `json:"kind"`
	Reverses   *receiptRef `json:"reverses"`
	ReversedBy *receiptRef `json:"reversedBy"`
	Business   struct {
		Name      string `json:"name"`
		Address   string `json:"address"`
		Phone     string `json:"phone"`
		TaxNumber string `json:"taxNumber"`
	} `json:"business"`
	Customer string           `json:"customer"`
	Start    when.Instant     `json:"start"`
	Lines    []receiptLine    `json:"lines"`
	Taxes    []receiptTax     `json:"taxes"`
	Total    int64            `json:"total"`
	Currency string           `json:"currency"`
	Payments []receiptPayment `json:"payments"`
	IssuedAt when.Instant     `json:"issuedAt"`
}

type receiptRef struct {
	Number string `json:"number"`
}

type receiptLine struct {
	Kind    string        `json:"kind"`
	Text    string        `json:"text"`
	Amount  int64         `json:"amount"`
	TaxRate *catalog.Rate `json:"taxRate"`
}

type receiptTax struct {
	Name string       `json:"name"`
	Rate catalog.Rate `json:"rate"`
	Net  int64        `json:"net"`
	Tax  int64        `json:"tax"`
}

type receiptPayment struct {
	Method record.Method `json:"method"`
	Amount int64         `json:"amount"`
}

// How many mails with receipts there may be in a day, so that nobody uses a salon's good name to write to strangers: of
// one booking, and of a workspace to addresses other than its customers' own.
const (
	receiptsOfBooking = 10
	receiptsTyped     = 50
	receiptSpan       = 24 * time.Hour
)

// PostReceipt queues the mail with a receipt of the booking, in a transaction that has locked the workspace. The error
// is rate_limited.
func (s *Service) PostReceipt(in app.Tx, b *record.Booking, to string, r *Receipt) error {
	tx, now := in.(Tx), s.Core.Now()
	since := now.Add(-receiptSpan)
	m := Mail{
		ID: id.New[MailIDKind](now), WorkspaceID: b.WorkspaceID, BookingID: b.ID, Kind: catalog.MailReceipt, To: to,
		Facts: Facts{For: ToInvitee, Start: b.Start, End: b.End, Host: b.Host.ID, Status: b.Status, Receipt: r,
			Typed: !fault.SameEmail(to, b.Invitee.Email)},
		DueAt: when.At(now), Until: when.At(now).Add(mailLife),
	}
	all, err := tx.Mails(b.WorkspaceID, Filter{Booking: b.ID, Limit: 100})
	if err != nil {
		return err
	}
	sent := 0
	for i := range all {
		if all[i].Kind == catalog.MailReceipt && all[i].DueSince() > when.At(since) {
			sent++
		}
	}
	if sent >= receiptsOfBooking {
		return limited(fault.Conflictf("too_many_mails", "Receipts of this booking were mailed %d times today. "+
			"Print it, or try again tomorrow.", sent))
	}
	if m.Facts.Typed {
		n, err := tx.TypedSince(b.WorkspaceID, id.First[MailIDKind](since), receiptsTyped)
		if err != nil {
			return err
		}
		if n >= receiptsTyped {
			return limited(fault.Conflictf("too_many_mails", "Receipts were mailed to %d other addresses today than "+
				"those of the bookings. Print it, or try again tomorrow.", n))
		}
	}
	return tx.InsertMail(&m)
}

func limited(e *fault.Error) *fault.Error {
	e.Code = fault.RateLimited
	return e.With("retryAfter", int(receiptSpan.Seconds()))
}

// receipt writes the mail with a receipt. Its times are in the zone of the business, as those on its paper.
func (c *composer) receipt(p *views.MailPage) {
	r := c.facts.Receipt
	zone := c.about.Setup.Zone
	money := func(n int64) string { return c.locale.FullMoney(views.Money{Amount: n, Currency: r.Currency}) }
	clock := func(at when.Instant) string {
		t := at.Time().In(zone)
		return c.locale.Date(t) + ", " + c.locale.Time(t, "")
	}
	percent := func(rate catalog.Rate) string { return c.locale.Percent(rate.String()) }
	fact := func(label, value string) {
		if value != "" {
			p.Facts = append(p.Facts, views.MailFact{Label: label, Value: value})
		}
	}
	p.Heading = c.t("till_receipt_number", "Number", r.Number)
	p.Text = c.t("till_mail_text", "Name", r.Business.Name)
	if r.Reverses != nil {
		p.Heading = c.t("till_reversal_number", "Number", r.Number)
		p.Text, p.Tone = c.t("till_mail_reverses", "Number", r.Reverses.Number), views.Quiet
	}
	if r.ReversedBy != nil {
		p.Text, p.Tone = c.t("till_mail_reversed", "Number", r.ReversedBy.Number), views.Quiet
	}
	p.Subject = smtp.OneLine(p.Heading + " · " + r.Business.Name)
	from := []string{r.Business.Name, r.Business.Address, r.Business.Phone}
	if n := r.Business.TaxNumber; n != "" {
		from = append(from, c.t("till_tax_number", "Number", n))
	}
	fact(c.t("till_mail_from"), joined(from))
	fact(c.t("till_date"), clock(r.IssuedAt))
	fact(c.t("till_customer"), r.Customer)
	fact(c.t("till_visit"), clock(r.Start))
	var items, taxes, paid []views.MailLine
	for _, l := range r.Lines {
		line := views.MailLine{Text: l.Text, Amount: money(l.Amount)}
		if l.Kind == "tip" {
			line.Text = c.t("till_tip")
		}
		if l.TaxRate != nil {
			line.Text += " (" + percent(*l.TaxRate) + ")"
		}
		items = append(items, line)
	}
	for _, x := range r.Taxes {
		name := x.Name
		if name == "" {
			name = c.t("till_tax")
		}
		name += " " + percent(x.Rate)
		taxes = append(taxes, views.MailLine{Text: c.t("till_mail_net", "Tax", name), Amount: money(x.Net)},
			views.MailLine{Text: name, Amount: money(x.Tax)})
	}
	for _, x := range r.Payments {
		paid = append(paid, views.MailLine{Text: c.t("till_" + string(x.Method)), Amount: money(x.Amount)})
	}
	total := []views.MailLine{{Text: c.t("till_total"), Amount: money(r.Total), Strong: true}}
	for _, group := range [][]views.MailLine{items, total, taxes, paid} {
		if len(group) > 0 {
			p.Bill = append(p.Bill, group)
		}
	}
	p.Note = c.t("till_no_register")
}

// joined are the lines that are not empty.
func joined(lines []string) string {
	var kept []string
	for _, line := range lines {
		if line != "" {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "\n")
}
