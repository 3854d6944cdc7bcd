package dashboard

import (
	"testing"

	"github.com/chromedp/chromedp"

	"daybook/app/apptest/browser"
	"daybook/app/availability"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/contact"
	"daybook/app/slot"
	"daybook/app/vault"
	"daybook/views/dash"
)

// asksForConsents has the salon ask for a consent to health, on a server with a key.
func (w *world) asksForConsents() {
	w.T.Helper()
	v, err := vault.NewVault(make([]byte, 32))
	w.Must(err)
	*w.Vault() = *v
	_, err = w.Shop.UpdateWorkspace(w.T.Context(), w.Owner, func(x *catalog.Workspace) {
		x.Settings.Consents = []catalog.ConsentKind{{Key: "health", Name: "Health", Wording: "My <allergies> are kept.", Health: true}}
	})
	w.Must(err)
}

// Without scripts: kinds are saved in the settings, a consent is recorded by a name, an allergy stands in red at the top of
// the card, and all of it goes when the consent is withdrawn.
func TestHealthByForms(t *testing.T) {
	w := newWorld(t)
	b := w.asOwner()
	id := w.comesToday().ContactID.String()
	card := dash.ContactPath(id)
	b.wants(b.get(dash.ConsentsPath), 200, "I agree that my allergies")
	at := "settings.consents[0]."
	b.wants(b.post(dash.ConsentsPath, at+"name", "Patch Tests", at+"wording", "", at+"days", "180"), 422, `role="alert"`, "Patch Tests")
	b.wants(b.post(dash.ConsentsPath, at+"name", "Patch Tests", at+"wording", "I <had> one.", at+"days", "180", at+"health", "on"), 303)
	b.wants(b.get(dash.ConsentsPath), 200, `value="patch-tests"`, `value="180"`)
	b.wants(b.get(card), 200, "no key to encrypt", "!health-text")
	b.wants(b.post(dash.CardHealthPath(id), "kind", "allergy", "text", "PPD"), 409, "no key to encrypt")
	w.asksForConsents()
	b.wants(b.get(card), 200, "Record the consent first", dash.CardSignPath(id)+"?kind=health", "!health-text")
	b.wants(b.get(dash.CardSignPath(id)+"?kind=health"), 200, "My &lt;allergies&gt; are kept.", `name="signer"`)
	b.wants(b.get(dash.CardSignPath(id)+"?kind=other"), 404)
	b.wants(b.post(dash.CardConsentsPath(id), "kind", "health", "signer", "Mia", "date", "2999-01-01"), 422, "Mia", `role="alert"`)
	signed := b.post(dash.CardConsentsPath(id), "kind", "health", "signer", "Mia")
	b.wants(signed, 303)
	b.wants(b.get(signed.location), 200, "Please hand the tablet back")
	b.wants(b.post(dash.CardHealthPath(id), "kind", "allergy", "text", "<PPD>"), 303)
	b.wants(b.get(card), 200, "cust-alert", "&lt;PPD&gt;")
	list, err := w.People.Consents(t.Context(), w.Owner, id, nil, "")
	w.Must(err)
	consent := dash.CardConsentPath(id, list.Data[0].ID.String())
	b.wants(b.get(consent), 200, "My &lt;allergies&gt; are kept.", ">Mia<", "Withdraw")
	b.wants(b.post(dash.CardWithdrawPath(id, list.Data[0].ID.String())), 303)
	b.wants(b.get(consent), 200, "Withdrawn")
	b.wants(b.get(card), 200, "!cust-alert", "!PPD")
}

