// Package easyappointments reads what a business has in Easy!Appointments, by its REST API, version 1.
package easyappointments

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/money"
	"daybook/app/movein"
	"daybook/app/movein/call"
	"daybook/app/slot"
	"daybook/app/when"
)

// Source is what bookings say where they come from.
const Source = "easyappointments"

const (
	pageSize = 100
	mostRows = 100_000 // of a list
)

// Read reads what the API at that address has. now says what is to come. Errors say what to do.
func Read(ctx context.Context, api call.Server, now time.Time) (*movein.Business, error) {
	api.Program = "Easy!Appointments"
	api.Refused = fault.Textf("the key is refused: put the API token of its settings (Integrations, API) into the key file")
	if err := api.Check(); err != nil {
		return nil, err
	}
	r := &reader{ctx: ctx, api: api, now: now, b: &movein.Business{Source: Source}, zones: map[int64]*time.Location{}, people: map[int64]booking.ContactInput{}}
	for _, part := range []func() error{r.readServices, r.readProviders, r.readCustomers, r.readAppointments, r.readWebhooks} {
		if err := part(); err != nil {
			return nil, err
		}
	}
	if len(r.b.Offers) == 0 {
		return nil, fault.Errorf("there are no services to take over")
	}
	return r.b, nil
}

type reader struct {
	ctx    context.Context
	api    call.Server
	now    time.Time
	b      *movein.Business
	zones  map[int64]*time.Location       // of providers: their appointments are on their clocks
	people map[int64]booking.ContactInput // customers
}

func text(id int64) string { return strconv.FormatInt(id, 10) }

func (r *reader) leave(kind movein.Kind, id int64, name, format string, args ...any) {
	r.b.Left = append(r.b.Left, movein.Left{Kind: kind, ID: text(id), Name: name, Why: fault.Textf(format, args...)})
}

// list reads a list, page after page.
func list[T any](r *reader, name, more string, each func(*T)) error {
	for page := 1; ; page++ {
		if page*pageSize > mostRows {
			return r.api.TooMany(name, mostRows)
		}
		body, err := r.api.Get(r.ctx, fmt.Sprintf("/index.php/api/v1/%s?page=%d&length=%d%s", name, page, pageSize, more), nil)
		if err != nil {
			return err
		}
		var some []T
		if err := json.Unmarshal(body, &some); err != nil {
			return r.api.NotIt()
		}
		for i := range some {
			each(&some[i])
		}
		if len(some) < pageSize {
			return nil
		}
	}
}

// setting returns a setting as a number, or otherwise.
func (r *reader) setting(name string, otherwise int) (int, error) {
	body, err := r.api.Get(r.ctx, "/index.php/api/v1/settings/"+name, nil)
	if errors.Is(err, call.ErrAbsent) {
		return otherwise, nil
	}
	if err != nil {
		return 0, err
	}
	var s struct{ Value any }
	if json.Unmarshal(body, &s) != nil {
		return otherwise, nil
	}
	n, err := strconv.Atoi(strings.TrimSpace(fmt.Sprint(s.Value)))
	if err != nil {
		return otherwise, nil
	}
	return n, nil
}

type service struct {
	ID             int64
	Name           string
	Duration       int
	Price          json.Number
	Currency       string
	Description    string
	Location       string
	Availabilities string `json:"availabilitiesType"`
	Interval       int    `json:"slotInterval"`
	Attendants     int    `json:"attendantsNumber"`
	IsPrivate      bool
	Category       int64 `json:"serviceCategoryId"`
	OldCategory    int64 `json:"categoryId"`
}

