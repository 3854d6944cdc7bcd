package calcom

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"daybook/app/fault"
	"daybook/app/movein"
	"daybook/app/movein/call"
)

// The versions of the API's parts, which each call names.
const (
	bookingsVersion  = "2024-08-13"
	servicesVersion  = "2024-06-14"
	schedulesVersion = "2024-06-11"
)

const pageSize = 100

// API is Cal.com's API, version 2, with a key.
type API struct {
	Base   string // https://api.cal.com, or that of a server of one's own
	Key    string
	Client *http.Client                               // nil is one with a timeout
	Pause  func(context.Context, time.Duration) error // nil waits
}

// FromAPI reads what the person whose key it is has at Cal.com, with the event types of their teams. now says what is to come. It
// waits as long as Cal.com asks for where it calls too often. Errors say what to do.
func FromAPI(ctx context.Context, a API, now time.Time) (*movein.Business, error) {
	r := &caller{api: call.Server{Program: "Cal.com", Base: a.Base, Key: a.Key, Client: a.Client, Pause: a.Pause,
		Refused: fault.Textf("the key is refused: make a new one at Cal.com under Settings, Security, API keys, and put it into the key file")},
		ctx: ctx, now: now}
	if err := r.api.Check(); err != nil {
		return nil, err
	}
	for _, part := range []func() error{r.readMe, r.readServices, r.readTeams, r.readSchedules, r.readAway, r.readBookings, r.readWebhooks} {
		if err := part(); err != nil {
			return nil, err
		}
	}
	return r.business(now)
}

// caller makes calls and fills the account.
type caller struct {
	account
	api   call.Server
	ctx   context.Context
	now   time.Time
	me    meOutput
	teams []teamOutput
}

// get reads what is at a path into data, and reports whether another page follows. Errors: call.ErrAbsent.
func (c *caller) get(path, version string, data any) (more bool, err error) {
	header := map[string]string{}
	if version != "" {
		header["cal-api-version"] = version
	}
	body, err := c.api.Get(c.ctx, path, header)
	if err != nil {
		return false, err
	}
	var answer struct {
		Data       json.RawMessage `json:"data"`
		Pagination struct {
			More bool `json:"hasNextPage"`
		} `json:"pagination"`
	}
	if err := json.Unmarshal(body, &answer); err != nil || len(answer.Data) == 0 {
		return false, c.api.NotIt()
	}
	if err := json.Unmarshal(answer.Data, data); err != nil {
		return false, c.api.Unreadable(path, err)
	}
	return answer.Pagination.More, nil
}

// pages reads a list, page after page.
func pages[T any](c *caller, path, version string, most int, each func(T)) error {
	mark := "?"
	if strings.Contains(path, "?") {
		mark = "&"
	}
	for n := 0; ; n += pageSize {
		if n >= most {
			return c.api.TooMany(path, most)
		}
		var some []T
		more, err := c.get(fmt.Sprintf("%s%stake=%d&skip=%d", path, mark, pageSize, n), version, &some)
		if err != nil {
			return err
		}
		for _, x := range some {
			each(x)
		}
		if len(some) == 0 || !more && len(some) < pageSize {
			return nil
		}
	}
}

type (
	meOutput struct {
		ID       int64
		Username string
		Email    string
		Name     string
		TimeZone string
		Schedule int64 `json:"defaultScheduleId"`
	}
	teamOutput struct {
		ID   int64
		Name string
		Slug string
	}
	memberOutput struct {
		UserID   int64
		Accepted bool
		User     struct{ Name, Username, Email string }
	}
)

func (c *caller) readMe() error {
	if _, err := c.get("/v2/me", "", &c.me); err != nil {
		return err
	}
	movein.Came(c.ctx, movein.OfHost, 1)
	c.users = []user{{id: c.me.ID, name: cmp.Or(c.me.Name, c.me.Username), email: c.me.Email, zone: c.me.TimeZone, schedule: c.me.Schedule}}
	var all struct {
		Connected []struct {
			Calendars []struct {
				Selected bool `json:"isSelected"`
			}
		} `json:"connectedCalendars"`
	}
	if _, err := c.get("/v2/calendars", "", &all); err != nil && !errors.Is(err, call.ErrAbsent) {
		return err
	}
	for _, x := range all.Connected {
		for _, k := range x.Calendars {
			if k.Selected {
				c.users[0].calendars++
			}
		}
	}
	return nil
}

