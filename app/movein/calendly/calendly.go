// Package calendly reads what a business has in Calendly, by its API, version 2.
package calendly

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/movein"
	"daybook/app/movein/call"
	"daybook/app/when"
)

// Source is what bookings say where they come from.
const Source = "calendly"

const (
	pageSize  = 100
	mostPages = 1000
)

// Read reads what the person whose token it is has at Calendly; of an owner or admin, what the organization has. now says what is to
// come. Calendly's API doesn't tell buffers, notice and limits of an event type, so services are made hidden. Errors say what to do.
func Read(ctx context.Context, api call.Server, now time.Time) (*movein.Business, error) {
	api.Program = "Calendly"
	api.Refused = fault.Textf("the key is refused: make a personal access token at Calendly under Integrations, API and webhooks, and put it into the key file")
	if err := api.Check(); err != nil {
		return nil, err
	}
	r := &reader{ctx: ctx, api: api, now: now, b: &movein.Business{Source: Source}, keys: map[string]map[string]string{}, met: map[string]bool{}, groups: map[string]bool{}}
	for _, part := range []func() error{r.readPeople, r.readServices, r.readEvents, r.readWebhooks} {
		if err := part(); err != nil {
			return nil, err
		}
	}
	if len(r.b.Offers) == 0 {
		return nil, fault.Errorf("there are no event types to take over")
	}
	return r.b, nil
}

type reader struct {
	ctx    context.Context
	api    call.Server
	now    time.Time
	b      *movein.Business
	me     user
	whole  bool                         // the token reaches the organization
	users  []user                       // who have event types
	keys   map[string]map[string]string // of the questions, by their words, of each service
	met    map[string]bool              // customers
	groups map[string]bool              // services to which several come at once
}

type user struct {
	URI, Name, Email, Slug, Timezone string
	Organization                     string `json:"current_organization"`
}

// idOf returns the last part of an address: what Calendly calls something.
func idOf(uri string) string { return uri[strings.LastIndex(uri, "/")+1:] }

func (r *reader) leave(kind movein.Kind, id, name, format string, args ...any) {
	r.b.Left = append(r.b.Left, movein.Left{Kind: kind, ID: id, Name: name, Why: fault.Textf(format, args...)})
}

// list reads a collection, page after page.
func list[T any](r *reader, path string, q url.Values, each func(*T) error) error {
	q.Set("count", strconv.Itoa(pageSize))
	for range mostPages {
		body, err := r.api.Get(r.ctx, path+"?"+q.Encode(), nil)
		if err != nil {
			return err
		}
		var page struct {
			Collection []T
			Pagination struct {
				Next string `json:"next_page_token"`
			}
		}
		if err := json.Unmarshal(body, &page); err != nil {
			return r.api.Unreadable(path, err)
		}
		for i := range page.Collection {
			if err := each(&page.Collection[i]); err != nil {
				return err
			}
		}
		if page.Pagination.Next == "" {
			return nil
		}
		q.Set("page_token", page.Pagination.Next)
	}
	return r.api.TooMany(path, mostPages*pageSize)
}

func (r *reader) readPeople() error {
	body, err := r.api.Get(r.ctx, "/users/me", nil)
	if err != nil {
		return err
	}
	var me struct{ Resource user }
	if err := json.Unmarshal(body, &me); err != nil || me.Resource.URI == "" {
		return r.api.NotIt()
	}
	r.me, r.users = me.Resource, []user{me.Resource}
	err = list(r, "/organization_memberships", url.Values{"organization": {r.me.Organization}}, func(m *struct{ User user }) error {
		r.whole = true
		if !slices.ContainsFunc(r.users, func(u user) bool { return u.URI == m.User.URI }) {
			r.users = append(r.users, m.User)
		}
		return nil
	})
	if err != nil && !errors.Is(err, call.ErrAbsent) {
		return err
	}
	for _, u := range r.users {
		if err := r.readHours(u); err != nil {
			return err
		}
	}
	return nil
}

type schedule struct {
	URI, Name, Timezone string
	Default             bool
	Rules               []struct {
		Type, Wday, Date string
		Intervals        []struct{ From, To string }
	}
}

