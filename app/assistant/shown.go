package assistant

import (
	"time"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/guest"
	"daybook/app/money"
	"daybook/app/when"
)

// bookingAnswer is a bookingAnswer as its guest may know it.
type bookingAnswer struct {
	ID            string       `json:"id"`
	Service       string       `json:"service"`
	Title         string       `json:"title"`
	Status        string       `json:"status"`
	PendingReason string       `json:"pendingReason,omitempty"`
	Start         when.Instant `json:"start"`
	End           when.Instant `json:"end"`
	Local         string       `json:"local"`
	TimeZone      string       `json:"timeZone"`
	Host          string       `json:"host"`
	HostChanged   bool         `json:"hostChanged,omitempty"`
	Price         *money.Money `json:"price"`
	Where         string       `json:"where,omitempty"`
	PayURL        string       `json:"payUrl,omitempty"`
	Link          string       `json:"link"`
}

func bookingOf(setup *catalog.Setup, b *booking.Booking) bookingAnswer {
	g := bookingAnswer{ID: b.ID.String(), Service: b.EventType, Title: b.EventType, Status: string(b.Status), Start: b.Start,
		End: b.End, Local: local(setup, b.Start), TimeZone: setup.Workspace.TimeZone, Host: b.Host.Name, Price: b.Price,
		Where: b.Spot(), Link: b.ManageURL, HostChanged: b.HostChanged}
	if e := setup.EventTypeByID(b.EventTypeID); e != nil {
		g.Title = e.Title
	}
	if b.PendingReason != nil {
		g.PendingReason = string(*b.PendingReason)
	}
	if b.Payment != nil {
		g.PayURL = b.Payment.URL
	}
	return g
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

// business and service are what strangers may know of a business.
type business struct {
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
	Address     string `json:"address,omitempty"`
	Phone       string `json:"phone,omitempty"`
	TimeZone    string `json:"timeZone"`
	Page        string `json:"page"`
}

type service struct {
	Slug            string       `json:"slug"`
	Title           string       `json:"title"`
	Description     string       `json:"description,omitempty"`
	DurationMinutes int          `json:"durationMinutes"`
	Price           *money.Money `json:"price"`
	PriceUpTo       *money.Money `json:"priceUpTo,omitempty"`
	Hosts           []host       `json:"hosts"`
	NeedsPhone      bool         `json:"needsPhone,omitempty"`
	Questions       []question   `json:"questions,omitempty"`
	AddOns          []addOn      `json:"addOns,omitempty"`
	Seats           int          `json:"seats,omitempty"`
	Approval        bool         `json:"requiresApproval,omitempty"`
	NoticeMinutes   int          `json:"cancellationNoticeMinutes,omitempty"`
	Page            string       `json:"page"`
}

type host struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

type question struct {
	Key      string   `json:"key"`
	Label    string   `json:"label"`
	Type     string   `json:"type"`
	Required bool     `json:"required"`
	Options  []string `json:"options,omitempty"`
}

type addOn struct {
	ID      string       `json:"id"`
	Title   string       `json:"title"`
	Minutes int          `json:"minutes"`
	Price   *money.Money `json:"price"`
}

func businessOf(s *catalog.Setup, base string) business {
	w := &s.Workspace
	return business{Name: w.Name, Description: w.Settings.Description, Address: w.Settings.Address,
		Phone: w.Settings.Phone, TimeZone: w.TimeZone, Page: base + "/" + w.Slug}
}

func serviceOf(s *catalog.Setup, e *catalog.EventType) service {
	low, high, _ := s.Prices(e)
	out := service{Slug: e.Slug, Title: e.Title, Description: e.Description, DurationMinutes: e.DurationMinutes,
		Price: low, Hosts: []host{}, NeedsPhone: e.Asks() == catalog.AskPhone || e.Asks() == catalog.AskBoth,
		Approval: e.RequiresApproval, NoticeMinutes: e.CancellationNoticeMinutes, Page: e.BookingURL}
	if high.Units() != low.Units() {
		out.PriceUpTo = high
	}
	if e.Seats > 1 {
		out.Seats = e.Seats
	}
	for _, ref := range e.Hosts {
		if h := s.Host(ref.ID); h != nil && h.Active {
			out.Hosts = append(out.Hosts, host{h.ID.String(), h.Name})
		}
	}
	for _, q := range e.Questions {
		out.Questions = append(out.Questions, question{q.Key, q.Label, string(q.Type), q.Required, q.Options})
	}
	for _, a := range e.AddOns {
		out.AddOns = append(out.AddOns, addOn{a.ID, a.Title, a.Minutes, a.Price})
	}
	return out
}