type serviceOutput struct {
	ID             int64
	Minutes        int   `json:"lengthInMinutes"`
	Lengths        []int `json:"lengthInMinutesOptions"`
	Title          string
	Slug           string
	Description    string
	Hidden         bool
	Interval       int `json:"slotInterval"`
	Offset         int `json:"offsetStart"`
	Notice         int `json:"minimumBookingNotice"`
	Before         int `json:"beforeEventBuffer"`
	After          int `json:"afterEventBuffer"`
	Price          int64
	Currency       string
	Metadata       json.RawMessage
	Schedule       int64           `json:"scheduleId"`
	Limits         json.RawMessage `json:"bookingLimitsCount"`
	MinutesLimits  json.RawMessage `json:"bookingLimitsDuration"`
	FirstOnly      bool            `json:"onlyShowFirstAvailableSlot"`
	Window         json.RawMessage `json:"bookingWindow"`
	Confirmation   json.RawMessage `json:"confirmationPolicy"`
	Seats          json.RawMessage `json:"seats"`
	SeatsPerTime   int             `json:"seatsPerTimeSlot"`
	Recurrence     json.RawMessage `json:"recurrence"`
	Locations      []map[string]any
	Fields         []fieldOutput `json:"bookingFields"`
	SchedulingType string
	Parent         int64 `json:"parentEventTypeId"`
	AllMembers     bool  `json:"assignAllTeamMembers"`
	Hosts          []struct {
		UserID    int64
		Mandatory bool
		Name      string
	}
}

type fieldOutput struct {
	IsDefault        bool
	Type             string
	Slug             string
	Label            string
	Required, Hidden bool
	Options          json.RawMessage
}

// rule says how far ahead, or when a booking must be confirmed; Disabled is none.
type ruleOutput struct {
	Disabled bool
	Type     string
	Value    any
	Rolling  bool
}

// service returns the event type in the words of the database, without its hosts.
func (x *serviceOutput) service() service {
	row := serviceRow{ID: x.ID, Title: x.Title, Slug: x.Slug, Description: x.Description, Length: x.Minutes, Offset: x.Offset, Hidden: x.Hidden,
		Notice: x.Notice, Before: x.Before, After: x.After, Seats: x.SeatsPerTime, Scheduling: x.SchedulingType, Schedule: x.Schedule,
		Parent: x.Parent, Price: x.Price, Currency: x.Currency, Interval: x.Interval, Metadata: x.Metadata, FirstOnly: x.FirstOnly, Period: "unlimited"}
	var window, confirmation ruleOutput
	var windows []ruleOutput
	if loosely(x.Window, &windows); len(windows) > 0 {
		window = windows[0]
	} else {
		loosely(x.Window, &window)
	}
	if days, is := window.Value.(float64); is && !window.Disabled {
		row.Days, row.CalendarDays, row.Period = int(days), window.Type != "businessDays", "rolling"
		if window.Rolling {
			row.Period = "rolling_window"
		}
	} else if window.Type == "range" {
		row.Period = "range"
	}
	if loosely(x.Confirmation, &confirmation); confirmation.Type != "" && !confirmation.Disabled {
		row.Confirms = true
	}
	var seats struct {
		Seats int `json:"seatsPerTimeSlot"`
	}
	loosely(x.Seats, &seats)
	row.Seats = max(row.Seats, seats.Seats)
	s := row.service()
	s.confirmsWithin = row.Confirms && confirmation.Type == "time"
	s.lengths = x.Lengths
	var recurrence struct{ Occurrences int }
	loosely(x.Recurrence, &recurrence)
	s.dates = recurrence.Occurrences
	var limits map[string]any
	loosely(x.Limits, &limits)
	for name, n := range limits {
		if n, is := n.(float64); is {
			s.limits[name] = int(n)
		}
	}
	var minutes map[string]any
	loosely(x.MinutesLimits, &minutes)
	for _, n := range minutes {
		_, is := n.(float64)
		s.minutesLimited = s.minutesLimited || is
	}
	for _, l := range x.Locations {
		kind := said(l["type"])
		like := map[string]string{"address": "inPerson", "link": "link", "phone": "userPhone", "attendeePhone": "phone", "integration": "integrations:" + said(l["integration"]),
			"conferencing": "conferencing", "organizersDefaultApp": "conferencing"}[kind]
		s.locations = append(s.locations, location{cmp.Or(like, kind), said(l["address"]) + said(l["phone"]) + said(l["link"])})
	}
	for _, f := range x.Fields {
		switch {
		case f.Slug == "attendeePhoneNumber":
			s.hasPhone, s.asksPhone = !f.Hidden, !f.Hidden && f.Required
		case f.Slug == "email":
			s.noEmail = f.Hidden || !f.Required
		}
		if f.Hidden || f.IsDefault || slices.Contains(asDefault, f.Slug) {
			continue
		}
		q := question{name: f.Slug, kind: f.Type, label: f.Label, required: f.Required}
		if loosely(f.Options, &q.options); len(q.options) == 0 {
			var options []struct{ Label, Value string }
			loosely(f.Options, &options)
			for _, o := range options {
				q.options = append(q.options, cmp.Or(o.Label, o.Value))
			}
		}
		s.questions = append(s.questions, q)
	}
	return s
}

