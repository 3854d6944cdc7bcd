package dashboard

import (
	"html"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"daybook/app/booking"
)

var (
	anyHidden = regexp.MustCompile(`<input type="hidden" name="([a-z]+)" value="([^"]*)"`)
	anySelect = regexp.MustCompile(`(?s)<select id="[^"]+" name="([^"]+)">(.*?)</select>`)
	anyChosen = regexp.MustCompile(`<option value="([^"]*)" selected`)
)

// appointments sends the form of a preview of appointments, with other values for some of its fields.
func (b *visitor) appointments(preview response, changed ...string) response {
	b.w.T.Helper()
	form, body := url.Values{}, mainOf(preview.body)
	for _, m := range anyHidden.FindAllStringSubmatch(body, -1) {
		form.Add(m[1], html.UnescapeString(m[2]))
	}
	for _, m := range anySelect.FindAllStringSubmatch(body, -1) {
		chosen := anyChosen.FindStringSubmatch(m[2])
		if chosen == nil {
			chosen = []string{"", ""}
		}
		form.Set(m[1], chosen[1])
	}
	for i := 0; i < len(changed); i += 2 {
		form.Set(changed[i], changed[i+1])
	}
	var fields []string
	for name, values := range form {
		for _, value := range values {
			fields = append(fields, name, value)
		}
	}
	return b.post("/dashboard/contacts/import/appointments", fields...)
}

// A file of appointments is shown with what is to be chosen, and imported once nothing is open.
func TestAppointmentsPage(t *testing.T) {
	const page = "/dashboard/contacts/import/appointments"
	w := newWorld(t)
	b := w.asOwner()
	b.wants(b.get("/dashboard/contacts/import"), 200, page)
	b.wants(b.get(page), 200, "Import appointments")
	b.wants(b.upload(page, "a,b\n1,x@mail.example\n"), 422, "The first line needs headings")
	r := b.upload(page, "Date,Time,Duration,Service,Staff,Name,Email,Price\n"+
		"2027-01-12,09:10,30,Balayage <b>,Zoe,Lea Moved,lea@mail.example,45\n2027-01-12,09:20,30,Balayage <b>,Zoe,Kim,kim@mail.example,=1+1\n")
	b.wants(r, 200, "2 lines for which you choose below", "Make it: 30 minutes", "Balayage &lt;b&gt;", `!value="import"`)
	people := anySelect.FindAllStringSubmatch(r.body, -1)
	host := ""
	for _, m := range people {
		if m[1] == "person-zoe" {
			host = regexp.MustCompile(`value="(hs_[^"]*)"`).FindStringSubmatch(m[2])[1]
		}
	}
	r = b.appointments(r, "person-zoe", host)
	b.wants(r, 200, "1 appointment to come", "1 appointment at a time that is taken", "Import 1 appointment", "Send the reminder of 1")
	line3 := b.appointments(r, "at3", "2027-01-12T11:00")
	b.wants(line3, 200, "2 appointments to come", "Import 2 appointments", "!time that is taken")
	r = b.appointments(line3, "do", "import")
	b.wants(r, 200, "Imported", "2 appointments to come", "!left out")
	all, err := w.Reader(t.Context()).Bookings(w.Workspace.ID, booking.BookingFilter{Limit: 50, Descending: true})
	w.Must(err)
	imported := 0
	for i := range all {
		if all[i].Imported != nil {
			imported++
		}
	}
	if imported != 2 {
		t.Errorf("%d bookings were imported", imported)
	}
	setup, err := w.Setup(w.Workspace.ID)
	w.Must(err)
	for i := range setup.EventTypes {
		if e := &setup.EventTypes[i]; strings.HasPrefix(e.Title, "Balayage <") && !e.Hidden {
			t.Errorf("the new service is on the page: %+v", e)
		}
	}
}
