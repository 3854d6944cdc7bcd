package access

import (
	"bytes"
	"strconv"

	"daybook/app/booking"
	"daybook/app/fault"
)

// AppendPage appends the JSON of a page, byte for byte as encoding/json writes it. one appends a row, such as
// (*booking.Booking).AppendJSON.
func AppendPage[T any](dst []byte, page *fault.Page[T], one func(*T, []byte) ([]byte, error)) (_ []byte, err error) {
	dst = append(dst, `{"data":[`...)
	for i := range page.Data {
		if i > 0 {
			dst = append(dst, ',')
		}
		if dst, err = one(&page.Data[i], dst); err != nil {
			return nil, err
		}
	}
	dst = strconv.AppendBool(append(dst, `],"hasMore":`...), page.HasMore)
	dst = append(dst, `,"nextCursor":`...)
	if page.NextCursor == nil {
		dst = append(dst, `null`...)
	} else {
		dst = booking.AppendText(dst, *page.NextCursor)
	}
	if page.Hint != "" {
		dst = booking.AppendText(append(dst, `,"hint":`...), page.Hint)
	}
	return append(dst, '}'), nil
}

// WithoutHTML removes the HTML escapes from JSON, in place.
func WithoutHTML(text []byte) []byte {
	if !bytes.Contains(text, []byte(`\u00`)) {
		return text
	}
	out := text[:0]
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c == '\\' && i+6 <= len(text) {
			switch string(text[i : i+6]) {
			case `\u0026`:
				c, i = '&', i+5
			case `\u003c`:
				c, i = '<', i+5
			case `\u003e`:
				c, i = '>', i+5
			default: // what is escaped is no escape
				out, i = append(out, c), i+1
				c = text[i]
			}
		}
		out = append(out, c)
	}
	return out
}
