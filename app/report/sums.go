package report

import (
	"encoding/binary"
	"errors"
	"maps"
	"slices"
	"time"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/when"
)

// The sums of a day are all that a tally of its bookings is made of, but for now: how many of them have taken place is
// known when all that stand have ended, or none has. They are written as numbers (varints), as many as there are:
//
//	version, number of states
//	bookings that stand, and when the first and the last of them end
//	the currencies: how many, and each with its length
//	event types, and then hosts: how many; each with its id, less the one before; bookings in each state; its value, and
//	of a host what was received on the day, the products and the tips in it, of an event type its revenue and twice
//	nothing: how many currencies; each with its place and the amount
//	revenue by method: how many; each with the method (0 is online, the others by their code + 1), currency, amount
//	tips: how many; each with currency, amount
const sumsVersion = 2

// writing collects the sums of a day.
type writing struct {
	out        []byte
	currencies []string
}

func (w *writing) number(n int)   { w.out = binary.AppendUvarint(w.out, uint64(n)) }
func (w *writing) signed(n int64) { w.out = binary.AppendVarint(w.out, n) }

func (w *writing) money(sums map[string]int64) {
	w.number(len(sums))
	for _, currency := range slices.Sorted(maps.Keys(sums)) {
		w.amount(currency, sums[currency])
	}
}

func (w *writing) amount(currency string, amount int64) {
	place := slices.Index(w.currencies, currency)
	if place < 0 {
		place, w.currencies = len(w.currencies), append(w.currencies, currency)
	}
	w.number(place)
	w.signed(amount)
}

func writeGroups[ID ~int64](w *writing, all map[ID]*Figures) {
	w.number(len(all))
	before := ID(0)
	for _, id := range slices.Sorted(maps.Keys(all)) {
		w.signed(int64(id - before))
		before = id
		for _, n := range all[id].Totals.of {
			w.number(n)
		}
		for _, sums := range all[id].moneys() {
			w.money(*sums)
		}
	}
}

// moneys are the amounts that sums have of an event type or a host.
func (f *Figures) moneys() [4]*map[string]int64 {
	return [4]*map[string]int64{&f.value, &f.revenue, &f.products, &f.tips}
}

// methods are those of revenue by their code in sums.
var methods = append([]booking.Method{Online}, booking.Methods...)

// sumsOf writes what t has added of a day.
func sumsOf(t *tally) []byte {
	var body writing
	writeGroups(&body, t.byType)
	writeGroups(&body, t.byHost)
	n := 0
	for _, sums := range t.byMethod {
		n += len(sums)
	}
	body.number(n)
	for code, method := range methods {
		for _, currency := range slices.Sorted(maps.Keys(t.byMethod[method])) {
			body.number(code)
			body.amount(currency, t.byMethod[method][currency])
		}
	}
	body.money(t.tips)

	var w writing
	w.number(sumsVersion)
	w.number(booking.StatusCount)
	w.number(t.standing)
	w.signed(int64(t.firstEnd))
	w.signed(int64(t.lastEnd))
	w.number(len(body.currencies))
	for _, currency := range body.currencies {
		w.number(len(currency))
		w.out = append(w.out, currency...)
	}
	return append(w.out, body.out...)
}

// reading takes the sums of a day apart. wrong is set when they aren't any.
type reading struct {
	in         []byte
	currencies []string
	wrong      bool
}

func (r *reading) number() int {
	n, size := binary.Uvarint(r.in)
	if size <= 0 || n > 1<<40 {
		r.wrong, r.in = true, nil
		return 0
	}
	r.in = r.in[size:]
	return int(n)
}

func (r *reading) signed() int64 {
	n, size := binary.Varint(r.in)
	if size <= 0 {
		r.wrong, r.in = true, nil
		return 0
	}
	r.in = r.in[size:]
	return n
}

// many returns a number of things that follow, of a byte at least each.
func (r *reading) many() int {
	n := r.number()
	if n > len(r.in) {
		r.wrong, r.in = true, nil
		return 0
	}
	return n
}

