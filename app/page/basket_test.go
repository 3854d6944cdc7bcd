package page_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"daybook/app"
	"daybook/app/apptest/browser"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/page"
	"daybook/app/payment"
	"daybook/app/payment/stripe"
	"daybook/app/payment/stripetest"
)

// A salon in which Ana colours and cuts, and Ben cuts, too.
const colourAndCut = `
workspace: {slug: salon, name: Salon Ana, timeZone: Europe/Berlin, currency: EUR}
hosts:
  - {name: Ana, email: ana@salon.example, timeZone: Europe/Berlin, weekly: {mon: ["09:00-17:00"], tue: ["09:00-17:00"], wed: ["09:00-17:00"], thu: ["09:00-17:00"], fri: ["09:00-17:00"]}}
  - {name: Ben, email: ben@salon.example, timeZone: Europe/Berlin, weekly: {mon: ["09:00-17:00"], tue: ["09:00-17:00"], wed: ["09:00-17:00"]}}
eventTypes:
  - slug: colour
    title: Colour
    category: Colour
    durationMinutes: 90
    price: {amount: 8000, currency: EUR}
    hosts: [ana@salon.example]
    location: "Oranienstraße 25, Berlin"
    questions: [{key: allergy, label: Any allergy, type: text, required: true}]
  - slug: cut
    title: Haircut
    category: Cut
    durationMinutes: 60
    price: {amount: 4500, currency: EUR}
    hosts: [ana@salon.example, ben@salon.example]
    location: "Oranienstraße 25, Berlin"
    addOns: [{id: wash, title: Wash, minutes: 15, price: {amount: 800, currency: EUR}}]
    questions: [{key: allergy, label: Any allergy, type: text}, {key: length, label: Hair length, type: choice, options: [Short, Long]}]
  - {slug: beard, title: Beard trim, category: Cut, durationMinutes: 30, hosts: [ben@salon.example]}
  - {slug: tint, title: Brow tint, durationMinutes: 15, hosts: [ana@salon.example]}
  - {slug: lash, title: Lashes, durationMinutes: 15, hosts: [ana@salon.example]}
  - {slug: nails, title: Nails, durationMinutes: 15, hosts: [ana@salon.example]}
  - {slug: feet, title: Feet, durationMinutes: 15, hosts: [ana@salon.example]}
  - {slug: secret, title: Secret, durationMinutes: 15, hidden: true, hosts: [ana@salon.example]}
`

// visitWorld is a world with that salon.
func visitWorld(t testing.TB, o page.Options) *world {
	w := newWorld(t, o)
	w.Apply(colourAndCut)
	return w
}

// visit returns the bookings of the one visit that there is, in its order.
func (w *world) visit() (all []booking.Booking) {
	w.T.Helper()
	p, err := w.Bookings(w.T.Context(), w.Owner, booking.ListBookingsInput{Status: "confirmed,pending"})
	w.Must(err)
	for at := range p.Data {
		for i := range p.Data {
			if v := p.Data[i].Visit; v != nil && v.Position == at+1 && v.Of == len(p.Data) {
				all = append(all, p.Data[i])
			}
		}
	}
	return all
}

// filled returns the form of a page as a customer fills it in.
func filled(a answer, more ...string) url.Values {
	sent := a.hidden()
	sent.Set("name", "Mia")
	sent.Set("email", "mia@mail.example")
	sent.Set("q_allergy", "None")
	for i := 0; i+1 < len(more); i += 2 {
		sent.Set(more[i], more[i+1])
	}
	return sent
}

const colourWithCut = "/salon/colour?with=cut&timeZone=Europe/Berlin&start=2026-12-01T08:00:00Z"

