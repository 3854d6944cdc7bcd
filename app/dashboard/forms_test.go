package dashboard

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"daybook/app/catalog"
)

var listed = regexp.MustCompile(`<li><a href="#f-[^"]*">([^<]*)</a></li>`)

// wrongOf is the list of what a refused form says must be put right.
func wrongOf(r response) (all []string) {
	for _, m := range listed.FindAllStringSubmatch(r.body, -1) {
		all = append(all, m[1])
	}
	return all
}

// A refused form says all that is wrong at once, in the words of its labels.
func TestFormsSayAllThatIsWrong(t *testing.T) {
	empty := newEmptyWorld(t)
	link, err := empty.Account.NewSetupLink(t.Context())
	empty.Must(err)
	setup := strings.TrimPrefix(link, empty.server.URL)
	w := newWorld(t)
	_, err = w.Shop.SaveEventType(t.Context(), w.Owner, catalog.EventType{
		Slug: "asks", Title: "Asks", DurationMinutes: 30, Active: true, Seats: 1, BookingWindowDays: 30, RefundOnCancel: catalog.RefundNever, Payment: catalog.PayOnSite,
		Hosts: []catalog.HostRef{{ID: w.setup().Hosts[0].ID}}, Questions: []catalog.Question{{Key: "hair", Label: "Length of your hair", Type: "text", Required: true}},
	})
	w.Must(err)
	owner := w.asOwner()
	for _, c := range []struct {
		name string
		b    *visitor
		path string
		form []string
		want []string
	}{
		{"set-up", empty.browser(), setup, []string{"timeZone", "Europe/Berlin", "currency", "EUR"},
			[]string{"Enter an e-mail address.", "Enter a password.", "Enter a name.", "Enter an address for the page."}},
		{"new event type", owner, "/dashboard/types/new", []string{"refundOnCancel", "never", "payment", "on_site", "seats", "1", "bookingWindowDays", "60", "price", "x"},
			[]string{"Enter a name for the service.", "How long: Please enter a number from 1 to 10080.", "Who does it: Choose at least one of the team.",
				"Price: Please enter an amount such as 45 or 45.50."}},
		{"new booking", owner, "/dashboard/bookings/new", []string{"type", "asks", "start", w.open("asks"), "phone", "none"},
			[]string{"Enter a name.", "Phone: Please enter a phone number such as +49 30 901820."}},
		{"new contact", owner, "/dashboard/contacts/new", []string{"email", "no"},
			[]string{"Enter a name.", "E-mail: Please enter an e-mail address such as ana@example.com."}},
	} {
		r := c.b.post(c.path, c.form...)
		got := wrongOf(r)
		slices.Sort(got)
		slices.Sort(c.want)
		if r.status != 422 && r.status != 400 || !slices.Equal(got, c.want) {
			t.Errorf("%s: %d\n got %q\nwant %q", c.name, r.status, got, c.want)
		}
	}
	r := owner.post("/dashboard/types/new", "title", "Two", "slug", "two", "durationMinutes", "30", "seats", "1", "bookingWindowDays", "60", "refundOnCancel", "never", "payment", "on_site",
		"hosts", w.setup().Hosts[0].ID.String(), "q0.label", "Fine", "q0.type", "text", "q1.label", "Which", "q1.type", "choice")
	owner.wants(r, r.status, "Question 2: Enter 1 to 50 options")
}

// With a script, the hours of a day are divided by a break and copied to other days, choices stand only at questions
// that have some, and a form that was changed is left by no link, nor by the button Back, without asking.
func TestFormsInABrowser(t *testing.T) {
	w := newWorld(t)
	b := w.browse()
	b.signIn(w)
	h := w.setup().Hosts[0]
	b.open("/dashboard/hosts")
	b.click(`a[href="` + hostURL(&h) + `"]`)
	b.click(`.tabs a[href="` + hostURL(&h) + `/hours"]`)
	b.until(`location.pathname=="` + hostURL(&h) + `/hours" && !document.querySelector("[data-hours-add]").hidden`)
	b.fill("sat.from", "09:00", "sat.to", "18:00")
	b.click(`[data-hours=sat] [data-hours-add]`)
	b.until(`[...document.querySelectorAll("[data-hours=sat] input[type=time]")].map(x=>x.value).join()=="09:00,12:00,13:00,18:00"`)
	b.click(`[data-hours=sat] .hours-copy summary`)
	b.until(`(()=>{for(const x of document.querySelectorAll("[data-hours=sat] .hours-copy [type=checkbox]"))x.checked=["mon","sun"].includes(x.value);return true})()`)
	b.click(`[data-hours-copy=sat]`)
	b.until(`document.querySelector("[name='sun.open']").checked && document.querySelectorAll("[name='sun.to']")[1].value=="18:00"`)
	b.click(`[data-hours=sun] .switch`)
	b.until(`!document.querySelector("[name='sun.open']").checked && document.querySelector("[data-hours=sun] .hours-spans").offsetHeight==0`)

	b.until(`(window.asked=0, window.confirm=()=>{asked++;return false}, true)`)
	b.click(`.side-nav a[href="/dashboard/types"]`)
	b.until(`asked==1`)
	b.until(`(history.back(), true)`)
	b.until(`asked==2 && location.pathname=="` + hostURL(&h) + `/hours" && document.querySelectorAll("[name='mon.from']").length==2`)
	b.click(`.form-end [type=submit]`)
	b.sees("Saved.")
	b.until(`(window.confirm=()=>{asked++;return false}, true)`)
	if got := w.setup().Hosts[0].Weekly; !slices.Equal(got["mon"], []string{"09:00-12:00", "13:00-18:00"}) || len(got["sun"]) > 0 {
		t.Errorf("saved %v", got)
	}
	b.click(`.side-nav a[href="/dashboard/types"]`)
	b.until(`asked==2 && location.pathname=="/dashboard/types"`)

	b.click(`.head-actions a[href="/dashboard/types/new"]`)
	b.until(`document.querySelector("[data-choices]")?.hidden`)
	b.fill("q0.type", "choice")
	b.until(`!document.querySelector("[data-choices]").hidden`)
	b.click(`.form-end [type=submit]`)
	// What is wrong leads to its field, which is no way out of the page.
	b.click(`.notice-bad a[href="#f-title"]`)
	b.until(`location.hash=="#f-title" && asked==2`)
	b.until(`document.querySelector("#f-title").getBoundingClientRect().top>=0`)
}
