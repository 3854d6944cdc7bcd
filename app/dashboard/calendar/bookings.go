package calendar

import (
	"net/url"
	"strings"

	"daybook/app/booking"
	"daybook/app/dashboard/web"
	"daybook/app/fault"
	"daybook/app/when"
	"daybook/views/dash"
)

var bookingTabs = []struct{ key, label string }{{"", "dash_tab_upcoming"}, {"waiting", "dash_tab_waiting"},
	{"past", "dash_tab_past"}, {"cancelled", "dash_tab_cancelled"}}

func (c call) stateOptions() []dash.Option {
	all := []dash.Option{{Label: c.T("dash_state_any")}}
	for _, s := range booking.Statuses {
		all = append(all, dash.Option{Value: string(s), Label: c.StatusName(s)})
	}
	return all
}

// liveStates are the statuses of upcoming bookings, as the list accepts them.
var liveStates = booking.NamesOf(booking.LiveStatuses, "", ",")

func (c call) bookings() error {
	q := c.URL.Query()
	search := strings.TrimSpace(q.Get("q"))
	if strings.HasPrefix(search, "bk_") {
		if b, err := c.Subjects.Booking(c.Context(), c.Actor, search); err == nil {
			return c.Redirect(dash.BookingPath(b.ID.String()), "")
		}
	}
	in, wrong := c.bookingFilter(q, search)
	page := fault.Page[booking.Booking]{}
	if !wrong {
		var err error
		if page, err = c.Subjects.Bookings(c.Context(), c.Actor, in); err != nil {
			if web.Refused(err) == nil {
				return err
			}
		}
	}
	v := dash.BookingsPage{Frame: c.Frame(c.T("dash_bookings"), "bookings"), Tab: q.Get("tab"), Search: search,
		NewURL: c.newBookingURL("")}
	v.Live = q.Get("cursor") == ""
	for _, t := range bookingTabs {
		v.Tabs = append(v.Tabs,
			dash.Tab{Label: c.T(t.label), URL: web.WithQuery(dash.BookingsPath, url.Values{"tab": {t.key}}),
				Current: t.key == v.Tab})
	}
	v.Filters = c.bookingFilters(q)
	for _, name := range []string{"q", "host", "type", "state", "from", "to"} {
		if q.Get(name) != "" {
			v.Clear = web.WithQuery(dash.BookingsPath, url.Values{"tab": {v.Tab}})
		}
	}
	for i := range page.Data {
		v.Rows = append(v.Rows, c.Row(&page.Data[i]))
	}
	if page.NextCursor != nil {
		v.Pager.NextURL = web.WithQuery(dash.BookingsPath, q, "cursor", *page.NextCursor)
	}
	if q.Get("cursor") != "" {
		v.Pager.FirstURL = web.WithQuery(dash.BookingsPath, q, "cursor", "")
	}
	if v.First = c.FirstStep(); v.NewURL != "" {
		v.PageURL = c.Subjects.BaseURL() + "/" + c.Setup.Workspace.Slug
	}
	return c.Show(200, dash.Bookings(v))
}

// bookingFilter turns the page's query into what the Service lists; wrong is true if nothing can match.
func (c call) bookingFilter(q url.Values, search string) (in booking.ListBookingsInput, wrong bool) {
	zone := c.Setup.Workspace.TimeZone
	in = booking.ListBookingsInput{Q: search, EventType: q.Get("type"), Host: q.Get("host"), TimeZone: zone,
		Cursor: q.Get("cursor"), From: q.Get("from")}
	if to := q.Get("to"); to != "" { // up to the end of the last day
		last, err := web.ParseDay(to, c.Zone())
		if err != nil {
			return in, true
		}
		in.To = when.AddDays(last, 1).Format("2006-01-02")
	}
	switch q.Get("tab") {
	case "waiting":
		in.Status = "pending"
	case "past":
		in.Scope = "past"
	case "cancelled":
		in.Status = "cancelled"
		if in.From == "" && in.To == "" {
			in.Scope = "all"
		}
	default:
		if search == "" && in.From == "" && in.To == "" {
			in.Status = liveStates
		} else if in.From == "" && in.To == "" {
			in.Scope = "all" // a search finds bookings in any state
		}
	}
	if state := q.Get("state"); state != "" && q.Get("tab") != "waiting" && q.Get("tab") != "cancelled" {
		in.Status = state
	}
	return in, false
}

func (c call) bookingFilters(q url.Values) []dash.Input {
	var filters []dash.Input
	if !c.Actor.Own() && len(c.Setup.Hosts) > 1 {
		filters = append(filters,
			dash.Input{Name: "host", Label: c.T("dash_host"), Kind: "select", Value: q.Get("host"),
				Options: append([]dash.Option{{Label: c.T("dash_hosts_all")}}, c.HostOptions()...)})
	}
	types := []dash.Option{{Label: c.T("dash_types_all")}}
	for _, e := range c.Setup.EventTypes {
		types = append(types, dash.Option{Value: e.Slug, Label: e.Title})
	}
	filters = append(filters,
		dash.Input{Name: "type", Label: c.T("dash_type"), Kind: "select", Value: q.Get("type"), Options: types})
	if tab := q.Get("tab"); tab != "waiting" && tab != "cancelled" {
		filters = append(filters,
			dash.Input{Name: "state", Label: c.T("dash_state"), Kind: "select", Value: q.Get("state"),
				Options: c.stateOptions()})
	}
	return append(filters,
		dash.Input{Name: "from", Label: c.T("dash_from"), Kind: "date", Value: q.Get("from")},
		dash.Input{Name: "to", Label: c.T("dash_to"),
			Kind: "date", Value: q.Get("to")})
}
