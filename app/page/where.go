package page

import (
	"net/http"
	"net/url"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/mail"
	"daybook/views"
)

// addPlace says where bookings of the event type take place.
func (c *call) addPlace(view *views.Event, e *catalog.EventType) {
	if e.Where == nil {
		return
	}
	w := views.Where{Kind: string(e.Where.Kind), Text: e.Where.Text}
	switch {
	case e.Where.Kind == catalog.InPerson && w.Text == "":
		w.Text = c.setup.Workspace.Settings.Address
	case e.Where.Kind == catalog.InviteeCalls:
		w.Text = "" // who has booked is told
	}
	view.Location, view.Online = c.locale.Where(w), w.Online()
}

// addBookedPlace says where the booking takes place. A cancelled one does nowhere.
func (c *call) addBookedPlace(view *views.Event, b *booking.Booking) {
	view.Location, view.Online, view.VideoRoom, view.Rooms = b.Location, booking.Online(b.Location), "", nil
	if b.Status != booking.Cancelled {
		for _, r := range c.setup.Shown(b.Resources) {
			view.Rooms = append(view.Rooms, r.Name)
		}
	}
	view.Place = b.Address(c.setup)
	if b.Where == nil {
		return
	}
	w := views.Where{Kind: string(b.Where.Kind), Text: b.Where.Text, Number: b.Invitee.Phone}
	if b.Status == booking.Cancelled {
		w.Text, w.Number = "", ""
	}
	view.Location, view.Online, view.VideoRoom = c.locale.Where(w), w.Online(), b.VideoRoom()
}

// onward returns the address of the business's site that the page goes on to after the booking, or "". It has the
// booking's id, and not its link.
func (c *call) onward(b *booking.Booking) string {
	e := c.setup.EventTypeByID(b.EventTypeID)
	if e == nil || !b.Status.Live() || b.NeedsPay || b.RescheduleCount > 0 ||
		!c.setup.Workspace.LeadsTo(e.RedirectURL) {
		return ""
	}
	u, err := url.Parse(e.RedirectURL)
	if err != nil {
		return ""
	}
	query := "booking=" + url.QueryEscape(b.ID.String())
	if u.RawQuery != "" {
		query = u.RawQuery + "&" + query
	}
	u.RawQuery = query
	return u.String()
}

// goesOn sends a browser that has just booked on to the business's site: not out of a frame, and not before the invitee
// has the link to the booking, by mail. done says that it did.
func (c *call) goesOn(b *booking.Booking) (done bool, err error) {
	to := c.onward(b)
	if to == "" || !c.query.Fresh || c.query.Embed != "" || c.r.Method != http.MethodGet {
		return false, nil
	}
	outlook, err := c.service.Mail.MailOutlook(c.r.Context(), b)
	if err != nil || outlook == mail.OutlookNone {
		return false, err
	}
	return true, c.redirect(to)
}

// leadsOut lets the form of the event type lead to the site that the page goes on to: browsers hold the policy of the
// form's page against redirects, too.
func (c *call) leadsOut(e *catalog.EventType) {
	if u, err := url.Parse(e.RedirectURL); err == nil && c.setup.Workspace.LeadsTo(e.RedirectURL) {
		c.leads = "https://" + u.Host
	}
}