func (c *caller) readServices() error {
	var all []serviceOutput
	if _, err := c.get("/v2/event-types?username="+url.QueryEscape(c.me.Username), servicesVersion, &all); err != nil {
		return err
	}
	for i := range all {
		s := all[i].service()
		s.position, s.hosts = -i, []host{{user: c.me.ID}}
		c.services = append(c.services, s)
	}
	movein.Came(c.ctx, movein.OfService, len(c.services))
	return nil
}

// readTeams reads the event types of the teams that the key reaches, and who does them.
func (c *caller) readTeams() error {
	if _, err := c.get("/v2/teams", "", &c.teams); err != nil && !errors.Is(err, call.ErrAbsent) {
		return err
	}
	for _, t := range c.teams {
		at := "/v2/teams/" + text(t.ID)
		var all []serviceOutput
		if _, err := c.get(at+"/event-types", servicesVersion, &all); errors.Is(err, call.ErrAbsent) {
			c.left = append(c.left, movein.Left{Kind: movein.OfProgram, ID: text(t.ID), Name: t.Name, Why: fault.Textf("the key doesn't reach the event types of this team: use that of an owner of it")})
			continue
		} else if err != nil {
			return err
		}
		var members []int64
		err := pages(c, at+"/memberships", "", mostPeople, func(m memberOutput) {
			if m.Accepted {
				members = append(members, m.UserID)
			}
			if m.Accepted && !slices.ContainsFunc(c.users, func(u user) bool { return u.id == m.UserID }) {
				c.users = append(c.users, user{id: m.UserID, name: cmp.Or(m.User.Name, m.User.Username, m.User.Email), email: m.User.Email, zone: c.me.TimeZone})
			}
		})
		if err != nil && !errors.Is(err, call.ErrAbsent) {
			return err
		}
		for i := range all {
			x := &all[i]
			if slices.ContainsFunc(c.services, func(s service) bool { return s.id == x.ID }) {
				continue
			}
			s := x.service()
			s.position = -len(c.services)
			for _, h := range x.Hosts {
				s.hosts = append(s.hosts, host{user: h.UserID, fixed: h.Mandatory})
			}
			if x.AllMembers {
				for _, id := range members {
					if !slices.ContainsFunc(s.hosts, func(h host) bool { return h.user == id }) {
						s.hosts = append(s.hosts, host{user: id})
					}
				}
			}
			c.services = append(c.services, s)
		}
		movein.Came(c.ctx, movein.OfService, len(c.services))
	}
	return nil
}

type scheduleOutput struct {
	ID           int64
	OwnerID      int64
	Name         string
	TimeZone     string
	IsDefault    bool
	Availability []struct {
		Days               []string
		StartTime, EndTime string
	}
	Overrides []struct{ Date, StartTime, EndTime string }
}

func (c *caller) addSchedules(all []scheduleOutput) {
	for _, x := range all {
		if c.account.hasSchedule(x.ID) {
			continue
		}
		s := schedule{id: x.ID, user: x.OwnerID, name: x.Name, zone: x.TimeZone}
		for _, a := range x.Availability {
			r := rule{from: clock(a.StartTime), to: clock(a.EndTime)}
			for _, name := range a.Days {
				if d := slices.IndexFunc(weekdays, func(day string) bool { return strings.EqualFold(day, name) }); d >= 0 {
					r.days = append(r.days, d)
				}
			}
			s.rules = append(s.rules, r)
		}
		for _, o := range x.Overrides {
			s.rules = append(s.rules, rule{date: o.Date[:min(10, len(o.Date))], from: clock(o.StartTime), to: clock(o.EndTime)})
		}
		c.schedules = append(c.schedules, s)
		for i := range c.users {
			if u := &c.users[i]; u.id == x.OwnerID && x.IsDefault {
				u.schedule, u.zone = x.ID, cmp.Or(x.TimeZone, u.zone)
			}
		}
	}
}

var weekdays = []string{"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"}

func (a *account) hasSchedule(id int64) bool {
	return slices.ContainsFunc(a.schedules, func(s schedule) bool { return s.id == id })
}

