package agent

import (
	"fmt"
	"time"

	"daybook/app/booking"
	"daybook/app/fault"
	"daybook/app/money"
)

// bookingRow is what a list says of a booking unless it is asked for all of it: what a desk reads of a day, in a fifth
// of the tokens. It has no link, since whoever has a booking's link may cancel by it. With ordinary names it has at most
// 90 tokens (o200k): what comes last in brieflyTold is left out where there is no room for it.
type bookingRow struct {
	ID            booking.BookingID      `json:"id"`
	Local         string                 `json:"local"`
	Minutes       int                    `json:"minutes,omitempty"`
	EventType     string                 `json:"eventType"`
	Host          string                 `json:"host"`
	Status        booking.Status         `json:"status"`
	PendingReason *booking.PendingReason `json:"pendingReason,omitempty"`
	Invitee       string                 `json:"invitee"`
	Phone         string                 `json:"phone,omitempty"`
	Email         string                 `json:"email,omitempty"`
	Seats         int                    `json:"seats,omitempty"`
	Price         string                 `json:"price,omitempty"`
	Due           string                 `json:"due,omitempty"`
	Visit         string                 `json:"visit,omitempty"`
	Series        string                 `json:"series,omitempty"`
}

// bookingRowModel is a row of list_bookings, with either detail.
var bookingRowModel = object("",
	must("id", text("")),
	must("local", text("Start at the business.")),
	may("minutes", number("")),
	must("eventType", text("")),
	must("host", eitherWay("Name.")),
	must("status", choice("", statuses()...)),
	may("pendingReason", text("").orNull()),
	must("invitee", eitherWay("Name.")),
	may("phone", text("")),
	may("email", text("Where there is no phone.")),
	may("seats", number("Where it isn't 1.")),
	may("price", eitherWay("Where it isn't free.").orNull()),
	may("due", eitherWay("Where it isn't all of the price.").orNull()),
	may("visit", eitherWay("Id of its visit.")),
	may("series", eitherWay("Its place in its series: 3 of 10.")),
)

// eitherWay is a text in a brief row, and an object in a full one.
func eitherWay(description string) *schema {
	return &schema{Type: []any{"string", "object"}, Description: description}
}

func statuses() (all []any) {
	for _, s := range booking.Statuses {
		all = append(all, string(s))
	}
	return all
}

// budget is how many tokens a row has left.
type budget int

// has reports whether so many are left, and takes them.
func (b *budget) has(tokens budget) bool {
	if *b < tokens {
		return false
	}
	*b -= tokens
	return true
}

// brieflyTold returns the row of a booking: what it can be changed by, and of the rest what there is room for, the most
// important first. The numbers are the most tokens that each takes.
func brieflyTold(b *booking.Booking, zone *time.Location) bookingRow {
	row := bookingRow{ID: b.ID, Local: b.Start.Time().In(zone).Format(time.RFC3339), EventType: b.EventType, Host: b.Host.Name,
		Status: b.Status, Invitee: b.Invitee.Name}
	left := budget(25) // of 90, of which these take 65
	if b.Visit != nil && left.has(16) {
		row.Visit = b.Visit.ID.String()
	}
	if b.Series != nil && left.has(7) {
		row.Series = fmt.Sprintf("%d of %d", b.Series.Position, b.Series.Of)
	}
	if b.Seats > 1 && left.has(5) {
		row.Seats = b.Seats
	}
	due := b.Due != nil && b.Price != nil && b.Due.Amount != b.Price.Amount
	switch {
	case due && left.has(8):
		row.Due = amount(b.Due)
	case !due && b.Price != nil && left.has(8):
		row.Price = amount(b.Price)
	}
	switch {
	case b.Invitee.Phone != "":
		if left.has(8) {
			row.Phone = b.Invitee.Phone
		}
	case b.Invitee.Email != "" && left.has(10):
		row.Email = b.Invitee.Email
	}
	if left.has(4) {
		row.Minutes = int(b.End.Time().Sub(b.Start.Time()) / time.Minute)
	}
	if b.PendingReason != nil && left.has(5) {
		row.PendingReason = b.PendingReason
	}
	if due && left.has(8) {
		row.Price = amount(b.Price)
	}
	return row
}

// amount returns an amount as people write it, "" for none.
func amount(m *money.Money) string {
	if m == nil {
		return ""
	}
	return m.Text()
}

// rowsOf returns the page with other rows.
func rowsOf[T, U any](page fault.Page[T], row func(*T) U) *fault.Page[U] {
	all := make([]U, len(page.Data))
	for i := range page.Data {
		all[i] = row(&page.Data[i])
	}
	return &fault.Page[U]{Data: all, HasMore: page.HasMore, NextCursor: page.NextCursor, Hint: page.Hint}
}

// maxPage is how many bytes the rows of a page have at most, unless one row alone has more: some 12,000 tokens. Clients
// warn of answers above 10,000 tokens, and refuse them or keep them from the model above 25,000.
const maxPage = 40_000

// sized returns the page that read returns for a limit or, where its rows are longer than maxPage, one with fewer of
// them, whose cursor goes on behind. shown is a row as it is answered.
func sized[T any](limit *int, read func(limit *int) (fault.Page[T], error), shown func(*T) any) (fault.Page[T], error) {
	page, err := read(limit)
	if err != nil {
		return page, err
	}
	fits, err := fitting(page.Data, shown)
	if err != nil || fits == len(page.Data) {
		return page, err
	}
	return read(&fits)
}

// fitting returns how many of the rows a page holds, at least one.
func fitting[T any](rows []T, shown func(*T) any) (fits int, err error) {
	for size := 0; fits < len(rows); fits++ {
		text, err := encode(shown(&rows[fits]))
		if err != nil {
			return 0, err
		}
		if size += len(text); size > maxPage && fits > 0 {
			break
		}
	}
	return fits, nil
}
