package easyappointments_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"daybook/app/apptest"
	"daybook/app/availability"
	"daybook/app/booking"
	"daybook/app/movein"
	"daybook/app/movein/call"
	"daybook/app/movein/easyappointments"
	"daybook/app/movein/movetest"
	"daybook/app/when"
)

// now is a Monday; in the 28 days after it summer time ends in Berlin.
var now = time.Date(2026, 10, 12, 6, 0, 0, 0, time.UTC)

type object = map[string]any

// open returns the starts of a service of Chloe's within 28 days, by nothing but her plan: 9 to 18 without 14:30 to 15 on Mondays,
// Tuesdays and Thursdays, 10 to 12 on 24 October, nothing on 20 October, and away on 27 October from 9 to 13.
func open(berlin *time.Location, taken [][2]time.Time, length, step int) (starts []string) {
	at := func(day time.Time, hour, minute int) time.Time {
		y, m, d := day.Date()
		return time.Date(y, m, d, hour, minute, 0, 0, berlin)
	}
	for day := now.In(berlin); day.Before(now.AddDate(0, 0, 29)); day = day.AddDate(0, 0, 1) {
		var hours [][2]time.Time
		switch name := day.Format(time.DateOnly); {
		case name == "2026-10-24":
			hours = [][2]time.Time{{at(day, 10, 0), at(day, 12, 0)}}
		case name == "2026-10-20":
		case day.Weekday() == time.Monday || day.Weekday() == time.Tuesday || day.Weekday() == time.Thursday:
			hours = [][2]time.Time{{at(day, 9, 0), at(day, 14, 30)}, {at(day, 15, 0), at(day, 18, 0)}}
		}
		for _, h := range hours {
			for start := h[0]; !start.Add(time.Duration(length) * time.Minute).After(h[1]); start = start.Add(time.Duration(step) * time.Minute) {
				end := start.Add(time.Duration(length) * time.Minute)
				meets := slices.ContainsFunc(append(slices.Clip(taken), [2]time.Time{time.Date(2026, 10, 27, 9, 0, 0, 0, berlin), time.Date(2026, 10, 27, 13, 0, 0, 0, berlin)}),
					func(t [2]time.Time) bool { return t[0].Before(end) && start.Before(t[1]) })
				if !meets && !start.Before(now.Add(time.Hour)) && !start.After(now.AddDate(0, 0, 60)) && start.Before(now.AddDate(0, 0, 28)) {
					starts = append(starts, when.At(start).String())
				}
			}
		}
	}
	return starts
}

