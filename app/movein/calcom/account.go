package calcom

import (
	"time"

	"daybook/app/movein"
)

// account is what was read, in Cal.com's words. Its ids are Cal.com's.
type account struct {
	users     []user
	schedules []schedule
	services  []service
	bookings  []booked
	customers []attendee
	webhooks  []webhook
	left      []movein.Left
}

type user struct {
	id                int64
	name, email, zone string
	schedule          int64 // the usual one; 0: the first
	away              []span
	calendars         int
}

type span struct{ from, to time.Time }

// schedule is when somebody works. Its rules are of days of the week or of a date.
type schedule struct {
	id, user   int64
	name, zone string
	rules      []rule
}

type rule struct {
	days     []int // 0 is Sunday
	date     string
	from, to int // minutes of the day
}

// host is somebody who does a service.
type host struct {
	user     int64
	fixed    bool
	schedule int64 // for this service; 0: the usual one
}

type service struct {
	id                  int64
	title, slug, about  string
	position            int
	hidden, template    bool // template: managed event types are made of it
	scheduling          string
	hosts               []host
	schedule            int64 // of all who do it; 0: their own
	minutes             int
	lengths             []int // to choose from
	interval, offset    int
	before, after       int
	notice              int
	window              string // unlimited, rolling, rolling_window or range
	windowDays          int
	businessDays        bool
	limits              map[string]int // bookings per day, week, month, year
	minutesLimited      bool
	firstOnly           bool
	seats               int
	confirms            bool
	confirmsWithin      bool // only what is booked at short notice
	price               int64
	currency            string
	dates               int // of a series
	locations           []location
	questions           []question
	asksPhone, hasPhone bool // requires a number; asks for one
	noEmail             bool // doesn't require an address
}

type location struct{ kind, text string }

type question struct {
	name, kind, label string
	required          bool
	options           []string
}

type attendee struct {
	name, email, phone, zone string
	seat                     string // its own reference, of a service with seats
	answers                  map[string]any
}

type booked struct {
	uid, status     string
	user, service   int64
	start, end, at  time.Time
	about, location string
	meeting, paid   string
	series          bool
	answers         map[string]any
	attendees       []attendee
}

type webhook struct {
	url, of  string
	triggers []string
	active   bool
}
