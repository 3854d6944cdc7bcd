package waitlist_test

import (
	"testing"
	"time"

	"daybook/app/apptest"
	"daybook/app/catalog"
	"daybook/app/fault"
)

// On the way from somebody who was silent to the next one nobody takes the room or the second person of the time, either.
func TestSilenceLeavesNothingOfTheTime(t *testing.T) {
	for name, needs := range map[string]func(room catalog.ResourceID) []catalog.Need{
		"a room": func(room catalog.ResourceID) []catalog.Need {
			return []catalog.Need{{OneOf: []catalog.ResourceID{room}}}
		},
		"a second person": func(catalog.ResourceID) []catalog.Need { return []catalog.Need{{Hosts: 2, Of: []catalog.HostID{2}}} },
	} {
		t.Run(name, func(t *testing.T) {
			w := opened(t)
			ctx := t.Context()
			room, err := w.Shop.AddResource(ctx, w.Owner, catalog.Resource{Name: "Room 1", Active: true})
			w.Must(err)
			w.Offer("spa", 60, func(e *catalog.EventType) {
				e.MinimumNoticeMinutes, e.Hosts, e.Needs = 0, []catalog.HostRef{{ID: 1}}, needs(room.ID)
			})
			w.Offer("massage", 60, func(e *catalog.EventType) {
				e.MinimumNoticeMinutes, e.Hosts = 0, []catalog.HostRef{{ID: 2}}
				e.Needs = []catalog.Need{{OneOf: []catalog.ResourceID{room.ID}}}
			})
			first := w.waits(input("spa", "ann"))
			w.Clock.Advance(time.Second)
			next := w.waits(input("spa", "ben"))
			b := w.frees("spa", "1T09", w.ana())
			w.carries()
			if w.offered(first) == nil {
				t.Fatal("it isn't offered")
			}
			quick := apptest.Input("massage", b.Start.String(), "quick")
			take := func(when string) {
				t.Helper()
				_, err := w.Book(ctx, w.visitor(), quick)
				if e := fault.Refusal(err); e == nil || e.Reason != "slot_taken" {
					t.Errorf("%s what it takes can be booked: %v", when, err)
				}
			}
			take("offered,")
			w.Clock.Advance(30 * time.Minute)
			w.carries() // the silence
			if w.offered(first) != nil || w.offered(next) != nil || w.held()[2] != 1 {
				t.Fatalf("between two offers %v are held", w.held())
			}
			take("on the way to the next one,")
			w.carries()
			if o := w.offered(next); o == nil || o.Start != b.Start {
				t.Errorf("the next one is offered %+v", o)
			}
			w.Must(w.Waitlist.Refuse(ctx, w.token(next)))
			w.carries()
			if w.held() != [3]int{} || w.jobs() != 0 {
				t.Errorf("at last %v are held, %d jobs", w.held(), w.jobs())
			}
		})
	}
}
