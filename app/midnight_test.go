package app_test

import (
	"strings"
	"testing"
	"time"

	"daybook/app/apptest"
	"daybook/app/catalog"
	"daybook/app/counter"
	"daybook/app/when"
)

// On the Azores, 28 March 2027 begins at 01:00: the clocks skip midnight.
func TestDayWithoutMidnight(t *testing.T) {
	w := apptest.New(t, apptest.Options{TimeZone: "Atlantic/Azores",
		Clock: apptest.Standing(time.Date(2027, 3, 28, 5, 0, 0, 0, time.UTC))})
	w.Offer("cut", 60, func(e *catalog.EventType) { e.MinimumNoticeMinutes = 0; e.Hosts = []catalog.HostRef{{ID: 1}, {ID: 2}} })
	w.Apply(`{"workspace": {"slug": "salon"}, "hosts": [
		{"email": "ana@salon.example", "timeOff": [{"start": "2027-03-28"}, {"start": "2027-04-01T00:00", "end": "2027-04-02T00:00"}]},
		{"email": "cyd@salon.example", "timeOff": [{"start": "2027-03-22", "end": "2027-03-28"}]}]}`)
	of, err := w.Setup(w.Workspace.ID)
	w.Must(err)
	begins, ends := when.At(time.Date(2027, 3, 28, 1, 0, 0, 0, time.UTC)), when.At(time.Date(2027, 3, 29, 0, 0, 0, 0, time.UTC))
	if off := of.Host(1).TimeOff[0]; off.Start != begins || off.End != ends {
		t.Errorf("ana is away %s to %s", off.Start, off.End)
	}
	if off := of.Host(3).TimeOff[0]; off.End != ends {
		t.Errorf("cyd is away until %s", off.End)
	}
	file, err := w.SetupFile.ExportSetup(t.Context(), w.Owner)
	w.Must(err)
	text, err := file.YAML()
	w.Must(err)
	if !strings.Contains(string(text), "start: \"2027-03-28\"") && !strings.Contains(string(text), "start: 2027-03-28") {
		t.Errorf("the file has\n%s", text)
	}

	x, err := w.Shop.ExplainDay(t.Context(), w.Owner, "cut", catalog.HostID(2).String(), "2027-03-28")
	w.Must(err)
	if n := len(x.Times); n == 0 || x.Times[0].Start < begins || x.Times[n-1].Start >= ends {
		t.Errorf("of the day are explained: %+v", x.Times)
	}

	for day, want := range map[string]string{"": "2027-03-28", "2027-03-28": "2027-03-28", "2027-03-27": "2027-03-27"} {
		if d, err := w.Counter.Day(t.Context(), w.Owner, day); err != nil || d.Day != want {
			t.Errorf("the day %q is %s, %v", day, d.Day, err)
		}
	}
	counted := int64(100)
	d, err := w.Counter.Close(t.Context(), w.Owner, counter.CloseInput{Counted: &counted})
	if err != nil || d.Day != "2027-03-28" {
		t.Errorf("the close is of %s, %v", d.Day, err)
	}
}
