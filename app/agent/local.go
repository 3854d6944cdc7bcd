package agent

import (
	"time"

	"daybook/app"
	"daybook/app/record"
	"daybook/app/rooms"
)

// localBooking is a booking as the tools return it: with its start in the business's time zone.
type localBooking struct {
	record.Booking
	Local    string `json:"local"`
	TimeZone string `json:"timeZone"`
}

func local(b record.Booking, zone *time.Location) localBooking {
	return localBooking{b, b.Start.Time().In(zone).Format(time.RFC3339), zone.String()}
}

// booked is the result of a tool that has made or changed a booking.
func booked(s *rooms.Set, a app.Actor, b record.Booking, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	setup, err := s.Setup(a.Workspace)
	if err != nil { // the database is away since; the change was made, so an error would be untrue
		return local(b, time.UTC), nil
	}
	return local(b, setup.Zone), nil
}
