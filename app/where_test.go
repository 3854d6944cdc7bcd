package app_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/availability"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
)

const places = `
workspace: {slug: salon, name: Salon, timeZone: UTC, videoServer: "https://meet.salon.example/"}
hosts:
  - {name: Ana, email: ana@salon.example, weekly: {tue: ["08:00-18:00"], wed: ["08:00-18:00"]}}
eventTypes:
  - {slug: shop, title: Shop, durationMinutes: 30, slotStepMinutes: 15, hosts: [ana@salon.example], where: {kind: in_person}}
  - {slug: home, title: Home, durationMinutes: 30, slotStepMinutes: 15, hosts: [ana@salon.example],
     where: {kind: in_person, text: "Park Lane 2", travelMinutes: 45}}
  - {slug: yours, title: At yours, durationMinutes: 30, slotStepMinutes: 15, hosts: [ana@salon.example],
     where: {kind: text, text: "At your place", travelMinutes: 15}}
  - {slug: video, title: Video, durationMinutes: 30, slotStepMinutes: 15, hosts: [ana@salon.example], where: {kind: video}}
  - {slug: ring, title: Ring, durationMinutes: 30, slotStepMinutes: 15, hosts: [ana@salon.example], where: {kind: host_calls}}
  - {slug: plain, title: Plain, durationMinutes: 30, slotStepMinutes: 15, hosts: [ana@salon.example]}
`

// open are the starts of a Tuesday that are offered, and must be those that can be booked.
func (w *world) open(e string) (starts []string) {
	w.T.Helper()
	a, err := w.Availability(w.T.Context(), w.API, availability.Input{EventType: e, From: apptest.At("1T00"), To: apptest.At("2T00")})
	w.Must(err)
	for _, s := range a.Slots() {
		starts = append(starts, s.Local[11:16])
	}
	return starts
}

// Around a booking at one place, another place is offered once there was time for the way, before it and after it;
// calls and the same place are offered at once. Booking, moving, editing and overriding keep to the same.
func TestTheWayBetweenPlaces(t *testing.T) {
	w := &world{apptest.New(t, apptest.Options{Empty: true})}
	w.Apply(places)
	at := w.Booked("shop", "1T12:00", "bo")
	for e, free := range map[string][2]string{"shop": {"11:30", "12:30"}, "home": {"10:45", "13:15"}, "yours": {"11:15", "12:45"},
		"video": {"11:30", "12:30"}, "plain": {"11:30", "12:30"}} {
		open := w.open(e)
		i := slices.Index(open, free[0])
		if i < 0 || i+1 >= len(open) || open[i+1] != free[1] {
			t.Errorf("%s is offered at %v; want nothing between %v", e, open, free)
		}
	}
	book := func(e, start, who string) error {
		_, err := w.Book(t.Context(), w.API, apptest.Input(e, start, who))
		return err
	}
	refused := w.Refused(book("home", "1T12:45", "cy"), fault.Conflict, "slot_taken")
	if got := fmt.Sprint(refused.Details["reasons"]); got != "[buffer]" {
		t.Errorf("reasons %s", got)
	}
	w.Refused(book("home", "1T11:00", "cy"), fault.Conflict, "slot_taken")
	w.Must(book("home", "1T13:15", "cy"))
	w.Must(book("video", "1T12:30", "dee"))                                 // nobody travels to it
	w.Refused(book("shop", "1T14:15", "eve"), fault.Conflict, "slot_taken") // the longer way of the two counts
	w.Must(book("shop", "1T14:30", "eve"))
	_, err := w.Reschedule(t.Context(), w.API, at.ID.String(), app.RescheduleInput{Start: apptest.At("1T13:45")})
	w.Refused(err, fault.Conflict, "slot_taken")
	near, err := w.Reschedule(t.Context(), w.API, at.ID.String(), app.RescheduleInput{Start: apptest.At("1T13:45"), Override: []string{"buffer"}})
	w.Must(err)
	if near.Where == nil || near.Where.Kind != catalog.InPerson {
		t.Errorf("where %+v", near.Where)
	}
	// Two at "yours" are at two places.
	w.Must(book("yours", "2T09:00", "fay"))
	w.Refused(book("yours", "2T09:30", "gil"), fault.Conflict, "slot_taken")
	w.Must(book("yours", "2T09:45", "gil"))
	// Another service brings its place.
	call := w.Booked("video", "2T10:15", "hal")
	home := "home"
	_, err = w.Edit(t.Context(), w.API, call.ID.String(), booking.EditInput{EventType: &home}, "")
	w.Refused(err, fault.Conflict, "slot_taken")
	shop := w.Booked("video", "2T12:00", "ida")
	edited, err := w.Edit(t.Context(), w.API, shop.ID.String(), booking.EditInput{EventType: &home}, "")
	w.Must(err)
	if edited.Where == nil || edited.Where.Text != "Park Lane 2" || edited.Where.URL != "" {
		t.Errorf("after the edit %+v", edited.Where)
	}
	w.Refused(book("shop", "2T12:30", "jo"), fault.Conflict, "slot_taken")
}

