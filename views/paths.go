package views

import (
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// Embed says where a page is shown; the zero value is a page of its own.
type Embed string

// The two forms of embedding, as embed.js asks for them (`?embed=inline`).
const (
	Inline Embed = "inline"
	Popup  Embed = "popup"
)

// Query is what a booking page's address says besides its path: what the visitor
// picked, how they want to see it, and what the form is filled with. Every link of a
// page carries it on. ReadQuery leaves out what makes no sense, so the fields can be
// trusted to have their form, but not to name anything that exists.
type Query struct {
	Month    string // "2026-12": shown whole, on narrow screens too
	Date     string // "2026-12-01"
	Week     string // "2026-12-01": the fortnight from about there on, with no day picked
	Host     string // who is asked for; "" is whoever is free
	Start    string // "2026-12-01T09:00:00Z"
	TimeZone string // chosen or detected; "" shows the workspace's
	Clock    Clock
	Lang     string
	Theme    string // "light", "dark" or "" for the visitor's system
	Accent   string // a colour in place of the business's, six hex digits; "" is the business's
	Embed    Embed
	Fresh    bool   // booked a moment ago
	Texts    bool   // and the box for texts was ticked
	AddOns   string // ids of the add-ons that are chosen, with commas between them
	Seats    int    // how many come; 0 is one
	Search   string // words that services are searched by
	Visit    string // the token of the visit whose page led to that of a booking

	// Of a visit, the services beside the first: their slugs, hosts and add-ons, with commas between the services, and
	// semicolons between the add-ons of one. Same asks for one person for all, Adding for what else there is.
	With, Hosts, Also string
	Same, Adding      bool

	Chosen bool // one service alone was chosen on the page of the business, which keeps it on the way back

	// Prefill has name, email, phone, notes, participants, and the fields of questions (`q_…`).
	Prefill url.Values

	// UTM are the values that say where the visitor comes from, by their names.
	UTM [len(utmNames)]string
}

var wellFormed = map[string]*regexp.Regexp{
	"month":    regexp.MustCompile(`^\d{4}-\d{2}$`),
	"date":     regexp.MustCompile(`^\d{4}-\d{2}-\d{2}$`),
	"week":     regexp.MustCompile(`^\d{4}-\d{2}-\d{2}$`),
	"host":     regexp.MustCompile(`^hs_[0-9a-z]{1,20}$`),
	"timeZone": regexp.MustCompile(`^[A-Za-z0-9_+\- /]{1,64}$`),
	"clock":    regexp.MustCompile(`^(12|24)$`),
	"lang":     regexp.MustCompile(`^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$`),
	"theme":    regexp.MustCompile(`^(light|dark)$`),
	"accent":   regexp.MustCompile(`^[0-9A-Fa-f]{6}$`),
	"embed":    regexp.MustCompile(`^(inline|popup)$`),
	"visit":    regexp.MustCompile(`^[0-9a-z]{20,80}$`),
}

// utmNames are the parameters that say where a visitor comes from.
var utmNames = [...]string{"utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content"}

// longestUTM is how many characters of each are kept.
const longestUTM = 200

// utm returns a value as it is kept: in one line, without what can't be seen.
func utm(value string) string {
	value = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(value, ""))
	if r := []rune(value); len(r) > longestUTM {
		value = string(r[:longestUTM])
	}
	return strings.TrimSpace(value)
}

// Metadata returns the UTM values for a booking's metadata; nil without any.
func (q Query) Metadata() map[string]string {
	var all map[string]string
	for i, name := range utmNames {
		if q.UTM[i] == "" {
			continue
		}
		if all == nil {
			all = map[string]string{}
		}
		all[name] = q.UTM[i]
	}
	return all
}

var prefillable = []string{"name", "email", "phone", "notes", "participants"}

// QuestionPrefix begins the names of the fields for an event type's own questions.
const QuestionPrefix = "q_"

// OwnFieldPrefix begins the names of the fields that the workspace keeps of its contacts besides the usual ones.
const OwnFieldPrefix = "f_"

// longestSearch bounds the words that services are searched by, in bytes.
const longestSearch = 200

// longestPrefill bounds what an address may put into a field.
const longestPrefill = 500

