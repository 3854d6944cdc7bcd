package web

import (
	"daybook/app/booking"
	"daybook/views"
	"daybook/views/dash"
)

// where says where the booking takes place, with the way into its video room.
func (c *Call) where(b *booking.Booking) []dash.Fact {
	f := dash.Fact{Name: c.T("dash_where"), Value: b.Location}
	if w := b.Where; w != nil {
		f.Value = c.Locale.Where(views.Where{Kind: string(w.Kind), Text: w.Text, Number: c.Phone(b.Invitee.Phone),
			Team: true})
		if room := b.VideoRoom(); room != "" {
			f.Value, f.URL = c.T("where_join"), room
		}
	}
	if f.Value == "" {
		return nil
	}
	return []dash.Fact{f}
}