// readHours reads the hours of somebody: their default schedule.
func (r *reader) readHours(u user) error {
	h := catalog.Host{Name: cmp.Or(u.Name, u.Email), Email: u.Email, TimeZone: cmp.Or(u.Timezone, r.me.Timezone), Hours: catalog.Hours{Weekly: map[string][]string{}}}
	today, found := r.now.UTC().Format(time.DateOnly), false
	err := list(r, "/user_availability_schedules", url.Values{"user": {u.URI}}, func(s *schedule) error {
		if !s.Default {
			r.leave(movein.OfHours, idOf(s.URI), h.Name, "the schedule “%s” is left out: here everybody has one", s.Name)
			return nil
		}
		found, h.TimeZone = true, cmp.Or(s.Timezone, h.TimeZone)
		for _, rule := range s.Rules {
			hours := []string{}
			for _, x := range rule.Intervals {
				if x.To == "23:59" || x.To == "00:00" {
					x.To = "24:00"
				}
				if x.From < x.To {
					hours = append(hours, x.From+"-"+x.To)
				}
			}
			switch {
			case rule.Type == "date" && rule.Date >= today:
				h.Overrides = append(h.Overrides, catalog.Override{Date: rule.Date, Hours: hours})
			case rule.Type == "wday" && len(rule.Wday) >= 3 && len(hours) > 0:
				h.Weekly[strings.ToLower(rule.Wday[:3])] = hours
			}
		}
		return nil
	})
	if err != nil && !errors.Is(err, call.ErrAbsent) {
		return err
	}
	if !found {
		r.leave(movein.OfHours, idOf(u.URI), h.Name, "has no schedule that the token reaches: enter hours, or nothing can be booked")
	}
	slices.SortFunc(h.Overrides, func(a, b catalog.Override) int { return cmp.Compare(a.Date, b.Date) })
	r.b.Members = append(r.b.Members, movein.Member{ID: idOf(u.URI), Host: h})
	movein.Came(r.ctx, movein.OfHost, len(r.b.Members))
	return nil
}

type service struct {
	URI, Name, Slug, Kind string
	Active, Secret        bool
	Duration              int
	Pooling               string `json:"pooling_type"`
	Description           string `json:"description_plain"`
	Profile               struct{ Type, Owner, Name string }
	Questions             []struct {
		Name, Type        string
		Position          int
		Enabled, Required bool
		Choices           []string `json:"answer_choices"`
	} `json:"custom_questions"`
	Locations []struct{ Kind, Location, Phone string }
}

var notInKey = regexp.MustCompile(`[^a-z0-9]+`)

func (r *reader) readServices() error {
	of := url.Values{"user": {r.me.URI}, "active": {"true"}}
	if r.whole {
		of = url.Values{"organization": {r.me.Organization}, "active": {"true"}}
	}
	return list(r, "/event_types", of, func(x *service) error {
		o := movein.Offer{ID: idOf(x.URI), Looser: []fault.Text{fault.Textf("Calendly doesn't tell buffers, notice, limits and how far ahead it can be booked: enter them")}}
		movein.Came(r.ctx, movein.OfService, len(r.b.Offers)+1)
		e := catalog.NewEventType()
		e.Title, e.Slug, e.Description, e.DurationMinutes, e.Hidden = strings.TrimSpace(x.Name), cmp.Or(x.Slug, x.Name), x.Description, x.Duration, x.Secret
		if x.Profile.Type == "User" {
			o.Members = []string{idOf(x.Profile.Owner)}
		} else {
			o.Notes = append(o.Notes, fault.Textf("it is a team's: those do it here who have a booking of it to come"))
		}
		if x.Pooling == "collective" {
			o.Notes = append(o.Notes, fault.Textf("all of them come together there: say so at the service"))
		}
		if x.Kind == "group" {
			r.groups[o.ID] = true
			o.Notes = append(o.Notes, fault.Textf("several come at once there: enter the seats, then import again"))
		}
		if len(x.Locations) > 0 {
			switch l := x.Locations[0]; {
			case l.Kind == "physical":
				e.Where = &catalog.Where{Kind: catalog.InPerson, Text: strings.Join(strings.Fields(l.Location), " ")}
			case l.Kind == "outbound_call":
				e.Where = &catalog.Where{Kind: catalog.HostCalls}
			case l.Kind == "inbound_call" && catalog.CallNumber(l.Phone) != "":
				e.Where = &catalog.Where{Kind: catalog.InviteeCalls, Text: l.Phone}
			default:
				o.Notes = append(o.Notes, fault.Textf("where it takes place, “%s”, has no like here: say so at the service", l.Kind))
			}
		}
		keys := map[string]string{}
		for _, q := range x.Questions {
			if !q.Enabled || len(e.Questions) == catalog.MaxQuestions {
				continue
			}
			key := catalog.FreeKey(notInKey.ReplaceAllString(strings.ToLower(q.Name), "-"), "question", func(k string) bool {
				return slices.ContainsFunc(e.Questions, func(o catalog.Question) bool { return o.Key == k })
			})
			asked := catalog.Question{Key: key, Label: strings.Join(strings.Fields(q.Name), " "), Type: "text", Required: q.Required}
			switch {
			case q.Type == "text":
				asked.Type = "long_text"
			case q.Type == "phone_number":
				asked.Type = "phone"
			case q.Type == "single_select" && len(q.Choices) > 0:
				asked.Type, asked.Options = "choice", q.Choices
			case q.Type == "multi_select":
				asked.Type, asked.Label = "long_text", asked.Label+" ("+strings.Join(q.Choices, ", ")+")"
			}
			keys[q.Name] = key
			e.Questions = append(e.Questions, asked)
		}
		r.keys[o.ID], o.EventType = keys, e
		r.b.Offers = append(r.b.Offers, o)
		return nil
	})
}