// A customer without JavaScript books colour and cut by plain links and forms.
func TestVisitWithoutJavaScript(t *testing.T) {
	w := visitWorld(t, page.Options{})
	one := w.get("/salon/colour?timeZone=Europe/Berlin")
	add := one.all(`class="add-service">\s*<a href="([^"]*)"`)
	if len(add) != 2 || !strings.Contains(one.text, "Add another service") {
		t.Fatalf("the page of a service offers no other: %q", add)
	}
	offers := w.get(strings.ReplaceAll(add[0], "&amp;", "&"))
	for _, want := range []string{"Haircut", "Beard trim", "<h3>Cut</h3>", "with=cut"} {
		if !strings.Contains(offers.text, want) {
			t.Errorf("nothing says %q among what can be added", want)
		}
	}
	for _, never := range []string{"Secret", "/salon/colour?with=colour"} { // the way back to the business has it
		if strings.Contains(offers.text, never) {
			t.Errorf("%q can be added", never)
		}
	}
	month := w.get("/salon/colour?with=cut&timeZone=Europe/Berlin&date=2026-12-01")
	for _, want := range []string{"Your visit", "€125", `name="hosts.1"`, `name="also.1"`, `data-start="2026-12-01T08:00:00Z"`} {
		if !strings.Contains(month.text, want) {
			t.Errorf("the times of the visit have no %q", want)
		}
	}
	if len(month.all(`(2.hr.30.min)`)) == 0 {
		t.Error("the times don't say how long the visit takes")
	}
	if strings.Contains(month.text, `data-start="2026-12-01T14:30:00Z"`) {
		t.Error("a start is offered at which the visit would last beyond closing time")
	}
	form := w.get(colourWithCut)
	if n := strings.Count(form.text, `name="q_allergy"`); n != 1 {
		t.Errorf("the same question is asked %d times", n)
	}
	action := strings.ReplaceAll(form.all(`<form method="post" action="([^"]*)"`)[0], "&amp;", "&")
	if a := w.send("POST", action, filled(form, "q_allergy", "")); a.StatusCode != 422 || w.count() != 0 {
		t.Fatalf("without an answer to what colour asks: %d", a.StatusCode)
	}
	sent := filled(form)
	a := w.send("POST", action, sent)
	if a.StatusCode != http.StatusSeeOther {
		t.Fatalf("%d: %.3000s", a.StatusCode, a.text)
	}
	v := w.visit()
	if len(v) != 2 || v[0].End != v[1].Start || v[0].Start.String() != "2026-12-01T08:00:00Z" {
		t.Fatalf("%+v", v)
	}
	for i := range v {
		if v[i].HostNamed || v[i].Answers["allergy"] != "None" {
			t.Errorf("%s: host named %v, %v", v[i].EventType, v[i].HostNamed, v[i].Answers)
		}
	}
	// The second click leads to the same visit.
	if again := w.send("POST", action, sent); again.StatusCode != http.StatusSeeOther || again.Header.Get("Location") != a.Header.Get("Location") || w.count() != 2 {
		t.Errorf("a double click: %d %s, %d bookings", again.StatusCode, again.Header.Get("Location"), w.count())
	}
	at := a.Header.Get("Location")
	shown := w.get(at)
	if !strings.HasPrefix(at, "/visit/") || shown.StatusCode != 200 {
		t.Errorf("the booking leads to %s: %d", at, shown.StatusCode)
	}
	for _, want := range []string{`data-visit-id="vi_`, "data-booked", "Colour", "Haircut"} {
		if !strings.Contains(shown.text, want) {
			t.Errorf("the page that says it is booked has no %q", want)
		}
	}
}

// What any of its services requires stands on the page of a visit, once.
func TestVisitSaysWhatItRequires(t *testing.T) {
	w := newWorld(t, page.Options{})
	w.Apply(`
workspace:
  slug: salon
  name: Salon Ana
  timeZone: Europe/Berlin
  currency: EUR
  consents: [{key: patch-test, name: Patch test, wording: I had one.}]
hosts:
  - {name: Ana, email: ana@salon.example, timeZone: Europe/Berlin, weekly: {tue: ["09:00-17:00"]}}
eventTypes:
  - {slug: colour, title: Colour, durationMinutes: 90, hosts: [ana@salon.example]}
  - {slug: cut, title: Haircut, durationMinutes: 60, hosts: [ana@salon.example], requires: [{consent: patch-test, within: 90}]}
  - {slug: tint, title: Brow tint, durationMinutes: 15, hosts: [ana@salon.example], requires: [{consent: patch-test, within: 90}]}
`)
	form := w.get("/salon/colour?with=cut&with=tint&timeZone=Europe/Berlin&start=2026-12-01T08:00:00Z")
	if n := strings.Count(form.text, "Patch test"); n != 1 {
		t.Errorf("it is said %d times: %s", n, form.text)
	}
}