func (c *caller) readSchedules() error {
	var mine []scheduleOutput
	if _, err := c.get("/v2/schedules", schedulesVersion, &mine); err != nil {
		return err
	}
	c.addSchedules(mine)
	for _, t := range c.teams {
		var all []scheduleOutput
		if _, err := c.get("/v2/teams/"+text(t.ID)+"/schedules", schedulesVersion, &all); err != nil && !errors.Is(err, call.ErrAbsent) {
			return err
		}
		c.addSchedules(all)
	}
	if len(c.users) > 1 {
		c.left = append(c.left, movein.Left{Kind: movein.OfProgram, Name: "Cal.com",
			Why: fault.Textf("the own event types and bookings of %d others of your teams need keys of theirs: do this again with each, it adds them", len(c.users)-1)})
	}
	return nil
}

func (c *caller) readAway() error {
	err := pages(c, "/v2/me/ooo", "", mostPeople, func(x struct{ Start, End stamp }) {
		c.users[0].away = append(c.users[0].away, span{x.Start.Time, x.End.Time})
	})
	if errors.Is(err, call.ErrAbsent) {
		c.left = append(c.left, movein.Left{Kind: movein.OfHours, ID: text(c.me.ID), Name: c.users[0].name, Why: fault.Textf("out of office can't be read by this server's API: enter time off")})
		return nil
	}
	return err
}

type bookingOutput struct {
	UID         string
	Description string
	Status      string
	Start       stamp
	End         stamp
	CreatedAt   stamp
	EventTypeID int64
	EventType   struct{ ID int64 }
	Hosts       []struct{ ID int64 }
	MeetingURL  string
	Location    string
	Guests      json.RawMessage
	Responses   map[string]any `json:"bookingFieldsResponses"`
	Recurring   string         `json:"recurringBookingUid"`
	Attendees   []struct {
		Name, Email, DisplayEmail, TimeZone, PhoneNumber, SeatUID string
		Responses                                                 map[string]any `json:"bookingFieldsResponses"`
	}
}

func (x *bookingOutput) booked() booked {
	b := booked{uid: x.UID, status: x.Status, service: cmp.Or(x.EventType.ID, x.EventTypeID), start: x.Start.Time, end: x.End.Time, at: x.CreatedAt.Time,
		about: x.Description, location: x.Location, meeting: x.MeetingURL, series: x.Recurring != "", answers: x.Responses}
	if len(x.Hosts) > 0 {
		b.user = x.Hosts[0].ID
	}
	if strings.HasPrefix(b.location, "https://") && b.meeting == "" {
		b.meeting = b.location
	}
	for _, a := range x.Attendees {
		b.attendees = append(b.attendees, attendee{name: a.Name, email: cmp.Or(a.DisplayEmail, a.Email), zone: a.TimeZone, phone: a.PhoneNumber, seat: a.SeatUID, answers: a.Responses})
	}
	var guests []string
	loosely(x.Guests, &guests)
	for _, g := range guests {
		if !slices.ContainsFunc(b.attendees, func(a attendee) bool { return strings.EqualFold(a.email, g) }) {
			b.attendees = append(b.attendees, attendee{email: g})
		}
	}
	return b
}

// readBookings reads what is to come, and from all that was who the customers are.
func (c *caller) readBookings() error {
	met, customers := map[string]bool{}, map[string]bool{}
	for _, status := range []string{"upcoming", "recurring", "unconfirmed", "cancelled", "past"} {
		path := "/v2/bookings?status=" + status + "&sortStart=asc"
		if status == "cancelled" {
			path += "&afterStart=" + url.QueryEscape(c.now.UTC().Format(time.RFC3339))
		}
		err := pages(c, path, bookingsVersion, mostCustomers, func(x bookingOutput) {
			b := x.booked()
			for _, a := range b.attendees {
				if key := strings.ToLower(a.email); !customers[key] && a.name != "" && status != "cancelled" {
					customers[key] = true
					c.customers = append(c.customers, a)
				}
			}
			if !met[b.uid] && b.end.After(c.now) {
				met[b.uid] = true
				c.bookings = append(c.bookings, b)
			}
			if status == "past" {
				movein.Came(c.ctx, movein.OfCustomer, len(c.customers))
			} else {
				movein.Came(c.ctx, movein.OfBooking, len(c.bookings))
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (c *caller) readWebhooks() error {
	err := pages(c, "/v2/webhooks", "", mostPeople, func(x struct {
		URL      string   `json:"subscriberUrl"`
		Triggers []string `json:"triggers"`
		Active   bool     `json:"active"`
	}) {
		c.webhooks = append(c.webhooks, webhook{x.URL, c.users[0].name, x.Triggers, x.Active})
	})
	if errors.Is(err, call.ErrAbsent) {
		return nil
	}
	return err
}