// ReadQuery reads an address.
func ReadQuery(v url.Values) Query {
	get := func(name string) string {
		if s := v.Get(name); wellFormed[name].MatchString(s) {
			return s
		}
		return ""
	}
	q := Query{
		Month: get("month"), Date: get("date"), Host: get("host"), TimeZone: get("timeZone"), Clock: Clock(get("clock")),
		Lang: get("lang"), Theme: get("theme"), Accent: get("accent"), Embed: Embed(get("embed")), Fresh: v.Get("new") == "1", Texts: v.Get("texts") == "1",
		Chosen: v.Get("chosen") == "1", Visit: get("visit"), Week: get("week"), Prefill: url.Values{},
	}
	q.AddOns = readChoice(v)
	if v.Has("with") || v.Has("add") {
		q.readBasket(v)
	}
	if n, err := strconv.Atoi(v.Get("seats")); err == nil && n > 1 && n <= mostSeats {
		q.Seats = n
	}
	if start, err := time.Parse(time.RFC3339, v.Get("start")); err == nil {
		q.Start = ISO(start)
	}
	if text := strings.ToValidUTF8(v.Get("q"), ""); len(text) <= longestSearch {
		q.Search = strings.TrimSpace(text)
	}
	for i, name := range utmNames {
		q.UTM[i] = utm(v.Get(name))
	}
	for name := range v {
		value := strings.ToValidUTF8(v.Get(name), "")
		if (slices.Contains(prefillable, name) || strings.HasPrefix(name, QuestionPrefix) ||
			strings.HasPrefix(name, OwnFieldPrefix)) && value != "" &&
			len(value) <= longestPrefill {
			q.Prefill.Set(name, value)
		}
	}
	return q
}

// Pairs returns the names and values in a fixed order, without the empty ones.
func (q Query) Pairs() []Pair { return q.appendPairs(make([]Pair, 0, 8)) }

func (q Query) appendPairs(pairs []Pair) []Pair {
	add := func(name, value string) {
		if value != "" {
			pairs = append(pairs, Pair{name, value})
		}
	}
	add("month", q.Month)
	add("date", q.Date)
	add("week", q.Week)
	add("start", q.Start)
	add("host", q.Host)
	add(ChoiceField, q.AddOns)
	if q.Seats > 1 {
		add("seats", strconv.Itoa(q.Seats))
	}
	add("with", q.With)
	add(HostsField, q.Hosts)
	add(AlsoField, q.Also)
	if q.Same {
		add(SameField, "1")
	}
	if q.Adding {
		add("add", "1")
	}
	if q.Chosen {
		add("chosen", "1")
	}
	add("q", q.Search)
	add("timeZone", q.TimeZone)
	add("clock", string(q.Clock))
	add("lang", q.Lang)
	add("theme", q.Theme)
	add("accent", q.Accent)
	add("embed", string(q.Embed))
	add("visit", q.Visit)
	if q.Fresh {
		add("new", "1")
		if q.Texts {
			add("texts", "1")
		}
	}
	for i, name := range utmNames {
		add(name, q.UTM[i])
	}
	if len(q.Prefill) > 0 {
		names := make([]string, 0, len(q.Prefill))
		for name := range q.Prefill {
			names = append(names, name)
		}
		slices.Sort(names)
		for _, name := range names {
			add(name, q.Prefill.Get(name))
		}
	}
	return pairs
}

// Pair is one name and value of an address, or of a form's hidden fields.
type Pair struct{ Name, Value string }

// Look keeps only how the visitor sees pages: what a link to another page carries.
func (q Query) Look() Query {
	return Query{TimeZone: q.TimeZone, Clock: q.Clock, Lang: q.Lang, Theme: q.Theme, Accent: q.Accent, Embed: q.Embed,
		UTM: q.UTM}
}

// OfBooking is Look for another page of the same booking.
func (q Query) OfBooking() Query { look := q.Look(); look.Visit = q.Visit; return look }

// FromVisit leads to the page of one booking of the visit that has the token.
func (q Query) FromVisit(token string) Query { look := q.Look(); look.Visit = token; return look }

// OnMonth picks a month.
func (q Query) OnMonth(month time.Time) Query {
	q.Month, q.Date, q.Week, q.Start = month.Format("2006-01"), "", "", ""
	return q
}

