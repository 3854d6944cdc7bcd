package booking

import (
	"slices"
	"strconv"
	"strings"

	"daybook/app/when"
)

// Typed returns the repetition with what a form says of it, as far as that is from 1 to most.Every, one of the units, and
// from 2 to most.Count.
func (r SeriesRepeat) Typed(every, unit, count string, most SeriesRepeat, units ...SeriesUnit) SeriesRepeat {
	if n, err := strconv.Atoi(every); err == nil && n >= 1 && n <= most.Every {
		r.Every = n
	}
	if slices.Contains(units, SeriesUnit(unit)) {
		r.Unit = SeriesUnit(unit)
	}
	if n, err := strconv.Atoi(count); err == nil && n >= 2 && n <= most.Count {
		r.Count = n
	}
	return r
}

// Rhythm returns a text that differs between inputs that are of other dates: Typed repetitions of the same services with the
// same hosts and add-ons have the same. A form keeps it with the dates that it shows, to notice that other ones are asked for
// by now.
func (in *SeriesInput) Rhythm() string {
	r := in.Repeat
	all := []string{strconv.Itoa(r.Every) + string(r.Unit) + strconv.Itoa(r.Count) + "@" + in.Start, strconv.Itoa(max(1, in.Seats))}
	for _, item := range in.All() {
		all = append(all, strings.Join(append([]string{item.EventType, item.Host}, item.AddOns...), "~"))
	}
	return strings.Join(all, " ")
}

// Begins returns when the date begins: of a visit, its first service. It is 0 where no start can be read.
func (p *SeriesPlace) Begins() (first when.Instant) {
	starts := []string{p.Start}
	for _, item := range p.Items {
		starts = append(starts, item.Start)
	}
	for _, text := range starts {
		if at, err := when.ParseISO(text); err == nil && (first == 0 || at < first) {
			first = at
		}
	}
	return first
}
