package page_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/apptest/browser"
	"daybook/app/availability"
	"daybook/app/booking"
	"daybook/app/demo"
	"daybook/app/invitation"
	"daybook/app/page"
	"daybook/app/when"
)

// state is a page of the demo salon: an address, or a form that is sent there.
type state struct {
	name, at string
	form     url.Values
}

// newDemo is a world with the demo's data, and its pages in every state.
func newDemo(t testing.TB) (*world, []state) {
	w := newWorld(t, page.Options{})
	w.Apply(awayInDecember)
	_, err := demo.Fill(t.Context(), w.Set, w.Config, w.Clock.Now())
	w.Must(err)
	w.Workspace, err = w.WorkspaceBySlug(t.Context(), "demo")
	w.Must(err)
	w.Actors()
	open := func(eventType string, days int) string {
		free, _, err := w.NextOpenTimes(t.Context(), w.Owner, availability.OpenTimesInput{EventType: eventType, From: when.At(w.Clock.Now().AddDate(0, 0, days))}, 1)
		w.Must(err)
		return free[0].Start.String()
	}
	made := func(eventType string, days int, person string) (booking.Booking, string) {
		b, err := w.Book(t.Context(), w.Owner, booking.BookInput{EventType: eventType, Start: open(eventType, days), Notes: "Just the tips, please.",
			Invitee: booking.Invitee{Name: person, Email: strings.ToLower(strings.ReplaceAll(person, " ", ".")) + "@mail.example", TimeZone: "Europe/Berlin"}})
		w.Must(err)
		return b, path(b.ManageURL)
	}
	mine, at := made("haircut", 9, "Mia Becker")
	_, late := made("haircut", 0, "Mia Becker")
	_, waits := made("bridal", 6, "Mia Becker")
	gone, cancelled := made("haircut", 10, "Mia Becker")
	_, err = w.Cancel(t.Context(), w.Owner, gone.ID.String(), app.CancelInput{Reason: "Ana is ill today."})
	w.Must(err)
	moved, movedAt := made("haircut", 11, "Leo Haas")
	_, err = w.Reschedule(t.Context(), w.Owner, moved.ID.String(), app.RescheduleInput{Start: open("haircut", 12)})
	w.Must(err)
	form := func(start, email string) url.Values {
		return url.Values{"start": {start}, "name": {"Mia Becker"}, "email": {email}, "timeZone": {"Europe/Berlin"}, "notes": {"Just the tips, please."}}
	}
	together, _, err := w.VisitNextTimes(t.Context(), w.Owner, availability.VisitInput{VisitChoice: booking.VisitChoice{Order: booking.OrderAny},
		Items: []booking.VisitItem{{EventType: "colour"}, {EventType: "haircut"}}}, when.At(w.Clock.Now().AddDate(0, 0, 8)), 1)
	w.Must(err)
	day := w.Clock.Now().AddDate(0, 0, 8).Format(time.DateOnly)
	return w, []state{
		{name: "index", at: "/demo"},
		{name: "month", at: "/demo/haircut?date=" + day},
		{name: "month-full", at: "/salon/cut?month=2026-12"},
		{name: "month-last", at: "/demo/haircut?month=2027-02"},
		{name: "month-seats", at: "/demo/braiding-workshop"},
		{name: "month-embedded", at: "/demo/haircut?embed=inline&date=" + day},
		{name: "details", at: "/demo/colour?start=" + open("colour", 8)},
		{name: "details-wrong", at: "/demo/colour", form: form(open("colour", 8), "mia@")},
		{name: "details-taken", at: "/demo/beard-trim", form: form(busyStart(w, "beard-trim"), "mia.becker@mail.example")},
		{name: "visit-add", at: "/demo/colour?add=1"},
		{name: "visit-month", at: "/demo/colour?with=haircut&date=" + day},
		{name: "visit-six", at: "/demo/colour?with=haircut,beard-trim,blow-dry,braiding-workshop&add=1"},
		{name: "visit-details", at: "/demo/colour?with=haircut&start=" + together[0].Start.String()},
		{name: "visit-wrong", at: "/demo/colour?with=haircut", form: form(together[0].Start.String(), "mia@")},
		{name: "visit-taken", at: "/demo/beard-trim?with=haircut", form: form(busyStart(w, "beard-trim"), "mia.becker@mail.example")},
		{name: "booked", at: at + "?new=1"},
		{name: "booking", at: at},
		{name: "booking-late", at: late},
		{name: "booking-waits", at: waits + "?new=1"},
		{name: "booking-moved", at: movedAt + "?new=1"},
		{name: "booking-cancelled", at: cancelled},
		{name: "move", at: at + "/reschedule"},
		{name: "move-to", at: at + "/reschedule?start=" + open("haircut", 8)},
		{name: "cancel", at: at + "/cancel"},
		{name: "already", at: w.invite(invitation.Input{EventType: "haircut"}), form: form(mine.Start.String(), "mia.becker@mail.example")},
		{name: "not-found", at: "/demo/nothing"},
	}
}

// busyStart is the start of a live booking of the event type.
func busyStart(w *world, eventType string) string {
	p, err := w.Bookings(w.T.Context(), w.Owner, booking.ListBookingsInput{EventType: eventType, From: w.Clock.Now().AddDate(0, 0, 2).Format(time.RFC3339), Status: "confirmed"})
	w.Must(err)
	return p.Data[0].Start.String()
}

type screen struct {
	name          string
	width, height int64
}

var screens = []screen{{"phone", 390, 844}, {"desktop", 1280, 800}}

