package calcom

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/money"
	"daybook/app/movein"
)

// mostDays is how far ahead a service can be booked at most.
const mostDays = 730

// offer returns a service; hours are the schedules that hosts were given.
func (r *reader) offer(s *service, hours map[int64]*schedule) movein.Offer {
	o := movein.Offer{ID: text(s.id)}
	note := func(format string, args ...any) { o.Notes = append(o.Notes, fault.Textf(format, args...)) }
	looser := func(format string, args ...any) { o.Looser = append(o.Looser, fault.Textf(format, args...)) }
	e := catalog.NewEventType()
	e.Title, e.Slug, e.Description = cut(strings.TrimSpace(s.title), 200), s.slug, cut(s.about, 5000)
	e.DurationMinutes, e.SlotStepMinutes = s.minutes, cmp.Or(s.interval, s.minutes)
	e.BufferBeforeMinutes, e.BufferAfterMinutes, e.MinimumNoticeMinutes = s.before, s.after, s.notice
	e.RequiresApproval, e.Hidden, e.Seats = s.confirms, s.hidden, max(1, s.seats)
	for _, h := range s.hosts {
		if id := text(h.user); s.scheduling == "collective" || h.fixed {
			o.Together = append(o.Together, id)
		} else {
			o.Members = append(o.Members, id)
		}
		if s := r.scheduleFor(s, &h); !s.same(hours[h.user], r.today) {
			who := ""
			if u := r.user(h.user); u != nil {
				who = u.name
			}
			if s != nil {
				looser("it has hours of its own, “%s”: here it goes by those of %s", s.name, who)
			} else {
				looser("it has hours of its own: here it goes by those of %s", who)
			}
		}
	}
	r.window(s, &e, looser, note)
	switch {
	case s.offset > 0:
		looser("it starts %d minutes past the usual times", s.offset)
	case s.firstOnly:
		looser("only the first time of a day is shown there")
	}
	r.limit(s, &e, looser)
	if len(s.lengths) > 1 {
		note("its length can be chosen there (%s): it takes %d minutes here. Add-ons make it longer", strings.Trim(fmt.Sprint(s.lengths), "[]"), s.minutes)
	}
	if s.confirmsWithin {
		note("it waits for approval at short notice only, there: here always")
	}
	if s.price > 0 {
		e.Price = &money.Money{Amount: s.price, Currency: strings.ToUpper(s.currency)}
		note("it is paid online there: here on site, until you connect Stripe and say so at the service")
	}
	if s.dates > 1 {
		e.SeriesUpTo = min(s.dates, catalog.MaxSeries)
		note("it is booked as a series of %d there: here a customer may book 1 to %d dates", s.dates, e.SeriesUpTo)
	}
	place(s, &e, note)
	switch {
	case s.noEmail && s.hasPhone:
		e.AsksFor = catalog.AskPhone
	case s.asksPhone:
		e.AsksFor = catalog.AskBoth
	case s.hasPhone:
		note("a telephone number may be given there: here only the e-mail address is asked for")
	}
	e.Questions = r.ask(s, note)
	o.EventType = e
	return o
}

func (r *reader) window(s *service, e *catalog.EventType, looser, note func(string, ...any)) {
	switch e.BookingWindowDays = mostDays; {
	case s.window == "range":
		looser("it is offered between two dates only")
	case s.window == "rolling" || s.window == "rolling_window":
		e.BookingWindowDays = min(max(1, s.windowDays), mostDays)
		if s.windowDays < 1 {
			looser("it can be booked on the same day only")
		}
		if s.businessDays {
			note("it can be booked %d business days ahead there: here so many days, weekends included", s.windowDays)
		} else if s.window == "rolling_window" {
			note("it can be booked %d days ahead there, of those on which something is free: here so many days, all included", s.windowDays)
		}
	}
}

