package views_test

import (
	"net/http"
	"net/url"
	"time"

	"github.com/a-h/templ"

	"daybook/assets"
	. "daybook/views"
	"daybook/views/brand"
)

// The salon of these tests: what a door would make of a workspace, with a fixed clock
// and hours that need no domain.
var (
	fixtureNow = time.Date(2026, 11, 21, 9, 12, 0, 0, time.UTC)
	salonZone  = mustZone("Europe/Berlin")
	salonColor = brand.Default
)

const (
	takenStart = "2026-12-03T09:30:00Z"
	salonText  = "A consultation, a wash and a cut that fits you, with styling at the end.\n\nPlease arrive five minutes early. If your hair is longer than 40 cm, choose “Long hair” below."
)

func mustZone(name string) *time.Location {
	z, err := time.LoadLocation(name)
	if err != nil {
		panic(err)
	}
	return z
}

func fixturePage(l *Locale, q Query) Page {
	return Page{
		Locale: l, Query: q,
		Title: "Haircut", Description: "Book a haircut at Salon Ana in Berlin.", Canonical: "https://book.example.com/salon/cut",
		Workspace: Workspace{Name: "Salon Ana", Color: salonColor, URL: IndexPath("salon", q.Look()),
			About: "Cuts, colour and care in Kreuzberg. Open Monday to Saturday."},
		LD: map[string]any{"@context": "https://schema.org", "@type": "Service", "name": "Haircut </script><script>alert(1)</script>"},
	}
}

func fixtureEvent(q Query) Event {
	return Event{Title: "Haircut", Text: salonText, Duration: 45 * time.Minute, Price: &Money{Amount: 4500, Currency: "EUR"},
		OnSite: true, Location: "Oranienstraße 25, Berlin", Hosts: []string{"Ana", "Ben"}, URL: EventPath("salon", "cut", q.Look())}
}

func fixtureIndex(l *Locale, q Query) IndexPage {
	p := fixturePage(l, q)
	p.Title = p.Workspace.Name
	cut := fixtureEvent(q)
	return IndexPage{Page: p, Categories: []Category{{ID: "part-0", Events: []Event{cut,
		{Title: "Colour & balayage", Text: "Full colour, highlights or balayage with a toner, tailored to your hair. Takes a little while, and there is good coffee.", Duration: 150 * time.Minute, Price: &Money{Amount: 14000, Currency: "EUR"}, Approval: true, URL: cut.URL},
		{Title: "Beard trim", Duration: 20 * time.Minute, Price: &Money{Amount: 1850, Currency: "EUR"}, URL: cut.URL},
		{Title: "Video consultation", Text: "Not sure what suits you? Talk to Ana first.", Duration: 15 * time.Minute, URL: cut.URL},
	}}}}
}

// openTimes are the free starts of a day: none on Sundays and Mondays, nor before tomorrow.
func openTimes(day time.Time) []time.Time {
	var all []time.Time
	if day.Before(fixtureNow) || day.Weekday() == time.Sunday || day.Weekday() == time.Monday || day.Month() == time.January {
		return nil
	}
	for i := range 12 {
		if (i*7+day.Day()*3)%5 < 2 {
			continue
		}
		all = append(all, time.Date(day.Year(), day.Month(), day.Day(), 9, 45*i, 0, 0, salonZone))
	}
	return all
}

func fixtureZone(q Query) *time.Location {
	if z, err := time.LoadLocation(q.TimeZone); q.TimeZone != "" && err == nil {
		return z
	}
	return salonZone
}

