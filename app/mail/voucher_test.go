package mail_test

import (
	"encoding/base64"
	"io"
	"mime/quotedprintable"
	"regexp"
	"strings"
	"testing"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/counter"
	"daybook/app/mail"
	"daybook/app/mail/smtp"
	"daybook/app/pass"
	"daybook/app/payment"
	"daybook/app/when"
)

var voucherCode = regexp.MustCompile(`[0-9A-Z]{4}(?:-[0-9A-Z]{4}){3}`)

// The code of a voucher leaves by its mail alone: from then on only its hash is kept, and the mail isn't sent again.
func TestVoucherMailGivesItsCodeAway(t *testing.T) {
	x, k := newBed(t), newSink(t, nil, false)
	ctx, face := t.Context(), int64(5000)
	sale, err := x.Counter.Sell(ctx, x.Owner, counter.SaleInput{Lines: []counter.SaleLineInput{{Kind: counter.VoucherLine, Amount: &face}},
		Payments: []counter.SalePaymentInput{{Method: booking.ByCash, Amount: face}}})
	x.Must(err)
	receipt, err := x.Counter.Receipt(ctx, x.Owner, sale.ReceiptID.String())
	x.Must(err)
	order := counter.Order{ID: payment.NewCheckoutID(x.Clock.Now()), WorkspaceID: x.Workspace.ID, PassID: *sale.Lines[0].PassID, Amount: face, Currency: "EUR",
		Buyer: "mia@mail.example", To: "leo@mail.example", Locale: "en"}
	x.Must(x.Write(ctx, func(tx app.Tx) error {
		return x.Mail.In(tx).PostVoucher(tx, &order, &receipt, when.At(x.Clock.Now()))
	}))
	ref := order.PassID.String()
	state := func() pass.CodeState {
		p, err := x.Pass.Pass(ctx, x.Owner, ref)
		x.Must(err)
		return p.Code
	}
	if state() != pass.NewCode {
		t.Fatalf("the code is %s", state())
	}
	_, stop := x.run(k.server(smtp.NoTLS), nil)
	defer stop()
	x.tried("mia", 1)
	if m := x.tried("leo", 1); m.State != mail.Sent {
		t.Fatalf("%+v", m)
	}
	if state() != pass.HasCode {
		t.Errorf("the code is %s", state())
	}
	code := ""
	for _, m := range k.mails() {
		found := voucherCode.FindString(plainText(m.body))
		if (found != "") != (m.to == "leo@mail.example") {
			t.Errorf("to %s: %s", m.to, m.body)
		}
		code += found
	}
	if p, err := x.Pass.PassWithCode(ctx, x.Owner, code); err != nil || p.ID != order.PassID {
		t.Errorf("%q: %v", code, err)
	}
	for _, m := range x.log() {
		if strings.HasPrefix(m.To, "leo@") {
			about, err := x.Mail.MailSubject(ctx, &m)
			if x.Must(err); about.Dropped == "" {
				t.Error("the mail would be sent again, without a code")
			}
		}
	}
	apptest.Eventually(t, "both mails are taken", func() bool { return len(k.mails()) == 2 })
}

// plainText is a message with its parts decoded, as far as they are.
func plainText(body string) string {
	text, _ := io.ReadAll(quotedprintable.NewReader(strings.NewReader(body)))
	for _, part := range strings.Split(body, "\r\n\r\n") {
		if decoded, err := base64.StdEncoding.DecodeString(strings.ReplaceAll(strings.TrimSpace(strings.SplitN(part, "\r\n--", 2)[0]), "\r\n", "")); err == nil {
			text = append(text, decoded...)
		}
	}
	return string(text)
}