// A request for a service whose consent is missing is confirmed only after the question, which the history keeps; the
// customer's allergy stands in red beside it.
func TestConfirmWithoutConsent(t *testing.T) {
	w := newWorld(t)
	w.asksForConsents()
	b := w.asOwner()
	v := w.comesToday()
	_, err := w.People.RecordConsent(t.Context(), w.Owner, v.ContactID.String(), contact.ConsentInput{Kind: "health"})
	w.Must(err)
	_, err = w.People.AddHealth(t.Context(), w.Owner, v.ContactID.String(), contact.HealthInput{Kind: contact.Allergy, Text: "latex gloves"})
	w.Must(err)
	b.wants(b.get(dash.BookingPath(v.ID.String())), 200, "cust-alert", "latex gloves")

	_, err = w.Shop.ChangeEventType(t.Context(), w.Owner, "haircut", func(_ *catalog.Setup, e *catalog.EventType) error {
		e.RequiresApproval, e.Requires = true, []catalog.Requirement{{Consent: "health", Within: 1}}
		return nil
	})
	w.Must(err)
	asked, err := w.Book(t.Context(), w.Owner, booking.BookInput{EventType: "haircut", Start: w.free("haircut"), Override: []string{string(slot.Requirement)},
		Invitee: booking.Invitee{Name: "New", Email: "new@mail.example"}})
	w.Must(err)
	page := dash.BookingPath(asked.ID.String())
	b.wants(b.get(page), 200, "Missing or not valid on that day: Health", "Confirm anyway", `name="override" value="requirement"`)
	do := dash.BookingDoPath(asked.ID.String(), dash.DoConfirm)
	b.wants(b.get(dash.TodayPath), 200, "Check New’s request", "!"+do)
	b.post(do)
	if now := w.Again(asked); now.Status != booking.Pending {
		t.Errorf("confirmed without the question: %s", now.Status)
	}
	b.post(do, "override", "requirement")
	if now := w.Again(asked); now.Status != booking.Confirmed {
		t.Errorf("not confirmed: %s", now.Status)
	}
}

// free is a time at which the service can be booked.
func (w *world) free(eventType string) string {
	w.T.Helper()
	found, err := w.Availability(w.T.Context(), w.Owner, availability.Input{EventType: eventType, Days: new(20)})
	w.Must(err)
	return found.Slots()[0].Start.String()
}

// On a tablet a finger signs, and what it drew is kept; the pages break no rule of WCAG that a machine can check.
func TestSigningOnATablet(t *testing.T) {
	w := newWorld(t)
	w.asksForConsents()
	id := w.comesToday().ContactID.String()
	axe := browser.Axe(t)
	b := w.browse()
	b.look("light", 820, 1180)
	b.signIn(w)
	sign := dash.CardSignPath(id) + "?kind=health"
	b.accessible("sign", sign, axe)
	b.open(sign)
	b.until(`document.querySelector("[data-sign]").getBoundingClientRect().width > 300`)
	at := browser.Eval[[]float64](t, b.ctx, `(() => { const r = document.querySelector("[data-sign]").getBoundingClientRect(); return [r.x, r.y]; })()`)
	b.do(chromedp.MouseClickXY(at[0]+50, at[1]+50))
	b.do(chromedp.MouseClickXY(at[0]+150, at[1]+60))
	b.click("[data-sign-clear]")
	b.do(chromedp.MouseClickXY(at[0]+200, at[1]+50))
	b.click("form.sign .button-main")
	b.sees("Please hand the tablet back")
	thanks := browser.Eval[string](t, b.ctx, "location.pathname")
	list, err := w.People.Consents(t.Context(), w.Owner, id, nil, "")
	w.Must(err)
	_, drawn, err := w.People.SignedConsent(t.Context(), w.Owner, id, list.Data[0].ID.String())
	w.Must(err)
	if len(drawn) != 1 || len(drawn[0]) != 2 || drawn[0][0] < 150 || drawn[0][0] > 250 {
		t.Errorf("drawn %v", drawn)
	}
	_, err = w.People.AddHealth(t.Context(), w.Owner, id, contact.HealthInput{Kind: contact.Allergy, Text: "latex"})
	w.Must(err)
	b.accessible("card with health", dash.ContactPath(id), axe)
	b.accessible("a consent", dash.CardConsentPath(id, list.Data[0].ID.String()), axe)
	b.accessible("kinds of consents", dash.ConsentsPath, axe)
	b.accessible("thanks", thanks, axe)
	for _, width := range []int64{320, 390, 820, 1440} {
		for _, path := range []string{sign, thanks, dash.ContactPath(id), dash.ConsentsPath} {
			b.look("light", width, 844)
			b.open(path)
			if found := browser.Eval[string](t, b.ctx, broad); found != "" {
				t.Errorf("%s at %d: %s", path, width, found)
			}
		}
	}
}

// waysOut are the links and the forms of a page that is handed to a customer, but for the one that signs.
const waysOut = `[...document.querySelectorAll("a[href], form:not(.sign), nav")].map(x => x.getAttribute("href") || x.tagName).join()`

// draw draws a dot on the page for signing.
func (b *tab) draw() {
	b.t.Helper()
	b.until(`document.querySelector("[data-sign]").getBoundingClientRect().width > 100`)
	at := browser.Eval[[]float64](b.t, b.ctx, `(() => { const x = document.querySelector("[data-sign]"); x.scrollIntoView({block: "center"});
		const r = x.getBoundingClientRect(); return [r.x, r.y]; })()`)
	b.do(chromedp.MouseClickXY(at[0]+60, at[1]+30))
	b.until(`document.querySelector("[data-sign] path").getAttribute("d") !== ""`)
}

