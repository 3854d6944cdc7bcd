package dashboard

import (
	"encoding/csv"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/counter"
	"daybook/app/dashboard/web"
	"daybook/app/fault"
	"daybook/app/money"
	"daybook/app/report"
	"daybook/views"
)

func TestAnalytics(t *testing.T) {
	w := newWorld(t)
	b := w.manager()
	a, err := w.Report.Analytics(t.Context(), w.Owner, report.AnalyticsInput{From: "2026-10-22T22:00:00Z", To: "2026-11-21T23:00:00Z", TimeZone: "Europe/Berlin"})
	w.Must(err)
	page := b.get("/dashboard/analytics")
	b.wants(page, 200, "<b>"+fmt.Sprint(a.Totals.Total)+"</b>", "Show rate", a.ByEventType[0].Title, a.ByHost[0].Name, "As a table", "<rect")
	sum := 0
	for _, h := range a.ByHost {
		sum += h.Totals.Total
	}
	if sum != a.Totals.Total || sum == 0 {
		t.Errorf("hosts have %d of %d", sum, a.Totals.Total)
	}
	for _, span := range []string{"7", "30", "90", "365", "ahead", "nonsense"} {
		b.wants(b.get("/dashboard/analytics?span="+span), 200, `class="segments"`)
	}
	b.wants(b.get("/dashboard/analytics?span=365"), 200, "November 2026")
	b.wants(b.get("/dashboard/analytics?span=90"), 200, "Week of")
	b.wants(b.get("/dashboard/analytics?from=2020-01-01&to=2020-01-31"), 200, "Nothing in this period")
	b.wants(b.get("/dashboard/analytics?from=2026-11-20&to=2026-11-01"), 422, "not before the first", `value="2026-11-01"`)
	b.wants(b.get("/dashboard/analytics?from=x"), 422, "Please choose a day.")
	b.wants(b.get("/dashboard/analytics?from=2020-01-01&to=2026-11-01"), 422, "at most 400 days")

	r := b.get("/dashboard/analytics/export?from=2026-10-23&to=2026-11-21")
	b.wants(r, 200, "value_EUR")
	lines, err := csv.NewReader(strings.NewReader(r.body)).ReadAll()
	w.Must(err)
	if got := lines[1][2]; got != fmt.Sprint(a.Totals.Total) || len(lines) != 2+len(a.ByDay)+len(a.ByEventType)+len(a.ByHost)+len(a.RevenueByMethod) {
		t.Errorf("%s of %d, %d lines", got, a.Totals.Total, len(lines))
	}
	b.wants(b.get("/dashboard/analytics/export?from=x"), 422)
}

func TestAnalyticsKeepToTheirOwn(t *testing.T) {
	w := newWorld(t)
	staff, stranger := w.staff(w.setup().Hosts[0].ID), w.stranger()
	for _, path := range []string{"/dashboard/analytics", "/dashboard/analytics/export"} {
		staff.wants(staff.get(path), 403)
	}
	stranger.wants(stranger.get("/dashboard/analytics"), 200, "Nothing in this period", "!"+w.setup().Hosts[0].Name)
	if _, err := w.Report.Analytics(t.Context(), app.Actor{Kind: booking.ByOwner, Workspace: w.Owner.Workspace, Role: app.StaffRole, User: 1}, report.AnalyticsInput{}); !fault.Is(err, fault.Forbidden) {
		t.Error(err)
	}
}

// What was taken at the counter is on the page and in its file, by method and with tips, beside the value of what was
// booked, in the member's language.
func TestAnalyticsShowWhatWasReceived(t *testing.T) {
	w := newWorld(t)
	k := w.priced()
	for _, in := range []counter.Input{{Amount: k.Price.Amount - 100, Tip: 777, Method: booking.ByVoucher}, {Amount: 100, Method: booking.ByTransfer}} {
		_, err := w.Counter.Record(t.Context(), w.Owner, k.ID.String(), in)
		w.Must(err)
	}
	b := w.asOwner()
	zone := w.setup().Zone
	day := k.Start.Time().In(zone).Format(time.DateOnly)
	span := "?from=" + day + "&to=" + day
	a, err := w.Report.Analytics(t.Context(), w.Owner, report.AnalyticsInput{From: day, To: k.Start.Time().In(zone).AddDate(0, 0, 1).Format(time.DateOnly), TimeZone: zone.String()})
	w.Must(err)
	euros := func(n int64) string {
		return views.MatchLocale("en", "").Money(views.Money{Amount: n, Currency: "EUR"})
	}
	b.wants(b.get("/dashboard/analytics"+span), 200, "Booked value", euros(a.Value[0].Amount), "Received in EUR", "Received, by method",
		"Voucher", euros(k.Price.Amount+677), "Bank transfer", euros(100), "<dt>Tips</dt>", euros(a.Tips[0].Amount), euros(a.Revenue[0].Amount))
	r := b.get("/dashboard/analytics/export" + span)
	lines, err := csv.NewReader(strings.NewReader(r.body)).ReadAll()
	w.Must(err)
	amount := func(n int64) string { return web.AmountText(&money.Money{Amount: n, Currency: "EUR"}) }
	at := slices.Index(lines[0], "received_EUR")
	if at < 0 || lines[1][at] != amount(a.Revenue[0].Amount) {
		t.Fatalf("received: %q, %q; want %s", lines[0], lines[1], amount(a.Revenue[0].Amount))
	}
	got := map[string]string{}
	for _, line := range lines {
		if line[0] == "method" {
			got[line[1]] = line[at]
		}
	}
	if got["voucher"] != amount(k.Price.Amount+677) || got["transfer"] != amount(100) || len(got) != len(a.RevenueByMethod) {
		t.Errorf("by method: %v", got)
	}
	german := w.asOwner()
	german.languages = "de"
	german.wants(german.get("/dashboard/analytics"+span), 200, "Eingenommen nach Zahlungsart", "Gutschein", "Trinkgeld")
}
