package dashboard

import (
	"fmt"
	"html"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"daybook/app/booking"
	"daybook/views/dash"
)

// Several services are booked at once by the form for a new booking: each with a person of its own, and each can be
// taken out again. A time that was taken meanwhile leaves what was typed.
func TestNewBookingOfSeveralServices(t *testing.T) {
	w := newWorld(t)
	b := w.asOwner()
	const page = "/dashboard/bookings/new"
	b.wants(b.get(page), 200, "Add another service", `name="type2"`, "!Service 1")
	trims := w.setup().EventType("beard-trim").Hosts
	bea := trims[0].ID.String()
	form := page + "?type=haircut&type2=beard-trim&host2=" + bea
	both := b.get(form + "&date=2026-11-21")
	b.wants(both, 200, "Service 1", "Service 2", `name="type3"`, "Remove Beard trim", `name="at"`)
	slot := regexp.MustCompile(`class="slot" href="([^"]*start=2[^"]*)"`).FindStringSubmatch(both.body)
	if slot == nil {
		t.Fatal("no time is offered")
	}
	picked := html.UnescapeString(slot[1])
	b.wants(b.get(picked), 200, "Haircut", "Beard trim", "Total", "Create booking")
	q, err := url.Parse(picked)
	w.Must(err)
	start := q.Query().Get("start")

	// The first is taken out, and one in the middle.
	b.wants(b.get(page+"?type=&type2=beard-trim"), 200, "!Service 1", `value="beard-trim" checked`)
	b.wants(b.get(page+"?type=haircut&type2=&type3=beard-trim"), 200, "Service 2", "!Service 3")
	b.wants(b.get(page+"?type=haircut&type2=gone"), 200, "!Service 2")

	typed := []string{"type", "haircut", "type2", "beard-trim", "host2", bea, "start", start, "phone", "030 7654321",
		"notes", "Allergic & shy"}
	b.wants(b.post(page, append(typed, "name", "")...), 422, "Allergic &amp; shy</textarea>", "Create booking")
	made := b.post(page, append(typed, "name", "Vera Visit")...)
	b.wants(made, 303)
	found, err := w.Bookings(t.Context(), w.Owner, booking.ListBookingsInput{Invitee: "030 7654321"})
	w.Must(err)
	if len(found.Data) != 2 || found.Data[0].Visit == nil || found.Data[0].Visit.Of != 2 {
		t.Fatalf("booked: %+v", found.Data)
	}
	first, second := found.Data[0], found.Data[1]
	if first.Start > second.Start {
		first, second = second, first
	}
	if first.Start.String() != start || second.Start != first.End || second.EventType != "beard-trim" ||
		second.Host.ID.String() != bea || second.Notes != "Allergic & shy" {
		t.Errorf("booked: %+v and %+v", first, second)
	}
	if !strings.Contains(made.location, dash.BookingPath(first.ID.String())) {
		t.Errorf("leads to %s", made.location)
	}

	// At any time, against the rules that the form names, whoever has just come in included.
	night := b.get(form + "&date=2026-12-02&at=02:10")
	b.wants(night, 200, "Against your rules: outside the working hours", "Book anyway", "Beard trim", "2:10", "Total")
	late := []string{"type", "haircut", "type2", "beard-trim", "host2", bea, "start", "2026-12-02T01:10:00Z", "phone", "030 7654399", "name", "Nina Night"}
	b.wants(b.post(page, late...), 422, "Nothing is saved yet", "Against your rules", `value="Nina Night"`)
	b.wants(b.post(page, append(late, overrides(night)...)...), 303)
	if x := b.get(form + "&date=" + "2026-11-21" + "&start=next"); !strings.Contains(x.body, `name="walkin" value="1"`) || !strings.Contains(x.body, "Create booking") && !strings.Contains(x.body, "Book anyway") {
		t.Error("somebody who has come in for both gets no time")
	}

	// The person is taken: other times, with what was typed, and in no address.
	taken := b.post(page, append(typed, "name", "Tom Late")...)
	b.wants(taken, 409, `name="name" value="Tom Late"`, `name="type2" value="beard-trim"`, "!notes=")
	button := regexp.MustCompile(`name="time" value="([^"]*start=2[^"]*)"`).FindStringSubmatch(taken.body)
	again := b.post(page, append(typed, "name", "Tom Late", "time", html.UnescapeString(button[1]))...)
	b.wants(again, 200, `value="Tom Late"`, "Total", `name="type2"`, `value="beard-trim" selected`)

	// What can't be booked with others is not left out without a word.
	gone := b.post(page, append(slices.Clone(typed[4:]), "type", "haircut", "type2", "gone", "name", "Tom Late")...)
	b.wants(gone, 409, "can’t be booked like this any more")
}

// Colour and cut by clicks, on a desktop and on a phone.
func TestBookAVisitByHand(t *testing.T) {
	w := newWorld(t)
	for _, width := range widths {
		tab := w.browse()
		tab.signIn(w)
		h := tab.hand(width)
		h.open("/dashboard/bookings/new?date=2026-12-01")
		h.fill("type", "colour")
		h.until(`document.querySelector("select[name=type]").value == "colour" && !document.querySelector("[aria-busy=true]")`)
		h.fill("type2", "haircut")
		h.until(`document.querySelectorAll(".pick-service").length == 2`)
		h.shoot("new-visit", width)
		h.tap(`.slot[data-start]`)
		h.types("name", "Clara Colour", "phone", "030 7654321")
		h.shoot("new-visit-picked", width)
		h.tap(makeIt)
		h.until(`document.querySelector("[data-booking-id]")`)
		h.sees("Same visit")
	}
	found, err := w.Bookings(t.Context(), w.Owner, booking.ListBookingsInput{Invitee: "030 7654321"})
	w.Must(err)
	if len(found.Data) != 4 {
		t.Errorf("%d bookings", len(found.Data))
	}
}

// shoot writes a picture of the page where DAYBOOK_SHOTS says.
func (b *tab) shoot(name string, width int64) {
	b.t.Helper()
	dir := os.Getenv("DAYBOOK_SHOTS")
	if dir == "" {
		return
	}
	png, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, fmt.Sprintf("%s-%d.png", name, width)), png, 0o644)
	}
	if err != nil {
		b.t.Fatal(err)
	}
}