// Questions that share a key but ask something else are not answered as one: such services aren't offered together.
func TestVisitAsksNothingForAnother(t *testing.T) {
	w := newWorld(t, page.Options{})
	w.Apply(`
workspace: {slug: salon, name: Salon Ana, timeZone: Europe/Berlin, currency: EUR}
hosts:
  - {name: Ana, email: ana@salon.example, timeZone: Europe/Berlin, weekly: {tue: ["09:00-17:00"]}}
eventTypes:
  - {slug: colour, title: Colour, durationMinutes: 90, hosts: [ana@salon.example], questions: [{key: question, label: Цвет, type: text}]}
  - {slug: cut, title: Haircut, durationMinutes: 60, hosts: [ana@salon.example], questions: [{key: question, label: Длина, type: text}]}
  - {slug: tint, title: Brow tint, durationMinutes: 15, hosts: [ana@salon.example], questions: [{key: question, label: " цвет ", type: text}]}
`)
	offers := w.get("/salon/colour?add=1")
	if strings.Contains(offers.text, "with=cut") || !strings.Contains(offers.text, "with=tint") {
		t.Errorf("offered are %q", offers.all(`with=([a-z]+)`))
	}
	if form := w.get(colourWithCut); strings.Contains(form.text, "Haircut") {
		t.Error("the address has both, with one question")
	}
}

// Who is asked for, and what is booked besides, is of each service; one person may do it all.
func TestVisitWithWhom(t *testing.T) {
	w := visitWorld(t, page.Options{})
	setup, err := w.Setup(w.Workspace.ID)
	w.Must(err)
	ana, ben := setup.Hosts[0].ID.String(), setup.Hosts[1].ID.String()
	for _, c := range []struct{ query, first, second string }{
		{"hosts=" + ben, "ana", "ben"},
		{"hosts.1=" + ben, "ana", "ben"},
		{"same=1", "ana", "ana"},
		{"same=1&host=" + ana, "ana", "ana"},
	} {
		form := w.get(colourWithCut + "&also=wash&" + c.query)
		action := strings.ReplaceAll(form.all(`<form method="post" action="([^"]*)"`)[0], "&amp;", "&")
		if a := w.send("POST", action, filled(form)); a.StatusCode != http.StatusSeeOther {
			t.Fatalf("%s: %d %.2000s", c.query, a.StatusCode, a.text)
		}
		v := w.visit()
		of := map[string]booking.Booking{}
		for _, b := range v {
			of[b.EventType] = b
		}
		if len(v) != 2 || !strings.EqualFold(of["colour"].Host.Name, c.first) || !strings.EqualFold(of["cut"].Host.Name, c.second) || len(of["cut"].AddOns) != 1 {
			t.Errorf("%s: %+v", c.query, v)
		}
		w.cancelAll()
	}
}

func (w *world) cancelAll() {
	w.T.Helper()
	for _, b := range w.visit() {
		_, err := w.Cancel(w.T.Context(), w.Owner, b.ID.String(), app.CancelInput{})
		w.Must(err)
	}
}

// What strangers write into addresses and forms books nothing that isn't offered.
func TestStrangersVisits(t *testing.T) {
	w := visitWorld(t, page.Options{})
	form := w.get(colourWithCut)
	good := filled(form)
	plan := good.Get("plan")
	const at = "/salon/colour?with="
	w.play(t, []scenario{
		{name: "seven", request: "GET " + at + "cut,beard,tint,lash,nails,feet", status: 200, contains: []string{"Nails"}, never: []string{"Feet"}},
		{name: "an unknown one", request: "GET " + at + "nothing,cut", status: 200, contains: []string{"Haircut"}},
		{name: "nothing but an unknown one", request: "GET " + at + "nothing", status: 200, contains: []string{`>Colour</h1>`}},
		{name: "a hidden one", request: "GET " + at + "secret,cut", status: 200, never: []string{"Secret"}},
		{name: "itself", request: "GET " + at + "colour", status: 200, contains: []string{`>Colour</h1>`}},
		{name: "nonsense", request: "GET " + at + "../../x,%00&hosts=%27,x&also=;;;,,,", status: 200},
		{name: "another workspace's host", request: "GET " + at + "cut&hosts=hs_zzzzzzzz", status: 200, never: []string{"hs_zzzzzzzz"}},
		{name: "seven in a form", request: "POST " + at + "cut,beard,tint,lash,nails,feet", form: good, status: 422},
		{name: "a hidden one in a form", request: "POST " + at + "secret", form: good, status: 422, never: []string{"Secret"}},
		{name: "a hidden one more in a form", request: "POST " + at + "cut,secret", form: good, status: 422, never: []string{"Secret"}},
		{name: "an unknown host in a form", request: "POST " + at + "cut&hosts=hs_zzzzzzzz", form: good, status: 422},
		{name: "an unknown host in the plan", request: "POST " + at + "cut", form: filled(form, "plan", strings.ReplaceAll(plan, "~hs_", "~hs_z")), status: 422},
		{name: "a length of their own", request: "POST " + at + "cut", form: filled(form, "plan", strings.Replace(plan, "T09:30", "T08:15", 2)), status: 409},
		{name: "a time beyond the hours", request: "POST " + at + "cut", form: filled(form, "plan", strings.ReplaceAll(plan, "2026-12-01", "2026-12-06"), "start", "2026-12-06T08:00:00Z"), status: 409},
	})
	if n := w.count(); n != 0 {
		t.Errorf("%d bookings", n)
	}
}