func fixturePick(l *Locale, q Query, path func(Query) string) EventPage {
	zone := fixtureZone(q)
	v := EventPage{Page: fixturePage(l, q), Event: fixtureEvent(q)}
	first := time.Date(2026, 12, 1, 0, 0, 0, 0, zone)
	if d, err := time.ParseInLocation(time.DateOnly, q.Date, zone); err == nil {
		v.Day, first = d, time.Date(d.Year(), d.Month(), 1, 0, 0, 0, 0, zone)
	} else if m, err := time.ParseInLocation("2006-01", q.Month, zone); err == nil {
		first = m
	}
	v.Month.First = first
	for d := first; d.Month() == first.Month(); d = d.AddDate(0, 0, 1) {
		open := openTimes(d)
		if v.Day.IsZero() && len(open) > 0 {
			v.Day = d
		}
		picked := !v.Day.IsZero() && ISODay(d) == ISODay(v.Day)
		v.Month.Days = append(v.Month.Days, Day{Date: d, Open: len(open), URL: path(q.OnDay(d)), Picked: picked, Today: ISODay(d) == "2026-11-21"})
		if picked {
			for _, t := range open {
				v.Times = append(v.Times, Time{Start: t.In(zone), URL: path(q.OnDay(d).OnTime(t))})
			}
		}
	}
	if first.Format("2006-01") > "2026-11" {
		v.Month.PrevURL = path(q.OnMonth(first.AddDate(0, -1, 0)))
	}
	if first.Format("2006-01") < "2027-02" {
		v.Month.NextURL = path(q.OnMonth(first.AddDate(0, 1, 0)))
	}
	if len(v.Times) == 0 {
		v.Next = time.Date(2027, 2, 2, 0, 0, 0, 0, zone)
		v.NextURL = path(q.OnDay(v.Next))
	}
	v.Zone = ZonePicker{Name: zone.String(), Now: fixtureNow.In(zone), Chosen: q.TimeZone != "", Action: path(Query{})}
	for _, p := range q.Pairs() {
		if p.Name != "timeZone" {
			v.Zone.Hidden = append(v.Zone.Hidden, p)
		}
	}
	v.Clock12URL, v.Clock24URL = path(q.WithClock(Clock12)), path(q.WithClock(Clock24))
	return v
}

func fixtureDetails(l *Locale, q Query) DetailsPage {
	zone := fixtureZone(q)
	start, _ := time.Parse(time.RFC3339, q.Start)
	back := q
	back.Start = ""
	v := DetailsPage{Page: fixturePage(l, q), Event: fixtureEvent(q), Start: start.In(zone), End: start.In(zone).Add(45 * time.Minute),
		Zone: zone.String(), BackURL: EventPath("salon", "cut", back), Action: EventPath("salon", "cut", q.Look()),
		Hidden: []Pair{{"start", q.Start}, {"timeZone", zone.String()}, {"key", "k1"}},
		Fields: InviteeFields(l, Asked{Email: true},
			Field{Name: "q_length", Kind: Choice, Label: "Hair length", Options: []string{"Short", "Medium", "Long hair"}, Required: true},
			Field{Name: "q_first", Kind: Checkbox, Label: "This is my first visit"},
		)}
	v.Title = l.T("your_details") + " · Haircut"
	for i := range v.Fields {
		v.Fields[i].Value = q.Prefill.Get(v.Fields[i].Name)
	}
	return v
}

func fixtureBooking(l *Locale, q Query) BookingPage {
	zone := fixtureZone(q)
	start := time.Date(2026, 12, 1, 9, 45, 0, 0, salonZone).In(zone)
	v := BookingPage{Page: fixturePage(l, q), ID: "bk_01jd8z3v7m", Status: "confirmed", Live: true, Event: fixtureEvent(q), Start: start, End: start.Add(45 * time.Minute),
		Zone: zone.String(), Email: "mia.becker@example.com",
		Answers:     []Answer{{"Name", "Mia Becker"}, {"Hair length", "Medium"}, {"Notes", "Just the tips, please."}},
		MoveURL:     MovePath("tok", q.Look()),
		CancelURL:   CancelPath("tok", q.Look()),
		NoticeHours: 24, CalendarURL: CalendarPath("tok"), AgainURL: EventPath("salon", "cut", q.Look()),
		Calendar: CalendarEvent{Title: "Haircut · Salon Ana", Location: "Oranienstraße 25, Berlin", Start: start, End: start.Add(45 * time.Minute)},
	}
	v.Canonical, v.LD = "", nil
	return v
}

