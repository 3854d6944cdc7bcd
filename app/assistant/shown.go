package assistant

import (
	"time"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/field"
	"daybook/app/guest"
	"daybook/app/money"
	"daybook/app/when"
)

// bookingAnswer has what a booking's guest is told besides the fields that booking.BookingFields has for guests.
type bookingAnswer struct {
	Title    string `json:"title"`
	Local    string `json:"local"`
	TimeZone string `json:"timeZone"`
	Host     string `json:"host"`
	PayURL   string `json:"payUrl,omitempty"`
}

var bookings = field.NewView[booking.Booking, bookingAnswer](&booking.BookingFields, field.ForGuests)

func bookingOf(setup *catalog.Setup, b *booking.Booking) any {
	more := bookingAnswer{Title: b.EventType, Local: local(setup, b.Start), TimeZone: setup.Workspace.TimeZone,
		Host: b.Host.Name}
	if e := setup.EventTypeByID(b.EventTypeID); e != nil {
		more.Title = e.Title
	}
	if b.Payment != nil {
		more.PayURL = b.Payment.URL
	}
	shown := *b
	shown.Location = b.Spot()
	return bookings.Of(&shown, more)
}

// local returns a start on the clock of the business.
func local(setup *catalog.Setup, at when.Instant) string {
	return at.Time().In(setup.Zone).Format(time.RFC3339)
}

// waiting is a request that waits for its confirmation.
type waiting struct {
	Request   string       `json:"request"`
	Status    string       `json:"status"`
	Service   string       `json:"service"`
	Start     when.Instant `json:"start"`
	End       when.Instant `json:"end"`
	Local     string       `json:"local"`
	TimeZone  string       `json:"timeZone"`
	Host      string       `json:"host"`
	ExpiresAt when.Instant `json:"expiresAt"`
	Next      string       `json:"next"`
}

func waitingOf(setup *catalog.Setup, r *guest.Request) waiting {
	w := waiting{Request: r.ID.String(), Status: "waits_for_confirmation", Start: r.Start, End: r.End,
		Local: local(setup, r.Start), TimeZone: setup.Workspace.TimeZone, ExpiresAt: r.ExpiresAt,
		Next: "Nothing is booked yet. Tell the person that a mail with a link and a code is on its way: they open the " +
			"link, or tell you the code for confirm_booking, before expiresAt. Then the time is open to others again."}
	if e := setup.EventTypeByID(r.EventType); e != nil {
		w.Service = e.Slug
	}
	if h := setup.Host(r.Host); h != nil {
		w.Host = h.Name
	}
	return w
}

// business is what strangers may know of a business.
type business struct {
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
	Address     string `json:"address,omitempty"`
	Phone       string `json:"phone,omitempty"`
	TimeZone    string `json:"timeZone"`
	Page        string `json:"page"`
}

func businessOf(s *catalog.Setup, base string) business {
	w := &s.Workspace
	return business{Name: w.Name, Description: w.Settings.Description, Address: w.Settings.Address,
		Phone: w.Settings.Phone, TimeZone: w.TimeZone, Page: base + "/" + w.Slug}
}

// service has what strangers are told of an event type besides the fields that catalog.EventTypeFields has for guests.
type service struct {
	PriceUpTo  *money.Money `json:"priceUpTo,omitempty"`
	NeedsPhone bool         `json:"needsPhone,omitempty"`
}

var services = field.NewView[catalog.EventType, service](&catalog.EventTypeFields, field.ForGuests)

func serviceOf(s *catalog.Setup, e *catalog.EventType) any {
	low, high, _ := s.Prices(e)
	more := service{NeedsPhone: e.Asks() == catalog.AskPhone || e.Asks() == catalog.AskBoth}
	if high.Units() != low.Units() {
		more.PriceUpTo = high
	}
	shown := *e
	shown.Price, shown.Hosts = low, s.ActiveHosts(e)
	if e.Seats == 1 {
		shown.Seats = 0
	}
	return services.Of(&shown, more)
}
