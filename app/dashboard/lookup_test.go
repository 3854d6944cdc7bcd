package dashboard

import (
	"fmt"
	"net/url"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"daybook/app/apptest/browser"
	"daybook/app/booking"
	"daybook/views/dash"
)

// regular is a contact who had three appointments, two of them for a beard trim, did not come once, and has notes. It is the
// day after, 10:12 in Berlin.
func (w *world) regular() booking.Contact {
	w.T.Helper()
	w.booked("beard-trim", "10:00", "Wilma Stamm", 1)
	w.booked("haircut", "11:00", "Wilma Stamm", 1)
	w.booked("beard-trim", "12:00", "Wilma Stamm", 1)
	missed := w.booked("haircut", "15:00", "Wilma Stamm", 1)
	w.Clock.Set(time.Date(2026, 12, 23, 9, 12, 0, 0, time.UTC))
	_, err := w.MarkNoShow(w.T.Context(), w.Owner, missed.ID.String())
	w.Must(err)
	w.Must(w.People.SetContactNotes(w.T.Context(), w.Owner, missed.ContactID.String(), "Brings a <dog>"))
	c, err := w.People.ContactByID(w.T.Context(), w.Owner, missed.ContactID.String())
	w.Must(err)
	return c
}

// Without a script a button finds the customer by what was typed, and nothing typed is lost on the way.
func TestCustomersAreFoundWithoutAScript(t *testing.T) {
	w := newWorld(t)
	wilma := w.regular()
	b := w.asOwner()
	start := w.open("haircut")
	typed := []string{"type", "haircut", "start", start, "date", "2026-12-24", "notes", "By the window"}
	asked := b.post(dash.NewBookingPath, append(typed, "name", "stamm", "find", "1")...)
	b.wants(asked, 200, "1 customer found.", "Wilma Stamm", `name="pick" value="`+wilma.ID.String(), "By the window", `value="stamm"`, `value="`+start, "data-typed")
	b.wants(b.post(dash.NewBookingPath, append(typed, "name", "Nobody Known", "find", "1")...), 200, "Nobody found", "By the window", "Nobody Known")
	b.wants(b.post(dash.NewBookingPath, append(typed, "name", "someone", "phone", "030-12 34", "find", "1")...), 200, "1 customer found.")
	picked := b.post(dash.NewBookingPath, append(typed, "name", "stamm", "pick", wilma.ID.String())...)
	card := []string{`data-person-card="` + wilma.ID.String(), "Last visits", "Beard trim · Ben Okafor", "Brings a &lt;dog&gt;", "1 no-show",
		"Usual service: Beard trim", `name="usual" value="beard-trim"`, `<a href="` + contactURL(wilma.ID) + `"><b>Wilma Stamm</b></a>`}
	b.wants(picked, 200, append(card, "By the window", `value="Wilma Stamm"`, `value="wilma.stamm@mail.example"`, `value="`+start)...)
	who := []string{"name", wilma.Name, "email", wilma.Email, "phone", wilma.Phone, "contact", wilma.ID.String()}
	usual := b.post(dash.NewBookingPath, append(append(typed, who...), "usual", "beard-trim")...)
	b.wants(usual, 200, `name="type" value="beard-trim"`, "By the window", `value="Wilma Stamm"`, `value="`+start, "!name=\"usual\"")
	// Somebody else's address is typed: the card is not theirs.
	b.wants(b.post(dash.NewBookingPath, append(typed, "name", "Wim", "email", "wim@mail.example", "contact", wilma.ID.String(), "find", "1")...), 200,
		"!data-person-card", "Nobody found", "wim@mail.example")
	b.wants(b.post(dash.NewBookingPath, append(typed, who...)...), 303)

	// A contact's page and "Book again" lead to the same card, with the service that they mostly have; choosing another
	// service or time keeps the person.
	b.wants(b.get(contactURL(wilma.ID)), 200, dash.NewBookingPath+"?contact="+wilma.ID.String(), `aria-hidden="true">WS</span>`, "1 no-show")
	choose := b.get(dash.NewBookingPath + "?contact=" + wilma.ID.String())
	b.wants(choose, 200, append(card[:6:6], `<input type="hidden" name="contact" value="`+wilma.ID.String(), `name="type" value="beard-trim"`, `!name="usual"`)...)
	clara := w.setup().HostByEmail("clara@salon-linden.example").ID.String() // she doesn't do that
	b.wants(b.get(dash.NewBookingPath+"?contact="+wilma.ID.String()+"&host="+clara+"&start="+start), 200, append(card, "Clara Moreau")...)
	b.wants(b.get(dash.NewBookingPath+"?host="+clara+"&start="+start+"&name=stamm&find=1"), 200, "1 customer found.", "Wilma Stamm", "Clara Moreau")
	b.wants(b.get(dash.NewBookingPath+"?contact="+wilma.ID.String()+"&type=haircut&start="+start), 200, append(card, `value="wilma.stamm@mail.example"`)...)
	page, err := w.Bookings(t.Context(), w.Owner, booking.ListBookingsInput{Invitee: wilma.Email, Scope: "past"})
	w.Must(err)
	b.wants(b.get(dash.NewBookingPath+"?again="+page.Data[0].ID.String()+"&start="+start), 200, card[:6]...)

	// For somebody who has just come in the time is now, whatever their usual service is.
	plus := between(b.get("/dashboard").body, `<li class="nav-new"><a href="`, `"`)
	now := b.post(dash.NewBookingPath, append(who, "type", "haircut", "start", "2026-12-23T09:12:00Z", "date", "2026-12-23", "walkin", "1", "usual", "beard-trim")...)
	b.wants(b.get(plus), 200, `name="walkin" value="1"`)
	b.wants(now, 200, "Now, ", `name="type" value="beard-trim"`, `name="walkin" value="1"`, `data-person-card="`)

	staff := w.staff(w.setup().Hosts[0].ID)
	for _, path := range []string{dash.PeoplePath + "?q=stamm", dash.PersonPath + "?contact=" + wilma.ID.String()} {
		r := b.get(path)
		if b.wants(r, 200, "Wilma Stamm"); r.header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: %v", path, r.header)
		}
		staff.wants(staff.get(path), 403)
	}
	stranger := w.stranger()
	stranger.wants(stranger.get(dash.PeoplePath+"?q=stamm"), 200, "!Wilma")
	stranger.wants(stranger.get(dash.PersonPath+"?contact="+wilma.ID.String()), 404)
	b.wants(b.get(dash.PeoplePath+"?q="+url.QueryEscape("\x00")), 422)
}

