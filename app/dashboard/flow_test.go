package dashboard

import (
	"bufio"
	"context"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"daybook/app"
	"daybook/app/availability"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/webhook"
)

// A booking that comes in shows up by itself, is approved, moved, and marked as a no-show, without a page being loaded anew.
func TestLifeOfABooking(t *testing.T) {
	w := newWorld(t)
	b := w.browse()
	b.signIn(w)
	b.open("/dashboard")
	b.do(chromedp.Click(chromedp.CSS(`a[href="/dashboard"][aria-current]`)))
	b.until(`(window.marked = true)`)
	invitee := app.Actor{Kind: booking.ByInvitee, Workspace: w.Owner.Workspace}
	booked, err := w.Book(t.Context(), invitee, booking.BookInput{EventType: "bridal", Start: w.open("bridal"), Invitee: booking.Invitee{Name: "Livia Neu", Email: "livia@mail.example"}, Answers: w.answers("bridal")})
	w.Must(err)
	b.sees("Livia Neu")
	b.click(`[aria-label="Approve Livia Neu"]`)
	b.sees("Approved. The booking is confirmed.")
	b.click(`a[href="/dashboard/bookings"]`)
	b.sees("Upcoming")
	b.fill("q", "livia")
	b.until(`document.querySelectorAll("[data-results] [data-booking]").length==1`)
	b.click(`[data-booking="` + booked.ID.String() + `"]`)
	b.sees("Booked for")
	b.click(`a[href$="/move"]`)
	b.click(".slot:not([aria-current])")
	b.sees("Chosen time")
	b.fill("reason", "The stylist is away")
	b.click("form.form button[type=submit]")
	b.sees("The stylist is away")
	moved, err := w.Booking(t.Context(), w.Owner, booked.ID.String())
	w.Must(err)
	if moved.Status != booking.Rescheduled {
		t.Fatal(moved.Status)
	}
	w.Clock.Advance(moved.Start.Time().Sub(w.Clock.Now()) + time.Minute)
	b.open("/login") // the session has ended meanwhile
	b.signIn(w)
	b.open("/dashboard/bookings/" + booked.ID.String())
	b.click("details.danger:nth-of-type(1) summary")
	b.click(`form[action$="/no-show"] button`)
	b.sees("Marked as a no-show")
	b.click("details.danger summary")
	b.click(`form[action$="/undo"] button`)
	b.sees("No-show taken back")
}

// Nothing of the pages that a booking's life went through was loaded anew.
func TestPagesChangeInPlace(t *testing.T) {
	w := newWorld(t)
	b := w.browse()
	b.signIn(w)
	b.open("/dashboard")
	b.until(`(window.marked = true)`)
	for path, text := range map[string]string{"/dashboard/types": "New service", "/dashboard/contacts": "New customer", "/dashboard/analytics": "Show rate", "/dashboard/hosts": "New team member"} {
		b.click(`nav a[href="` + path + `"]`)
		b.sees(text)
		b.until(`window.marked && location.pathname=="` + path + `" && document.activeElement.tagName=="H1"`)
	}
	before := w.asOwner()
	b.open("/dashboard/bookings/new")
	b.until(`(window.marked = true)`)
	b.click("[data-other]")
	b.click(".slot")
	b.sees("Chosen time")
	b.fill("name", "Ida", "email", "no address")
	b.click("form.form button[type=submit]")
	b.sees("Please enter an e-mail address")
	b.until(`window.marked && document.querySelector("[name=name]").value=="Ida" && document.querySelector("[name=email]").value=="no address"`)
	b.fill("email", "ida@mail.example")
	b.click("form.form button[type=submit]")
	b.sees("Booked for")
	b.until(`window.marked`)
	before.wants(before.get("/dashboard/bookings?q=ida@mail"), 200, "Ida")
}

// A page whose answer was long on its way, and is older than what the stream has told since, is asked for again.
func TestPageOlderThanItsStream(t *testing.T) {
	w := newWorld(t)
	b := w.browse()
	b.signIn(w)
	b.open("/dashboard")
	b.until(`(window.sent=window.fetch,window.fetch=async(...a)=>{window.fetch=window.sent;const r=await window.sent(...a);window.held=true;while(!window.free)await new Promise(f=>setTimeout(f,20));return r})`)
	b.click(`a[href="/dashboard"][aria-current]`)
	b.until("window.held")
	invitee := app.Actor{Kind: booking.ByInvitee, Workspace: w.Owner.Workspace}
	_, err := w.Book(t.Context(), invitee, booking.BookInput{EventType: "bridal", Start: w.open("bridal"), Invitee: booking.Invitee{Name: "Livia Neu", Email: "livia@mail.example"}, Answers: w.answers("bridal")})
	w.Must(err)
	b.sees("Livia Neu") // by the stream
	b.until(`(document.body.innerHTML="",window.free=true)`)
	b.sees("Livia Neu") // though the older page was shown last
}

