package views

import (
	"testing"
	"time"
)

func locale(tag string) *Locale {
	for _, l := range Locales {
		if l.Tag == tag {
			return l
		}
	}
	panic("no locale " + tag)
}

func TestDates(t *testing.T) {
	d := time.Date(2026, 12, 1, 14, 30, 0, 0, time.UTC)
	for tag, want := range map[string][5]string{
		"en-US": {"Tuesday, December 1, 2026", "Tuesday, December 1", "Tue, Dec 1", "December 2026", "2:30\u202fPM"},
		"en-GB": {"Tuesday 1 December 2026", "Tuesday 1 December", "Tue 1 Dec", "December 2026", "14:30"},
		"de":    {"Dienstag, 1. Dezember 2026", "Dienstag, 1. Dezember", "Di, 1. Dez.", "Dezember 2026", "14:30"},
		"fr":    {"mardi 1er décembre 2026", "mardi 1er décembre", "mar. 1er déc.", "décembre 2026", "14:30"},
		"es":    {"martes, 1 de diciembre de 2026", "martes, 1 de diciembre", "mar, 1 dic", "diciembre de 2026", "14:30"},
	} {
		l := locale(tag)
		got := [5]string{l.Date(d), l.Day(d), l.ShortDay(d), l.Month(d), l.Time(d, "")}
		if got != want {
			t.Errorf("%s: %q, want %q", tag, got, want)
		}
	}
}

func TestSpans(t *testing.T) {
	at := func(h, m int) time.Time { return time.Date(2026, 12, 1, h, m, 0, 0, time.UTC) }
	us, es := locale("en-US"), locale("es")
	for _, c := range []struct{ got, want string }{
		{us.Span(at(9, 0), at(9, 45), ""), "9:00–9:45\u202fAM"},
		{us.Span(at(11, 30), at(12, 15), ""), "11:30\u202fAM–12:15\u202fPM"},
		{us.Span(at(9, 0), at(9, 45), Clock24), "09:00–09:45"},
		{us.Span(at(23, 30), at(24, 15), Clock24), "23:30 – Wed, Dec 2, 00:15"},
		{es.Time(at(14, 30), Clock12), "2:30\u202fp.\u00a0m."},
		{us.Time(at(0, 5), ""), "12:05\u202fAM"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

func TestMoney(t *testing.T) {
	for _, c := range []struct {
		tag  string
		m    Money
		want string
	}{
		{"en-US", Money{4500, "EUR"}, "€45"},
		{"en-US", Money{4550, "USD"}, "$45.50"},
		{"en-US", Money{123456789, "USD"}, "$1,234,567.89"},
		{"en-GB", Money{5, "GBP"}, "£0.05"},
		{"en-GB", Money{4500, "CHF"}, "CHF\u00a045"},
		{"en-GB", Money{-4500, "GBP"}, "−£45"},
		{"de", Money{123450, "EUR"}, "1.234,50\u00a0€"},
		{"fr", Money{123450, "EUR"}, "1\u202f234,50\u00a0€"},
		{"es", Money{123450, "EUR"}, "1234,50\u00a0€"},
		{"es", Money{1234567, "EUR"}, "12.345,67\u00a0€"},
		{"de", Money{4500, "JPY"}, "4.500\u00a0¥"},
		{"de", Money{1234, "KWD"}, "1,234\u00a0KWD"},
		{"de", Money{0, "EUR"}, "0\u00a0€"},
	} {
		if got := locale(c.tag).Money(c.m); got != c.want {
			t.Errorf("%s %v: %q, want %q", c.tag, c.m, got, c.want)
		}
	}
}

func TestOffsets(t *testing.T) {
	for zone, want := range map[string]string{"Asia/Kolkata": "GMT+5:30", "Europe/Berlin": "GMT+1", "America/New_York": "GMT−5", "UTC": "GMT", "America/St_Johns": "GMT−3:30"} {
		where, err := time.LoadLocation(zone)
		if err != nil {
			t.Fatal(err)
		}
		if got := Offset(time.Date(2026, 12, 1, 0, 0, 0, 0, where)); got != want {
			t.Errorf("%s: %q, want %q", zone, got, want)
		}
	}
}

func TestDurations(t *testing.T) {
	for _, c := range []struct {
		tag  string
		d    time.Duration
		want string
	}{
		{"en-US", 45 * time.Minute, "45\u00a0min"}, {"en-US", 90 * time.Minute, "1\u00a0hr 30\u00a0min"},
		{"de", 2 * time.Hour, "2\u00a0Std."}, {"fr", 60 * time.Minute, "1\u00a0h"}, {"es", 15 * time.Minute, "15\u00a0min"},
	} {
		if got := locale(c.tag).Duration(c.d); got != c.want {
			t.Errorf("%s %v: %q, want %q", c.tag, c.d, got, c.want)
		}
	}
}

func TestMatchLocale(t *testing.T) {
	for _, c := range []struct{ asked, header, want string }{
		{"", "", "en-US"}, {"", "de-AT,de;q=0.9,en;q=0.5", "de"}, {"", "en-GB", "en-GB"}, {"", "en-AU,en;q=0.9", "en-GB"},
		{"", "ja,zh", "en-US"}, {"", "ja,fr;q=0.5", "fr"}, {"es", "de", "es"}, {"es-MX", "", "es"}, {"xx", "de", "de"},
		{"'\"<", "fr-CA", "fr"}, {"", "%%%", "en-US"}, {"en", "de", "en-US"},
	} {
		if got := MatchLocale(c.asked, c.header).Tag; got != c.want {
			t.Errorf("MatchLocale(%q, %q) = %s, want %s", c.asked, c.header, got, c.want)
		}
	}
}