// A service that is switched off is offered to the business under a heading of its own, with open times, and booked by
// waiving that rule.
func TestSwitchedOffServicesCanBeBooked(t *testing.T) {
	w := newWorld(t)
	_, err := w.Shop.SwitchEventType(t.Context(), w.Owner, "beard-trim", false)
	w.Must(err)
	b := w.asOwner()
	b.wants(b.get(dash.NewBookingPath), 200, `value="beard-trim"`, "<small>Not offered now</small>")
	b.wants(b.get(dash.NewBookingPath+"?type=beard-trim&date="+quietDay), 200, `data-start="`+quietDay+"T")
	at := quietDay + "T10:00:00Z"
	form := b.get(dash.NewBookingPath + "?type=beard-trim&start=" + at)
	b.wants(form, 200, "Book anyway", "Against your rules: the service is switched off.", `name="override" value="inactive"`)
	b.wants(b.post(dash.NewBookingPath, append(overrides(form), "type", "beard-trim", "start", at, "name", "Otto", "phone", "030 901820")...), 303)
	staff := w.staff(w.setup().Hosts[1].ID)
	staff.wants(staff.get(dash.NewBookingPath), 200, "<small>Not offered now</small>")
	other := w.member("staff", w.setup().Hosts[0].ID)
	other.wants(other.get(dash.NewBookingPath), 200, "!Not offered now")
}

