package dashboard

import (
	"testing"

	"daybook/app/contact"
	"daybook/views/dash"
)

// Whoever withdraws the consent that counts is told of the older one that counts again then.
func TestWithdrawingRevivesAnOlderConsent(t *testing.T) {
	w := newWorld(t)
	w.asksForConsents()
	b := w.asOwner()
	id := w.comesToday().ContactID.String()
	for _, day := range []string{"2024-03-04", "2025-01-02", "2024-12-24"} { // recorded later, and given before
		_, err := w.People.RecordConsent(t.Context(), w.Owner, id, contact.ConsentInput{Kind: "health", Date: day})
		w.Must(err)
	}
	page := func(day string) (at, do string) {
		for _, c := range w.consents(id) {
			if c.Date == day {
				return dash.CardConsentPath(id, c.ID.String()), dash.CardWithdrawPath(id, c.ID.String())
			}
		}
		return "", ""
	}
	const again = "the consent of "
	at, do := page("2025-01-02")
	b.wants(b.get(at), 200, again+"Tue, Dec 24 2024")
	older, _ := page("2024-12-24")
	b.wants(b.get(older), 200, "!"+again) // it doesn't count
	b.wants(b.post(do), 303)
	b.wants(b.get(at), 200, "!"+again)
	b.wants(b.get(older), 200, again+"Mon, Mar 4 2024")
	_, do = page("2024-12-24")
	b.wants(b.post(do), 303)
	oldest, _ := page("2024-03-04")
	b.wants(b.get(oldest), 200, "Withdraw", "!"+again)
}
