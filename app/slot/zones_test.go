package slot

import (
	"archive/zip"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// change is one clock change: at is its Unix second.
type change struct {
	zone *time.Location
	at   int64
}

// oddChanges are past ones of kinds that none of the coming year's may have.
var oddChanges = []struct{ zone, near string }{
	{"Pacific/Apia", "2011-12-30T00:00:00Z"},      // 30 December skipped
	{"Pacific/Kwajalein", "1993-08-20T00:00:00Z"}, // 21 August skipped
	{"Pacific/Enderbury", "1994-12-30T00:00:00Z"},
	{"Antarctica/Troll", "2026-03-28T00:00:00Z"},    // 2 hours
	{"America/St_Johns", "2010-11-06T00:00:00Z"},    // back at 00:01, so the day comes twice
	{"America/Sao_Paulo", "2018-11-03T00:00:00Z"},   // no midnight
	{"Asia/Pyongyang", "2015-08-14T00:00:00Z"},      // 30 minutes for good
	{"America/Caracas", "2007-12-09T00:00:00Z"},     // back 30 minutes
	{"Africa/Casablanca", "2030-01-01T00:00:00Z"},   // twice within a month
	{"Europe/Berlin", "2028-12-31T12:00:00Z"},       // none: package time's year of 365 days
	{"America/Juneau", "1983-10-29T00:00:00Z"},      // back 2 hours
	{"Australia/Lord_Howe", "2030-04-01T00:00:00Z"}, // 30 minutes, by rule
}

// changes returns every clock change of every IANA zone from 2026-11-21 on for
// a year and the odd ones, one of each set of zones that change alike.
var changes = sync.OnceValue(func() (all []change) {
	from := time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)
	seen := map[[3]int64]bool{}
	for _, name := range zoneNames() {
		zone, err := time.LoadLocation(name)
		if err != nil {
			panic(err)
		}
		for _, at := range changesOf(zone, from.Unix(), from.AddDate(1, 0, 1).Unix()) {
			key := [3]int64{at, offsetAt(zone, at-1), offsetAt(zone, at)}
			if !seen[key] {
				seen[key] = true
				all = append(all, change{zone, at})
			}
		}
	}
	for _, odd := range oddChanges {
		zone, err := time.LoadLocation(odd.zone)
		if err != nil {
			panic(err)
		}
		near, _ := time.Parse(time.RFC3339, odd.near)
		at := near.Unix()
		if found := changesOf(zone, at, at+40*86400); len(found) > 0 {
			at = found[0]
		}
		all = append(all, change{zone, at})
	}
	return all
})

// changesOf finds the changes by looking at every hour, then every second of it.
func changesOf(zone *time.Location, from, to int64) (at []int64) {
	for sec := from; sec < to; sec += 3600 {
		if offsetAt(zone, sec) == offsetAt(zone, sec+3600) {
			continue
		}
		s := sec
		for offsetAt(zone, s) == offsetAt(zone, s+1) {
			s++
		}
		at = append(at, s+1)
	}
	return at
}

func offsetAt(zone *time.Location, sec int64) int64 {
	_, offset := time.Unix(sec, 0).In(zone).Zone()
	return int64(offset)
}

// zoneNames lists the zones that come with Go.
func zoneNames() (names []string) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		panic(err)
	}
	archive, err := zip.OpenReader(filepath.Join(strings.TrimSpace(string(root)), "lib", "time", "zoneinfo.zip"))
	if err != nil {
		panic(err)
	}
	defer archive.Close()
	for _, f := range archive.File {
		if !strings.HasSuffix(f.Name, "/") && f.Name != "Factory" {
			names = append(names, f.Name)
		}
	}
	return names
}

// TestZones compares with the oracle around every change, with hours that meet it
// in every way: all day, night shifts, ranges that touch and end at each half hour.
func TestZones(t *testing.T) {
	if len(changes()) < 30 {
		t.Fatalf("only %d kinds of clock change found", len(changes()))
	}
	for _, c := range changes() {
		for name, ranges := range map[string][]string{
			"all day":  {"00:00-24:00"},
			"night":    {"22:00-02:00", "02:30-03:30"},
			"touching": {"00:00-00:30", "00:30-01:00", "01:00-01:30", "01:30-02:00", "02:00-02:30", "02:30-03:00", "03:00-12:00", "23:30-00:15"},
			"past":     {"20:00-01:30"},
			"evening":  {"20:10-24:00"},
		} {
			t.Run(c.zone.String()+"/"+name, func(t *testing.T) {
				agree(t, aroundChange(c, ranges), 15)
			})
		}
	}
}

func aroundChange(c change, ranges []string) *Request {
	s := &Schedule{Zone: c.zone}
	for _, text := range ranges {
		r, err := ParseRange(text)
		if err != nil {
			panic(err)
		}
		for d := range s.Weekly {
			s.Weekly[d] = append(s.Weekly[d], r)
		}
	}
	at := c.at / 60 * 60_000
	hour := int64(3_600_000)
	return &Request{
		Now: at - 72*hour, From: at - 30*hour, To: at + 30*hour,
		Rules: Rules{Duration: 40 * time.Minute, Step: 20 * time.Minute, Window: 1000 * time.Hour, BufferAfter: 5 * time.Minute, MaxPerDay: 2, Seats: 1},
		Hosts: []Host{{Schedule: s, Booked: []Booking{
			{Occupied: Span{at - 26*hour, at - 25*hour}, Start: at - 26*hour, End: at - 25*hour, Same: true},
			{Occupied: Span{at + hour, at + 2*hour}, Start: at + hour, End: at + 2*hour, Same: true},
			{Occupied: Span{at + 5*hour, at + 6*hour}, Start: at + 5*hour, End: at + 6*hour, Same: true},
		}}},
	}
}
