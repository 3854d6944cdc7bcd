package agent_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"daybook/app/catalog"
)

// TestOpenTimesOfSeveralServices asks for two services at once: the pages together are what each alone has, in order,
// and weekdays and firstPerDay leave only what they say.
func TestOpenTimesOfSeveralServices(t *testing.T) {
	w := newWorld(t)
	call := w.fitting()
	w.Offer("wash", 30, func(e *catalog.EventType) { e.Hosts = []catalog.HostRef{{ID: 1}} })
	starts := func(arguments string) (all []string) {
		t.Helper()
		for cursor := ""; ; {
			got := call("check_availability", `{`+arguments+cursor+`}`)
			var page struct {
				Data       []struct{ EventType, Start, Local string }
				NextCursor *string
			}
			must(t, json.Unmarshal(got.Structured, &page))
			if got.IsError {
				t.Fatalf("%s: %s", arguments, got.Structured)
			}
			for _, s := range page.Data {
				all = append(all, strings.TrimSpace(s.Start+" "+s.EventType))
			}
			if page.NextCursor == nil {
				return all
			}
			cursor = fmt.Sprintf(`,"cursor":%q`, *page.NextCursor)
		}
	}
	for _, span := range []string{`"days":3,"limit":7`, `"days":20,"weekdays":["wed","sun"],"limit":10`, `"days":20,"firstPerDay":true,"limit":3`, `"days":20,"firstPerDay":true,"weekdays":["sat"],"limit":1`} {
		var apart []string
		for _, slug := range []string{"cut", "colour", "wash"} {
			for _, s := range starts(`"eventType":"` + slug + `",` + span) {
				apart = append(apart, s+" "+slug)
			}
		}
		together := starts(`"eventTypes":["cut","colour","wash"],` + span)
		slices.Sort(apart)
		if !slices.IsSortedFunc(together, func(a, b string) int { return strings.Compare(a[:20], b[:20]) }) {
			t.Errorf("%s: not in order", span)
		}
		slices.Sort(together)
		if len(apart) == 0 || !slices.Equal(apart, together) {
			t.Errorf("%s: apart %v\ntogether %v", span, apart, together)
		}
	}
	days := starts(`"eventType":"cut","from":"2026-12-01","days":14,"timeZone":"Europe/Berlin","firstPerDay":true,"weekdays":["tue","sat"]`)
	if !slices.Equal(days, []string{"2026-12-01T08:00:00Z", "2026-12-05T08:00:00Z", "2026-12-08T08:00:00Z", "2026-12-12T08:00:00Z"}) {
		t.Errorf("the first of Tuesdays and Saturdays: %v", days)
	}
	for arguments, field := range map[string]string{`"eventType":"cut","weekdays":["tuesday"]`: "weekdays", `"eventType":"cut","eventTypes":["wash"]`: "eventTypes", ``: "eventType", `"eventTypes":["cut"],"explain":true`: "eventTypes"} {
		if e := w.call("check_availability", `{`+arguments+`}`).failure(); e.Details["field"] != field {
			t.Errorf("%s: %+v", arguments, e)
		}
	}
	if got := w.call("check_availability", `{"eventTypes":["cut","nothing"]}`); !got.IsError || !strings.Contains(string(got.Structured), "list_event_types has") {
		t.Errorf("%s", got.Structured)
	}
	var figures struct {
		Revenue []struct{ Amount int }
		ByDay   []any
	}
	must(t, json.Unmarshal(call("analytics_overview", `{"byDay":false}`).Structured, &figures))
	if len(figures.Revenue) != 1 || figures.Revenue[0].Amount != 0 || figures.ByDay == nil || len(figures.ByDay) != 0 {
		t.Errorf("%+v", figures)
	}
}