// consents are those of a contact, the last first.
func (w *world) consents(id string) []contact.Consent {
	w.T.Helper()
	list, err := w.People.Consents(w.T.Context(), w.Owner, id, nil, "")
	w.Must(err)
	return list.Data
}

// A customer who holds the tablet finds no way into the dashboard: neither on the page that they sign, nor on it when it was
// refused. The one that thanks them has a way back to the card, for the team.
func TestATabletInTheCustomersHands(t *testing.T) {
	w := newWorld(t)
	w.asksForConsents()
	id := w.comesToday().ContactID.String()
	b := w.browse()
	b.look("light", 820, 1180)
	b.signIn(w)
	leads := func(to string) {
		t.Helper()
		if got := browser.Eval[string](t, b.ctx, waysOut); got != to {
			t.Errorf("the page leads to %q, want %q", got, to)
		}
		b.do(chromedp.KeyEvent("n"))
	}
	b.open(dash.ContactPath(id))
	b.click(`a[href*="/consents/new"]`)
	b.until(`document.querySelector("form.sign")`)
	leads("")
	b.fill("date", "2999-01-01")
	b.click("form.sign .button-main")
	b.until(`document.querySelector("[role=alert]")`)
	leads("#f-date")
	b.fill("date", "")
	b.click("form.sign .button-main")
	b.sees("Please hand the tablet back")
	card := dash.ContactPath(id) + "#" + dash.HealthPart
	leads(card)
	b.click(`a[href="` + card + `"]`)
	b.until(`document.querySelector("#health") && document.querySelector("nav")`)
}

// What a finger drew is still there when the form was refused, and goes along with the next one.
func TestASignatureSurvivesARefusal(t *testing.T) {
	w := newWorld(t)
	w.asksForConsents()
	id := w.comesToday().ContactID.String()
	b := w.browse()
	b.look("light", 820, 1180)
	b.signIn(w)
	b.open(dash.CardSignPath(id) + "?kind=health")
	b.draw()
	path := browser.Eval[string](t, b.ctx, `document.querySelector("[data-sign] path").getAttribute("d")`)
	b.fill("signer", "")
	b.click("form.sign .button-main")
	b.until(`document.querySelector("[role=alert]")`)
	if got := browser.Eval[string](t, b.ctx, `document.querySelector("[data-sign] path").getAttribute("d")`); got != path {
		t.Errorf("drawn %q, want %q", got, path)
	}
	if n := len(w.consents(id)); n != 0 {
		t.Fatalf("%d consents", n)
	}
	b.fill("signer", "Mia")
	b.click("form.sign .button-main")
	b.sees("hand the tablet back")
	_, drawn, err := w.People.SignedConsent(t.Context(), w.Owner, id, w.consents(id)[0].ID.String())
	w.Must(err)
	if drawn.Path() != path {
		t.Errorf("kept %q, want %q", drawn.Path(), path)
	}
}

// While a customer reads, a manager writes another wording: what they sign then is refused, and they read and sign the new one.
func TestAWordingThatChangesWhileItIsRead(t *testing.T) {
	w := newWorld(t)
	w.asksForConsents()
	id := w.comesToday().ContactID.String()
	b := w.browse()
	b.look("light", 820, 1180)
	b.signIn(w)
	b.open(dash.CardSignPath(id) + "?kind=health")
	b.draw()
	_, err := w.Shop.UpdateWorkspace(t.Context(), w.Owner, func(x *catalog.Workspace) { x.Settings.Consents[0].Wording = "All of it is sold." })
	w.Must(err)
	b.click("form.sign .button-main")
	b.sees("The wording has just been changed")
	b.sees("All of it is sold.")
	if got := browser.Eval[string](t, b.ctx, `document.querySelector("[data-sign] path").getAttribute("d")+document.querySelector("[name=signature]").value`); got != "" {
		t.Errorf("the signature under the old wording is still there: %s", got)
	}
	if n := len(w.consents(id)); n != 0 {
		t.Fatalf("%d consents", n)
	}
	b.draw()
	b.click("form.sign .button-main")
	b.sees("hand the tablet back")
	if c := w.consents(id)[0]; c.Wording != "All of it is sold." || !c.Signed {
		t.Errorf("%+v", c)
	}
}
