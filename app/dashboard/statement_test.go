package dashboard

import (
	"encoding/csv"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"daybook/app/apptest/browser"
	"daybook/app/booking"
	"daybook/app/counter"
	"daybook/app/report"
)

// worked is a salon of which some days are written down, with money in them: the server has been there since the 21st of
// November, and it is the 2nd of December.
func worked(t *testing.T) *world {
	w := newWorld(t)
	w.Must(w.Report.WriteDays(t.Context()))
	k := w.priced()
	_, err := w.Counter.Record(t.Context(), w.Owner, k.ID.String(), counter.Input{Amount: k.Price.Amount, Tip: 777, Method: booking.ByCash})
	w.Must(err)
	w.Clock.Advance(11 * 24 * time.Hour)
	w.Must(w.Report.WriteDays(t.Context()))
	return w
}

// The statement of a month has each day and the sums, as figures say them, on its page and in its file. Staff see their own,
// without money, and nobody else's.
func TestStatement(t *testing.T) {
	w := worked(t)
	b := w.manager()
	host := w.setup().Hosts[0]
	m, err := w.Report.Statement(t.Context(), w.Owner, host.ID.String(), "2026-11")
	w.Must(err)
	if len(m.Days) != 30 || m.Sum.Open == nil || *m.Sum.Open == 0 || *m.Sum.OpenFrom != "2026-11-21" || m.Days[19].Open != nil {
		t.Fatalf("%+v", m.Sum)
	}
	open, value := int64(0), int64(0)
	for _, d := range m.Days {
		if d.Open != nil {
			open += *d.Open
		}
		for _, x := range d.Value {
			value += x.Amount
		}
	}
	if open != *m.Sum.Open || value != m.Sum.Value[0].Amount {
		t.Errorf("days have %d minutes and %d, the sum %d and %v", open, value, *m.Sum.Open, m.Sum.Value)
	}
	path := "/dashboard/analytics/month?host=" + host.ID.String()
	hours := fmt.Sprintf("%d:%02d", open/60, open%60)
	b.wants(b.get("/dashboard/analytics"), 200, `href="`+path+"&amp;month=2026-12", "Utilisation", "is known from")
	b.wants(b.get(path+"&month=2026-11"), 200, "Monthly statement", host.Name, "November 2026", hours, "is known from", `month=2026-10`, `month=2026-12`, "data-print")
	b.wants(b.get(path+"&month=2026-10"), 200, "is not known for these days")
	b.wants(b.get(path+"&month=nonsense"), 422, "Please choose a month.", "December 2026")
	b.wants(b.get("/dashboard/analytics/month?host=hs_nobody"), 404)
	german := w.asOwner()
	german.languages = "de"
	german.wants(german.get(path+"&month=2026-11"), 200, "Monatsabrechnung", "Auslastung", "Trinkgeld", hours)

	r := b.get("/dashboard/analytics/month/export?host=" + host.ID.String() + "&month=2026-11")
	b.wants(r, 200)
	lines, err := csv.NewReader(strings.NewReader(r.body)).ReadAll()
	w.Must(err)
	at := slices.Index(lines[0], "open_minutes")
	if len(lines) != 32 || at < 0 || lines[31][at] != fmt.Sprint(open) || lines[20][at] != "" || lines[20][1] != "2026-11-20" {
		t.Errorf("%d lines, %v", len(lines), lines[len(lines)-1])
	}
	r = b.get("/dashboard/analytics/export?from=2026-11-01&to=2026-11-30")
	b.wants(r, 200)
	lines, err = csv.NewReader(strings.NewReader(r.body)).ReadAll()
	w.Must(err)
	at = slices.Index(lines[0], "open_minutes")
	if i := slices.IndexFunc(lines, func(l []string) bool { return l[0] == "host" && l[1] == host.Name }); i < 0 || lines[i][at] != fmt.Sprint(open) {
		t.Errorf("of %s: %v", host.Name, lines)
	}

	staff := w.staff(host.ID)
	staff.wants(staff.get("/dashboard"), 200, `href="/dashboard/analytics/month"`, "My month")
	page := staff.get("/dashboard/analytics/month?month=2026-11")
	staff.wants(page, 200, host.Name, hours, "!€", "!Received", "!"+w.setup().Hosts[1].Name, "!/dashboard/analytics\"")
	staff.wants(staff.get(path+"&month=2026-11"), 200, hours)
	staff.wants(staff.get("/dashboard/analytics/month?host="+w.setup().Hosts[1].ID.String()), 403)
	own := staff.get("/dashboard/analytics/month/export?month=2026-11")
	staff.wants(own, 200, "open_minutes", "!EUR")
	staff.wants(staff.get("/dashboard/analytics/month/export?host="+w.setup().Hosts[1].ID.String()), 403)
	stranger := w.stranger()
	stranger.wants(stranger.get(path), 404)
}