func (r *reader) limit(s *service, e *catalog.EventType, looser func(string, ...any)) {
	e.MaxPerDay, e.Limits.PerWeek = min(s.limits["day"], 1440), min(s.limits["week"], 1000)
	if n := s.limits["month"]; n > 0 {
		looser("at most %d are booked a month", n)
	}
	if n := s.limits["year"]; n > 0 {
		looser("at most %d are booked a year", n)
	}
	if s.minutesLimited {
		looser("the minutes are limited that it may take in a day or week")
	}
}

// place says where a service takes place: at the first of its locations.
func place(s *service, e *catalog.EventType, note func(string, ...any)) {
	if len(s.locations) == 0 {
		return
	}
	l := s.locations[0]
	words := cut(strings.Join(strings.Fields(l.text), " "), 500)
	switch {
	case l.kind == "inPerson":
		e.Where = &catalog.Where{Kind: catalog.InPerson, Text: words}
	case l.kind == "link" && words != "":
		e.Where = &catalog.Where{Kind: catalog.Elsewhere, Text: words}
	case l.kind == "userPhone" && catalog.CallNumber(words) != "":
		e.Where = &catalog.Where{Kind: catalog.InviteeCalls, Text: words}
	case l.kind == "phone":
		e.Where = &catalog.Where{Kind: catalog.HostCalls}
	case strings.HasPrefix(l.kind, "integrations:") || l.kind == "conferencing":
		e.Where = &catalog.Where{Kind: catalog.Video}
		note("it takes place by %s there: here in a video room of Jitsi; bookings that are taken over have their old address in the internal note",
			cmp.Or(strings.TrimPrefix(l.kind, "integrations:"), "video"))
	default:
		note("where it takes place, “%s”, has no like here: say so at the service", l.kind)
	}
	if len(s.locations) > 1 {
		note("a customer chooses of %d places there: here it is the first", len(s.locations))
	}
}

var notInKey = regexp.MustCompile(`[^A-Za-z0-9_-]+`)

// ask returns the questions of a service.
func (r *reader) ask(s *service, note func(string, ...any)) []catalog.Question {
	all, keys := []catalog.Question{}, map[string]string{}
	for _, q := range s.questions {
		if len(all) == catalog.MaxQuestions {
			note("it has more than %d questions: the others are left out", catalog.MaxQuestions)
			break
		}
		base := strings.Trim(notInKey.ReplaceAllString(q.name, "-"), "-")
		base = cmp.Or(base[:min(len(base), 36)], "question")
		key := base
		for n := 2; slices.ContainsFunc(all, func(o catalog.Question) bool { return o.Key == key }); n++ {
			key = fmt.Sprint(base, "-", n)
		}
		asked := catalog.Question{Key: key, Label: cut(strings.Join(strings.Fields(cmp.Or(q.label, q.name)), " "), 500), Type: "text", Required: q.required}
		switch q.kind {
		case "textarea", "textLong":
			asked.Type = "long_text"
		case "phone":
			asked.Type = "phone"
		case "boolean", "bool":
			asked.Type = "checkbox"
		case "select", "radio":
			for _, option := range q.options {
				if option = cut(strings.Join(strings.Fields(option), " "), 200); option != "" && !slices.Contains(asked.Options, option) {
					asked.Options = append(asked.Options, option)
				}
			}
			if len(asked.Options) > 0 && len(asked.Options) <= 50 {
				asked.Type = "choice"
			} else {
				asked.Options = nil
				note("the options of its question “%s” can't be taken over: it is answered by a text", asked.Label)
			}
		case "checkbox", "multiselect":
			asked.Type = "long_text"
			asked.Label = cut(asked.Label+" ("+strings.Join(q.options, ", ")+")", 500)
			note("of the question “%s” several answers can be ticked there: here they are written", asked.Label)
		}
		keys[q.name] = key
		all = append(all, asked)
	}
	r.keys[s.id] = keys
	return all
}

// cut returns at most so many characters of a text.
func cut(text string, most int) string {
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return strings.TrimSpace(string([]rune(text)[:most-1])) + "…"
}
