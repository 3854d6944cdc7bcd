package agent

import (
	"time"

	"daybook/app"
	"daybook/app/access"
	"daybook/app/booking"
	"daybook/app/fault"
	"daybook/app/subjects"
)

// localBooking is a booking as the tools return it: with its start in the business's time zone.
type localBooking struct {
	booking.Booking
	Local    string `json:"local"`
	TimeZone string `json:"timeZone"`
}

// AppendJSON appends the booking's JSON, byte for byte as encoding/json writes it.
func (b *localBooking) AppendJSON(dst []byte) ([]byte, error) {
	dst, err := b.AppendMembers(append(dst, '{'))
	dst = booking.AppendText(append(dst, `,"local":`...), b.Local)
	return append(booking.AppendText(append(dst, `,"timeZone":`...), b.TimeZone), '}'), err
}

// localBookings is a page of them.
type localBookings fault.Page[localBooking]

// AppendJSON appends the page's JSON, byte for byte as encoding/json writes it.
func (p *localBookings) AppendJSON(dst []byte) ([]byte, error) {
	return access.AppendPage(dst, (*fault.Page[localBooking])(p), (*localBooking).AppendJSON)
}

func local(b booking.Booking, zone *time.Location) *localBooking {
	return &localBooking{b, b.Start.Time().In(zone).Format(time.RFC3339), zone.String()}
}

// booked returns the result of a tool that has made or changed a booking.
func booked(s *subjects.Set, a app.Actor, b booking.Booking, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	setup, err := s.Setup(a.Workspace)
	if err != nil { // the database is away since; the change was made, so an error would be untrue
		return local(b, time.UTC), nil
	}
	return local(b, setup.Zone), nil
}
