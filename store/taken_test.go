package store

import (
	"encoding/json"
	"reflect"
	"testing"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/slot"
	"daybook/app/when"
)

// What a booking takes is stored as earlier versions have stored it, and read again as it was.
func TestTakenIsStoredAsBefore(t *testing.T) {
	host := catalog.HostRef{ID: 3, Name: "Ana"}
	minute := when.Instant(60_000)
	b := booking.Booking{Host: host, Sequence: 1, Taken: booking.Taken{
		Start: 100 * minute, End: 160 * minute, BusyStart: 90 * minute, BusyEnd: 165 * minute,
		Hosts:     []catalog.HostRef{host, {ID: 4, Name: "Bob"}},
		Resources: []catalog.ResourceRef{{ID: 5, Name: "Room"}, {ID: 6, Name: "Laser", During: catalog.DuringWork}},
		Arounds: []booking.Around{
			{Subject: catalog.OfHost(4), BusyStart: 100 * minute, BusyEnd: 165 * minute},
			{Subject: catalog.OfResource(5), BusyStart: 90 * minute, BusyEnd: 160 * minute},
		},
		Parts: booking.PartsOf([]slot.Work{
			{Own: slot.Span{Start: 6_000_000, End: 7_200_000}, Occupied: slot.Span{Start: 5_400_000, End: 7_200_000}},
			{Own: slot.Span{Start: 8_400_000, End: 9_600_000}, Occupied: slot.Span{Start: 8_400_000, End: 9_900_000}},
		}),
	}}
	text, err := encodeDetails(&b)
	if err != nil {
		t.Fatal(err)
	}
	stored, _ := text.(string)
	const before = `{"resources":[{"id":"rs_0000000005","name":"Room"},{"id":"rs_0000000006","name":"Laser","during":"work"}],` +
		`"parts":[{"end":1200000,"before":600000},{"end":2400000},{"end":3600000,"after":300000}],` +
		`"others":[{"id":"hs_0000000004","name":"Bob"}],` +
		`"arounds":[{"host":"hs_0000000004","after":300000},{"resource":"rs_0000000005","before":600000}]}`
	if stored != before {
		t.Errorf("stored %s\nbefore %s", stored, before)
	}
	var d details
	if err := json.Unmarshal([]byte(stored), &d); err != nil {
		t.Fatal(err)
	}
	again := booking.Booking{Host: host, Taken: booking.Taken{Start: b.Start, End: b.End, BusyStart: b.BusyStart, BusyEnd: b.BusyEnd}}
	d.into(&again)
	if !reflect.DeepEqual(again.Taken, b.Taken) || !again.KeepsSpans || !again.KeepsOthers {
		t.Errorf("read %+v\nof     %+v", again.Taken, b.Taken)
	}
}
