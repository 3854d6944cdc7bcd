package mail_test

import (
	"mime"
	netmail "net/mail"
	"strings"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/counter"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/mail"
	"daybook/app/mail/smtp"
	"daybook/app/money"
	"daybook/app/when"
)

// paid is a booking of a German customer that was paid in cash with a tip, and its receipt.
func (x *bed) paid(person string, hour int) (b booking.Booking, receipt string) {
	x.T.Helper()
	b, err := x.Book(x.T.Context(), x.API, booking.BookInput{
		EventType: "cut", Start: apptest.Monday.Add(time.Duration(hour) * time.Hour).Format(time.RFC3339),
		Invitee: booking.Invitee{Name: person, Email: person + "@mail.example", Locale: "de-DE", TimeZone: "America/New_York"},
	})
	x.Must(err)
	b, err = x.Counter.Record(x.T.Context(), x.Owner, b.ID.String(),
		counter.Input{Amount: 4500, Tip: 500, Method: booking.ByCash})
	x.Must(err)
	return b, b.Payments[0].Receipt.String()
}

// A receipt goes by mail with its number, its tax and that Daybook is no certified cash register, in the customer's
// language; and so does a reversal, which is called one. Neither changes what the log says of the booking's own mails.
func TestReceiptByMail(t *testing.T) {
	x, k := newBed(t), newSink(t, nil, false)
	ctx := t.Context()
	_, err := x.Shop.UpdateWorkspace(ctx, x.Owner, func(w *catalog.Workspace) {
		w.Tax = &money.Tax{Mode: money.TaxIncluded, Name: "MwSt.", Number: "DE 123", Rate: 19000}
		w.Settings.Address = "Oranienstraße 25, Berlin"
	})
	x.Must(err)
	x.event(func(e *catalog.EventType) {
		e.Price, e.MailsOff = &money.Money{Amount: 4500, Currency: "EUR"}, catalog.MailKinds
	})
	b, receipt := x.paid("bo", 30)
	x.Must(x.Counter.MailReceipt(ctx, x.Owner, receipt, "books@firm.example"))
	x.run(k.server(smtp.NoTLS), nil)
	x.tried("books", 1)
	m, all := received(t, k)
	subject, err := new(mime.WordDecoder).DecodeHeader(m.Header.Get("Subject"))
	x.Must(err)
	if subject != "Beleg 2026-1 · Salon Ana" || len(all) != 3 {
		t.Errorf("subject %q, %d parts", subject, len(all))
	}
	says := func(part string, words ...string) {
		t.Helper()
		part = strings.NewReplacer("\u00a0", " ", "\u202f", " ", "\r", "").Replace(part)
		for _, want := range words {
			if !strings.Contains(part, want) {
				t.Errorf("the mail has no %q:\n%s", want, part)
			}
		}
	}
	for _, part := range all[1:] {
		says(part.text, "Beleg 2026-1", "Haircut (19 %)", "45,00 €", "Trinkgeld", "5,00 €", "50,00 €", "MwSt. 19 %", "7,18 €",
			"37,82 €", "Bar", "DE 123", "Oranienstraße 25, Berlin", "keine zertifizierte Registrierkasse")
	}
	b, err = x.Counter.GiveBack(ctx, x.Owner, b.Payments[0].ID.String(), nil)
	x.Must(err)
	old, err := x.Counter.Receipt(ctx, x.Owner, receipt)
	x.Must(err)
	x.Must(x.Counter.MailReceipt(ctx, x.Owner, old.ReversedBy.ID.String(), b.Invitee.Email))
	last := x.tried("bo", 1)
	reversal, err := mail.Compose(ctx, x.Mail, &last, netmail.Address{})
	x.Must(err)
	says(reversal.Text, "Storno 2026-2", "storniert", "2026-1", "−50,00 €", "−7,18 €")
	if again, err := x.Mail.SendAgain(ctx, x.Owner, b.ID.String()); !fault.Is(err, fault.Conflict) {
		t.Errorf("the booking's mail that is sent again is %s, %v", again.Kind, err)
	}
}

// Receipts are mailed by members, within their rights and a limit; never once the contact was deleted.
func TestReceiptsAreNotMailedToEverybody(t *testing.T) {
	x := newBed(t)
	ctx := t.Context()
	x.event(func(e *catalog.EventType) {
		e.Price, e.MailsOff = &money.Money{Amount: 4500, Currency: "EUR"}, catalog.MailKinds
	})
	b, receipt := x.paid("bo", 30)
	send := func(a app.Actor, to string) error { return x.Counter.MailReceipt(ctx, a, receipt, to) }
	staff := app.Actor{Kind: booking.ByOwner, Workspace: x.Workspace.ID, User: 8, Role: app.StaffRole, Host: b.Host.ID + 1}
	x.Refused(send(staff, "bo@mail.example"), fault.NotFound, "")
	x.Refused(send(x.API, "bo@mail.example"), fault.Forbidden, "role")
	x.Refused(send(x.Owner, "nobody"), fault.BadRequest, "invalid")
	x.Refused(send(x.Owner, ""), fault.BadRequest, "invalid")
	staff.Host = b.Host.ID
	x.Must(send(staff, "BO@mail.example"))
	for range 9 {
		x.Must(send(x.Owner, "bo@mail.example"))
	}
	x.Refused(send(x.Owner, "bo@mail.example"), fault.RateLimited, "too_many_mails")
	x.Clock.Advance(24*time.Hour + time.Minute)
	x.Must(send(x.Owner, "bo@mail.example"))

	x.Must(x.Store.Write(ctx, func(tx app.Tx) error { // 49 to strangers, and what only looks so
		now := x.Clock.Now()
		for i := range 60 {
			m := mail.Mail{ID: id.New[mail.MailIDKind](now), WorkspaceID: x.Workspace.ID, Kind: catalog.MailReceipt,
				To: "s@mail.example", Facts: mail.Facts{Typed: i < 49, Reason: `"typed":true`}, DueAt: when.At(now), Until: when.At(now)}
			if err := tx.(mail.Tx).InsertMails(m); err != nil {
				return err
			}
		}
		return nil
	}))
	x.Must(send(x.Owner, "stranger@mail.example"))
	x.Refused(send(x.Owner, "stranger@mail.example"), fault.RateLimited, "too_many_mails")
	x.Must(send(x.Owner, "bo@mail.example"))

	_, err := x.Cancel(ctx, x.Owner, b.ID.String(), app.CancelInput{}) // a contact with a booking ahead stays
	x.Must(err)
	stored, err := x.Store.Reader(ctx).Booking(x.Workspace.ID, b.ID)
	x.Must(err)
	x.Must(x.People.DeleteContact(ctx, x.Owner, stored.ContactID.String()))
	x.Refused(send(x.Owner, "bo@mail.example"), fault.Conflict, "contact_gone")
	for more := true; more; {
		x.Must(x.Store.Write(ctx, func(tx app.Tx) (err error) {
			more, err = tx.SweepErasure(10)
			return err
		}))
	}
	x.Refused(send(x.Owner, "bo@mail.example"), fault.Conflict, "contact_gone")
	for _, m := range x.log() {
		if m.BookingID == b.ID {
			t.Errorf("a mail to %s is left", m.To)
		}
	}
}