// OnWeek shows the fortnight that has a day.
func (q Query) OnWeek(day time.Time) Query {
	q.Month, q.Date, q.Week, q.Start = "", "", ISODay(day), ""
	return q
}

// OnDay picks a day.
func (q Query) OnDay(day time.Time) Query {
	q.Month, q.Date, q.Week, q.Start = "", ISODay(day), "", ""
	return q
}

// OnTime picks a time of the picked day, which stays in the address for the way back.
func (q Query) OnTime(start time.Time) Query {
	q.Month, q.Week, q.Start = "", "", ISO(start)
	return q
}

// WithHost asks for a host, or for whoever is free, by "". The picked time may not be theirs, so it is dropped.
func (q Query) WithHost(id string) Query { q.Host, q.Start = id, ""; return q }

// HostPage leads to the page of a host, or for "" to that of everybody.
func (q Query) HostPage(id string) Query { look := q.Look(); look.Host = id; return look }

// WithClock changes between 12 and 24 hours.
func (q Query) WithClock(c Clock) Query { q.Clock = c; return q }

// IndexPath lists a workspace's event types.
func IndexPath(workspace string, q Query) string { return address("/"+workspace, q, "") }

// EventPath books an event type. The fragment leads a visitor without JavaScript to
// the part that changed.
func EventPath(workspace, eventType string, q Query) string {
	return address("/"+workspace+"/"+eventType, q, fragment(q))
}

// InvitationPath books by an invitation link.
func InvitationPath(token string, q Query) string { return address("/_i/"+token, q, fragment(q)) }

// BookingPath shows a booking.
func BookingPath(token string, q Query) string { return address("/booking/"+token, q, "") }

// MovePath picks another time for a booking.
func MovePath(token string, q Query) string {
	return address("/booking/"+token+"/reschedule", q, fragment(q))
}

// CancelPath asks whether to cancel a booking.
func CancelPath(token string, q Query) string { return address("/booking/"+token+"/cancel", q, "") }

// VisitPath shows a visit of several services.
func VisitPath(token string, q Query) string { return address("/visit/"+token, q, "") }

// MoveVisitPath picks another time for a visit.
func MoveVisitPath(token string, q Query) string {
	return address("/visit/"+token+"/reschedule", q, fragment(q))
}

// CancelVisitPath asks whether to cancel all of a visit.
func CancelVisitPath(token string, q Query) string { return address("/visit/"+token+"/cancel", q, "") }

// PayPath leads to the payment provider.
func PayPath(token string) string { return "/booking/" + token + "/pay" }

// PayVisitPath leads to the page on which a visit is paid.
func PayVisitPath(token string) string { return "/visit/" + token + "/pay" }

// CalendarPath returns a booking as an iCalendar file.
func CalendarPath(token string) string { return "/booking/" + token + "/calendar.ics" }

// VisitCalendarPath returns a visit as an iCalendar file.
func VisitCalendarPath(token string) string { return "/visit/" + token + "/calendar.ics" }

func fragment(q Query) string {
	switch {
	case q.Start != "":
		return "#details"
	case q.Date != "":
		return "#times"
	}
	return ""
}

func address(path string, q Query, fragment string) string {
	var b strings.Builder
	b.Grow(len(path) + 96) // what most have
	b.WriteString(path)
	var room [16]Pair
	for i, p := range q.appendPairs(room[:0]) {
		b.WriteByte("?&"[min(i, 1)])
		b.WriteString(p.Name)
		b.WriteByte('=')
		b.WriteString(escapeValue(p.Value))
	}
	b.WriteString(fragment)
	return b.String()
}

// escapeValue leaves ":", "/" and "," as people write them in times, zones and lists.
func escapeValue(v string) string {
	if strings.IndexFunc(v, special) < 0 {
		return v
	}
	v = url.QueryEscape(v)
	if strings.Contains(v, "%") {
		v = unescaped.Replace(v)
	}
	return v
}

// special reports whether r is none of the letters, digits and signs that a value is written with as they are.
func special(r rune) bool {
	return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '-' || r > ':') && r != '_' && r != '~' && r != ','
}

var unescaped = strings.NewReplacer("%3A", ":", "%2F", "/", "%2C", ",")
