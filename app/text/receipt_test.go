package text_test

import (
	"strings"
	"testing"
	"time"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/contact"
	"daybook/app/counter"
	"daybook/app/fault"
	"daybook/app/money"
)

// paid is a booking that was paid in cash, and its receipt.
func (x *bed) paid(c booking.Contact, start string) (booking.Booking, string) {
	x.T.Helper()
	b, err := x.Counter.Record(x.T.Context(), x.Owner, x.book(x.Owner, c, start).ID.String(), counter.Input{Amount: 4500, Method: booking.ByCash})
	x.Must(err)
	return b, b.Payments[0].Receipt.String()
}

// A receipt that a member sends goes the customer's way, and the answer says which; who agreed to no texts gets the mail, or
// nothing, and that is said as well.
func TestReceiptsGoTheCustomersWay(t *testing.T) {
	for _, c := range []struct {
		name, email, phone string
		agreed, off        bool
		by                 contact.TellBy
		want               counter.Sent
	}{
		{"nothing said", "mia@mail.example", mine, true, false, "", counter.Sent{Mail: "mia@mail.example"}},
		{"text", "mia@mail.example", mine, true, false, contact.TellByText, counter.Sent{Text: mine}},
		{"both", "mia@mail.example", mine, true, false, contact.TellByBoth, counter.Sent{Text: mine, Mail: "mia@mail.example"}},
		{"text, not agreed", "mia@mail.example", mine, false, false, contact.TellByText, counter.Sent{Mail: "mia@mail.example"}},
		{"text, switched off", "mia@mail.example", mine, true, true, contact.TellByText, counter.Sent{Mail: "mia@mail.example"}},
		{"phone alone", "", mine, true, false, "", counter.Sent{Text: mine}},
		{"phone alone, not agreed", "", mine, false, false, "", counter.Sent{Why: "consent"}},
		{"phone alone, switched off", "", mine, true, true, "", counter.Sent{Why: "off"}},
		{"land line alone", "", "+4930901820", true, false, "", counter.Sent{Why: "number"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := newBed(t)
			x.Alter("cut", func(e *catalog.EventType) {
				e.Price, e.MailsOff = &money.Money{Amount: 4500, Currency: "EUR"}, catalog.MailKinds
				e.TextsOff = []catalog.TextKind{catalog.TextConfirmed}
				if c.off {
					e.TextsOff = append(e.TextsOff, catalog.TextReceipt)
				}
			})
			_, receipt := x.paid(x.somebody("Mia", c.email, c.phone, c.agreed, c.by), "1T09")
			sent, err := x.Counter.SendReceipt(t.Context(), x.Owner, receipt)
			x.Must(err)
			if sent != c.want {
				t.Errorf("it goes by %+v, want %+v", sent, c.want)
			}
			texts, mails := "", ""
			if c.want.Text != "" {
				texts = "receipt waiting"
			}
			if c.want.Mail != "" {
				mails = "receipt"
			}
			x.want("texts", x.states(), texts)
			x.want("mails", strings.Join(x.mails("mia@mail.example"), ", "), mails)
		})
	}
}

// The text with a receipt has a link, isn't sent twice within a minute, and goes in quiet time only to who has just paid. Where
// it may not go any more, the member sees why.
func TestReceiptByText(t *testing.T) {
	x := newBed(t)
	x.run()
	x.Alter("cut", func(e *catalog.EventType) {
		e.Price, e.TextsOff = &money.Money{Amount: 4500, Currency: "EUR"}, []catalog.TextKind{catalog.TextConfirmed}
	})
	c := x.somebody("Mia", "", mine, true, "")
	x.Clock.Set(time.Date(2026, 11, 30, 20, 30, 0, 0, time.UTC)) // 21:30 in Berlin
	_, receipt := x.paid(c, "1T09")
	send := func() error { _, err := x.Counter.SendReceipt(t.Context(), x.Owner, receipt); return err }
	x.Must(send())
	x.settled()
	got := x.sent()
	if len(got) != 1 || !strings.HasPrefix(got[0], mine+" Salon Ana: your receipt. http") {
		t.Fatalf("sent: %q", got)
	}
	if linked, err := x.Text.Linked(t.Context(), got[0][strings.LastIndex(got[0], "/t/")+3:]); err != nil || linked.Facts.Told.Receipt.ID.String() != receipt {
		t.Errorf("the link opens %+v, %v", linked, err)
	}
	x.Refused(send(), fault.Conflict, "sent_lately")
	x.Clock.Advance(20 * time.Minute)
	x.Must(send())
	x.settled()
	x.want("by night", x.states(), "receipt sent, receipt waiting")
	x.Clock.Set(time.Date(2026, 12, 1, 7, 0, 1, 0, time.UTC))
	x.settled()
	x.want("in the morning", x.states(), "receipt sent, receipt sent")
	r, err := x.Counter.Receipt(t.Context(), x.Owner, receipt)
	x.Must(err)
	_, err = x.Shop.UpdateWorkspace(t.Context(), x.Owner, func(w *catalog.Workspace) { w.Settings.Texts = &catalog.TextSettings{Cap: 2} })
	x.Must(err)
	x.Clock.Set(time.Date(2026, 12, 1, 8, 0, 1, 0, time.UTC))
	for range 2 {
		x.Must(send())
		x.settled()
		x.Clock.Advance(2 * time.Minute)
	}
	all, err := x.Text.ReceiptTexts(t.Context(), x.Owner, r)
	x.Must(err)
	if len(all) != 4 || all[0].NotSent() != "cap" || all[3].NotSent() != "" {
		t.Errorf("%d texts, the latest not sent because of %q", len(all), all[0].NotSent())
	}
	staff := x.Owner
	staff.Kind, staff.User, staff.Role, staff.Host = booking.ByOwner, 8, "staff", r.Host+1
	_, err = x.Text.ReceiptTexts(t.Context(), staff, r)
	x.Refused(err, fault.NotFound, "")
}