// An Easy!Appointments becomes a salon whose open times of 28 days are what its rules say; the same again changes nothing.
func TestEasyAppointmentsBecomesASalon(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	day := object{"start": "09:00", "end": "18:00", "breaks": []object{{"start": "14:30", "end": "15:00"}}}
	plan := object{"monday": day, "tuesday": day, "wednesday": nil, "thursday": day, "friday": nil, "saturday": nil, "sunday": nil}
	packed, _ := json.Marshal(object{"monday": day})
	s := movetest.NewEasyAppointments(t)
	s.Settings = map[string]string{"book_advance_timeout": "60", "future_booking_limit": "60", "require_phone_number": "1"}
	s.Lists = map[string][]any{
		"services": {object{"id": 1, "name": "Male Haircut", "duration": 60, "price": 10.50, "currency": "Euro", "description": "Trends.", "availabilitiesType": "flexible", "attendantsNumber": 1, "categoryId": 5},
			object{"id": 2, "name": "Massage", "duration": 45, "price": "20", "currency": "Taler", "availabilitiesType": "fixed", "attendantsNumber": 1, "isPrivate": false}},
		"categories": {object{"id": 5, "name": "Hair"}},
		"providers": {object{"id": 143, "firstName": "Chloe", "lastName": "Doe", "email": "chloe@doe.example", "timezone": "Europe/Berlin", "services": []int{1, 2},
			"settings": object{"username": "chloedoe", "googleSync": true, "googleToken": "hidden-token", "workingPlan": plan,
				"workingPlanExceptions": object{"2026-10-24": object{"start": "10:00", "end": "12:00", "breaks": []object{}}, "2026-10-20": nil}}},
			object{"id": 144, "firstName": "Max", "lastName": "Old", "email": "max@doe.example", "timezone": "UTC", "services": []int{2}, "isPrivate": true,
				"settings": object{"workingPlan": string(packed), "workingPlanExceptions": []any{}}}},
		"unavailabilities": {object{"id": 1, "start": "2026-10-27 09:00:00", "end": "2026-10-27 13:00:00", "providerId": 143}},
		"webhooks":         {object{"id": 1, "name": "CRM", "url": "https://crm.example/hook", "actions": "appointment_save,customer_delete", "secretToken": "hidden-secret"}},
	}
	var taken [][2]time.Time
	random := rand.New(rand.NewPCG(41, 3))
	for i := range 130 { // more than a page
		s.Lists["customers"] = append(s.Lists["customers"], object{"id": i, "firstName": "Guest", "lastName": strconv.Itoa(i), "email": fmt.Sprintf("g%d@mail.example", i), "phone": "030 901820", "city": "Berlin", "notes": "Likes tea"})
		if i >= 40 {
			continue
		}
		free := open(berlin, taken, 60, 15)
		start, _ := time.Parse(time.RFC3339, free[random.IntN(len(free))])
		taken = append(taken, [2]time.Time{start, start.Add(time.Hour)})
		s.Lists["appointments"] = append(s.Lists["appointments"], object{"id": 1000 + i, "book": "2026-07-08 12:57:00", "start": start.In(berlin).Format(time.DateTime),
			"end": start.Add(time.Hour).In(berlin).Format(time.DateTime), "notes": "Window", "customerId": i, "providerId": 143, "serviceId": 1, "status": "Booked", "meetingLink": "https://meet.example/x"})
	}
	s.Lists["appointments"] = append(s.Lists["appointments"], object{"id": 1, "start": "2026-01-08 12:00:00", "end": "2026-01-08 13:00:00", "customerId": 1, "providerId": 143, "serviceId": 1},
		object{"id": 2, "start": "2026-10-15 12:00:00", "end": "2026-10-15 13:00:00", "customerId": 1, "providerId": 143, "serviceId": 1, "status": "Cancelled"})
	read := func() movein.Business {
		t.Helper()
		b, err := easyappointments.Read(t.Context(), call.Server{Base: s.URL, Key: movetest.Token}, now)
		if err != nil {
			t.Fatal(err)
		}
		if text, _ := json.Marshal(b); strings.Contains(string(text), "hidden-") {
			t.Error("a secret was kept")
		}
		return *b
	}
	w := apptest.New(t, apptest.Options{Clock: apptest.Standing(now), Hosts: []string{}})
	figures := func(m movein.MovedBusiness) string {
		return fmt.Sprint(m.Hosts, m.Services, m.Customers, m.Upcoming, m.Waiting, m.Moved, m.Same)
	}
	m, err := w.MoveIn.MoveBusiness(t.Context(), w.Owner, read())
	w.Must(err)
	if got := figures(m); got != "{2 0} {2 0} {130 0} 40 0 0 0" {
		t.Fatalf("moved %s\n%+v", got, m.Left)
	}
	setup, err := w.Setup(w.Workspace.ID)
	w.Must(err)
	e, massage := setup.EventType("male-haircut"), setup.EventType("massage")
	if e.Price.Amount != 1050 || e.Price.Currency != "EUR" || e.Category != "Hair" || e.AsksFor != "both" || e.SlotStepMinutes != 15 || massage.Price != nil || massage.SlotStepMinutes != 45 || len(massage.Hosts) != 2 {
		t.Errorf("%+v\n%+v", e, massage)
	}
	times, _, err := w.OpenTimes(t.Context(), w.API, availability.OpenTimesInput{EventType: "male-haircut", From: when.At(now), To: when.At(now.AddDate(0, 0, 28))})
	w.Must(err)
	var got []string
	for _, o := range times {
		got = append(got, o.Start.String())
	}
	if want := open(berlin, taken, 60, 15); !slices.Equal(got, want) || len(want) < 60 {
		t.Errorf("%d open times %v\nwant %d %v", len(got), got, len(want), want)
	}
	all, err := w.Reader(t.Context()).Bookings(w.Workspace.ID, booking.BookingFilter{Limit: 100})
	w.Must(err)
	if len(all) != 40 || all[0].Notes != "Window" || !strings.Contains(all[0].InternalNote, "https://meet.example/x") || all[0].Invitee.Phone != "+4930901820" {
		t.Errorf("%d bookings, %+v", len(all), all[0])
	}
	if len(m.Webhooks) != 1 || !slices.Contains(m.Webhooks[0].Events, "booking.created") {
		t.Errorf("webhooks %+v", m.Webhooks)
	}
	again, err := w.MoveIn.MoveBusiness(t.Context(), w.Owner, read())
	w.Must(err)
	if got := figures(again); got != "{0 2} {0 2} {0 130} 0 0 0 40" {
		t.Errorf("again %s\n%+v", got, again.Left)
	}
}

// A wrong token, or another address, is said.
func TestEasyAppointmentsIsRefused(t *testing.T) {
	s := movetest.NewEasyAppointments(t)
	for _, c := range []struct{ base, key, want string }{
		{s.URL, "another", "the key is refused: put the API token"},
		{s.URL, movetest.Token, "is " + s.URL + " the address of Easy!Appointments?"},
		{"http://book.example", movetest.Token, "must begin with https://"},
	} {
		_, err := easyappointments.Read(t.Context(), call.Server{Base: c.base, Key: c.key, Pause: func(context.Context, time.Duration) error { return nil }}, now)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.base, err)
		}
	}
}
