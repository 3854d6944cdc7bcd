package calsync

import (
	"testing"
	"testing/synctest"

	"daybook/app"
)

// A reading that finds no place is a problem of ours, not of its server; readings of others have their places meanwhile.
func TestReadingsHavePlaces(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &Service{shared: &shared{places: app.NewPlaces(maxReadings, maxReadingsEach)}}
		var all []*reading
		for range maxReadingsEach {
			_, r := s.reading(t.Context(), 1)
			if err := r.more(t.Context(), little+1); err != nil {
				t.Fatal(err)
			}
			all = append(all, r)
		}
		_, late := s.reading(t.Context(), 1)
		if err := late.more(t.Context(), little+1); ProblemOf(err) != Crowded {
			t.Errorf("a third of one workspace: %v", err)
		}
		_, short := s.reading(t.Context(), 1)
		if err := short.more(t.Context(), little); err != nil {
			t.Errorf("a short answer waits for a place: %v", err)
		}
		_, other := s.reading(t.Context(), 2)
		for range 2 { // the second answer of a reading has its place already
			if err := other.more(t.Context(), little+1); err != nil {
				t.Errorf("another workspace: %v", err)
			}
		}
		all[0].end()
		all[0].end()
		if err := late.more(t.Context(), little+1); err != nil {
			t.Errorf("after one has ended: %v", err)
		}
	})
}
