package app_test

import (
	"encoding/json"
	"slices"
	"testing"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/money"
	"daybook/app/report"
)

func (w *world) analytics(in report.AnalyticsInput) *report.Analytics {
	w.T.Helper()
	a, err := w.Report.Analytics(w.T.Context(), w.API, in)
	w.Must(err)
	return a
}

func TestAnalytics(t *testing.T) {
	w := newWorld(t)
	priced := func(amount int64, currency string) func(*catalog.EventType) {
		return func(e *catalog.EventType) { e.Price = &money.Money{Amount: amount, Currency: currency} }
	}
	w.offer("cut", 2, priced(4500, "EUR"))
	w.offer("talk", 3, nil)
	w.offer("export", 3, priced(1000, "USD"))
	approval := w.offer("wish", 3, func(e *catalog.EventType) { priced(9900, "EUR")(e); e.RequiresApproval = true })
	if a := w.analytics(report.AnalyticsInput{}); a.Totals.Total != 0 || a.ShowRate != nil || a.Revenue == nil || a.Value == nil || a.ByDay == nil || a.ByEventType == nil {
		t.Errorf("of nothing: %+v", a)
	}

	w.Booked("cut", "1T08", "a")
	missed, gone, moved := w.Booked("cut", "1T09", "b"), w.Booked("cut", "1T10", "c"), w.Booked("talk", "1T08", "d")
	w.Booked("cut", "3T08", "e")
	w.Booked("export", "2T15", "f")
	w.Booked("wish", "2T08", "g")
	_, err := w.Cancel(t.Context(), w.API, gone.ID.String(), app.CancelInput{})
	w.Must(err)
	_, err = w.Reschedule(t.Context(), w.API, moved.ID.String(), app.RescheduleInput{Start: apptest.At("1T12")})
	w.Must(err)
	w.at("+1 12:30") // the moved one is under way: not held yet
	_, err = w.MarkNoShow(t.Context(), w.API, missed.ID.String())
	w.Must(err)

	a := w.analytics(report.AnalyticsInput{})
	const want = `{"confirmed":3,"pending":1,"cancelled":1,"no_show":1,"rescheduled":1,"total":7}`
	if got, err := json.Marshal(a.Totals); string(got) != want {
		t.Errorf("totals %s %v, want %s", got, err, want)
	}
	if *a.ShowRate != 0.5 {
		t.Errorf("show rate %v, want one of two", *a.ShowRate)
	}
	if want := []money.Money{{Amount: 9000, Currency: "EUR"}, {Amount: 1000, Currency: "USD"}}; !slices.Equal(a.Value, want) || len(a.Revenue) != 0 {
		t.Errorf("value %v, revenue %v", a.Value, a.Revenue)
	}
	if a.From.String() != "2026-10-31T23:00:00Z" || a.To != 0 || a.TimeZone != "Europe/Berlin" {
		t.Errorf("span %s to %s in %s", a.From, a.To, a.TimeZone)
	}
	if e := a.ByEventType[0]; len(a.ByEventType) != 4 || e.EventType != "cut" || e.Totals.Total != 4 || *e.ShowRate != 0.5 {
		t.Errorf("by event type: %+v", a.ByEventType)
	}
	i := slices.IndexFunc(a.ByEventType, func(e report.EventTypeFigures) bool { return e.EventTypeID == approval.ID })
	if e := a.ByEventType[i]; e.Totals.Of(booking.Pending) != 1 || len(e.Value) != 0 {
		t.Errorf("what waits for approval counts as value: %+v", e)
	}
	w.days(a, "2026-12-01:4", "2026-12-02:2", "2026-12-03:1")

	// The days of another zone, and a span that cuts one.
	w.days(w.analytics(report.AnalyticsInput{TimeZone: "Asia/Tokyo"}), "2026-12-01:4", "2026-12-02:1", "2026-12-03:2")
	w.days(w.analytics(report.AnalyticsInput{From: "2026-12-01T09:00:00Z", To: "2026-12-02T08:00:00Z"}), "2026-12-01:3")
	w.days(w.analytics(report.AnalyticsInput{From: "2026-12-02", To: "2026-12-03", TimeZone: "Europe/Berlin"}), "2026-12-02:2")
	if a := w.analytics(report.AnalyticsInput{To: "2026-11-20"}); a.From.String() != "2026-10-20T22:00:00Z" {
		t.Errorf("from is %s: 30 days before to", a.From)
	}

	for field, in := range map[string]report.AnalyticsInput{
		"from": {From: "2026-12-02", To: "2026-12-01"}, "to": {To: "soon"}, "timeZone": {TimeZone: "Mars/Base"},
	} {
		_, err := w.Report.Analytics(t.Context(), w.API, in)
		if e := w.Refused(err, fault.BadRequest, "invalid"); e.Field != field {
			t.Errorf("%+v: blames %s", in, e.Field)
		}
	}
	other, err := w.Shop.CreateWorkspace(t.Context(), app.Operator(0), catalog.WorkspaceInput{Slug: "other", Name: "O", TimeZone: "UTC"})
	w.Must(err)
	if a, err := w.Report.Analytics(t.Context(), app.Actor{Kind: booking.ByOwner, Workspace: other.ID}, report.AnalyticsInput{}); err != nil || a.Totals.Total != 0 {
		t.Errorf("another workspace's: %+v, %v", a, err)
	}
}

// days wants ByDay to be these, as date:total.
func (w *world) days(a *report.Analytics, want ...string) {
	w.T.Helper()
	var got []string
	for _, d := range a.ByDay {
		got = append(got, d.Date+":"+string(rune('0'+d.Totals.Total)))
	}
	if !slices.Equal(got, want) {
		w.T.Errorf("days %v, want %v", got, want)
	}
}
