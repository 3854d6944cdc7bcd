package calcom

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/movein"
	"daybook/app/when"
)

// reader makes a movein.Business of an account.
type reader struct {
	*account
	now   time.Time
	today string
	b     *movein.Business
	keys  map[int64]map[string]string // of the questions, by their names, of each service
}

// business returns what was read as a business. Errors: there is nothing.
func (a *account) business(now time.Time) (*movein.Business, error) {
	r := &reader{a, now, now.UTC().Format(time.DateOnly), &movein.Business{Source: Source}, map[int64]map[string]string{}}
	r.b.Left = a.left
	if len(a.services) == 0 {
		return nil, fault.Errorf("there are no event types to take over: is it the right database, team or key?")
	}
	slices.SortStableFunc(r.services, func(x, y service) int { return cmp.Or(cmp.Compare(y.position, x.position), cmp.Compare(x.id, y.id)) })
	hours := map[int64]*schedule{}
	for i := range r.users {
		u := &r.users[i]
		if s := r.usual(u); r.does(u.id) {
			hours[u.id] = s
			r.member(u, s)
		} else {
			r.leave(movein.OfHost, u.id, u.name, "does no event type")
		}
	}
	for i := range r.services {
		if s := &r.services[i]; s.template {
			r.leave(movein.OfService, s.id, s.title, "it is a template: the event types that people have of it are taken over")
		} else if len(s.hosts) == 0 {
			r.leave(movein.OfService, s.id, s.title, "nobody does it")
		} else {
			r.b.Offers = append(r.b.Offers, r.offer(s, hours))
		}
	}
	for i := range r.bookings {
		r.appointment(&r.bookings[i])
	}
	r.addCustomers()
	for _, w := range r.webhooks {
		r.b.Webhooks = append(r.b.Webhooks, movein.Webhook{URL: w.url, Of: w.of, There: w.triggers, Events: eventsOf(w.triggers), Active: w.active})
	}
	return r.b, nil
}

func (r *reader) leave(kind movein.Kind, id int64, name, format string, args ...any) {
	r.b.Left = append(r.b.Left, movein.Left{Kind: kind, ID: text(id), Name: name, Why: fault.Textf(format, args...)})
}

func text(id int64) string { return strconv.FormatInt(id, 10) }

func (r *reader) does(user int64) bool {
	return slices.ContainsFunc(r.services, func(s service) bool {
		return !s.template && slices.ContainsFunc(s.hosts, func(h host) bool { return h.user == user })
	})
}

func (r *reader) user(id int64) *user {
	if i := slices.IndexFunc(r.users, func(u user) bool { return u.id == id }); i >= 0 {
		return &r.users[i]
	}
	return nil
}

func (r *reader) schedule(id int64) *schedule {
	if i := slices.IndexFunc(r.schedules, func(s schedule) bool { return s.id == id }); i >= 0 && id != 0 {
		return &r.schedules[i]
	}
	return nil
}

// own returns the schedule by which somebody goes where a service says nothing else, or nil.
func (r *reader) own(u *user) *schedule {
	if s := r.schedule(u.schedule); s != nil {
		return s
	}
	if i := slices.IndexFunc(r.schedules, func(s schedule) bool { return s.user == u.id }); i >= 0 {
		return &r.schedules[i]
	}
	return nil
}

// scheduleFor returns the schedule by which somebody does a service, or nil.
func (r *reader) scheduleFor(s *service, h *host) *schedule {
	if common := r.schedule(s.schedule); common != nil {
		return common
	}
	if own := r.schedule(h.schedule); own != nil {
		return own
	}
	if u := r.user(h.user); u != nil {
		return r.own(u)
	}
	return nil
}

// usual returns the schedule by which somebody does the most services: Daybook has one for all of them.
func (r *reader) usual(u *user) *schedule {
	best, most := r.own(u), 0
	counted := map[*schedule]int{}
	for i := range r.services {
		for j := range r.services[i].hosts {
			if h := &r.services[i].hosts[j]; h.user == u.id && !r.services[i].template {
				counted[r.scheduleFor(&r.services[i], h)]++
			}
		}
	}
	most = counted[best]
	for i := range r.schedules {
		if s := &r.schedules[i]; counted[s] > most {
			best, most = s, counted[s]
		}
	}
	return best
}

func (r *reader) member(u *user, s *schedule) {
	m := movein.Member{ID: text(u.id), Host: catalog.Host{Name: cmp.Or(strings.TrimSpace(u.name), u.email), Email: u.email, TimeZone: u.zone}}
	if s == nil {
		m.Host.Hours = catalog.Hours{Weekly: map[string][]string{}}
		r.leave(movein.OfHours, u.id, m.Host.Name, "has no schedule: enter hours, or nothing can be booked")
	} else {
		m.Host.Hours, m.Host.TimeZone = s.hours(r.today), cmp.Or(s.zone, u.zone)
		if n := len(m.Host.Hours.Overrides); n > catalog.MaxOverrides {
			m.Host.Hours.Overrides = m.Host.Hours.Overrides[:catalog.MaxOverrides]
			r.leave(movein.OfHours, u.id, m.Host.Name, "of %d dates with other hours the first %d were taken", n, catalog.MaxOverrides)
		}
	}
	if zone, err := time.LoadLocation(m.Host.TimeZone); err == nil {
		m.Host.TimeOff = timesOff(u.away, zone, r.now)
	}
	if u.calendars > 0 {
		r.leave(movein.OfCalendar, u.id, m.Host.Name, "%d calendars are looked at there: connect them in Daybook before the pages go online, or times that are taken in them are offered", u.calendars)
	}
	r.b.Members = append(r.b.Members, m)
}

func (r *reader) addCustomers() {
	hosts := map[string]bool{}
	for _, u := range r.users {
		hosts[strings.ToLower(u.email)] = true
	}
	for _, c := range r.customers {
		if !hosts[strings.ToLower(c.email)] {
			r.b.Customers = append(r.b.Customers, c.person())
		}
	}
}

// person returns somebody as a contact. Who gave only a number has an address there that is made of it.
func (a *attendee) person() booking.ContactInput {
	in := booking.ContactInput{Name: a.name, Email: strings.TrimSpace(a.email), Phone: a.phone, TimeZone: a.zone}
	if number, made := strings.CutSuffix(strings.ToLower(in.Email), "@sms.cal.com"); made {
		in.Email, in.Phone = "", cmp.Or(in.Phone, "+"+number)
	}
	return in
}

func eventsOf(triggers []string) []string {
	events := []string{}
	for _, t := range triggers {
		if e := map[string]catalog.EventKind{"BOOKING_CREATED": catalog.BookingCreated, "BOOKING_RESCHEDULED": catalog.BookingRescheduled,
			"BOOKING_CANCELLED": catalog.BookingCancelled, "BOOKING_REQUESTED": catalog.BookingPending, "BOOKING_REJECTED": catalog.BookingDeclined,
			"BOOKING_PAID": catalog.PaymentSucceeded, "BOOKING_NO_SHOW_UPDATED": catalog.BookingNoShow}[t]; e != "" {
			events = append(events, string(e))
		}
	}
	return events
}

func instant(t time.Time) when.Instant { return when.At(t) }
