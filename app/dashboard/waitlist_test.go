package dashboard

import (
	"net/http"
	netmail "net/mail"
	"net/url"
	"strings"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/bulk"
	"daybook/app/catalog"
	"daybook/app/mail/smtp"
	"daybook/app/shop"
	"daybook/app/waitlist"
	"daybook/app/when"
	"daybook/views/dash"
)

// A customer is put on the waitlist, is found under its state, and taken off; what is wrong is said at its field.
func TestWaitlistByForms(t *testing.T) {
	w := newWorld(t)
	wilma := w.regular()
	b := w.asOwner()
	b.wants(b.get(dash.ContactsPath), 200, `href="`+dash.WaitlistPath+`"`)
	b.wants(b.get(dash.WaitlistPath), 200, "Nobody is here", `href="`+dash.NewWaitPath+`"`)
	cut := w.setup().EventType("haircut").ID.String()
	typed := []string{"name", "Bo Berg", "email", "bo@mail.example", "phone", "030 1234567", "eventType", cut, "host", "", "from", "2026-12-23", "to", "2026-12-30"}
	b.wants(b.get(dash.NewWaitPath+"?contact="+wilma.ID.String()), 200, "wilma.stamm@mail.example")
	for _, wrong := range [][]string{{"email", "", "what comes free is offered there"}, {"to", "2026-12-01", "to-error"}, {"hours", "noon", "Enter times such as 09:00"}} {
		form := append(append([]string{}, typed...), "hours", "", "before", "12:00")
		for i := 0; i < len(form); i += 2 {
			if form[i] == wrong[0] {
				form[i+1] = wrong[1]
			}
		}
		b.wants(b.post(dash.NewWaitPath, form...), http.StatusUnprocessableEntity, wrong[2], "Bo Berg")
	}
	b.wants(b.post(dash.NewWaitPath, append(typed, "hours", "", "before", "12:00")...), 303)
	all, err := w.Waitlist.Waitlist(t.Context(), w.Owner, waitlist.ListInput{})
	w.Must(err)
	if len(all.Data) != 1 || all.Data[0].Status != waitlist.Waiting || all.Data[0].Wishes[0].Hours[0] != "00:00-12:00" {
		t.Fatalf("%+v", all.Data)
	}
	e := &all.Data[0]
	b.wants(b.get(dash.WaitlistPath), 200, "Bo Berg", "Haircut", "030 1234567", "waits since ", "!since just now", dash.WaitEndPath(e.ID.String()), "!Nobody is here")
	b.wants(b.get(dash.WaitlistPath+"?status=offered"), 200, "Nobody is here", "!Bo Berg")
	stranger := w.stranger()
	stranger.wants(stranger.post(dash.WaitEndPath(e.ID.String())), 404)
	b.wants(b.post(dash.WaitEndPath(e.ID.String())), 303)
	b.wants(b.get(dash.WaitlistPath+"?status="), 200, "Bo Berg", "ended by you", "!"+dash.WaitEndPath(e.ID.String()))

	typed[3] = ""
	b.wants(b.post(dash.NewWaitPath, typed...), http.StatusUnprocessableEntity, "what comes free is offered there")
	w.sendsTexts()
	b.wants(b.get(dash.NewWaitPath), 200, "without one by text")
	b.wants(b.post(dash.NewWaitPath, typed...), 303)
	b.wants(b.get(dash.WaitlistPath), 200, "Bo Berg", "030 1234567")
}

// What comes free stands on Today with to whom it is offered and who comes then; the business asks the next, or opens it.
func TestFreedTimesOnToday(t *testing.T) {
	w := newWorld(t)
	ctx := t.Context()
	w.Mail.ShareMailServer(&smtp.Server{Host: "mail.example", Port: 587, From: netmail.Address{Address: "book@salon.example"}})
	cut, host := w.setup().EventType("haircut"), w.setup().Hosts[0]
	w.Clock.Set(time.Date(2026, 12, 28, 9, 0, 0, 0, w.setup().Zone))
	at := time.Date(2026, 12, 29, 12, 0, 0, 0, w.setup().Zone)
	b := w.bookedOn("2026-12-29", "haircut", "12:00", "Gone Test", 0)
	for _, name := range []string{"bo", "cem"} {
		_, err := w.Waitlist.Join(ctx, w.Owner, waitlist.Input{Items: []waitlist.Item{{EventType: cut.Slug, Host: host.ID.String()}},
			Wishes:  []waitlist.Wish{{From: "2026-12-29", To: "2026-12-29"}},
			Invitee: booking.Invitee{Name: name + " Waits", Email: name + "@mail.example"}})
		w.Must(err)
		w.Clock.Advance(time.Minute)
	}
	w.Must(w.Waitlist.CarryOut(ctx))
	br := w.asOwner()
	br.wants(br.get("/dashboard"), 200, "!Came free")
	_, err := w.Cancel(ctx, w.Owner, b.ID.String(), app.CancelInput{})
	w.Must(err)
	br.wants(br.get("/dashboard"), 200, "Came free", host.Name)
	w.Must(w.Waitlist.CarryOut(ctx))
	page := br.get("/dashboard")
	br.wants(page, 200, "offered to bo Waits until", "then cem Waits", "start="+url.QueryEscape(when.At(at).String()))
	skip := between(page.body, `action="/dashboard/freed/`, `/skip"`)
	stranger := w.stranger()
	stranger.wants(stranger.post(dash.FreedSkipPath(skip)), 404)
	stranger.wants(stranger.post(dash.FreedOpenPath(skip)), 404)
	br.wants(br.post(dash.FreedSkipPath(skip)), 303)
	w.Must(w.Waitlist.CarryOut(ctx))
	br.wants(br.get("/dashboard"), 200, "offered to cem Waits until", "!offered to bo Waits")
	br.wants(br.post(dash.FreedOpenPath(skip)), 303)
	w.Must(w.Waitlist.CarryOut(ctx))
	br.wants(br.get("/dashboard"), 200, "!Came free")
}