// Somebody was faster: other times are offered, what was typed is kept, and the one picked is booked.
func TestVisitTaken(t *testing.T) {
	w := visitWorld(t, page.Options{})
	form := w.get(colourWithCut)
	action := strings.ReplaceAll(form.all(`<form method="post" action="([^"]*)"`)[0], "&amp;", "&")
	w.book("tint", "1T09:00", "leo")
	a := w.send("POST", action, filled(form, "notes", "Just the tips"))
	if a.StatusCode != 409 || !strings.Contains(a.text, "Someone just took this time") || !strings.Contains(a.text, "Just the tips") {
		t.Fatalf("%d %.3000s", a.StatusCode, a.text)
	}
	other := a.all(`type="radio" name="start" value="([^"]*)"`)
	if len(other) != 3 {
		t.Fatalf("offers %q", other)
	}
	action = strings.ReplaceAll(a.all(`<form method="post" action="([^"]*)"`)[0], "&amp;", "&")
	if a = w.send("POST", action, filled(a, "start", other[0], "notes", "Just the tips")); a.StatusCode != http.StatusSeeOther || w.count() != 3 {
		t.Errorf("%d, %d bookings: %.2000s", a.StatusCode, w.count(), a.text)
	}
}

// A salon in which Ana and Ben do the same, and Ben dyes for more.
const twoAlike = `
workspace: {slug: salon, name: Salon Ana, timeZone: Europe/Berlin, currency: EUR}
hosts:
  - {name: Ana, email: ana@salon.example, timeZone: Europe/Berlin, weekly: {tue: ["09:00-17:00"], wed: ["09:00-17:00"]}}
  - {name: Ben, email: ben@salon.example, timeZone: Europe/Berlin, weekly: {tue: ["09:00-17:00"], wed: ["09:00-17:00"]}, eventTypes: [{slug: dye, price: {amount: 7000, currency: EUR}}]}
eventTypes:
  - {slug: cut, title: Haircut, durationMinutes: 60, hosts: [ana@salon.example, ben@salon.example]}
  - {slug: wash, title: Wash, durationMinutes: 15, hosts: [ana@salon.example, ben@salon.example]}
  - {slug: dye, title: Dye, durationMinutes: 60, price: {amount: 5000, currency: EUR}, hosts: [ana@salon.example, ben@salon.example]}
`

// formFor is the form of a visit as a person fills it in, and where it is sent.
func (w *world) formFor(at, person string) (action string, sent url.Values) {
	form := w.get(at)
	action = strings.ReplaceAll(form.all(`<form method="post" action="([^"]*)"`)[0], "&amp;", "&")
	return action, filled(form, "name", person, "email", person+"@mail.example")
}

// Two who were shown the same person for the same time are both booked while another one is free, and the third is not.
func TestVisitTakenOfOneHost(t *testing.T) {
	w := newWorld(t, page.Options{BookingsPerHour: 4})
	w.Apply(twoAlike)
	const at = "/salon/cut?with=wash&timeZone=Europe/Berlin&start=2026-12-01T09:00:00Z"
	var actions []string
	var forms []url.Values
	for _, person := range []string{"mia", "leo", "eva"} {
		action, sent := w.formFor(at, person)
		actions, forms = append(actions, action), append(forms, sent)
	}
	for i, want := range []int{303, 303, 409} {
		from := "203.0.113." + string(rune('1'+i))
		if a := w.send("POST", actions[i], forms[i], "X-Forwarded-For", from); a.StatusCode != want {
			t.Errorf("%s: %d, want %d", forms[i].Get("name"), a.StatusCode, want)
		}
	}
	p, err := w.Bookings(t.Context(), w.Owner, booking.ListBookingsInput{Status: "confirmed"})
	w.Must(err)
	hosts := map[string]int{}
	for _, b := range p.Data {
		hosts[b.Host.Name]++
	}
	if hosts["Ana"] != 2 || hosts["Ben"] != 2 {
		t.Errorf("booked %v", hosts)
	}
	// A form that was booked at its second try counts once.
	action, sent := w.formFor(strings.Replace(at, "12-01", "12-02", 1), "leo")
	if a := w.send("POST", action, sent, "X-Forwarded-For", "203.0.113.2"); a.StatusCode != 303 {
		t.Errorf("another visit of leo's: %d", a.StatusCode)
	}
}