// 64 clients want times at two places of one host at one moment, at two servers: between any two that were booked at
// different places lies the way.
func TestContestOfPlaces(t *testing.T) {
	w := &world{apptest.New(t, apptest.Options{Empty: true})}
	w.Apply(places)
	servers := [2]*apptest.Salon{w.Salon, w.Another()}
	var all sync.WaitGroup
	var lock sync.Mutex
	var made []booking.Booking
	start := make(chan struct{})
	for i := range 64 {
		all.Go(func() {
			<-start
			e := []string{"home", "shop", "yours"}[i%3]
			b, err := servers[i%2].Book(t.Context(), w.API, apptest.Input(e, fmt.Sprintf("1T%02d:%02d", 9+i/3%4, i%4*15), fmt.Sprint("p", i)))
			lock.Lock()
			defer lock.Unlock()
			if err == nil {
				made = append(made, b)
			} else if e := fault.As(err); e == nil || e.Reason != "slot_taken" {
				t.Error(err)
			}
		})
	}
	close(start)
	all.Wait()
	slices.SortFunc(made, func(a, b booking.Booking) int { return cmp.Compare(a.Start, b.Start) })
	way := map[string]time.Duration{"home": 45 * time.Minute, "yours": 15 * time.Minute}
	for i := range made {
		for _, b := range made[i+1:] {
			a, need := made[i], max(way[made[i].EventType], way[b.EventType])
			if a.EventType == b.EventType && a.EventType != "yours" {
				need = 0
			}
			if between := time.Duration(b.Start-a.End) * time.Millisecond; between < need {
				t.Errorf("%s at %s and %s at %s are %v apart, want %v", a.EventType, a.Start, b.EventType, b.Start, between, need)
			}
		}
	}
	if len(made) < 3 {
		t.Errorf("only %d were booked", len(made))
	}
}

// A video booking has a room of its own, which it keeps when it moves and only those see who may see links.
func TestAVideoRoomIsASecret(t *testing.T) {
	w := &world{apptest.New(t, apptest.Options{Empty: true})}
	w.Apply(places)
	a, b := w.Booked("video", "1T09:00", "bo"), w.Booked("video", "1T10:00", "cy")
	form := regexp.MustCompile(`^https://meet\.salon\.example/salon-[a-z2-7]{26}$`) // 130 bits
	if a.Where == nil || !form.MatchString(a.Where.URL) || a.Where.URL == b.Where.URL {
		t.Fatalf("rooms %+v %+v", a.Where, b.Where)
	}
	moved, err := w.Reschedule(t.Context(), w.API, a.ID.String(), app.RescheduleInput{Start: apptest.At("1T11:00")})
	w.Must(err)
	if moved.Where.URL != a.Where.URL || w.Again(a).Where.URL != a.Where.URL {
		t.Errorf("the room of the moved one: %+v", moved.Where)
	}
	reader := w.API
	reader.ReadOnly = true
	seen, err := w.Booking(t.Context(), reader, a.ID.String())
	w.Must(err)
	if seen.Where == nil || seen.Where.Kind != catalog.Video || seen.Where.URL != "" {
		t.Errorf("a read-only key sees %+v", seen.Where)
	}
	text, err := json.Marshal(map[string]any{"data": moved})
	w.Must(err)
	cut, err := (&booking.Event{Body: text}).BodyWithoutLinks()
	w.Must(err)
	if strings.Contains(string(cut), "meet.salon") || !strings.Contains(string(cut), `"where":{"kind":"video"}`) {
		t.Errorf("an event for read-only keys: %s", cut)
	}
	// Who calls needs the number, from those who book by themselves.
	in := apptest.Input("ring", "1T12:00", "dee")
	visitor := app.Actor{Kind: booking.ByInvitee, Workspace: w.Workspace.ID}
	_, err = w.Book(t.Context(), visitor, in)
	w.Refused(err, fault.BadRequest, "contact_missing")
	in.Invitee.Phone = "+49 30 901820"
	_, err = w.Book(t.Context(), visitor, in)
	w.Must(err)
}