// call shows a state. more is added to its address.
func call(t testing.TB, ctx context.Context, base string, s state, more, theme string, on screen) {
	t.Helper()
	browser.Media(t, ctx, theme)
	at := base + s.at + map[bool]string{true: "&", false: "?"}[strings.Contains(s.at, "?")] + "timeZone=Europe/Berlin" + more
	browser.Do(t, ctx, chromedp.EmulateViewport(on.width, on.height))
	if s.form == nil {
		browser.Do(t, ctx, chromedp.Navigate(at))
		return
	}
	const from = "/salon"
	browser.Do(t, ctx, chromedp.Navigate(base+from))
	// The answer of the state before may still be shown, which looks like the one that is waited for below.
	browser.Until(t, ctx, fmt.Sprintf(`location.pathname===%q&&document.readyState==="complete"`, from))
	form, _ := json.Marshal(s.form)
	browser.Eval[chromedp.Void](t, ctx, fmt.Sprintf(`{const f=document.createElement("form");f.method="post";f.action=%q;f.hidden=true;
		for(const [k,[v]] of Object.entries(%s)){const i=document.createElement("input");i.name=k;i.value=v;f.append(i)}
		document.body.append(f);HTMLFormElement.prototype.submit.call(f)}`, at, form))
	// A document that is about to be replaced, or still empty, is not the answer; nor is one that sends the form again by
	// itself, but where that is what is looked at.
	answered := fmt.Sprintf(`location.pathname!==%q&&document.readyState==="complete"&&document.querySelector("main")`, from)
	if s.name != "rush-again" {
		answered += `&&!document.querySelector("[data-again]")`
	}
	browser.Until(t, ctx, answered)
}

// No state of the real pages, on a phone or a desktop, in the light or the dark, breaks a rule of WCAG 2.2 AA that a
// machine can check.
func TestNoAccessibilityViolations(t *testing.T) {
	ctx := browser.Open(t)
	axe := browser.Axe(t)
	w, all := newDemo(t)
	all = append(all, w.large20(), state{name: "host", at: "/demo?host=" + w.hostID("Ana Keller")})
	on := screens
	if !apptest.Long() {
		on = screens[:1] // what breaks a rule does so on a phone
	}
	look := func(base string, all []state) {
		for _, s := range all {
			call(t, ctx, base, s, "", "light", screens[0])
			for _, on := range on {
				t.Run(s.name+" "+on.name, func(t *testing.T) {
					browser.Resize(t, ctx, on.width, on.height)
					browser.Accessible(t, ctx, axe)
				})
			}
		}
	}
	look(w.open(), all)
	rushed, all := newRush(t)
	look(rushed.open(), slices.DeleteFunc(all, func(s state) bool { return s.name == "rush-again" })) // a script sends that again at once
}

// No field or button of the pages lies under something else at any width, in German, whose words are long.
func TestNothingLiesOverAField(t *testing.T) {
	ask := func(ctx context.Context, base string, all []state) {
		for _, s := range all {
			call(t, ctx, base, s, "&lang=de", "light", screen{"", browser.Widths[0], 844})
			browser.Uncovered(t, ctx, s.name)
		}
	}
	w, all := newDemo(t)
	w.Apply(chosen)
	ask(browser.Open(t), w.open(), append(all, w.large20(), state{name: "choice", at: "/salon/trim"}, state{name: "seats", at: "/salon/yoga"},
		state{name: "questions", at: "/salon/asks?start=" + apptest.At("45T09:00")}))
	quiet := browser.Open(t)
	browser.NoScript(t, quiet)
	rushed, all := newRush(t)
	ask(quiet, rushed.open(), all)
}

// DAYBOOK_SHOTS=dir go test ./app/page -run Screenshots writes a picture of every state, and booking.png, which is kept
// in assets/screenshots for the README; so is the top of index-desktop-light.png, as shop.png. DAYBOOK_SHOTS_QUERY is
// added to the addresses, such as &lang=de, and DAYBOOK_SHOTS_ONLY names the states.
func TestScreenshots(t *testing.T) {
	dir := os.Getenv("DAYBOOK_SHOTS")
	if dir == "" {
		t.Skip("DAYBOOK_SHOTS names no directory")
	}
	ctx := browser.Open(t)
	browser.Zone(t, ctx, "Europe/Berlin")
	w, all := newDemo(t)
	w.Must(demo.AddPictures(t.Context(), w.Set, demo.Result{Workspace: "demo"}))
	grand := w.large20()
	all = append(all, grand, state{name: "host", at: "/demo?host=" + w.hostID("Ana Keller")},
		state{name: "month-host", at: "/demo/haircut?host=" + w.hostID("Clara Moreau")})
	base := w.open()
	shoot := func(ctx context.Context, base string, all []state) {
		for _, s := range all {
			if only := os.Getenv("DAYBOOK_SHOTS_ONLY"); only != "" && !strings.Contains(","+only+",", ","+s.name+",") {
				continue
			}
			for _, theme := range []string{"light", "dark"} {
				for _, on := range append(screens, screen{"wide", 1440, 900}) {
					call(t, ctx, base, s, os.Getenv("DAYBOOK_SHOTS_QUERY"), theme, on)
					browser.Shot(t, ctx, dir, s.name+"-"+on.name+"-"+theme)
				}
			}
		}
	}
	shoot(ctx, base, all)
	quiet := browser.Open(t)
	browser.NoScript(t, quiet)
	rushed, all := newRush(t)
	shoot(quiet, rushed.open(), all)
	day := w.Clock.Now().AddDate(0, 0, 9).Format(time.DateOnly)
	call(t, ctx, base, state{at: "/demo/haircut?date=" + day}, "", "light", screens[1])
	browser.Do(t, ctx, chromedp.EmulateViewport(1200, 760, chromedp.EmulateScale(1.5)))
	png, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
	w.Must(err)
	w.Must(os.WriteFile(filepath.Join(dir, "booking.png"), png, 0o644))
}