// Where the other one costs more, or somebody was asked for, nothing is booked that wasn't shown.
func TestVisitTakenAndDearer(t *testing.T) {
	w := newWorld(t, page.Options{})
	w.Apply(twoAlike)
	setup, err := w.Setup(w.Workspace.ID)
	w.Must(err)
	const at = "/salon/dye?with=wash&timeZone=Europe/Berlin&start=2026-12-01T09:00:00Z"
	first, sent := w.formFor(at, "mia")
	second, late := w.formFor(at, "leo")
	asked, named := w.formFor(at+"&same=1&host="+setup.Hosts[0].ID.String(), "eva")
	if a := w.send("POST", first, sent); a.StatusCode != 303 {
		t.Fatal(a.StatusCode)
	}
	a := w.send("POST", second, late)
	if a.StatusCode != 409 || !strings.Contains(a.text, "look at the times and the price once more") || !strings.Contains(a.text, "€70") || w.count() != 2 {
		t.Fatalf("%d, %d bookings: %.3000s", a.StatusCode, w.count(), a.text)
	}
	if a := w.send("POST", asked, named); a.StatusCode != 409 || !strings.Contains(a.text, "Someone just took this time") || w.count() != 2 {
		t.Errorf("with the one asked for: %d, %d bookings", a.StatusCode, w.count())
	}
	if a := w.send("POST", second, filled(a, "name", "leo", "email", "leo@mail.example")); a.StatusCode != 303 || w.count() != 4 {
		t.Errorf("after a second look: %d, %d bookings", a.StatusCode, w.count())
	}
}

// Visits go to whoever has the fewest bookings that week, as bookings of one service do.
func TestVisitsAreSharedOut(t *testing.T) {
	w := newWorld(t, page.Options{})
	w.Apply(twoAlike)
	w.bookVisit("2026-12-02T13:00:00Z", "leo", "cut")
	action, sent := w.formFor("/salon/cut?with=wash&timeZone=Europe/Berlin&start=2026-12-01T09:00:00Z", "mia")
	if a := w.send("POST", action, sent); a.StatusCode != 303 {
		t.Fatal(a.StatusCode)
	}
	p, err := w.Bookings(t.Context(), w.Owner, booking.ListBookingsInput{Status: "confirmed", Invitee: "mia@mail.example"})
	w.Must(err)
	for _, b := range p.Data {
		if b.Host.Name != "Ben" {
			t.Errorf("%s by %s, who has a booking already", b.EventType, b.Host.Name)
		}
	}
}

// A visit counts as often as it has services.
func TestVisitsAreLimitedAsBookingsAre(t *testing.T) {
	w := visitWorld(t, page.Options{BookingsPerHour: 3})
	from := []string{"X-Forwarded-For", "203.0.113.9"}
	send := func(at string) int {
		form := w.get("/salon/colour?with=cut&timeZone=Europe/Berlin&start=2026-12-" + at + "T08:00:00Z")
		action := strings.ReplaceAll(form.all(`<form method="post" action="([^"]*)"`)[0], "&amp;", "&")
		return w.send("POST", action, filled(form), from...).StatusCode
	}
	if a, b := send("01"), send("02"); a != 303 || b != 429 || w.count() != 2 {
		t.Errorf("%d, then %d; %d bookings", a, b, w.count())
	}
}