// On a phone each person and each day is a card, on a desktop a line; paper has the whole table and nothing around it. Nothing
// breaks a rule of accessibility or scrolls sideways.
func TestFiguresOfPeopleInABrowser(t *testing.T) {
	w := worked(t)
	axe := browser.Axe(t)
	b := w.browse()
	b.signIn(w)
	host := w.setup().Hosts[0]
	m, err := w.Report.Statement(t.Context(), w.Owner, host.ID.String(), "2026-11")
	w.Must(err)
	pages := map[string]string{"people": "/dashboard/analytics?from=2026-11-01&to=2026-11-30",
		"statement": "/dashboard/analytics/month?host=" + host.ID.String() + "&month=2026-11"}
	for _, of := range []string{"en-people", "en-statement", "de-people", "de-statement"} {
		name, path := of, pages[of[3:]]
		browser.Language(t, b.ctx, of[:2])
		b.look("light", 1440, 900)
		b.open(path)
		for _, width := range []int64{390, 820, 1024, 1440} {
			browser.Resize(t, b.ctx, width, 900)
			if width == 390 || width == 1440 {
				browser.Accessible(t, b.ctx, axe)
			}
			if wide := browser.Eval[int](t, b.ctx, "document.documentElement.scrollWidth-innerWidth"); wide > 0 {
				t.Errorf("%s at %d scrolls sideways by %d", name, width, wide)
			}
			// Each figure of a person is seen whole, beside what it is, without scrolling the table.
			hidden := browser.Eval[string](t, b.ctx, `[...document.querySelectorAll(".people tbody tr:not(.quiet) td, .people tfoot td")].filter((x) => {
				const r = x.getBoundingClientRect(), f = x.closest(".people-scroll").getBoundingClientRect();
				return r.width === 0 && !x.classList.contains("none") || r.width && (r.left < f.left - 1 || r.right > f.right + 1 || x.scrollWidth > x.clientWidth + 1);
			}).map((x) => x.innerText).join(" | ")`)
			if hidden != "" {
				t.Errorf("%s at %d: not seen whole: %s", name, width, hidden)
			}
			labels := browser.Eval[int](t, b.ctx, `[...document.querySelectorAll(".people-label")].filter((x) => x.getClientRects().length).length`)
			if (labels > 0) != (width < 1088) {
				t.Errorf("%s at %d: %d labels", name, width, labels)
			}
			for _, theme := range []string{"dark", "light"} {
				browser.Media(t, b.ctx, theme)
				shot(b, fmt.Sprintf("%s-%d-%s", name, width, theme))
			}
		}
	}
	open := fmt.Sprintf("%d:%02d", *m.Sum.Open/60, *m.Sum.Open%60)
	browser.Language(t, b.ctx, "en")
	b.open(pages["statement"])
	b.sees(open)
	browser.Resize(t, b.ctx, 718, 1000) // the width of A4, less its margins
	_, err = chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"})
	w.Must(err)
	if got := browser.Eval[string](t, b.ctx, `[getComputedStyle(document.querySelector(".people thead")).display, document.querySelectorAll(".people tbody tr").length,
		[...document.querySelectorAll(".people tbody tr")].filter((x) => x.getClientRects().length).length, document.querySelector(".side").getClientRects().length,
		document.querySelector(".statement-go").getClientRects().length, document.querySelector(".people").getBoundingClientRect().right <= innerWidth].join(" ")`); got != "table-header-group 30 30 0 0 true" {
		t.Errorf("on paper: %s", got)
	}
	shot(b, "statement-print")
	if a, err := w.Report.Analytics(t.Context(), w.Owner, report.AnalyticsInput{From: "2026-11-01"}); err != nil || len(a.ByHost) < 3 {
		t.Error(a, err)
	}
}
