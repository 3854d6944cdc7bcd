package agent

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
)

// A list of bookings is encoded as encoding/json does it without HTML escapes.
func TestEncodedAsAlways(t *testing.T) {
	b := booking.Booking{ID: 1, EventType: "cut", EventTypeID: 3, Status: booking.Confirmed, Host: catalog.HostRef{ID: 2, Name: `A & "B" <c> \u0026 \`},
		Notes: "\u2028 ü\n", Answers: map[string]any{"a": "x & y"}, Metadata: map[string]string{}, AddOns: []booking.BookedAddOn{}}
	one := local(b, time.UTC)
	page := localBookings{Data: []localBooking{*one, *one}, HasMore: true, Hint: "a & b"}
	for _, v := range []any{one, &page} {
		got, err := encode(v)
		var want bytes.Buffer
		e := json.NewEncoder(&want)
		e.SetEscapeHTML(false)
		if p, ok := v.(*localBookings); ok {
			v = (*fault.Page[localBooking])(p)
		}
		if e.Encode(v) != nil || err != nil || string(got) != strings.TrimSpace(want.String()) {
			t.Errorf("%v\ngot  %s\nwant %s", err, got, &want)
		}
	}
}