// open is the first open start of an event type.
func (w *world) open(kind string) string {
	w.T.Helper()
	days := 30
	found, err := w.Availability(w.T.Context(), w.Owner, availability.Input{EventType: kind, Days: &days})
	w.Must(err)
	return found.Slots()[0].Start.String()
}

// answers are something for every question of an event type.
func (w *world) answers(kind string) map[string]any {
	w.T.Helper()
	setup, err := w.Setup(w.Owner.Workspace)
	w.Must(err)
	answers := map[string]any{}
	for _, q := range setup.EventType(kind).Questions {
		switch q.Type {
		case "choice":
			answers[q.Key] = q.Options[0]
		case "checkbox":
			answers[q.Key] = true
		default:
			answers[q.Key] = "030 1234"
		}
	}
	return answers
}

func TestKeysInABrowser(t *testing.T) {
	w := newWorld(t)
	b := w.browse()
	b.signIn(w)
	b.open("/dashboard/developers")
	b.click(`a[href$="/keys/new"]`)
	b.sees("What is it for")
	b.fill("name", "Web shop")
	b.click("form.form button[type=submit]")
	b.sees("can’t be shown again")
	value, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](`document.querySelector(".copied code").textContent`))
	w.Must(err)
	k, err := w.Account.Authenticate(value)
	w.Must(err)
	b.click(`.card a.button[href="/dashboard/developers"]`)
	b.sees("Web shop")
	for _, body := range []string{w.asOwner().get("/dashboard/developers").body} {
		if strings.Contains(body, value) {
			t.Error("the key is shown again")
		}
	}
	b.until(`(()=>{const d=[...document.querySelectorAll("details.danger")].find(d=>d.querySelector("form").action.endsWith("` + k.ID.String() + `/revoke"));d.open=true;return true})()`)
	b.click(`form[action$="` + k.ID.String() + `/revoke"] button`)
	b.sees("Revoked. The key stopped working.")
	if _, err := w.Account.Authenticate(value); err == nil {
		t.Error("a revoked key works")
	}
}

func TestWebhooksAndTheirLog(t *testing.T) {
	w := newWorld(t)
	b := w.asOwner()
	b.wants(b.get("/dashboard/developers/webhooks"), 200, "No webhooks yet")
	b.wants(b.post("/dashboard/developers/webhooks/new", "url", "ftp://x", "events", "booking.created"), 422, `value="ftp://x"`, "notice-bad")
	b.wants(b.post("/dashboard/developers/webhooks/new", "url", "https://127.0.0.1/hook", "events", "booking.created"), 422, "notice-bad")
	b.wants(b.post("/dashboard/developers/webhooks/new", "url", "https://93.184.216.34/hook"), 422, "notice-bad")
	shown := b.post("/dashboard/developers/webhooks/new", "url", "https://93.184.216.34/hook", "events", "booking.created", "events", "booking.cancelled")
	b.wants(shown, 200, "whsec_", "shown again")
	all, err := w.Webhook.Endpoints(t.Context(), w.Owner)
	w.Must(err)
	path := "/dashboard/developers/webhooks/" + all[0].ID.String()
	b.wants(b.get(path), 200, "booking.created, booking.cancelled", "Nothing sent yet", "!whsec_")
	b.wants(b.post(path+"/test"), 303)
	log, err := w.Webhook.Deliveries(t.Context(), w.Owner, webhook.ListDeliveriesInput{})
	w.Must(err)
	entry := path + "/deliveries/" + log.Data[0].ID.String()
	b.wants(b.get(path), 200, entry, "Not sent yet")
	b.wants(b.get(entry), 200, "Request", "&#34;event&#34;", "No answer.")
	b.wants(b.post(entry+"/again"), 303)
	b.wants(b.post(path+"/rotate", "grace", "24h"), 200, "whsec_")
	b.wants(b.get(path), 200, "Old secret")
	b.wants(b.post(path+"/off"), 303)
	b.wants(b.get(path), 200, "Switch on", "!Send test event")
	b.wants(b.post(path+"/on"), 303)
	b.wants(b.post(path+"/delete"), 303)
	b.wants(b.get(path), 404)
}

// The stream of a page says that something happened, and ends when the server stops.
func TestLiveStream(t *testing.T) {
	w := newWorld(t)
	b := w.asOwner()
	r, err := http.NewRequestWithContext(t.Context(), "GET", w.server.URL+"/dashboard/live", nil)
	w.Must(err)
	res, err := b.client.Do(r)
	w.Must(err)
	defer res.Body.Close()
	text := make(chan string, 100)
	go func() {
		defer close(text)
		for {
			buffer := make([]byte, 1000)
			n, err := res.Body.Read(buffer)
			if n > 0 {
				text <- string(buffer[:n])
			}
			if err != nil {
				return
			}
		}
	}()
	<-text
	_, _, err = w.People.CreateContact(t.Context(), w.Owner, booking.ContactInput{Name: "Ida", Email: "ida@mail.example"})
	w.Must(err)
	if got := <-text; !strings.Contains(got, "event: change") {
		t.Errorf("%q", got)
	}
	w.door.Shutdown(t.Context())
	for range text { // until it ends
	}
	nobody, err := http.Get(w.server.URL + "/dashboard/live")
	w.Must(err)
	if nobody.Body.Close(); nobody.StatusCode != http.StatusNoContent {
		t.Errorf("nobody gets %d", nobody.StatusCode)
	}
}

