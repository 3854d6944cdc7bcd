package dashboard

import (
	"testing"

	"daybook/app"
	"daybook/app/booking"
	"daybook/views/dash"
)

// sendsTexts makes the business one that sends texts to telephones.
func (w *world) sendsTexts() {
	w.T.Helper()
	w.Must(w.SQL(`UPDATE workspaces SET texts = 1, revision = revision + 1`))
	w.ForgetSetup(w.Owner.Workspace)
}

// The card of a customer says whether they want texts, and takes what they say, but nothing over STOP.
func TestCardNotesTexts(t *testing.T) {
	w := newWorld(t)
	b := w.asOwner()
	x, err := w.People.NewContact(t.Context(), w.Owner, booking.ContactInput{Name: "Tessa Text", Email: "tessa@x.example", Phone: "+4915112345678"})
	w.Must(err)
	card, says := contactURL(x.ID), dash.ContactTextsPath(x.ID.String())
	b.wants(b.get(card), 200, `!id="texts"`) // a business that sends none doesn't ask
	w.sendsTexts()
	b.wants(b.get(card), 200, "Not asked", "They said yes", "Message and data rates may apply")
	b.wants(b.post(says, "state", "yes", "wording", ""), 422, "Write down what the person agreed to")
	b.wants(b.post(says, "state", "yes", "wording", "May we text you?"), 303)
	b.wants(b.get(card), 200, "Agreed", "May we text you?")
	w.Must(w.Write(t.Context(), func(tx app.Tx) error { return w.Text.Stop(tx, w.Owner.Workspace, x.Phone) }))
	b.wants(b.get(card), 200, "Only START", "!They said yes")
	b.wants(b.post(says, "state", "yes", "wording", "May we text you?"), 409, "STOP")
}