// With a script the customer is found while their name, address or number is typed, by keyboard and by touch; what is
// known of them shows at once, and an answer that comes late never takes the place of a later one.
func TestLookupInABrowser(t *testing.T) {
	w := newWorld(t)
	wilma := w.regular()
	w.contact("Wilhelm Neu", "wilhelm@mail.example")
	b := w.browse()
	axe := browser.Axe(t)
	b.look("light", 1440, 900)
	b.signIn(w)
	b.open(dash.NewBookingPath + "?type=haircut&start=" + w.open("haircut"))
	const list = `document.querySelector("#who-list")`
	names := func(want string) {
		t.Helper()
		b.until(fmt.Sprintf(`[...document.querySelectorAll("#who-list:not([hidden]) [role=option] b")].map(x => x.textContent).join() == %q`, want))
	}
	b.until(`document.activeElement.name == "name" && document.activeElement.getAttribute("role") == "combobox" && ` + list + `.hidden`)
	b.do(chromedp.KeyEvent("wil"))
	names("Wilhelm Neu,Wilma Stamm")
	b.until(`document.querySelector("[data-announce]").textContent == "2 customers found."`)
	browser.Accessible(t, b.ctx, axe)
	shot(b, "lookup-list")
	b.do(chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent(kb.ArrowDown))
	b.until(fmt.Sprintf(`document.querySelector("[name=name]").getAttribute("aria-activedescendant") == "who-%s" &&
		document.querySelector("#who-list [aria-selected=true] b").textContent == "Wilma Stamm"`, wilma.ID))
	b.do(chromedp.KeyEvent(kb.Escape))
	b.until(list + `.hidden && document.querySelector("[name=name]").value == "wil" && document.querySelector("[name=name]").getAttribute("aria-expanded") == "false"`)
	b.do(chromedp.KeyEvent(kb.ArrowDown))
	names("Wilhelm Neu,Wilma Stamm")
	b.do(chromedp.KeyEvent(kb.ArrowUp))
	// A key of the browser's protocol sends the form whatever a script says.
	b.until(`!document.activeElement.dispatchEvent(new KeyboardEvent("keydown", {key: "Enter", bubbles: true, cancelable: true}))`)
	b.until(`document.querySelector("[name=email]").value == "wilma.stamm@mail.example" && document.querySelector("[name=phone]").value != ""`)
	b.sees("Usual service: Beard trim")
	b.sees("Brings a <dog>")
	b.until(`document.activeElement.name == "name" && document.querySelector("form.form [name=contact]").value == "` + wilma.ID.String() + `"`)
	b.until(`document.querySelector("[data-person-card] a[href='` + contactURL(wilma.ID) + `']").checkVisibility()`) // one tap from their card
	browser.Accessible(t, b.ctx, axe)
	shot(b, "lookup-card")
	b.fill("notes", "By the window")
	b.click("[name=usual]")
	b.until(`document.querySelector("form.form [name=type]:checked")?.value == "beard-trim" && document.querySelector("[name=notes]").value == "By the window"`)
	b.sees("Wilma Stamm")
	b.fill("email", "other@mail.example") // somebody else
	b.until(`!document.querySelector("[data-person-card]")`)

	// The answer to "wi" comes after that to "wilma", and is not shown.
	b.until(`(() => { const real = window.fetch; window.held = []; window.fetch = async (url, init) => {
		const { signal, ...rest } = init || {};
		const answer = await real(url, rest);
		if (String(url).endsWith("q=wi")) await new Promise((go) => window.held.push(go));
		return answer; }; return true })()`)
	type2 := func(name, text string) {
		t.Helper()
		b.until(fmt.Sprintf(`(() => { const x = document.querySelector("[name=%s][role=combobox]"); if (!x) return false; x.focus(); x.value = ""; return true })()`, name))
		b.do(chromedp.KeyEvent(text))
	}
	type2("name", "wi")
	b.until(`window.held.length == 1`)
	b.do(chromedp.KeyEvent("lma"))
	names("Wilma Stamm")
	b.until(`(window.held.forEach((go) => go()), true)`)
	b.until(`new Promise((done) => setTimeout(() => done(true)))`)
	names("Wilma Stamm")

	// On a phone it is a tap, and the three taps of a walk-in stay three.
	b.look("dark", 390, 844)
	b.until(`(document.querySelectorAll("form[data-typed]").forEach((x) => delete x.dataset.typed), true)`) // left without asking
	b.open("/dashboard")
	b.click(".nav-new a")
	b.sees("Chosen time")
	type2("phone", "030 12")
	names("Wilma Stamm")
	b.until(`[...document.querySelectorAll("#who-list [role=option]")].every((x) => x.offsetHeight >= 44) && document.documentElement.scrollWidth <= innerWidth`)
	browser.Accessible(t, b.ctx, axe)
	shot(b, "lookup-phone")
	b.click("#who-list [role=option]")
	b.sees("Usual service: Beard trim")
	browser.Accessible(t, b.ctx, axe)
	shot(b, "lookup-phone-card")
	b.click("form.form .form-end button[type=submit]")
	b.sees("Booked.")
}