// A room that comes free alone stands on Today with its name: with that of a host once it is offered.
func TestFreedRoomOnToday(t *testing.T) {
	w := newWorld(t)
	ctx := t.Context()
	w.Mail.ShareMailServer(&smtp.Server{Host: "mail.example", Port: 587, From: netmail.Address{Address: "book@salon.example"}})
	w.Clock.Set(time.Date(2026, 12, 28, 9, 0, 0, 0, w.setup().Zone))
	room, err := w.Shop.AddResource(ctx, w.Owner, catalog.Resource{Name: "Quiet Room", Active: true})
	w.Must(err)
	w.Alter("haircut", func(e *catalog.EventType) { e.Needs = []catalog.Need{{OneOf: []catalog.ResourceID{room.ID}}} })
	off, err := w.Shop.GiveResourceTimeOff(ctx, w.Owner, room.ID.String(), shop.Off{Start: "2026-12-29T00:00", End: "2026-12-30T00:00"})
	w.Must(err)
	_, err = w.Waitlist.Join(ctx, w.Owner, waitlist.Input{Items: []waitlist.Item{{EventType: "haircut"}},
		Wishes: []waitlist.Wish{{From: "2026-12-29", To: "2026-12-29"}}, Invitee: booking.Invitee{Name: "Bo Waits", Email: "bo@mail.example"}})
	w.Must(err)
	w.Must(w.Waitlist.CarryOut(ctx))
	w.Must(w.Shop.RemoveResourceTimeOff(ctx, w.Owner, room.ID.String(), off))
	w.Must(w.Waitlist.CarryOut(ctx))
	br := w.asOwner()
	page := br.get("/dashboard")
	br.wants(page, 200, "Came free", "· Quiet Room</b>")
	if strings.Contains(page.body, "host=hs_0000000000") {
		t.Error("the room is to be booked with no host")
	}
	w.Must(w.Waitlist.CarryOut(ctx))
	br.wants(br.get("/dashboard"), 200, "· Quiet Room · "+w.setup().Hosts[0].Name+"</b>", "offered to Bo Waits until")
}

// What the business cancels in bulk is offered to nobody, unless it says so.
func TestCancelledDayIsOfferedOnDemand(t *testing.T) {
	w := newWorld(t)
	ctx := t.Context()
	w.Mail.ShareMailServer(&smtp.Server{Host: "mail.example", Port: 587, From: netmail.Address{Address: "book@salon.example"}})
	w.Clock.Set(time.Date(2026, 12, 28, 9, 0, 0, 0, w.setup().Zone))
	e, err := w.Waitlist.Join(ctx, w.Owner, waitlist.Input{Items: []waitlist.Item{{EventType: "haircut"}},
		Wishes:  []waitlist.Wish{{From: "2026-12-29", To: "2026-12-30"}},
		Invitee: booking.Invitee{Name: "Bo Waits", Email: "bo@mail.example"}})
	w.Must(err)
	w.Must(w.Waitlist.CarryOut(ctx))
	for _, day := range []string{"2026-12-29", "2026-12-30"} {
		offers := day == "2026-12-30"
		var listed []bulk.SeenBooking
		for _, at := range []string{"11:00", "12:00"} {
			b := w.bookedOn(day, "haircut", at, "Gone"+day[8:]+at[:2], 0)
			listed = append(listed, bulk.SeenBooking{ID: b.ID.String(), Version: bulk.Version(&b), Chosen: true})
		}
		midnight, err := time.ParseInLocation(time.DateOnly, day, w.setup().Zone)
		w.Must(err)
		scope := bulk.Scope{From: when.At(midnight), To: when.At(midnight.AddDate(0, 0, 1))}
		_, err = w.Bulk.CancelListed(ctx, w.Owner, bulk.CancelInput{Listed: listed, Form: "form" + day, Scope: scope, Offers: offers})
		w.Must(err)
		w.Clock.Advance(bulk.Undoable)
		w.Must(w.Bulk.CarryOut(ctx))
		w.Must(w.Waitlist.CarryOut(ctx))
		now, err := w.Waitlist.WaitlistEntry(ctx, w.Owner, e.ID.String())
		w.Must(err)
		if offered := now.Offer != nil; offered != offers {
			t.Errorf("%s: offered %v", day, offered)
		}
	}
}
