package dashboard

import (
	"testing"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/counter"
	"daybook/app/text/sms"
	"daybook/views/dash"
)

// At the till a receipt is sent to a customer without e-mail, by text, and the page says how it went; who has agreed to none
// gets none, which is said, too.
func TestReceiptIsSentByText(t *testing.T) {
	w := newWorld(t)
	b := w.asOwner()
	k := w.priced()
	number := "+4915112345678"
	w.Alter(k.EventType, func(e *catalog.EventType) { e.AsksFor = catalog.AskEither })
	hers, err := w.Book(t.Context(), w.Owner, booking.BookInput{EventType: k.EventType, Start: w.free(k.EventType),
		Invitee: booking.Invitee{Name: "Mia Phones", Phone: number}})
	w.Must(err)
	paid, err := w.Counter.Record(t.Context(), w.Owner, hers.ID.String(), counter.Input{Amount: hers.Price.Amount, Method: booking.ByCash})
	w.Must(err)
	id := paid.Payments[0].Receipt.String()
	at, send := dash.ReceiptPath(id), dash.ReceiptMailPath(id)
	b.wants(b.get(at), 200, "!Send to the customer")
	w.Must(w.Text.SetSender(t.Context(), w.Owner, &sms.Sender{Preset: sms.Twilio, Account: "AC0123456789abcdef0123456789abcdef", Secret: "s", From: "+15005550006"}))
	b.wants(b.get(at), 200, "Send to the customer", `name="customer"`)
	b.wants(b.post(send, "customer", "1"), 200, "No e-mail, and no yes to texts", "!By text to")
	w.Must(w.Write(t.Context(), func(tx app.Tx) error {
		_, err := w.Text.Tick(tx, w.Owner.Workspace, paid.ContactID, number, "Texts?")
		return err
	}))
	b.wants(b.get(b.wantsRedirect(b.post(send, "customer", "1"))), 200, "The receipt is on its way by text.", "By text to "+number, "Not sent yet")
	b.wants(b.post(send, "customer", "1"), 409, "less than a minute ago")
	w.Must(w.Write(t.Context(), func(tx app.Tx) error { return w.Text.Stop(tx, w.Owner.Workspace, number) }))
	b.wants(b.post(send, "customer", "1"), 200, "They sent STOP")
}