func (r *reader) readServices() error {
	notice, err1 := r.setting("book_advance_timeout", 30)
	days, err2 := r.setting("future_booking_limit", 90)
	phone, err3 := r.setting("require_phone_number", 0)
	email, err4 := r.setting("require_email", 1)
	if err := errors.Join(err1, err2, err3, err4); err != nil {
		return err
	}
	categories := map[int64]string{}
	type category struct {
		ID   int64
		Name string
	}
	for _, name := range []string{"service_categories", "categories"} { // as new versions call them, and old ones
		err := list(r, name, "", func(c *category) { categories[c.ID] = c.Name })
		if err != nil && !errors.Is(err, call.ErrAbsent) {
			return err
		}
	}
	return list(r, "services", "", func(x *service) {
		movein.Came(r.ctx, movein.OfService, len(r.b.Offers)+1)
		o := movein.Offer{ID: text(x.ID)}
		e := catalog.NewEventType()
		e.Title, e.Slug, e.Description, e.DurationMinutes = strings.TrimSpace(x.Name), x.Name, x.Description, x.Duration
		switch {
		case x.Interval > 0:
			e.SlotStepMinutes = x.Interval
		case x.Availabilities != "fixed":
			e.SlotStepMinutes = 15
		}
		e.Seats, e.Hidden, e.Category = max(1, x.Attendants), x.IsPrivate, categories[cmp.Or(x.Category, x.OldCategory)]
		e.MinimumNoticeMinutes, e.BookingWindowDays = notice, min(max(1, days), 730)
		switch {
		case phone == 1 && email == 0:
			e.AsksFor = catalog.AskPhone
		case phone == 1:
			e.AsksFor = catalog.AskBoth
		}
		if price, _ := x.Price.Float64(); price > 0 {
			code := strings.ToUpper(strings.TrimSpace(x.Currency))
			code = cmp.Or(map[string]string{"EURO": "EUR", "€": "EUR", "$": "USD", "£": "GBP"}[code], code)
			if money.CheckCurrency("", code) == nil {
				e.Price = &money.Money{Amount: int64(math.Round(price * float64(money.Unit(code)))), Currency: code}
			} else {
				o.Notes = append(o.Notes, fault.Textf("its price, %g, is in no currency that is known (%q): enter it", price, x.Currency))
			}
		}
		if x.Location != "" {
			e.Where = &catalog.Where{Kind: catalog.InPerson, Text: strings.Join(strings.Fields(x.Location), " ")}
		}
		o.EventType = e
		r.b.Offers = append(r.b.Offers, o)
	})
}

type provider struct {
	ID        int64
	FirstName string
	LastName  string
	Email     string
	Timezone  string
	IsPrivate bool
	Services  []int64
	Settings  struct {
		GoogleSync, CaldavSync any
		Plan                   json.RawMessage `json:"workingPlan"`
		Exceptions             json.RawMessage `json:"workingPlanExceptions"`
	}
}

type dayPlan struct {
	Start, End string
	Breaks     []struct{ Start, End string }
}

// ranges returns the hours of a day, without its breaks.
func (d *dayPlan) ranges() []string {
	all := []string{}
	if d == nil || d.Start == "" {
		return all
	}
	breaks := slices.Clone(d.Breaks)
	slices.SortFunc(breaks, func(a, b struct{ Start, End string }) int { return cmp.Compare(clock(a.Start), clock(b.Start)) })
	from, end := clock(d.Start), clock(d.End)
	add := func(to int) {
		if from < to {
			all = append(all, slot.Range{Start: from, End: to}.String())
		}
	}
	for _, b := range breaks {
		add(min(clock(b.Start), end))
		from = max(from, clock(b.End))
	}
	add(end)
	return all
}

// clock reads a time of day in minutes; 23:59 is how the end of a day is written.
func clock(text string) int {
	at, err := time.Parse("15:04", text[:min(len(text), 5)])
	if err != nil {
		return 0
	}
	if n := at.Hour()*60 + at.Minute(); n < 24*60-1 {
		return n
	}
	return 24 * 60
}

// unpacked reads JSON that may stand in a text.
func unpacked(from json.RawMessage, to any) {
	var packed string
	if json.Unmarshal(from, &packed) == nil {
		from = json.RawMessage(packed)
	}
	if bytes.HasPrefix(bytes.TrimSpace(from), []byte("{")) { // an empty list is no plan
		json.Unmarshal(from, to) //nolint:errcheck // what has another form is as if it weren't there
	}
}

