package mail

import (
	"cmp"
	"strings"
	"time"

	"daybook/app/counter"
	"daybook/app/mail/smtp"
	"daybook/app/money"
	"daybook/app/when"
	"daybook/views"
)

// ReceiptPage returns what the mail with a receipt says: heading, text, facts, bill and note.
func ReceiptPage(r *counter.Receipt, locale *views.Locale, zone *time.Location) (p views.MailPage) {
	writeReceipt(&p, r, locale, zone)
	return p
}

// writeReceipt puts a receipt for money that was taken at the counter, or the reversal of one, on the page of a mail.
// Its times are in the zone of the business, as those on its paper.
func writeReceipt(p *views.MailPage, r *counter.Receipt, locale *views.Locale, zone *time.Location) {
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
	if len(r.Bookings()) > 0 {
		fact(locale.T("till_visit"), clock(r.Start))
	}
	if r.Rounding == money.ByLine {
		fact(locale.T("sale_rounding"), locale.T("sale_rounded_by_line"))
	}
	if r.Deposit != nil {
		fact(locale.T("deposit_receipt"), amount(r.Deposit.Amount))
	}
	var items, taxes, paid []views.MailLine
	for _, l := range r.Lines {
		line := views.MailLine{Text: l.Text, Amount: amount(l.Amount)}
		switch l.Kind {
		case counter.TipLine:
			line.Text = locale.T("till_tip")
		case counter.DiscountLine:
			line.Text = locale.T("sale_discount")
			if l.Text != "" {
				line.Text += " · " + l.Text
			}
		case counter.VoucherLine:
			line.Text = locale.T("till_voucher")
		case counter.RedeemedLine:
			line.Text = locale.T("pass_redeemed", "Name", cmp.Or(l.Text, locale.T("till_voucher")))
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

// joined returns the lines that are not empty.
func joined(lines []string) string {
	var kept []string
	for _, line := range lines {
		if line != "" {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "\n")
}