// states are the pages that no address of the little door below leads to, and those it
// does, for the tests that look at all of them.
var states = map[string]func(*Locale, Query) templ.Component{
	"index": func(l *Locale, q Query) templ.Component { return IndexView(fixtureIndex(l, q)) },
	"index-empty": func(l *Locale, q Query) templ.Component {
		v := fixtureIndex(l, q)
		v.Categories = nil
		return IndexView(v)
	},
	"index-shop": func(l *Locale, q Query) templ.Component { return IndexView(fixtureShop(l, q)) },
	"index-host": func(l *Locale, q Query) templ.Component { return IndexView(fixtureHost(l, q)) },
	"event-shop": func(l *Locale, q Query) templ.Component {
		v := fixturePick(l, q, pickPath)
		v.Zone.Shop, v.Zone.Differs = true, true
		for _, p := range fixtureShop(l, q).People[:3] {
			p.Duration, p.Price = 45*time.Minute, &Money{Amount: 4500, Currency: "EUR"}
			v.People = append(v.People, p)
		}
		v.People = append([]Person{{URL: pickPath(q), Picked: true}}, v.People...)
		return EventView(v)
	},
	"event": func(l *Locale, q Query) templ.Component { return EventView(fixturePick(l, q, pickPath)) },
	"event-full": func(l *Locale, q Query) templ.Component {
		q.Month = "2027-01"
		return EventView(fixturePick(l, q, pickPath))
	},
	"event-zone-wrong": func(l *Locale, q Query) templ.Component {
		v := fixturePick(l, q, pickPath)
		v.Zone.Error = true
		return EventView(v)
	},
	"event-group": func(l *Locale, q Query) templ.Component {
		v := fixturePick(l, q, pickPath)
		for i := range v.Times {
			v.Times[i].Seats = i%4 + 1
		}
		return EventView(v)
	},
	"event-move": func(l *Locale, q Query) templ.Component {
		v := fixturePick(l, q, pickPath)
		v.Moving = &Moving{From: v.Times[0].Start.AddDate(0, 0, 3), BackURL: BookingPath("tok", q)}
		return EventView(v)
	},
	"details": func(l *Locale, q Query) templ.Component { return DetailsView(fixtureDetails(l, atFixtureTime(q))) },
	"details-errors": func(l *Locale, q Query) templ.Component {
		v := fixtureDetails(l, atFixtureTime(q))
		v.Fields[0].Error, v.Fields[1].Error, v.Fields[1].Value = l.T("error_required"), l.T("error_email"), "mia@"
		v.Fields[3].Error = l.T("error_choice")
		v.FeeConsent = &Field{Name: "feeConsent", Kind: Checkbox, Required: true, Label: l.T("fee_consent", "Amount", l.Money(Money{Amount: 2000, Currency: "EUR"})), Error: l.T("error_checkbox")}
		v.PayNext = true
		return DetailsView(v)
	},
	"details-taken": func(l *Locale, q Query) templ.Component { return DetailsView(fixtureTaken(l, atFixtureTime(q))) },
	"decide": func(l *Locale, q Query) templ.Component {
		facts := []MailFact{{Label: "When", Value: "Wednesday, December 9, 2026\n3:00–5:30 PM"}, {Label: "What", Value: "Haircut"}, {Label: "Name", Value: "Jo Diaz"}}
		return DecideView(DecidePage{Page: fixturePage(l, q), Facts: facts, Invitee: "Jo Diaz", Action: "/x"})
	},
	"stop": func(l *Locale, q Query) templ.Component {
		return StopView(StopPage{Page: fixturePage(l, q), Text: l.T("stop_text_reminders", "Email", "jo@mail.example", "Name", "Salon Ana"), Action: "/x"})
	},
	"move":   func(l *Locale, q Query) templ.Component { return MoveView(fixtureMove(l, q)) },
	"cancel": func(l *Locale, q Query) templ.Component { return CancelView(fixtureCancel(l, q)) },
	"booked": func(l *Locale, q Query) templ.Component {
		q.Fresh = true
		return BookingView(fixtureBooking(l, q))
	},
	"booking": func(l *Locale, q Query) templ.Component { return BookingView(fixtureBooking(l, q)) },
	"booking-late": func(l *Locale, q Query) templ.Component {
		v := fixtureBooking(l, q)
		v.MoveURL, v.CancelURL = "", ""
		return BookingView(v)
	},
	"booking-moved": func(l *Locale, q Query) templ.Component {
		v := fixtureBooking(l, q)
		v.Status, v.Moved, v.Previous = "rescheduled", true, v.Start.AddDate(0, 0, -2)
		return BookingView(v)
	},
	"booking-approval": func(l *Locale, q Query) templ.Component {
		q.Fresh = true
		v := fixtureBooking(l, q)
		v.Status, v.Pending, v.Event.Approval = "pending", "approval", true
		return BookingView(v)
	},
	"booking-payment": func(l *Locale, q Query) templ.Component {
		v := fixtureBooking(l, q)
		v.Status, v.Pending, v.PayURL, v.ExpiresAt, v.Event.OnSite = "pending", "payment", PayPath("tok"), fixtureNow.Add(30*time.Minute).In(salonZone), false
		return BookingView(v)
	},
	"booking-cancelled": func(l *Locale, q Query) templ.Component {
		v := fixtureBooking(l, q)
		v.Status, v.Live, v.Cancelled = "cancelled", false, Cancelled{ByBusiness: true, Reason: "Ana is ill today", Refund: &Money{Amount: 4500, Currency: "EUR"}}
		return BookingView(v)
	},
	"booking-past": func(l *Locale, q Query) templ.Component {
		v := fixtureBooking(l, q)
		v.Past = true
		return BookingView(v)
	},
	"booking-no-show": func(l *Locale, q Query) templ.Component {
		v := fixtureBooking(l, q)
		v.Status, v.Live, v.Past = "no_show", false, true
		return BookingView(v)
	},
	"not-found": func(l *Locale, q Query) templ.Component { return MessageView(NotFound(Page{Locale: l, Query: q})) },
	"closed":    func(l *Locale, q Query) templ.Component { return MessageView(Closed(fixturePage(l, q))) },
	"too-many":  func(l *Locale, q Query) templ.Component { return MessageView(TooMany(fixturePage(l, q))) },
	"failed":    func(l *Locale, q Query) templ.Component { return MessageView(Failed(fixturePage(l, q))) },
}