type period struct {
	ProviderID         int64
	Start, End         string
	StartDate, EndDate string
	StartTime, EndTime string
	Breaks             []struct{ Start, End string }
}

func (r *reader) readProviders() error {
	var off, blocked, exceptions []period
	for _, x := range []struct {
		name string
		to   *[]period
	}{{"unavailabilities", &off}, {"blocked_periods", &blocked}, {"working_plan_exceptions", &exceptions}} {
		err := list(r, x.name, "", func(p *period) { *x.to = append(*x.to, *p) })
		if err != nil && !errors.Is(err, call.ErrAbsent) { // old versions lack some
			return err
		}
	}
	today := r.now.UTC().Format(time.DateOnly)
	return list(r, "providers", "", func(x *provider) {
		movein.Came(r.ctx, movein.OfHost, len(r.b.Members)+1)
		name := strings.TrimSpace(x.FirstName + " " + x.LastName)
		zone, err := time.LoadLocation(cmp.Or(x.Timezone, "UTC"))
		if err != nil {
			zone = time.UTC
		}
		r.zones[x.ID] = zone
		if len(x.Services) == 0 {
			r.leave(movein.OfHost, x.ID, name, "does no service")
			return
		}
		h := catalog.Host{Name: name, Email: x.Email, TimeZone: zone.String(), Hours: catalog.Hours{Weekly: map[string][]string{}}}
		plan, dates := map[string]*dayPlan{}, map[string]*dayPlan{}
		unpacked(x.Settings.Plan, &plan)
		unpacked(x.Settings.Exceptions, &dates)
		for i, long := range []string{"sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"} {
			if hours := plan[long].ranges(); len(hours) > 0 {
				h.Weekly[catalog.Weekdays[i]] = hours
			}
		}
		for _, p := range exceptions {
			from, err1 := time.Parse(time.DateOnly, p.StartDate)
			to, err2 := time.Parse(time.DateOnly, p.EndDate)
			if p.ProviderID != x.ID || err1 != nil || err2 != nil {
				continue
			}
			for d := from; !d.After(to) && d.Before(from.AddDate(1, 0, 0)); d = d.AddDate(0, 0, 1) {
				dates[d.Format(time.DateOnly)] = &dayPlan{p.StartTime, p.EndTime, p.Breaks}
			}
		}
		for date, d := range dates {
			if date >= today {
				h.Overrides = append(h.Overrides, catalog.Override{Date: date, Hours: d.ranges()})
			}
		}
		slices.SortFunc(h.Overrides, func(a, b catalog.Override) int { return cmp.Compare(a.Date, b.Date) })
		for _, p := range slices.Concat(off, blocked) {
			start, err1 := moment(p.Start, zone)
			end, err2 := moment(p.End, zone)
			if (p.ProviderID == x.ID || p.ProviderID == 0) && err1 == nil && err2 == nil && end > when.At(r.now) && start < end {
				h.TimeOff = append(h.TimeOff, catalog.TimeOff{Start: start, End: end})
			}
		}
		if slices.Contains([]string{"true", "1"}, fmt.Sprint(x.Settings.GoogleSync)) || slices.Contains([]string{"true", "1"}, fmt.Sprint(x.Settings.CaldavSync)) {
			r.leave(movein.OfCalendar, x.ID, name, "a calendar is connected there: connect it in Daybook before the pages go online")
		}
		if x.IsPrivate {
			r.leave(movein.OfHost, x.ID, name, "is hidden from customers there, and offered here: switch them off if that is not wanted")
		}
		r.b.Members = append(r.b.Members, movein.Member{ID: text(x.ID), Host: h})
		for _, s := range x.Services {
			if i := slices.IndexFunc(r.b.Offers, func(o movein.Offer) bool { return o.ID == text(s) }); i >= 0 {
				r.b.Offers[i].Members = append(r.b.Offers[i].Members, text(x.ID))
			}
		}
	})
}

