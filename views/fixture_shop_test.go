package views_test

import (
	"time"

	. "daybook/views"
)

// fixtureShop is the index of a shop that shows all there is to show: six people, twenty services in five categories.
func fixtureShop(l *Locale, q Query) IndexPage {
	p := fixturePage(l, q)
	p.Title = p.Workspace.Name
	euro := func(n int64) *Money { return &Money{Amount: n * 100, Currency: "EUR"} }
	at := EventPath("salon", "cut", q.Look())
	event := func(title, text string, minutes, price int64) Event {
		return Event{Title: title, Text: text, Duration: time.Duration(minutes) * time.Minute, Price: euro(price), URL: at}
	}
	v := IndexPage{Page: p, Categories: []Category{
		{ID: "part-1", Title: "Cut and style", Events: []Event{
			event("Haircut", "Wash, cut and blow-dry. We take a few minutes first to talk about what you would like.", 45, 45),
			event("Restyle", "A new shape, with all the time that it takes.", 75, 72),
			event("Wash and blow-dry", "For the evening, or just because.", 30, 28),
			event("Fringe trim", "Between two cuts.", 10, 12),
			event("Children’s cut", "Up to twelve years. There are books and a fish tank.", 30, 24),
		}},
		{ID: "part-2", Title: "Colour", Events: []Event{
			event("Colour and cut", "Full colour with a cut to finish. Please come with dry, unwashed hair.", 120, 129),
			event("Balayage", "Painted by hand, with toner and care.", 180, 190),
			event("Highlights", "Foils for half or the whole head.", 150, 145),
			event("Root touch-up", "Up to three centimetres.", 75, 58),
			event("Gloss", "Shine and tone without bleach.", 30, 35),
		}},
		{ID: "part-3", Title: "Beard", Events: []Event{
			event("Beard trim", "Shape, trim and a hot towel.", 20, 22),
			event("Hot towel shave", "With a straight razor.", 40, 38),
			event("Cut and beard", "Both, in one go.", 60, 59),
		}},
		{ID: "part-4", Title: "Care", Events: []Event{
			event("Keratin treatment", "Smooth for about three months.", 150, 180),
			event("Scalp massage", "Twenty minutes of quiet.", 20, 25),
			event("Repair mask", "", 25, 22),
			event("Scalp analysis", "", 30, 0),
		}},
		{ID: "part-5", Title: "Occasions", Events: []Event{
			event("Bridal styling", "A trial and a plan for the day itself. We confirm each request by hand.", 150, 220),
			event("Braiding workshop", "Learn four braids in a small group. Bring a friend.", 90, 35),
			event("Updo", "For weddings, balls and the opera.", 60, 75),
		}},
	}}
	v.Categories[0].Events[0].From, v.Categories[0].Events[0].Longer = true, time.Hour
	v.Categories[4].Events[0].Approval = true
	for _, who := range [][2]string{{"Ana Keller", "Colour, and the owner"}, {"Ben Okafor", "Beards and short cuts"},
		{"Clara Moreau", "Braids, weddings"}, {"Dilan Yılmaz", "Curls of all kinds"}, {"Eva Lindqvist", ""}, {"Farid Nasser", "Balayage"}} {
		v.People = append(v.People, Person{Name: who[0], About: who[1], Initial: Monogram(who[0]), URL: IndexPath("salon", q.HostPage("hs_1"))})
	}
	v.Shop = Shop{About: "Salon Ana has been at the canal since 2009. We cut, colour and braid with time for a talk first, and with products that we use ourselves.\n\nThe door is level with the street, and there is a quiet corner for those who would rather not chat.",
		Address: "Oranienstraße 25, 10999 Berlin", MapURL: "https://www.openstreetmap.org/search?query=x", Phone: "+49 30 5550 100", PhoneURL: "tel:+49305550100",
		Today: l.T("shop_open_today", "Hours", "09:00–18:00")}
	for _, d := range l.Week() {
		h := DayHours{Name: l.NameOfDay(d), Spans: []string{"09:00–18:00"}, Today: d == time.Saturday, Closed: l.T("shop_closed")}
		switch d {
		case time.Sunday:
			h.Spans = nil
		case time.Thursday:
			h.Spans = []string{"09:00–13:00", "14:00–20:00"}
		}
		v.Shop.Hours = append(v.Shop.Hours, h)
	}
	look := q.Look()
	v.Search = &Search{Text: q.Search, Action: IndexPath("salon", Query{}), Hidden: look.Pairs(), ClearURL: IndexPath("salon", look)}
	return v
}

// fixtureHost is the page of one of its people.
func fixtureHost(l *Locale, q Query) IndexPage {
	v := fixtureShop(l, q)
	v.Host, v.People, v.Categories, v.Search = &v.People[1], nil, v.Categories[2:3], nil
	v.Title, v.AllURL = v.Host.Name, IndexPath("salon", q.Look())
	return v
}