func (r *reading) money(add func(currency string, amount int64)) {
	for range r.many() {
		r.amount(add)
	}
}

func (r *reading) amount(add func(currency string, amount int64)) {
	place, amount := r.number(), r.signed()
	if place >= len(r.currencies) {
		r.wrong = true
		return
	}
	add(r.currencies[place], amount)
}

// head reads the sums up to the groups: whether they can be used at that time, and whether the bookings that stand have
// taken place.
func (r *reading) head(now when.Instant) (usable, over bool) {
	if !r.known() {
		return false, false
	}
	standing, first, last := r.number(), when.Instant(r.signed()), when.Instant(r.signed())
	for range r.many() {
		n := r.many()
		r.currencies = append(r.currencies, string(r.in[:n]))
		r.in = r.in[n:]
	}
	over = last <= now
	return !r.wrong && (standing == 0 || over || first > now), over
}

// readGroups adds what it reads to all and, where day returns some for the id, to those.
func readGroups[ID ~int64](r *reading, all map[ID]*Figures, over bool, day func(ID) *Figures) {
	id := ID(0)
	for range r.many() {
		id += ID(r.signed())
		f, day := figuresOf(all, id), day(id)
		for state := range f.Totals.of {
			n := r.number()
			if n == 0 {
				continue
			}
			f.count(state, n, over)
			if day != nil {
				day.count(state, n, over)
			}
		}
		for i, sums := range f.moneys() {
			r.money(func(currency string, amount int64) {
				sum(sums, currency, amount)
				if day != nil {
					sum(day.moneys()[i], currency, amount)
				}
			})
		}
	}
}

// stands tells which of booking.Statuses stand.
var stands = func() (all [booking.StatusCount]bool) {
	for i, s := range booking.Statuses {
		all[i] = s.Stands()
	}
	return all
}()

// count adds n bookings in a state, which are over or not.
func (f *Figures) count(state, n int, over bool) {
	f.Totals.Total += n
	f.Totals.of[state] += n
	if over && stands[state] {
		f.tookPlace += n
	}
}

// errSums is that what is kept can't be read: something else than sumsOf wrote it.
var errSums = errors.New("report: these are no sums of a day")

// addSums adds the sums of a day, unless they can't be used now: then t is what it was. After errSums t is of no use.
func (t *tally) addSums(d DaySums, days bool) (used bool, err error) {
	r := &reading{in: d.Sums}
	usable, over := r.head(t.now)
	if !usable {
		return false, nil
	}
	var day *DayFigures
	date := d.From.Time().In(t.zone).Format(time.DateOnly)
	if days {
		day = &DayFigures{Date: date}
	}
	readGroups(r, t.byType, over, func(catalog.EventTypeID) *Figures { return figures(day) })
	readGroups(r, t.byHost, over, func(h catalog.HostID) *Figures {
		if h == 0 || h != t.person {
			return nil
		}
		return figuresOf(t.personDays, date)
	})
	if day != nil {
		day.revenue = nil // what was received is read by method below, all of it
	}
	for range r.many() {
		code := r.number()
		if code >= len(methods) {
			return false, errSums
		}
		r.amount(func(currency string, amount int64) {
			by := t.byMethod[methods[code]]
			sum(&by, currency, amount)
			t.byMethod[methods[code]] = by
			if day != nil {
				sum(&day.revenue, currency, amount)
			}
		})
	}
	r.money(func(currency string, amount int64) { sum(&t.tips, currency, amount) })
	if day != nil && (day.Totals.Total > 0 || day.revenue != nil) {
		t.summed = append(t.summed, *day)
	}
	if r.wrong || len(r.in) > 0 {
		return false, errSums
	}
	return true, nil
}

func figures(day *DayFigures) *Figures {
	if day == nil {
		return nil
	}
	return &day.Figures
}

// known reports whether the sums are of this version.
func (r *reading) known() bool { return r.number() == sumsVersion && r.number() == booking.StatusCount }