// moment reads a date and time on the clock of a zone.
func moment(text string, zone *time.Location) (when.Instant, error) {
	at, err := time.Parse(time.DateTime, text)
	return when.At(when.Wall(at, zone)), err
}

type customer struct {
	ID                                       int64
	FirstName, LastName, Email, Phone        string
	Notes, Timezone                          string
	Address, City, Zip                       string
	CustomField1, CustomField2, CustomField3 string
	CustomField4, CustomField5               string
}

func (r *reader) readCustomers() error {
	return list(r, "customers", "", func(x *customer) {
		in := booking.ContactInput{Name: strings.TrimSpace(x.FirstName + " " + x.LastName), Email: strings.TrimSpace(x.Email), Phone: x.Phone, TimeZone: x.Timezone}
		var notes []string
		for _, line := range []string{x.Notes, strings.TrimSpace(strings.Join([]string{x.Address, x.Zip, x.City}, " ")),
			x.CustomField1, x.CustomField2, x.CustomField3, x.CustomField4, x.CustomField5} {
			if line = strings.TrimSpace(line); line != "" {
				notes = append(notes, line)
			}
		}
		in.Notes = strings.Join(notes, "\n")
		r.people[x.ID] = in
		r.b.Customers = append(r.b.Customers, in)
		movein.Came(r.ctx, movein.OfCustomer, len(r.b.Customers))
	})
}

type appointment struct {
	ID                                int64
	Book, Start, End                  string
	Status, Notes                     string
	Location, MeetingLink             string
	CustomerID, ProviderID, ServiceID int64
}

func (r *reader) readAppointments() error {
	from := r.now.UTC().AddDate(0, 0, -1)
	more := "&from=" + from.Format(time.DateOnly) + "&till=" + from.AddDate(5, 0, 0).Format(time.DateOnly)
	return list(r, "appointments", more, func(x *appointment) {
		zone := r.zones[x.ProviderID]
		if zone == nil {
			zone = time.UTC
		}
		start, err1 := moment(x.Start, zone)
		end, err2 := moment(x.End, zone)
		made, _ := moment(x.Book, zone)
		person := r.people[x.CustomerID]
		switch {
		case err1 != nil || err2 != nil:
			r.leave(movein.OfBooking, x.ID, person.Name, "no date and time that can be read: %q", x.Start)
			return
		case end <= when.At(r.now): // versions that don't know from list all
			return
		}
		a := movein.Appointment{ID: text(x.ID), Offer: text(x.ServiceID), Member: text(x.ProviderID), Start: start, End: end, Person: person,
			Notes: x.Notes, MadeAt: max(0, made), CancelledThere: strings.Contains(strings.ToLower(x.Status), "cancel")}
		a.Person.Notes = ""
		for _, line := range []struct{ what, text string }{{"Where", x.Location}, {"Meeting", x.MeetingLink}} {
			if line.text != "" {
				a.InternalNote = strings.TrimSpace(a.InternalNote + "\n" + line.what + ": " + line.text)
			}
		}
		r.b.Appointments = append(r.b.Appointments, a)
		movein.Came(r.ctx, movein.OfBooking, len(r.b.Appointments))
	})
}

func (r *reader) readWebhooks() error {
	type hook struct{ Name, URL, Actions string }
	err := list(r, "webhooks", "", func(x *hook) {
		there := strings.Split(x.Actions, ",")
		events := []string{}
		for _, action := range there {
			switch action {
			case "appointment_save", "appointment_create":
				events = append(events, string(catalog.BookingCreated), string(catalog.BookingRescheduled))
			case "appointment_update":
				events = append(events, string(catalog.BookingRescheduled))
			case "appointment_delete":
				events = append(events, string(catalog.BookingCancelled))
			}
		}
		slices.Sort(events)
		r.b.Webhooks = append(r.b.Webhooks, movein.Webhook{URL: x.URL, Of: x.Name, There: there, Events: slices.Compact(events), Active: true})
	})
	if errors.Is(err, call.ErrAbsent) {
		return nil
	}
	return err
}