// What is committed while a page is on its way, before its stream is open, is told when the stream begins.
func TestLiveStreamMissesNothing(t *testing.T) {
	w := newWorld(t)
	b := w.asOwner()
	seen := regexp.MustCompile(`data-live data-seen="(\w+)"`).FindStringSubmatch(b.get("/dashboard/till").body)
	if seen == nil {
		t.Fatal("the page doesn't say what it has seen")
	}
	h := newHub()
	select {
	case <-h.after(h.seen()):
		t.Error("a page that shows everything is woken")
	default:
	}
	_, _, err := w.People.CreateContact(t.Context(), w.Owner, booking.ContactInput{Name: "Ida", Email: "ida@mail.example"})
	w.Must(err)
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, "GET", w.server.URL+"/dashboard/live?seen="+seen[1], nil)
	w.Must(err)
	res, err := b.client.Do(r)
	w.Must(err)
	defer res.Body.Close()
	for lines := bufio.NewScanner(res.Body); ; {
		if !lines.Scan() {
			t.Fatal("the stream says nothing of it: ", lines.Err())
		}
		if lines.Text() == "event: change" {
			return
		}
	}
}

// A day of two hundred bookings, long names among them, is one page of a list and one readable day.
func TestTwoHundredBookingsADay(t *testing.T) {
	w := newWorld(t)
	var hosts []catalog.HostRef
	weekly := map[string][]string{}
	for _, day := range catalog.Weekdays {
		weekly[day] = []string{"08:00-20:00"}
	}
	for i := range 10 {
		h, err := w.Shop.SaveHost(t.Context(), w.Owner, catalog.Host{Name: "Chair " + strings.Repeat("Nine", i%3+1), Email: "chair" + string(rune('a'+i)) + "@salon.example", TimeZone: "Europe/Berlin", Hours: catalog.Hours{Weekly: weekly}})
		w.Must(err)
		hosts = append(hosts, catalog.HostRef{ID: h.ID})
	}
	e := catalog.NewEventType()
	e.Slug, e.Title, e.DurationMinutes, e.Hosts = "busy", "Wash, cut, colour and a very long talk about everything that there is", 30, hosts
	_, err := w.Shop.SaveEventType(t.Context(), w.Owner, e)
	w.Must(err)
	day := time.Date(2026, 11, 26, 8, 0, 0, 0, time.FixedZone("", 3600))
	for i := range 200 {
		_, err := w.Book(t.Context(), w.Owner, booking.BookInput{EventType: "busy", Start: day.Add(time.Duration(i/10) * 30 * time.Minute).Format(time.RFC3339), Host: hosts[i%10].ID.String(),
			Invitee: booking.Invitee{Name: "Maximiliana-Alexandra von und zu Hohenlohe-Langenburg " + string(rune('A'+i%26)), Email: "busy" + strings.Repeat("x", i%9) + string(rune('a'+i%26)) + string(rune('a'+i/26)) + "@mail.example"}})
		w.Must(err)
	}
	b := w.asOwner()
	began := time.Now()
	for _, path := range []string{"/dashboard/bookings?from=2026-11-26&to=2026-11-26", "/dashboard/bookings/calendar?date=2026-11-26", "/dashboard/bookings/calendar?date=2026-11-26&span=week"} {
		b.wants(b.get(path), 200, "Maximiliana")
	}
	t.Logf("three pages in %v", time.Since(began))
	if n := paintBytes(t, b.get("/dashboard/bookings/calendar?date=2026-11-26").body); n > 100_000 {
		t.Errorf("the day of the calendar takes %d bytes until it is drawn", n)
	} else {
		t.Logf("the day of the calendar takes %d bytes until it is drawn", n)
	}
	list := b.get("/dashboard/bookings?from=2026-11-26&to=2026-11-26")
	if n := strings.Count(list.body, "data-booking="); n != 50 || !strings.Contains(list.body, "Show more") {
		t.Errorf("%d rows", n)
	}
	tab := w.browse()
	tab.signIn(w)
	for name, path := range map[string]string{"dense-week": "/dashboard/bookings/calendar?date=2026-11-26&span=week", "dense-day": "/dashboard/bookings/calendar?date=2026-11-26", "dense-list": "/dashboard/bookings?from=2026-11-26"} {
		tab.open(path)
		tab.sees("Maximiliana")
		tab.until("document.documentElement.scrollWidth<=innerWidth")
		shot(tab, name)
	}
}
