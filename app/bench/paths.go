package bench

import (
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"daybook/app/bench/wire"
)

// What the sandbox has: so many people, who work ten hours a day and give quarters of an hour.
const (
	people = 16
	step   = 15 * time.Minute
	opens  = 8 * time.Hour
	starts = 40 // of a day and person
	days   = 50 // that are booked, from tomorrow
)

// SetUp is the set-up file of a sandbox that Run can load.
func SetUp(slug string) []byte {
	type object = map[string]any
	week := object{}
	for _, day := range []string{"mon", "tue", "wed", "thu", "fri", "sat", "sun"} {
		week[day] = []string{"08:00-18:00"}
	}
	var hosts, types []object
	for i := range people {
		email := fmt.Sprintf("host-%d@bench.invalid", i)
		hosts = append(hosts, object{"name": fmt.Sprint("Host ", i), "email": email, "timeZone": "UTC", "weekly": week})
		types = append(types, object{"slug": fmt.Sprint("with-", i), "title": fmt.Sprint("With host ", i),
			"durationMinutes": 15, "slotStepMinutes": 15, "minimumNoticeMinutes": 0, "bookingWindowDays": 90,
			"hosts": []string{email}})
	}
	text, err := json.Marshal(object{"workspace": object{"slug": slug, "name": Name, "timeZone": "UTC", "currency": "EUR"},
		"hosts": hosts, "eventTypes": types})
	if err != nil {
		panic(err) // maps of texts and numbers always encode
	}
	return text
}

// Name is that of a sandbox for a run.
const Name = "Test of the server"

// path is something that is asked again and again.
type path struct {
	name    string
	status  int
	most    int // requests
	books   bool
	keep    bool // the answer has a new booking
	weight  int  // how often a guest asks it, see visit
	request func(i int) string
}

// paths are what is measured, bookings first: the others read them.
func (r *run) paths() []path {
	tomorrow := r.tomorrow()
	month := tomorrow.AddDate(0, 0, days/2)
	get := func(format string, value func(i int) any) func(int) string {
		return func(i int) string { return wire.Get(fmt.Sprintf(format, value(i))) }
	}
	who := func(i int) any { return i % people }
	return []path{
		{name: "book", status: 201, most: min(maxBookings, max(1000, int(r.Duration/time.Second)*250)), books: true,
			keep: true, weight: 1, request: r.post},
		{name: "read a booking", status: 200, most: maxRequests,
			request: get("/api/v1/bookings/%s", func(i int) any { return r.ids[i*7919%len(r.ids)] })},
		{name: "list 50 bookings", status: 200, most: maxRequests,
			request: get("/api/v1/bookings?limit=50&from=%s", func(i int) any {
				return tomorrow.AddDate(0, 0, i%(days/2)).Format(time.RFC3339)
			})},
		{name: "open times, 60 days", status: 200, most: maxRequests, weight: 3, request: get("/api/v1/availability?"+
			"eventType=with-%d&timeZone=Europe/Berlin&days=60&limit=100&from="+tomorrow.Format(time.DateOnly), who)},
		{name: "booking page, month", status: 200, most: maxRequests, weight: 3, request: func(i int) string {
			return "GET /" + r.Slug + "/with-" + strconv.Itoa(i%people) + "?timeZone=Europe/Berlin&month=" +
				month.Format("2006-01") + " HTTP/1.1\r\nAccept-Encoding: gzip\r\n\r\n"
		}},
		{name: "assistant's call", status: 200, most: maxRequests, request: func(i int) string {
			return wire.Tool("list_bookings", fmt.Sprintf(`{"limit":20,"from":%q}`,
				tomorrow.AddDate(0, 0, i%(days/2)).Format(time.RFC3339)))
		}},
	}
}

func (r *run) tomorrow() time.Time {
	return r.began.UTC().Truncate(24*time.Hour).AddDate(0, 0, 2) // tomorrow could be today before the run ends
}

// post books the i-th time: nobody else asks for it. People's days fill up evenly.
func (r *run) post(i int) string {
	n := i / people // of the person's bookings
	at := r.tomorrow().AddDate(0, 0, n%days).Add(opens + time.Duration(n/days%starts)*step)
	return wire.Post("/api/v1/bookings", fmt.Sprintf(
		`{"eventType":"with-%d","start":%q,"invitee":{"name":"Nobody %d","email":"n%d@bench.invalid"}}`,
		i%people, at.Format(time.RFC3339), i%500, i%500))
}
