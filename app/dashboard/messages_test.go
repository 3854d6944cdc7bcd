package dashboard

import (
	"testing"
	"time"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/id"
	"daybook/app/text"
	"daybook/app/text/sms"
	"daybook/app/when"
	"daybook/views/dash"
)

// wrote has a number write a text, and returns its id; c is 0 where nobody is known by the number.
func (w *world) wrote(c booking.ContactID, number, words string) string {
	w.T.Helper()
	m := text.Message{ID: id.New[text.MessageIDKind](w.Clock.Now()), WorkspaceID: w.Owner.Workspace, ContactID: c, Phone: number, Text: words}
	w.Must(w.Write(w.T.Context(), func(tx app.Tx) error {
		if _, err := tx.(text.Tx).InsertTextMessage(&m); err != nil {
			return err
		}
		return tx.(text.Tx).NumberWrote(m.WorkspaceID, number, when.At(w.Clock.Now()))
	}))
	return m.ID.String()
}

// Who has a telephone only and agreed to texts is asked by text, and told of an end by text; the screens say so.
func TestScreensSayWhoGetsTexts(t *testing.T) {
	w := newWorld(t)
	w.Must(w.Text.SetSender(t.Context(), w.Owner, &sms.Sender{Preset: sms.Twilio, Account: "AC0123456789abcdef0123456789abcdef", Secret: "s", From: "+15005550006"}))
	_, all := w.fullDay()
	w.Alter(all[0].EventType, func(e *catalog.EventType) { e.AsksComing, e.AsksFor = true, catalog.AskEither })
	b := w.asOwner()
	hers, err := w.Book(t.Context(), w.Owner, booking.BookInput{EventType: all[0].EventType, Host: all[0].Host.ID.String(),
		Invitee: booking.Invitee{Name: "Tess Texts", Phone: "+4915112345678"}, Answers: w.answers(all[0].EventType),
		Start: all[2].Start.Time().Add(2 * time.Hour).Format(time.RFC3339), Override: []string{"outside_hours", "off_grid", "too_far"}})
	w.Must(err)
	at := dash.BookingPath(hers.ID.String())
	b.wants(b.get(at), 200, "no mail is sent", "!"+dash.BookingDoPath(hers.ID.String(), dash.DoAskComing))
	w.Must(w.Write(t.Context(), func(tx app.Tx) error {
		_, err := w.Text.Tick(tx, w.Owner.Workspace, hers.ContactID, hers.Invitee.Phone, "Texts?")
		return err
	}))
	b.wants(b.get(at), 200, "gets texts", "!no mail is sent", dash.BookingDoPath(hers.ID.String(), dash.DoAskComing))
	day := hers.Start.Time().In(w.setup().Zone).Format(time.DateOnly)
	page := b.get("/dashboard/bookings/cancel?date=" + day)
	b.wants(page, 200, "Text to 01511 2345678")
	b.wants(b.post("/dashboard/bookings/cancel?date="+day, append(chosen(page.body, hers.ID.String()), "do", "all")...), 200, "told by text")
}

// What customers write by text stands on Today, among the messages and on the card, where it is answered.
func TestMessagesAreAnswered(t *testing.T) {
	w := newWorld(t)
	b := w.asOwner()
	w.Must(w.Text.SetSender(t.Context(), w.Owner, &sms.Sender{Preset: sms.Twilio, Account: "AC0123456789abcdef0123456789abcdef", Secret: "s", From: "+15005550006"}))
	c, _, err := w.People.CreateContact(t.Context(), w.Owner, booking.ContactInput{Name: "Mia Writes", Phone: "+4915112345678"})
	w.Must(err)
	card := dash.ContactPath(c.ID.String())
	b.wants(b.get(card), 200, dash.ContactReplyPath(c.ID.String()), "!Mark as read")
	b.wants(b.get(dash.MessagesPath), 200, "No messages yet")
	first := w.wrote(c.ID, c.Phone, "Is <b>noon</b> free?")
	b.wants(b.get("/dashboard"), 200, "1 new message", dash.MessagesPath)
	other := w.wrote(0, "+4915112345999", "Are you open?")
	b.wants(b.get("/dashboard"), 200, "2 new messages")
	b.wants(b.get(dash.MessagesPath), 200, "Mia Writes", card+"#"+dash.MessagesPart, "Is &lt;b&gt;noon&lt;/b&gt; free?", "Are you open?", "01511 2345999",
		dash.MessageReplyPath(other), dash.MessageSeenPath(first))
	b.wants(b.get(card), 200, "Is &lt;b&gt;noon", "Mark as read", "!Are you open?")
	b.wants(b.post(dash.ContactReplyPath(c.ID.String()), "text", "Yes, come"), 303)
	b.wants(b.get(card+"?said=replied"), 200, "Yes, come", "your answer", "On its way", "Your text is on its way.", "!Mark as read")
	b.wants(b.get("/dashboard"), 200, "1 new message")
	b.wants(b.post(dash.MessageSeenPath(other)), 303)
	b.wants(b.get("/dashboard"), 200, "!new message")
	b.wants(b.post(dash.MessageReplyPath(other), "text", ""), 422, "Are you open?")
	b.wants(b.post(dash.MessageReplyPath(other), "text", "Until six"), 303)
	w.Must(w.Write(t.Context(), func(tx app.Tx) error { return w.Text.Stop(tx, w.Owner.Workspace, c.Phone) }))
	b.wants(b.post(dash.ContactReplyPath(c.ID.String()), "text", "Really?"), 409, "Really?", "STOP")
}
