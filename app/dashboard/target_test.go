package dashboard

import (
	"fmt"
	"strings"
	"testing"

	"daybook/app/apptest/browser"
	"daybook/views/dash"
)

// small lists the controls of a page that are smaller than 24 by 24 pixels, but for links amid a text, and those that lie
// over one another. A box to tick is as large as its label.
const small = `(()=>{
	const found = [], all = [];
	for (const x of document.querySelectorAll("#main :is(a[href], button, input, select, textarea, summary)")) {
		if (x.type === "hidden" || x.closest(".sr") || x.matches("p a, .hint a, .notice a") || !x.checkVisibility({ visibilityProperty: true })) continue;
		const label = /^(checkbox|radio)$/.test(x.type) && x.closest("label"), r = (label || x).getBoundingClientRect();
		const name = x.tagName + " " + (x.name || x.textContent.trim()).slice(0, 30);
		if (r.width < 23.9 || r.height < 23.9) found.push(name + " is " + Math.round(r.width) + " by " + Math.round(r.height));
		if (!x.closest(".form-end")) all.push([name, r, label || x]);
	}
	all.forEach(([name, a, x], i) => all.slice(i + 1).forEach(([other, b, y]) => {
		if (x.contains(y) || y.contains(x) || x.closest(".menu-items") !== y.closest(".menu-items")) return;
		if (Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1) found.push(name + " lies over " + other);
	}));
	const wide = document.documentElement.scrollWidth - innerWidth;
	return (wide > 0 ? "scrolls sideways by " + wide + ". " : "") + found.join("; ");
})()`

// What is pressed on Today, on a host's hours and in the list of bookings is large enough for a finger (WCAG 2.2, 2.5.8),
// and nothing lies over it or scrolls sideways.
func TestTargetsAreLargeEnough(t *testing.T) {
	w := newWorld(t)
	w.asOwner().post("/dashboard/account/language", "locale", "de")
	w.paid(w.setup().Hosts[0].ID)
	host := hostURL(&w.setup().Hosts[0])
	b := w.browse()
	b.signIn(w)
	for name, path := range map[string]string{"today": "/dashboard", "team": "/dashboard/hosts", "person": host, "person-new": "/dashboard/hosts/new", "services": host + "/services", "sign-in": host + "/sign-in", "hours": host + "/hours", "dates": host + "/dates?date=2026-11-24", "away": host + "/away", "bookings": dash.BookingsPath} {
		b.open(path)
		for _, width := range []int64{320, 390, 820, 1440} {
			b.look("light", width, 844)
			if found := browser.Eval[string](t, b.ctx, small); found != "" {
				t.Errorf("%s at %d: %s", name, width, found)
			}
			shot(b, fmt.Sprintf("target-%s-%d", name, width))
		}
	}

	// The list of days to copy hours to lies over nothing, and the bar that saves not over it.
	b.look("light", 390, 844)
	b.open(host + "/hours")
	for _, day := range []string{"tue", "sat"} {
		b.until(fmt.Sprintf(`[...document.querySelectorAll("details.hours-copy")].every(d=>d.open=false)||(document.querySelector("[data-hours=%s] details.hours-copy").open=true)`, day))
		covered := browser.Eval[string](t, b.ctx, `(()=>{
			const found = [];
			for (const x of document.querySelectorAll("details.hours-copy[open] .menu-items :is(label, button)")) {
				x.scrollIntoView({ block: "center", behavior: "instant" });
				const r = x.getBoundingClientRect(), at = document.elementFromPoint(r.left + r.width / 2, r.top + r.height / 2);
				if (!x.contains(at) || r.height < 24) found.push(x.textContent.trim() + " " + Math.round(r.height) + " under " + at?.className);
			}
			return found.join("; ");
		})()`)
		if covered != "" {
			t.Errorf("%s: %s", day, covered)
		}
		shot(b, "target-copy-"+day)
	}
}

// On a phone the first booking of the list stands high on the screen, also where filters are set; those unfold without a
// script, and show how many are set.
func TestFiltersFoldOnAPhone(t *testing.T) {
	w := newWorld(t)
	w.asOwner().post("/dashboard/account/language", "locale", "de")
	b := w.browse()
	b.signIn(w)
	browser.NoScript(t, b.ctx)
	b.look("light", 390, 844)
	host := w.setup().Hosts[0].ID.String()
	for path, told := range map[string]string{dash.BookingsPath: "Filter", dash.BookingsPath + "?tab=past&type=haircut&host=" + host: "Filter · 2"} {
		b.open(path)
		if top := browser.Eval[float64](t, b.ctx, `document.querySelector(".results .row-main, .results a").getBoundingClientRect().top`); top > 460 {
			t.Errorf("%s: the first booking is at %.0f", path, top)
		}
		if said := browser.Eval[string](t, b.ctx, `document.querySelector(".filters-more summary").innerText.trim()`); said != told {
			t.Errorf("%s: %q", path, said)
		}
		shot(b, "filters-"+strings.ReplaceAll(told, " ", ""))
	}
	b.click(".filters-more summary")
	b.until(`document.querySelector("[name=from]").checkVisibility()`)
	shot(b, "filters-open")
	b.look("light", 1440, 900)
	b.open(dash.BookingsPath)
	if wrong := browser.Eval[string](t, b.ctx, `document.querySelector("[name=from]").checkVisibility()&&!document.querySelector(".filters-more summary").checkVisibility()?"":"folded"`); wrong != "" {
		t.Errorf("on a desktop they are %s", wrong)
	}
	shot(b, "filters-1440")
}
