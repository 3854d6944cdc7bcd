package graph

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"daybook/app/calsync"
)

// gathered is what a reading has brought so far, until it is known of every part of a series what the series says.
type gathered struct {
	of      calsync.Asked
	count   int
	gone    []string
	single  map[string]event   // by id, series too
	parts   map[string][]event // occurrences and exceptions, by series
	ordered []string           // the keys of single, as they came
}

func gather(of calsync.Asked) *gathered {
	return &gathered{of: of, single: map[string]event{}, parts: map[string][]event{}}
}

func (r *gathered) add(all []event) {
	r.count += len(all)
	for _, e := range all {
		switch {
		case e.Removed != nil:
			r.gone = append(r.gone, e.ID)
		case e.SeriesMasterID != "" && (e.Type == "occurrence" || e.Type == "exception"):
			r.parts[e.SeriesMasterID] = append(r.parts[e.SeriesMasterID], e)
		default:
			if _, known := r.single[e.ID]; !known {
				r.ordered = append(r.ordered, e.ID)
			}
			r.single[e.ID] = e
		}
	}
}

// orphans returns the series of which there are parts only.
func (r *gathered) orphans() (ids []string) {
	for _, id := range slices.Sorted(maps.Keys(r.parts)) {
		if _, known := r.single[id]; !known {
			ids = append(ids, id)
		}
	}
	return ids
}

// series returns those that are known by themselves.
func (r *gathered) series() (ids []string) {
	for _, id := range r.ordered {
		if r.single[id].Type == "seriesMaster" {
			ids = append(ids, id)
		}
	}
	return ids
}

// items returns the events as calsync keeps them. An id that is both new and removed is new: it was made anew.
func (r *gathered) items() (items []calsync.Item, gone []string, err error) {
	for _, id := range r.ordered {
		e := r.single[id]
		item := calsync.Item{Key: e.ID, ETag: e.ETag, UID: uidOf(&e)}
		if e.Type == "seriesMaster" {
			for _, part := range r.parts[id] {
				if err := r.span(&item, &part, &e); err != nil {
					return nil, nil, err
				}
			}
			item.Start, item.End = 0, 0
			item.Spans = calsync.Merged(item.Spans)
		} else if err := r.span(&item, &e, &e); err != nil {
			return nil, nil, err
		}
		items = append(items, item)
	}
	for _, id := range r.gone {
		if _, here := r.single[id]; !here {
			gone = append(gone, id)
		}
	}
	return items, gone, nil
}

// span adds to an item when an event is busy. An occurrence says of itself no more than when it is; the rest is what
// its series says.
func (r *gathered) span(item *calsync.Item, e, series *event) error {
	allDay := e.IsAllDay
	if allDay == nil {
		allDay = series.IsAllDay
	}
	start, err := e.Start.in(r.of.Zone, allDay != nil && *allDay)
	end, wrong := e.End.in(r.of.Zone, allDay != nil && *allDay)
	if err := errors.Join(err, wrong); err != nil {
		if !busy(e, series) {
			return nil
		}
		return errors.Join(calsync.ErrUnclear, err)
	}
	item.Start, item.End = start.UnixMilli(), end.UnixMilli()
	if busy(e, series) && item.Start < item.End && item.Start < r.of.To && item.End > r.of.From {
		item.Spans = append(item.Spans, calsync.Span{Start: item.Start, End: item.End})
	}
	return nil
}

// busy reports whether the event takes its time. What isn't said does.
func busy(e, series *event) bool {
	showAs, cancelled, response := e.ShowAs, e.IsCancelled, e.ResponseStatus
	if showAs == "" {
		showAs = series.ShowAs
	}
	if cancelled == nil {
		cancelled = series.IsCancelled
	}
	if response == nil {
		response = series.ResponseStatus
	}
	switch {
	case showAs == "free", showAs == "workingElsewhere":
		return false
	case cancelled != nil && *cancelled, response != nil && response.Response == "declined":
		return false
	}
	return true
}

// in returns the time. Days begin at midnight of the zone: Graph has them at midnight, whatever zone is asked for.
func (m moment) in(zone *time.Location, allDay bool) (time.Time, error) {
	if m.TimeZone != "UTC" && m.TimeZone != "" {
		return time.Time{}, errors.New("a time is not in UTC")
	}
	t, err := time.Parse("2006-01-02T15:04:05", strings.TrimSuffix(m.DateTime, "Z"))
	if err != nil || !allDay || t.Hour() != 0 || t.Minute() != 0 {
		return t, err
	}
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, zone), nil
}