func atFixtureTime(q Query) Query { q.Date, q.Start = "2026-12-01", "2026-12-01T08:45:00Z"; return q }

func pickPath(q Query) string { return EventPath("salon", "cut", q) }

func fixtureTaken(l *Locale, q Query) DetailsPage {
	v := fixtureDetails(l, q)
	v.Hidden = v.Hidden[1:]
	v.Taken = &Taken{AllURL: v.BackURL}
	for i := range 3 {
		v.Taken.Times = append(v.Taken.Times, Time{Start: v.Start.Add(time.Duration(i+1) * 45 * time.Minute)})
	}
	if len(q.Prefill) == 0 {
		v.Fields[0].Value, v.Fields[1].Value = "Mia Becker", "mia.becker@example.com"
	}
	return v
}

func fixtureMove(l *Locale, q Query) MovePage {
	b := fixtureBooking(l, q)
	to := b.Start.AddDate(0, 0, 3)
	return MovePage{Page: b.Page, Event: b.Event, From: b.Start, To: to, End: to.Add(45 * time.Minute), Zone: b.Zone,
		Action: MovePath("tok", q), Hidden: []Pair{{"start", ISO(to)}}, BackURL: MovePath("tok", q)}
}

func fixtureCancel(l *Locale, q Query) CancelPage {
	b := fixtureBooking(l, q)
	return CancelPage{Page: b.Page, Event: b.Event, Start: b.Start, End: b.End, Zone: b.Zone, Action: CancelPath("tok", q),
		BackURL: BookingPath("tok", q), Refund: &Money{Amount: 4500, Currency: "EUR"}}
}

// fixtureDoor answers as the real door will: the same addresses, headers and statuses.
func fixtureDoor() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/assets/", assets.Handler(brand.CSS))
	mux.Handle("/embed.js", assets.EmbedJS())
	page := func(view func(*Locale, Query, *http.Request) templ.Component) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			q := ReadQuery(r.URL.Query())
			w.Header().Set("Content-Security-Policy", CSP("*"))
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			w.Header().Set("Cache-Control", "no-store")
			view(MatchLocale(q.Lang, r.Header.Get("Accept-Language")), q, r).Render(r.Context(), w)
		}
	}
	mux.HandleFunc("GET /salon", page(func(l *Locale, q Query, _ *http.Request) templ.Component { return IndexView(fixtureIndex(l, q)) }))
	mux.HandleFunc("GET /salon/cut", page(func(l *Locale, q Query, _ *http.Request) templ.Component {
		if q.Start != "" {
			return DetailsView(fixtureDetails(l, q))
		}
		return EventView(fixturePick(l, q, pickPath))
	}))
	mux.HandleFunc("POST /salon/cut", func(w http.ResponseWriter, r *http.Request) {
		q := ReadQuery(r.URL.Query())
		r.ParseForm()
		q.Start, q.Prefill = r.PostForm.Get("start"), url.Values{}
		for name := range r.PostForm {
			q.Prefill.Set(name, r.PostForm.Get(name))
		}
		l := MatchLocale(q.Lang, r.Header.Get("Accept-Language"))
		if q.Start == takenStart {
			page(func(*Locale, Query, *http.Request) templ.Component { return DetailsView(fixtureTaken(l, q)) })(w, r)
			return
		}
		look := q.Look()
		look.Fresh, look.TimeZone = true, ""
		http.Redirect(w, r, BookingPath("tok", look), http.StatusSeeOther)
	})
	mux.HandleFunc("GET /booking/tok", page(func(l *Locale, q Query, _ *http.Request) templ.Component { return BookingView(fixtureBooking(l, q)) }))
	mux.HandleFunc("GET /_state/{name}", func(w http.ResponseWriter, r *http.Request) {
		view, ok := states[r.PathValue("name")]
		if !ok {
			http.NotFound(w, r)
			return
		}
		page(func(l *Locale, q Query, _ *http.Request) templ.Component { return view(l, q) })(w, r)
	})
	return mux
}
