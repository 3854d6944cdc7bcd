package mail

import (
	"strings"
	"time"

	"daybook/app/booking"
	"daybook/app/mail/smtp"
	"daybook/app/money"
	"daybook/app/when"
	"daybook/views"
)

// Receipt is a receipt for money that was taken at the counter, or the reversal of one, as it was when it was mailed.
// Its JSON is that of the API's Receipt.
type Receipt struct {
	Number     string      `json:"number"`
	Kind       string      `json:"kind"`
	Reverses   *ReceiptRef `json:"reverses"`
	ReversedBy *ReceiptRef `json:"reversedBy"`
	Business   struct {
		Name      string `json:"name"`
		Address   string `json:"address"`
		Phone     string `json:"phone"`
		TaxNumber string `json:"taxNumber"`
	} `json:"business"`
	Customer string           `json:"customer"`
	Start    when.Instant     `json:"start"`
	Lines    []ReceiptLine    `json:"lines"`
	Taxes    []ReceiptTax     `json:"taxes"`
	Total    int64            `json:"total"`
	Currency string           `json:"currency"`
	Payments []ReceiptPayment `json:"payments"`
	Deposit  *money.Money     `json:"deposit"`
	IssuedAt when.Instant     `json:"issuedAt"`
}

// Ref names another receipt.
type ReceiptRef struct {
	Number string `json:"number"`
}

// Line is something that was paid for; its amount is in minor units.
type ReceiptLine struct {
	Kind     string      `json:"kind"`
	Text     string      `json:"text"`
	Quantity int         `json:"quantity"`
	Amount   int64       `json:"amount"`
	TaxRate  *money.Rate `json:"taxRate"`
}

// Tax is a tax that the total contains; its amounts are in minor units.
type ReceiptTax struct {
	Name string     `json:"name"`
	Rate money.Rate `json:"rate"`
	Net  int64      `json:"net"`
	Tax  int64      `json:"tax"`
}

// Payment is how much of the total was paid in one way, in minor units.
type ReceiptPayment struct {
	Method booking.Method `json:"method"`
	Amount int64          `json:"amount"`
}

// Write puts the receipt on the page of a mail. Its times are in the zone of the business, as those on its paper.
func (r *Receipt) Write(p *views.MailPage, locale *views.Locale, zone *time.Location) {
	amount := func(n int64) string { return locale.FullMoney(views.Money{Amount: n, Currency: r.Currency}) }
	clock := func(at when.Instant) string {
		t := at.Time().In(zone)
		return locale.Date(t) + ", " + locale.Time(t, "")
	}
	percent := func(rate money.Rate) string { return locale.Percent(rate.String()) }
	fact := func(label, value string) {
		if value != "" {
			p.Facts = append(p.Facts, views.MailFact{Label: label, Value: value})
		}
	}
	p.Heading = locale.T("till_receipt_number", "Number", r.Number)
	p.Text = locale.T("till_mail_text", "Name", r.Business.Name)
	if r.Reverses != nil {
		p.Heading = locale.T("till_reversal_number", "Number", r.Number)
		p.Text, p.Tone = locale.T("till_mail_reverses", "Number", r.Reverses.Number), views.Quiet
	}
	if r.ReversedBy != nil {
		p.Text, p.Tone = locale.T("till_mail_reversed", "Number", r.ReversedBy.Number), views.Quiet
	}
	p.Subject = smtp.OneLine(p.Heading + " · " + r.Business.Name)
	from := []string{r.Business.Name, r.Business.Address, r.Business.Phone}
	if n := r.Business.TaxNumber; n != "" {
		from = append(from, locale.T("till_tax_number", "Number", n))
	}
	fact(locale.T("till_mail_from"), joined(from))
	fact(locale.T("till_date"), clock(r.IssuedAt))
	fact(locale.T("till_customer"), r.Customer)
	fact(locale.T("till_visit"), clock(r.Start))
	if r.Deposit != nil {
		fact(locale.T("deposit_receipt"), amount(r.Deposit.Amount))
	}
	var items, taxes, paid []views.MailLine
	for _, l := range r.Lines {
		line := views.MailLine{Text: l.Text, Amount: amount(l.Amount)}
		if l.Kind == "tip" {
			line.Text = locale.T("till_tip")
		}
		line.Text += locale.Times(l.Quantity, l.Amount, r.Currency)
		if l.TaxRate != nil {
			line.Text += " (" + percent(*l.TaxRate) + ")"
		}
		items = append(items, line)
	}
	for _, x := range r.Taxes {
		name := x.Name
		if name == "" {
			name = locale.T("till_tax")
		}
		name += " " + percent(x.Rate)
		taxes = append(taxes, views.MailLine{Text: locale.T("till_mail_net", "Tax", name), Amount: amount(x.Net)},
			views.MailLine{Text: name, Amount: amount(x.Tax)})
	}
	for _, x := range r.Payments {
		paid = append(paid, views.MailLine{Text: locale.T("till_" + string(x.Method)), Amount: amount(x.Amount)})
	}
	total := []views.MailLine{{Text: locale.T("till_total"), Amount: amount(r.Total), Strong: true}}
	for _, group := range [][]views.MailLine{items, total, taxes, paid} {
		if len(group) > 0 {
			p.Bill = append(p.Bill, group)
		}
	}
	p.Note = locale.T("till_no_register")
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
