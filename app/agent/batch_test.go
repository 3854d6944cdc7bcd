package agent_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"daybook/app/booking"
)

// batch is what was answered about several bookings.
type batch struct {
	Done, Refused int
	Results       []struct {
		ID, Local string
		Error     *struct{ Code, Reason, Message string }
	}
}

// TestSeveralMoves: a day is moved in one call, as its dry run showed; one that is refused leaves the others.
func TestSeveralMoves(t *testing.T) {
	d := newDeskClient(t, "/api/mcp")
	one, two := d.book("cut", "2026-12-01T08:00:00Z", "One"), d.book("cut", "2026-12-01T09:00:00Z", "Two")
	d.book("cut", "2026-12-02T11:00:00Z", "There")
	moves := fmt.Sprintf(`{"moves":[{"id":%q,"start":"2026-12-02T08:00:00Z"},{"id":%q,"start":"2026-12-02T11:00:00Z"}],"reason":"Ana is ill."}`, one.ID, two.ID)
	d.refused("reschedule_booking", moves, "confirm_needed")
	call := d.confirm("reschedule_booking", moves)
	if got := d.booking(one); got.Start != one.Start {
		t.Fatal("a dry run has moved it")
	}
	d.refused("reschedule_booking", strings.Replace(call, "T08:00", "T09:00", 1), "confirm_other")
	var told batch
	must(t, json.Unmarshal(d.use("reschedule_booking", call).Structured, &told))
	if told.Done != 1 || told.Refused != 1 || told.Results[1].Error.Reason != "slot_taken" || !strings.Contains(told.Results[1].Error.Message, "These are free") {
		t.Errorf("%+v", told)
	}
	if got := d.booking(one); got.Start.String() != "2026-12-02T08:00:00Z" || d.booking(two).Start != two.Start {
		t.Errorf("%s", got.Start)
	}
	for _, wrong := range []string{
		fmt.Sprintf(`{"moves":[{"id":%q,"start":"2026-12-02T08:00:00Z"},{"id":%q,"start":"2026-12-02T09:00:00Z"}],"dryRun":true}`, one.ID, one.ID),
		fmt.Sprintf(`{"id":%q,"moves":[{"id":%q,"start":"2026-12-02T08:00:00Z"}],"dryRun":true}`, one.ID, two.ID),
		`{"moves":[],"dryRun":true}`, `{"moves":[{"id":"bk_x"}],"dryRun":true}`,
	} {
		if e := d.use("reschedule_booking", wrong).failure(); e.Code != "bad_request" {
			t.Errorf("%s: %+v", wrong, e)
		}
	}
	d.at("reschedule_booking", fmt.Sprintf(`{"id":%q,"start":"2026-12-03T08:00:00Z"}`, one.ID), nil) // one goes as it did
}

// TestSeveralCancellations: those that were shown are cancelled, and nothing where one of them has changed since.
func TestSeveralCancellations(t *testing.T) {
	d := newDeskClient(t, "/api/mcp")
	one, two := d.book("cut", "2026-12-01T08:00:00Z", "One"), d.book("cut", "2026-12-01T09:00:00Z", "Two")
	ids := fmt.Sprintf(`{"ids":[%q,%q],"reason":"Closed."}`, one.ID, two.ID)
	d.refused("cancel_booking", ids, "confirm_needed")
	call := d.confirm("cancel_booking", ids)
	d.at("reschedule_booking", fmt.Sprintf(`{"id":%q,"start":"2026-12-03T08:00:00Z"}`, two.ID), nil)
	d.refused("cancel_booking", call, "confirm_changed")
	if d.booking(one).Status == booking.Cancelled {
		t.Fatal("it was cancelled all the same")
	}
	var told batch
	if d.do("cancel_booking", ids, &told); told.Done != 2 {
		t.Errorf("%+v", told)
	}
	if got := d.booking(two); got.Status != booking.Cancelled || got.Cancellation.Reason != "Closed." {
		t.Errorf("%+v", got.Cancellation)
	}
}
