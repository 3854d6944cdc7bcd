package views

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Basket is a visit of several services that a visitor puts together.
type Basket struct {
	Action string // of the form with whom and what besides, without a query
	Hidden []Pair // the rest of the query
	Items  []BasketItem
	AddURL string // "" where nothing more can be added

	CanBeSame bool // one person does all of it
	Same      bool // and is to
}

// BasketItem is a service of a visit.
type BasketItem struct {
	Slug      string // as the address has it
	Title     string
	Duration  time.Duration // of the shortest, where it depends on the person
	Longer    time.Duration // the longest; 0 where it doesn't
	Price     *Money        // of the cheapest
	From      bool          // the price depends on the person
	AddOns    []string      // what is booked besides
	RemoveURL string

	People []BasketPerson // to choose from; none where there is no choice
	Groups []ChoiceGroup

	// Start, End and Host are set once a time was picked.
	Start, End time.Time
	Host       string
}

// BasketPerson is one whom a visitor can ask for; without an ID whoever is free.
type BasketPerson struct {
	ID, Name string
	Picked   bool
}

// BasketPage offers services to be added to a visit.
type BasketPage struct {
	Page
	Event      Event // the visit so far
	Items      []BasketItem
	Categories []Category
	Search     *Search // nil where there is little to search
	More       bool    // there are more than are shown
	BackURL    string
}

func (v BasketPage) count() (n int) {
	for _, c := range v.Categories {
		n += len(c.Events)
	}
	return n
}

// Fields of a basket, beside those of its first service, which are those of every service.
const (
	HostsField = "hosts"
	AlsoField  = "also"
	SameField  = "same"
)

// HostField returns the field with the host of a service.
func HostField(i int) string {
	if i == 0 {
		return "host"
	}
	return HostsField + "." + strconv.Itoa(i)
}

// AddOnsField returns what the names of the fields with the add-ons of a service begin with.
func AddOnsField(i int) string {
	if i == 0 {
		return ChoiceField
	}
	return AlsoField + "." + strconv.Itoa(i)
}

// mostWith is how many services beside the first an address may name.
const mostWith = 5

var (
	slugs = regexp.MustCompile(`^[A-Za-z0-9_-]{1,80}(,[A-Za-z0-9_-]{1,80})*$`)
	host  = wellFormed["host"]
)

// readBasket reads what an address says of services beside the first.
func (q *Query) readBasket(v map[string][]string) {
	get := func(name string) string {
		if len(v[name]) == 0 {
			return ""
		}
		return v[name][0]
	}
	q.Adding = get("add") == "1"
	with := get("with")
	if len(with) > 1000 || !slugs.MatchString(with) {
		return
	}
	q.With, q.Same = with, get(SameField) == "1"
	n := strings.Count(with, ",") + 1
	hosts, also := make([]string, n), make([]string, n)
	for i, ref := range strings.Split(get(HostsField), ",") {
		if i < n && host.MatchString(ref) {
			hosts[i] = ref
		}
	}
	for i, ids := range strings.Split(get(AlsoField), ",") {
		if i < n {
			also[i] = readChoice(map[string][]string{ChoiceField: {strings.ReplaceAll(ids, ";", ",")}})
		}
	}
	for i := range min(n, mostWith) {
		if ref := get(HostField(i + 1)); host.MatchString(ref) {
			hosts[i] = ref
		}
		name, chosen := AddOnsField(i+1), map[string][]string{}
		for field, values := range v {
			if field == name || strings.HasPrefix(field, name+".") {
				chosen[ChoiceField+strings.TrimPrefix(field, name)] = values
			}
		}
		if len(chosen) > 0 {
			also[i] = readChoice(chosen)
		}
	}
	q.Hosts, q.Also = joined(hosts), joined(also)
}

// joined lists values, one for each service; "" where there are none.
func joined(all []string) string {
	for i, s := range all {
		all[i] = strings.ReplaceAll(s, ",", ";")
	}
	text := strings.Join(all, ",")
	if strings.Trim(text, ",") == "" {
		return ""
	}
	return text
}

// BasketOf is a service of an address beside the first.
type BasketOf struct {
	Service, Host string
	AddOns        []string
}

// Beside returns the services of the address beside the first.
func (q Query) Beside() (all []BasketOf) {
	if q.With == "" {
		return nil
	}
	hosts, also := strings.Split(q.Hosts, ","), strings.Split(q.Also, ",")
	for i, slug := range strings.Split(q.With, ",") {
		of := BasketOf{Service: slug}
		if i < len(hosts) {
			of.Host = hosts[i]
		}
		if i < len(also) && also[i] != "" {
			of.AddOns = strings.Split(also[i], ";")
		}
		all = append(all, of)
	}
	return all
}

// WithBeside has these services beside the first.
func (q Query) WithBeside(all []BasketOf) Query {
	var with, hosts, also []string
	for _, of := range all {
		with, hosts, also = append(with, of.Service), append(hosts, of.Host), append(also, strings.Join(of.AddOns, ","))
	}
	q.With, q.Hosts, q.Also = strings.Join(with, ","), joined(hosts), joined(also)
	return q
}
