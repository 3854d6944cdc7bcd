package health

import (
	"maps"
	"testing"

	"daybook/app/when"
	"daybook/views/finding"
)

// Who doesn't lead judges its own machine only, and leaves what is known of the database as it is.
func TestWhoJudges(t *testing.T) {
	m := &Machine{Name: "two"}
	database := wrong(finding.Failed, finding.ByMail, "replica", "replica_down")
	own := local(wrong(finding.Failed, finding.ByMail, "clock", "clock_apart"))
	known := problems{"restore ": {Since: 1, Told: 1}}
	after, tell := known.next(m, []finding.Finding{database, own}, false, 10)
	if len(tell) != 0 || len(after) != 2 || after["restore "] != known["restore "] || after["clock  @two"].Where != "two" {
		t.Errorf("who doesn't lead: %+v, tells %+v", after, tell)
	}
	after, tell = after.next(m, []finding.Finding{database, own}, true, 11)
	if len(tell) != 0 || len(after) != 3 || after["restore "].Well != 11 || after["replica "].Since != 11 {
		t.Errorf("who leads: %+v, tells %+v", after, tell)
	}
	again, tell := after.next(m, []finding.Finding{database, own}, true, 12)
	if !maps.Equal(again, after) || len(tell) != 0 {
		t.Errorf("a look at which nothing changed: %+v", again)
	}
	later := when.Instant(12).Add(patience)
	if _, tell = again.next(m, []finding.Finding{database, own}, true, later); len(tell) != 2 {
		t.Errorf("after a while it tells %+v", tell)
	}
	gone := problems{"clock  @one": {Since: 1, Told: 1, Where: "one"}}
	if after, _ = gone.next(m, nil, true, when.Instant(2).Add(forgotten)); len(after) != 0 {
		t.Errorf("of a machine that is gone: %+v", after)
	}
}