// The proof of work of a visit is that of all its services; without JavaScript, where a mailed link would book one
// service, a visit isn't booked, and the page says so.
func TestVisitsCostTheWorkOfTheirBookings(t *testing.T) {
	w := visitWorld(t, page.Options{Challenge: 8})
	for with, want := range map[string]string{"cut": "9", "cut,tint": "10", "cut,tint,lash,nails,feet": "11"} {
		form := w.get("/salon/colour?with=" + with + "&start=2026-12-01T08:00:00Z")
		if got := form.all(`data-challenge="([0-9]+)"`); len(got) != 1 || got[0] != want {
			t.Errorf("colour with %s asks for %q bits, want %s", with, got, want)
		}
	}
	form := w.get(colourWithCut)
	const says = "Several services can’t be booked without JavaScript"
	if !strings.Contains(form.text, says) {
		t.Error("the form doesn't say that it needs JavaScript")
	}
	action := strings.ReplaceAll(form.all(`<form method="post" action="([^"]*)"`)[0], "&amp;", "&")
	if a := w.send("POST", action, filled(form, "bymail", "1")); a.StatusCode != 409 || !strings.Contains(a.text, says) || w.count() != 0 {
		t.Errorf("%d, %d bookings", a.StatusCode, w.count())
	}
	sent := filled(form)
	sent.Del("bymail")
	if a := w.send("POST", action, sent); a.StatusCode != 422 || w.count() != 0 {
		t.Errorf("without a proof: %d, %d bookings", a.StatusCode, w.count())
	}
}

// In another site the visit is booked in the frame, and the site hears of it.
func TestVisitEmbedded(t *testing.T) {
	ctx := browser.Open(t)
	w := visitWorld(t, page.Options{})
	book := strings.Replace(w.open(), "127.0.0.1", "localhost", 1)
	browser.Do(t, ctx, chromedp.Navigate(anotherSite(t, book,
		`<div id="a" data-service-url="BOOK/salon/colour?with=cut&amp;date=2026-12-01&amp;timeZone=Europe/Berlin" data-service-prefill-name="Mia" data-service-prefill-email="mia@mail.example"></div>`)))
	browser.Until(t, ctx, `seen.some(e=>e.type==="ready")&&seen.some(e=>e.type==="resize")`)
	frame := frameOf(t, ctx, "/salon/colour")
	browser.Until(t, frame, `document.querySelector(".time")`)
	browser.Eval[chromedp.Void](t, frame, `document.querySelector(".time").click()`)
	browser.Until(t, frame, `document.querySelector(".details [name=name]")?.value==="Mia"`)
	browser.Eval[chromedp.Void](t, frame, `{document.querySelector("[name=q_allergy]").value="None";document.querySelector(".actions button").click()}`)
	browser.Until(t, ctx, `seen.some(e=>e.type==="booked")`)
	v := w.visit()
	if len(v) != 2 {
		t.Fatalf("%+v", v)
	}
	if got, want := browser.Eval[string](t, ctx, `(e=>e.visitId+" "+e.bookingId)(seen.find(e=>e.type==="booked"))`), v[0].Visit.ID.String()+" "+v[0].ID.String(); got != want {
		t.Errorf("the site heard %q, want %q", got, want)
	}
}

// Colour and cut, with a thumb on a phone.
func TestVisitOnAPhone(t *testing.T) {
	ctx := browser.Open(t)
	w := visitWorld(t, page.Options{Challenge: 8})
	browser.Zone(t, ctx, "Europe/Berlin")
	browser.Do(t, ctx, chromedp.EmulateViewport(390, 844, chromedp.EmulateTouch), chromedp.Navigate(w.open()+"/salon/colour?month=2026-12"))
	tap := func(selector, until string) {
		t.Helper()
		browser.Do(t, ctx, chromedp.Click(browser.CSS(selector)))
		browser.Until(t, ctx, until)
	}
	tap(`.add-service a`, `document.activeElement.id==="add-title"`)
	tap(`.basket-offers a[href*="with=cut"]`, `document.activeElement.id==="times-title"&&document.querySelectorAll(".basket li").length===2`)
	tap(`#basket-same`, `location.search.includes("same=1")&&document.querySelector("#basket-same").checked`)
	tap(`[data-day="2026-12-02"]`, `location.search.includes("2026-12-02")&&document.activeElement.id==="times-title"`)
	tap(`.time`, `document.activeElement.id==="details-title"`)
	fillIn(t, ctx, "Mia")
	browser.Do(t, ctx, chromedp.SendKeys(browser.CSS(`[name=q_allergy]`), "None"))
	tap(`.actions button`, bookingID)
	v := w.visit()
	if len(v) != 2 || v[0].Host.ID != v[1].Host.ID || v[0].End != v[1].Start {
		t.Errorf("%+v", v)
	}
}

