package dashboard

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/contact"
)

// broad lists what is wider than the window, alerts of more than a line, or what is cut off: headings, ways back, names of rows, times, and what the fields
// of a filter show.
const broad = `(()=>{
	const wide = document.documentElement.scrollWidth - innerWidth;
	const cut = [...document.querySelectorAll("h1, h2, h3, .back span, .row-main b, .row-who b, .row-link b, .facts dd, label, legend, .side-name span:last-child, .slot, .month-day span, .host-hours dd span")]
		.filter(x => !x.closest(".sr") && x.clientWidth > 1 && x.scrollWidth > x.clientWidth + 1).map(x => x.tagName + " " + x.textContent.trim().slice(0, 40));
	for (const x of document.querySelectorAll(".alert")) {
		if (x.checkVisibility() && x.offsetHeight > 40) cut.push("two lines of " + x.textContent.trim());
		if (innerWidth >= 390 && x.querySelector("span").scrollWidth > x.querySelector("span").clientWidth + 1) cut.push("alert " + x.textContent.trim());
	}
	const ink = document.createElement("canvas").getContext("2d");
	for (const x of innerWidth < 390 ? [] : document.querySelectorAll(".filters select, .filters input[placeholder]")) {
		if (!x.checkVisibility()) continue; // folded
		const style = getComputedStyle(x), text = x.placeholder || x.selectedOptions[0].text;
		ink.font = style.font;
		const room = x.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
		if (text.length < 40 && ink.measureText(text).width > room + 1) cut.push("field " + text);
	}
	return (wide > 0 ? "scrolls sideways by " + wide + ". " : "") + cut.join("; ");
})()`

// Words that are longer than a line make no page scroll sideways and are not cut off, on phones, tablets and desktops. The
// pages are in German, whose words are the longest.
func TestLongWordsWrap(t *testing.T) {
	const word = "Dauerwellenbehandlungsvorbesprechungsterminvereinbarung"
	w := newWorld(t)
	_, err := w.Shop.UpdateWorkspace(t.Context(), w.Owner, func(ws *catalog.Workspace) { ws.Name = "Friseurmeisterbetriebsgemeinschaft " + word })
	w.Must(err)
	for _, e := range w.setup().EventTypes {
		e.Title = word + " " + e.Title
		_, err := w.Shop.SaveEventType(t.Context(), w.Owner, e)
		w.Must(err)
	}
	people, err := w.People.Contacts(t.Context(), w.Owner, contact.Filter{}, nil, "")
	w.Must(err)
	c := people.Data[0]
	_, err = w.People.UpdateContact(t.Context(), w.Owner, c.ID.String(), booking.ContactInput{Name: strings.Repeat("Donaudampf", 13), Email: c.Email})
	w.Must(err)
	pages := w.pages()
	maps.Copy(pages, w.businessPages())
	pages["contact-long"], pages["contact-long-edit"], pages["contact-long-merge"] = contactURL(c.ID), contactURL(c.ID)+"/edit", contactURL(c.ID)+"/merge"
	w.asOwner().post("/dashboard/account/language", "locale", "de")
	b := w.browse()
	b.signIn(w)
	for _, name := range slices.Sorted(maps.Keys(pages)) {
		b.open(pages[name])
		for _, width := range []int64{320, 390, 820, 1440} {
			b.look("light", width, 844)
			found, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](broad))
			w.Must(err)
			if found != "" {
				t.Errorf("%s at %d: %s", name, width, found)
			}
			shot(b, fmt.Sprintf("long-%s-%d", name, width))
		}
	}
}

// An add-on with a long name wraps in its card of the booking page, at whatever width.
func TestLongAddOnsWrapOnTheBookingPage(t *testing.T) {
	const word = "Dauerwellenbehandlungsvorbesprechungsterminvereinbarung"
	w := newWorld(t)
	e := *w.setup().EventType("beard-trim")
	e.AddOnGroups = []catalog.AddOnGroup{{ID: "oils", Title: word + "auswahl", Max: 1}}
	e.AddOns = []catalog.AddOn{{ID: "oil", Title: word, Minutes: 10}, {ID: "warm", Title: "Warm " + word, Group: "oils"}}
	_, err := w.Shop.SaveEventType(t.Context(), w.Owner, e)
	w.Must(err)
	b := w.browse()
	for _, width := range []int64{320, 390} {
		b.look("light", width, 844)
		b.open("/" + w.Workspace.Slug + "/beard-trim")
		b.until(`document.querySelector(".choice")`)
		out, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](`(()=>{
			const wide = document.documentElement.scrollWidth - innerWidth, found = wide > 0 ? ["scrolls sideways by " + wide] : [];
			for (const x of document.querySelectorAll(".choice, .choice span, .choices legend")) {
				const box = x.closest("fieldset").getBoundingClientRect();
				if (x.getBoundingClientRect().right > box.right + 1 || x.scrollWidth > x.clientWidth + 1) found.push(x.textContent.trim().slice(0, 30));
			}
			return found.join("; ");
		})()`))
		w.Must(err)
		if out != "" {
			t.Errorf("at %d: %s", width, out)
		}
		shot(b, fmt.Sprintf("long-add-ons-%d", width))
	}
}
