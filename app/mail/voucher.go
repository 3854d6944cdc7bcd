package mail

import (
	"errors"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/counter"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/mail/smtp"
	"daybook/app/money"
	"daybook/app/pass"
	"daybook/app/payment"
	"daybook/app/when"
	"daybook/views"
)

// VoucherNews holds the facts of the mails about a voucher that was bought online. Its code, and the link of who bought it, are
// written when a mail is sent, so neither queue nor log has them.
type VoucherNews struct {
	Order  payment.CheckoutID `json:"order"`
	Pass   booking.PassID     `json:"pass"`
	Amount money.Money        `json:"amount"`
	For    string             `json:"for,omitempty"`
	To     string             `json:"to,omitempty"` // the buyer's: to whom it is mailed; "" has them print it
	Day    when.Instant       `json:"day,omitzero"` // and when
	Locale string             `json:"locale,omitempty"`
}

// gaveCode is the code of a pass that a mail gives away: from then on only its hash is kept.
type gaveCode struct {
	workspace catalog.WorkspaceID
	code      pass.SealedCode
	text      string
}

// PostVoucher implements counter.VoucherMails.
func (s *Service) PostVoucher(in app.Tx, o *counter.Order, r *counter.Receipt, at when.Instant) error {
	now := s.Core.Now()
	news := VoucherNews{Order: o.ID, Pass: o.PassID, Amount: money.Money{Amount: o.Amount, Currency: o.Currency}, For: o.For,
		To: o.To, Locale: o.Locale}
	if o.To != "" {
		news.Day = at
	}
	theirs := news
	all := []Mail{{ID: id.New[MailIDKind](now), WorkspaceID: o.WorkspaceID, Kind: catalog.MailBought, To: o.Buyer,
		Facts: Facts{For: ToInvitee, Voucher: &news, Receipt: r}, DueAt: when.At(now), Until: when.At(now).Add(mailLife)}}
	if o.To != "" {
		all = append(all, Mail{ID: id.New[MailIDKind](now), WorkspaceID: o.WorkspaceID, Kind: catalog.MailVoucher, To: o.To,
			Facts: Facts{For: ToInvitee, Voucher: &theirs}, DueAt: at, Until: at.Add(mailLife)})
	}
	return in.(Tx).InsertMails(all...)
}

// aboutVoucher notes in which language the mail is written, its code, and why it must not be sent.
func (s *Service) aboutVoucher(r Reader, m *Mail, about *Subject) error {
	v := m.Facts.Voucher
	about.Booking.Invitee.Locale = v.Locale
	if m.Kind != catalog.MailVoucher {
		return nil
	}
	p, err := r.Pass(m.WorkspaceID, v.Pass)
	if err != nil {
		return err
	}
	if p.Stopped {
		about.Dropped = "the voucher was given back"
		return nil
	}
	sealed, err := r.SealedCode(m.WorkspaceID, v.Pass)
	if errors.Is(err, fault.ErrNotFound) {
		about.Dropped = "the voucher's code was given away"
		return nil
	}
	if err != nil {
		return err
	}
	text, err := s.Core.Vault().Open(sealed.Sealed)
	if err != nil {
		return err
	}
	sealed.Sealed = ""
	about.gave = &gaveCode{m.WorkspaceID, sealed, string(text)}
	return nil
}

// voucherPage writes the mail with a voucher, or that of who bought it. Who reads the log sees neither code nor link.
func (c *composer) voucherPage(p *views.MailPage, v *VoucherNews) {
	setup := c.about.Setup
	name, base := setup.Workspace.Name, c.service.Core.BaseURL()+"/"+setup.Workspace.Slug
	if c.mail.Kind == catalog.MailBought {
		writeReceipt(p, c.facts.Receipt, c.locale, setup.Zone)
		p.Text = c.t("voucher_mail_bought", "Name", name)
		if v.To != "" {
			p.Text = c.t("voucher_mail_bought_to", "Name", name, "To", v.To, "Day", c.locale.Date(v.Day.Time().In(setup.Zone)))
		} else if c.about.Sends {
			p.Links = []views.Link{{Label: c.t("voucher_mail_print"), URL: base + counter.VoucherPath + "/" + counter.OrderToken(setup, v.Order)}}
		} else {
			p.Note = c.t("invitation_mail_secret")
		}
		return
	}
	p.Subject = smtp.OneLine(c.t("voucher_mail_subject", "Name", name))
	p.Heading, p.Text = c.t("voucher_mail_head"), c.t("voucher_mail_text", "Name", name)
	fact := func(label, value string, strong bool) {
		if value != "" {
			p.Facts = append(p.Facts, views.MailFact{Label: label, Value: value, Strong: strong})
		}
	}
	fact(c.t("voucher_mail_for"), v.For, false)
	fact(c.t("voucher_mail_worth"), c.voucherWorth(v), false)
	if g := c.about.gave; g != nil && c.about.Sends {
		fact(c.t("voucher_mail_code"), g.text, true)
		p.Note = c.t("voucher_mail_note")
	} else {
		p.Note = c.t("invitation_mail_secret")
	}
	p.Links = []views.Link{{Label: c.t("voucher_mail_book"), URL: base}}
}

func (c *composer) voucherWorth(v *VoucherNews) string {
	return c.locale.Money(views.Money{Amount: v.Amount.Amount, Currency: v.Amount.Currency})
}