// While the colour of one customer's visit sets, another books a beard trim with the same host, both with a thumb.
func TestWaitOfAVisitIsBookedOnAPhone(t *testing.T) {
	ctx := browser.Open(t)
	w := newWorld(t, page.Options{Challenge: 8})
	w.Apply(`
workspace: {slug: salon, name: Salon Ana, timeZone: Europe/Berlin}
hosts:
  - {name: Cyd, email: cyd@salon.example, timeZone: Europe/Berlin, weekly: {wed: ["09:00-12:00"]}}
eventTypes:
  - {slug: colour, title: Colour, durationMinutes: 120, parts: [{work: 45}, {wait: 40}, {work: 35}], hosts: [cyd@salon.example]}
  - {slug: cut, title: Haircut, durationMinutes: 60, hosts: [cyd@salon.example]}
  - {slug: beard, title: Beard trim, durationMinutes: 30, slotStepMinutes: 15, hosts: [cyd@salon.example]}
`)
	const starts = `[...document.querySelectorAll(".time")].map(e=>e.dataset.start).join()`
	at := w.open()
	browser.Zone(t, ctx, "Europe/Berlin")
	browser.Do(t, ctx, chromedp.EmulateViewport(390, 844, chromedp.EmulateTouch), chromedp.Navigate(at+"/salon/colour?month=2026-12"))
	tap := func(selector, until string) {
		t.Helper()
		browser.Do(t, ctx, chromedp.Click(browser.CSS(selector)))
		browser.Until(t, ctx, until)
	}
	tap(`.add-service a`, `document.activeElement.id==="add-title"`)
	tap(`.basket-offers a[href*="with=cut"]`, `document.activeElement.id==="times-title"&&document.querySelectorAll(".basket li").length===2`)
	tap(`[data-day="2026-12-02"]`, `location.search.includes("2026-12-02")&&document.activeElement.id==="times-title"`)
	if got := browser.Eval[string](t, ctx, starts); got != "2026-12-02T08:00:00Z" {
		t.Errorf("three hours of a visit begin at %q", got)
	}
	tap(`.time`, `document.activeElement.id==="details-title"`)
	fillIn(t, ctx, "Mia")
	tap(`.actions button`, bookingID)
	v := w.visit()
	if len(v) != 2 || len(v[0].Parts) != 3 {
		t.Fatalf("%+v", v)
	}

	browser.Do(t, ctx, chromedp.Navigate(at+"/salon/beard?month=2026-12"))
	tap(`[data-day="2026-12-02"]`, `document.querySelector(".time[data-start^=\"2026-12-02\"]")`)
	if got := browser.Eval[string](t, ctx, starts); got != "2026-12-02T08:45:00Z" {
		t.Errorf("beside the colour there is %q", got)
	}
	tap(`.time`, `document.activeElement.id==="details-title"`)
	fillIn(t, ctx, "Ben")
	tap(`.actions button`, bookingID)
	p, err := w.Bookings(t.Context(), w.Owner, booking.ListBookingsInput{EventType: "beard"})
	w.Must(err)
	if len(p.Data) != 1 || p.Data[0].Start != v[0].Parts[1].Start || p.Data[0].Host.ID != v[0].Host.ID {
		t.Errorf("%+v", p.Data)
	}
}

// The form of a visit names the fees of each service, and nothing is booked before the customer has agreed to them.
func TestVisitAsksForItsFees(t *testing.T) {
	w := visitWorld(t, page.Options{TakesCards: func(catalog.WorkspaceID) bool { return true }})
	w.Payment.SetProvider(stripe.New(stripetest.New(t).URL))
	_, err := w.Payment.ConnectPayments(t.Context(), app.Operator(w.Workspace.ID), payment.Keys{SecretKey: stripetest.Key,
		SigningSecret: stripetest.SigningSecret})
	w.Must(err)
	w.Apply("workspace: {slug: salon}\neventTypes:\n" +
		"  - {slug: colour, noShowFee: {amount: 4000}, lateCancellationFee: {amount: 2000}, cancellationNoticeMinutes: 1440}\n" +
		"  - {slug: cut, noShowFee: {amount: 1500}}\n  - {slug: beard, lateCancellationFee: {amount: 500, currency: EUR}, cancellationNoticeMinutes: 1440}\n")
	form := w.get("/salon/colour?with=cut,beard&maxGap=0&timeZone=Europe/Berlin&start=2026-12-01T08:00:00Z")
	for _, want := range []string{"€40 (Colour), €15 (Haircut) may be charged", "€20 (Colour), €5 (Beard trim) may be charged"} {
		if !strings.Contains(form.text, want) {
			t.Errorf("the form does not say %q", want)
		}
	}
	action := strings.ReplaceAll(form.all(`<form method="post" action="([^"]*)"`)[0], "&amp;", "&")
	if a := w.send("POST", action, filled(form)); a.StatusCode != 422 || w.count() != 0 {
		t.Fatalf("without a yes: %d", a.StatusCode)
	}
	a := w.send("POST", action, filled(form, "feeConsent", "on"))
	if a.StatusCode != http.StatusSeeOther {
		t.Fatalf("%d: %.3000s", a.StatusCode, a.text)
	}
	if v := w.visit(); len(v) != 3 || v[0].Status != booking.Pending || v[2].LateFee == nil {
		t.Fatalf("%+v", v)
	}
	if shown := w.get(a.Header.Get("Location")); !strings.Contains(shown.text, "/pay") {
		t.Error("the page leads to no page that saves the card")
	}
}

