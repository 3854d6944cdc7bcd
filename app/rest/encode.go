package rest

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"

	"daybook/app/fault"
	"daybook/app/record"
	"daybook/app/when"
)

// Bookings are encoded by hand: a page of 50 takes a fifth of what encoding/json takes for it. TestEncoding holds the
// two against each other, so that no field of record.Booking is forgotten.

func appendBookings(dst []byte, page *fault.Page[record.Booking]) []byte {
	dst = append(dst, `{"data":[`...)
	for i := range page.Data {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendBooking(dst, &page.Data[i])
	}
	dst = strconv.AppendBool(append(dst, `],"hasMore":`...), page.HasMore)
	dst = append(dst, `,"nextCursor":`...)
	if page.NextCursor == nil {
		dst = append(dst, `null`...)
	} else {
		dst = appendText(dst, *page.NextCursor)
	}
	if page.Hint != "" {
		dst = appendText(append(dst, `,"hint":`...), page.Hint)
	}
	return append(dst, '}')
}

func appendBooking(dst []byte, b *record.Booking) []byte {
	dst = b.ID.AppendTo(append(dst, `{"id":"`...))
	dst = appendText(append(dst, `","eventType":`...), b.EventType)
	dst = b.EventTypeID.AppendTo(append(dst, `,"eventTypeId":"`...))
	dst = appendInstant(append(dst, `","start":`...), b.Start)
	dst = appendInstant(append(dst, `,"end":`...), b.End)
	dst = appendText(append(dst, `,"status":`...), string(b.Status))
	dst = appendInvitee(append(dst, `,"invitee":`...), &b.Invitee)
	dst = b.Host.ID.AppendTo(append(dst, `,"host":{"id":"`...))
	dst = appendText(append(dst, `","name":`...), b.Host.Name)
	dst = appendText(append(dst, `},"location":`...), b.Location)
	dst = appendText(append(dst, `,"notes":`...), b.Notes)
	dst = appendMap(append(dst, `,"answers":`...), b.Answers)
	dst = appendMap(append(dst, `,"metadata":`...), b.Metadata)
	dst = append(dst, `,"price":`...)
	if b.Price == nil {
		dst = append(dst, `null`...)
	} else {
		dst = strconv.AppendInt(append(dst, `{"amount":`...), b.Price.Amount, 10)
		dst = append(appendText(append(dst, `,"currency":`...), b.Price.Currency), '}')
	}
	dst = appendRare(append(dst, `,"payment":`...), b.Payment)
	dst = appendRare(append(dst, `,"pendingReason":`...), b.PendingReason)
	dst = appendInstant(append(dst, `,"expiresAt":`...), b.ExpiresAt)
	dst = appendInstant(append(dst, `,"previousStart":`...), b.PreviousStart)
	dst = strconv.AppendInt(append(dst, `,"rescheduleCount":`...), int64(b.RescheduleCount), 10)
	dst = appendRare(append(dst, `,"cancellation":`...), b.Cancellation)
	dst = appendRare(append(dst, `,"noShow":`...), b.NoShow)
	if b.HostChanged {
		dst = append(dst, `,"hostChanged":true`...)
	}
	if b.PreviousHost != nil {
		dst = appendRare(append(dst, `,"previousHost":`...), b.PreviousHost)
	}
	if b.ManageURL != "" {
		dst = appendText(append(dst, `,"manageUrl":`...), b.ManageURL)
	}
	dst = appendInstant(append(dst, `,"createdAt":`...), b.CreatedAt)
	return append(appendInstant(append(dst, `,"updatedAt":`...), b.UpdatedAt), '}')
}

func appendInvitee(dst []byte, p *record.Invitee) []byte {
	dst = appendText(append(dst, `{"name":`...), p.Name)
	dst = appendText(append(dst, `,"email":`...), p.Email)
	if p.Phone != "" {
		dst = appendText(append(dst, `,"phone":`...), p.Phone)
	}
	if p.TimeZone != "" {
		dst = appendText(append(dst, `,"timeZone":`...), p.TimeZone)
	}
	if p.Locale != "" {
		dst = appendText(append(dst, `,"locale":`...), p.Locale)
	}
	return append(dst, '}')
}

func appendInstant(dst []byte, i when.Instant) []byte {
	if i == 0 {
		return append(dst, `null`...)
	}
	return append(i.AppendTo(append(dst, '"')), '"')
}

func appendMap[V any](dst []byte, m map[string]V) []byte {
	if len(m) == 0 && m != nil {
		return append(dst, `{}`...)
	}
	return appendValue(dst, m)
}

// appendRare appends what few bookings have.
func appendRare[T any](dst []byte, v *T) []byte {
	if v == nil {
		return append(dst, `null`...)
	}
	return appendValue(dst, v)
}

func appendValue(dst []byte, v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // what the store holds came out of JSON
	}
	return append(dst, text...)
}

// appendText appends a JSON string as encoding/json writes it.
func appendText(dst []byte, s string) []byte {
	ascii := true
	for _, b := range []byte(s) {
		if b < 0x20 || b == '"' || b == '\\' || b == '<' || b == '>' || b == '&' || b == 0x7f {
			return appendValue(dst, s)
		}
		ascii = ascii && b < utf8.RuneSelf
	}
	if !ascii && (!utf8.ValidString(s) || strings.ContainsAny(s, "\u2028\u2029")) {
		return appendValue(dst, s)
	}
	return append(append(append(dst, '"'), s...), '"')
}
