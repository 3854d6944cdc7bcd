package rest

import (
	"strconv"

	"daybook/app/fault"
	"daybook/app/record"
)

// appendBookings appends a page of bookings, byte for byte what encoding/json makes of it.
func appendBookings(dst []byte, page *fault.Page[record.Booking]) (_ []byte, err error) {
	dst = append(dst, `{"data":[`...)
	for i := range page.Data {
		if i > 0 {
			dst = append(dst, ',')
		}
		if dst, err = page.Data[i].AppendJSON(dst); err != nil {
			return nil, err
		}
	}
	dst = strconv.AppendBool(append(dst, `],"hasMore":`...), page.HasMore)
	dst = append(dst, `,"nextCursor":`...)
	if page.NextCursor == nil {
		dst = append(dst, `null`...)
	} else {
		dst = record.AppendText(dst, *page.NextCursor)
	}
	if page.Hint != "" {
		dst = record.AppendText(append(dst, `,"hint":`...), page.Hint)
	}
	return append(dst, '}'), nil
}