type event struct {
	URI, Status string
	Start       time.Time `json:"start_time"`
	End         time.Time `json:"end_time"`
	Made        time.Time `json:"created_at"`
	Service     string    `json:"event_type"`
	Location    struct {
		Type, Location string
		JoinURL        string `json:"join_url"`
	}
	Members []struct{ User string }  `json:"event_memberships"`
	Guests  []struct{ Email string } `json:"event_guests"`
}

type invitee struct {
	URI, Name, Email, Status, Timezone string
	Phone                              string                              `json:"text_reminder_number"`
	Answers                            []struct{ Question, Answer string } `json:"questions_and_answers"`
	Payment                            *struct {
		Amount     float64
		Currency   string
		Successful bool
	}
}

func (r *reader) readEvents() error {
	of := url.Values{"user": {r.me.URI}}
	if r.whole {
		of = url.Values{"organization": {r.me.Organization}}
	}
	of.Set("min_start_time", r.now.UTC().Format(time.RFC3339))
	of.Set("sort", "start_time:asc")
	return list(r, "/scheduled_events", of, func(x *event) error {
		a := movein.Appointment{Offer: idOf(x.Service), Start: when.At(x.Start), End: when.At(x.End), MadeAt: when.At(x.Made), CancelledThere: x.Status == "canceled"}
		for i, m := range x.Members {
			if i == 0 {
				a.Member = idOf(m.User)
			}
			r.serves(a.Offer, idOf(m.User))
		}
		var note []string
		for _, line := range []struct{ what, text string }{{"Meeting", x.Location.JoinURL}, {"Where", x.Location.Location}} {
			if line.text != "" {
				note = append(note, line.what+": "+line.text)
			}
		}
		for _, g := range x.Guests {
			note = append(note, "With: "+g.Email)
		}
		n := 0
		return list(r, "/scheduled_events/"+idOf(x.URI)+"/invitees", url.Values{}, func(p *invitee) error {
			one := a
			one.ID, one.CancelledThere = idOf(x.URI), a.CancelledThere || p.Status == "canceled"
			if n++; n > 1 || r.groups[a.Offer] {
				one.ID += "#" + idOf(p.URI)
			}
			one.Person = booking.ContactInput{Name: p.Name, Email: p.Email, Phone: p.Phone, TimeZone: p.Timezone}
			lines := slices.Clone(note)
			one.Answers = map[string]any{}
			for _, q := range p.Answers {
				if key := r.keys[a.Offer][q.Question]; key != "" && q.Answer != "" {
					one.Answers[key] = q.Answer
				} else if q.Answer != "" {
					lines = append(lines, q.Question+": "+q.Answer)
				}
			}
			if p.Payment != nil && p.Payment.Successful {
				lines = append(lines, fmt.Sprintf("Paid at Calendly: %s %.2f", strings.ToUpper(p.Payment.Currency), p.Payment.Amount))
			}
			one.InternalNote = strings.Join(lines, "\n")
			r.b.Appointments = append(r.b.Appointments, one)
			movein.Came(r.ctx, movein.OfBooking, len(r.b.Appointments))
			if key := strings.ToLower(p.Email); !one.CancelledThere && !r.met[key] {
				r.met[key] = true
				r.b.Customers = append(r.b.Customers, one.Person)
			}
			return nil
		})
	})
}

func (r *reader) offer(id string) *movein.Offer {
	if i := slices.IndexFunc(r.b.Offers, func(o movein.Offer) bool { return o.ID == id }); i >= 0 {
		return &r.b.Offers[i]
	}
	return nil
}

// serves notes that somebody does a service of a team, which is told only by what is booked.
func (r *reader) serves(id, who string) {
	if o := r.offer(id); o != nil && !slices.Contains(slices.Concat(o.Members, o.Together), who) {
		o.Members = append(o.Members, who)
	}
}

func (r *reader) readWebhooks() error {
	of := url.Values{"organization": {r.me.Organization}, "scope": {"organization"}}
	if !r.whole {
		of = url.Values{"organization": {r.me.Organization}, "user": {r.me.URI}, "scope": {"user"}}
	}
	err := list(r, "/webhook_subscriptions", of, func(x *struct {
		URL    string `json:"callback_url"`
		Events []string
		State  string
	}) error {
		events := []string{}
		for _, name := range x.Events {
			switch name {
			case "invitee.created":
				events = append(events, string(catalog.BookingCreated), string(catalog.BookingRescheduled))
			case "invitee.canceled":
				events = append(events, string(catalog.BookingCancelled))
			case "invitee_no_show.created":
				events = append(events, string(catalog.BookingNoShow))
			}
		}
		r.b.Webhooks = append(r.b.Webhooks, movein.Webhook{URL: x.URL, Of: r.me.Name, There: x.Events, Events: events, Active: x.State == "active"})
		return nil
	})
	if errors.Is(err, call.ErrAbsent) {
		return nil
	}
	return err
}