// Colour with a deposit and a cut that is paid at once, with a thumb on a phone: one sum is shown and paid, and the page
// of the visit says so.
func TestVisitPaidOnAPhone(t *testing.T) {
	ctx, axe := browser.Open(t), browser.Axe(t)
	w := visitWorld(t, page.Options{TakesCards: func(catalog.WorkspaceID) bool { return true }})
	s := stripetest.New(t)
	s.Now = w.Clock.Now
	w.Payment.SetProvider(stripe.New(s.URL))
	_, err := w.Payment.ConnectPayments(t.Context(), app.Operator(w.Workspace.ID), payment.Keys{SecretKey: stripetest.Key,
		SigningSecret: stripetest.SigningSecret})
	w.Must(err)
	w.Apply("workspace: {slug: salon}\neventTypes:\n  - {slug: colour, deposit: {percent: 25}}\n  - {slug: cut, payment: online}\n")
	browser.Zone(t, ctx, "Europe/Berlin")
	browser.Do(t, ctx, chromedp.EmulateViewport(390, 844, chromedp.EmulateTouch), chromedp.Navigate(w.open()+"/salon/colour?with=cut&month=2026-12&date=2026-12-02"))
	shows := func(texts ...string) {
		t.Helper()
		body := strings.NewReplacer("\u00a0", " ", "\u202f", " ").Replace(browser.Eval[string](t, ctx, `document.body.innerText`))
		for _, text := range texts {
			if has := strings.Contains(body, strings.TrimPrefix(text, "!")); has == strings.HasPrefix(text, "!") {
				t.Errorf("%s:\n%s", text, body)
			}
		}
		if found := browser.Eval[string](t, ctx, broad); found != "" {
			t.Errorf("too wide: %s", found)
		}
	}
	tap := func(selector, until string) {
		t.Helper()
		browser.Do(t, ctx, chromedp.Click(browser.CSS(selector)))
		browser.Until(t, ctx, until)
	}
	shows("€125", "€65 now, €60 on site")
	tap(`.time`, `document.activeElement.id==="details-title"`)
	shows("€65 now, €60 on site")
	fillIn(t, ctx, "Mia")
	browser.Do(t, ctx, chromedp.SendKeys(browser.CSS(`[name=q_allergy]`), "None"))
	tap(`.actions button`, bookingID)
	shows("Pay €65", "€65 now, €60 on site", "!Waits for confirmation")
	browser.Accessible(t, ctx, axe)
	v := w.visit()
	if len(v) != 2 || v[0].Status != booking.Pending || v[1].Status != booking.Pending {
		t.Fatalf("%+v", v)
	}
	pay := browser.Eval[string](t, ctx, `document.querySelector(".verdict a.button").getAttribute("href")`)
	token := strings.TrimSuffix(strings.TrimPrefix(pay, "/visit/"), "/pay")
	_, err = w.Payment.VisitCheckoutURL(t.Context(), token)
	w.Must(err)
	s.Pay(t, s.Session(t, -1), stripetest.Good)
	back, err := w.Payment.VisitCheckoutDone(t.Context(), token)
	w.Must(err)
	if !strings.HasSuffix(back, "/visit/"+token+"?new=1") {
		t.Errorf("comes back to %s", back)
	}
	browser.Do(t, ctx, chromedp.Navigate(w.open()+path(back)))
	shows("!Pay €65", "€65 paid online, €60 on site", "You’re booked")
	browser.Do(t, ctx, chromedp.Navigate(w.open()+path(v[0].ManageURL)))
	shows("!Pay")
	if v = w.visit(); len(v) != 2 || v[0].Status != booking.Confirmed || v[1].Status != booking.Confirmed {
		t.Errorf("%+v", v)
	}
}
