package dashboard

import (
	"bytes"
	"fmt"
	"html"
	"mime/multipart"
	"net/http"
	"net/url"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"daybook/app"
	"daybook/app/availability"
	"daybook/app/booking"
	"daybook/app/contact"
	"daybook/app/report"
	"daybook/app/when"
)

func (b *visitor) upload(path, content string) response {
	b.w.T.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	part, err := form.CreateFormFile("file", "contacts.csv")
	b.w.Must(err)
	part.Write([]byte(content))
	form.Close()
	r, err := http.NewRequest("POST", b.w.server.URL+path, &body)
	b.w.Must(err)
	r.Header.Set("Content-Type", form.FormDataContentType())
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	return b.do(r)
}

// confirm imports the file of which the page is the preview, with the page's fields but those that are given.
func (b *visitor) confirm(preview response, changed ...string) response {
	b.w.T.Helper()
	if !strings.Contains(preview.body, `value="import"`) {
		b.w.T.Fatalf("no form that imports: %.1500s", mainOf(preview.body))
	}
	return b.again(preview, append(changed, "do", "import")...)
}

var (
	hiddenField = regexp.MustCompile(`<input type="(?:hidden|checkbox)" name="([a-z]+)" value="([^"]*)"( checked)?`)
	selectField = regexp.MustCompile(`(?s)<select id="(column[0-9]+)".*?<option value="([a-z]*)" selected`)
)

// again sends the form of a preview, with the page's fields but those that are given; an empty one is left out.
func (b *visitor) again(preview response, changed ...string) response {
	b.w.T.Helper()
	form := url.Values{}
	body := mainOf(preview.body)
	for _, m := range hiddenField.FindAllStringSubmatch(body, -1) {
		if !strings.Contains(m[0], "checkbox") || m[3] != "" {
			form.Add(m[1], html.UnescapeString(m[2]))
		}
	}
	for _, m := range selectField.FindAllStringSubmatch(body, -1) {
		form.Set(m[1], m[2])
	}
	for i := 0; i < len(changed); i += 2 {
		if form.Del(changed[i]); changed[i+1] != "" {
			form.Set(changed[i], changed[i+1])
		}
	}
	var fields []string
	for name, values := range form {
		for _, value := range values {
			fields = append(fields, name, value)
		}
	}
	return b.post("/dashboard/contacts/import", fields...)
}

func (w *world) contact(name, email string) booking.Contact {
	w.T.Helper()
	c, _, err := w.People.CreateContact(w.T.Context(), w.Owner, booking.ContactInput{Name: name, Email: email})
	w.Must(err)
	return c
}

func TestContacts(t *testing.T) {
	w := newWorld(t)
	b := w.manager()
	b.wants(b.get("/dashboard/contacts"), 200, "Show more", "booking")
	b.wants(b.get("/dashboard/contacts?q=zzzz"), 200, "Nobody found")
	b.wants(b.get("/dashboard/contacts?cursor=nonsense"), 200, "said-bad")
	form := []string{"name", "Mia <M>", "email", "mia@", "phone", "+49 30 123456", "timeZone", "Europe/Berlin", "notes", "likes tea"}
	b.wants(b.post("/dashboard/contacts/new", form...), 422, `value="mia@"`, "likes tea")
	form[3] = "mia.m@mail.example"
	r := b.post("/dashboard/contacts/new", form...)
	b.wants(r, 303)
	page := strings.TrimSuffix(r.location, "?said=created")
	b.wants(b.post("/dashboard/contacts/new", form...), 409, "already has this address or number", "likes tea")
	b.wants(b.get("/dashboard/contacts?q=mia.m"), 200, "Mia &lt;M&gt;", page)
	b.wants(b.get(page), 200, "Mia &lt;M&gt;", "+4930123456", "likes tea", "This customer has not booked anything yet.")
	b.wants(b.post(page+"/notes", "notes", strings.Repeat("x", 5001)), 422, "5000", strings.Repeat("x", 5001))
	b.wants(b.post(page+"/notes", "notes", "likes coffee"), 303)
	b.wants(b.get(page), 200, "likes coffee", "!likes tea")
	b.wants(b.get(page+"/edit"), 200, "likes coffee")
	form[1], form[3] = "Mia", "broken"
	b.wants(b.post(page+"/edit", form...), 422, `value="broken"`)
	other := w.contact("Taken", "taken@mail.example")
	form[3] = "TAKEN@mail.example"
	b.wants(b.post(page+"/edit", form...), 409, "Merge the two")
	form[3] = "mia2@mail.example"
	b.wants(b.post(page+"/edit", form...), 303)
	b.wants(b.get("/dashboard/contacts?q=mia2@"), 200, "mia2@mail.example")

	b.wants(b.get(page+"/merge?q=taken"), 200, other.ID.String(), "!value=\""+strings.TrimPrefix(page, "/dashboard/contacts/"))
	b.wants(b.post(page+"/merge"), 422, "Choose the customer to keep")
	b.wants(b.post(page+"/merge", "into", strings.TrimPrefix(page, "/dashboard/contacts/")), 422, "Choose another customer")
	b.wants(b.post(page+"/merge", "into", other.ID.String()), 303)
	b.wants(b.get(page), 404)
	b.wants(b.get(contactURL(other.ID)), 200, "likes tea", "+4930123456")
}

func TestMergedBookingsFollow(t *testing.T) {
	w := newWorld(t)
	b := w.asOwner()
	a := w.oneWithBookings()
	into := w.contact("Into", "into@mail.example")
	b.wants(b.post(contactURL(a.ID)+"/merge", "into", into.ID.String()), 303)
	c, err := w.People.ContactByID(t.Context(), w.Owner, into.ID.String())
	w.Must(err)
	if c.Bookings != a.Bookings || c.NoShows != a.NoShows {
		t.Errorf("%+v of %+v", c, a)
	}
	b.wants(b.get(contactURL(into.ID)), 200, "/dashboard/bookings/bk_")

	var ways []string // nothing undoes it
	for _, r := range routes {
		if strings.Contains(r.Pattern, "contacts/{id}") && (strings.Contains(r.Pattern, "merge") || strings.Contains(r.Pattern, "undo")) {
			ways = append(ways, r.Pattern)
		}
	}
	if got := strings.Join(ways, ", "); got != "GET /dashboard/contacts/{id}/merge, POST /dashboard/contacts/{id}/merge" {
		t.Errorf("routes of merging: %s", got)
	}
}

// oneWithBookings is a contact of the demo who has been there and has nothing ahead.
func (w *world) oneWithBookings() booking.Contact {
	w.T.Helper()
	n := 100
	page, err := w.People.Contacts(w.T.Context(), w.Owner, contact.Filter{}, &n, "")
	w.Must(err)
	for _, c := range page.Data {
		if c.Bookings > 1 && c.LastBookingAt < when.At(w.Clock.Now()) {
			return c
		}
	}
	w.T.Fatal("nobody")
	return booking.Contact{}
}

func TestDeleteContact(t *testing.T) {
	w := newWorld(t)
	b := w.asOwner()
	c := w.oneWithBookings()
	before, err := w.Report.Analytics(t.Context(), w.Owner, report.AnalyticsInput{From: "2026-01-01T00:00:00Z"})
	w.Must(err)
	history, err := w.People.ContactBookings(t.Context(), w.Owner, c.ID.String(), "")
	w.Must(err)
	kind := w.setup().EventTypes[0].Slug
	page, err := w.Availability(t.Context(), w.Owner, availability.Input{EventType: kind, Days: new(30)})
	w.Must(err)
	booked, err := w.Book(t.Context(), w.Owner, booking.BookInput{EventType: kind, Start: page.Slots()[0].Start.String(), Invitee: booking.Invitee{Name: c.Name, Email: c.Email}})
	w.Must(err)
	b.wants(b.post(contactURL(c.ID)+"/delete"), 409, "Cancel it first")
	_, err = w.Cancel(t.Context(), w.Owner, booked.ID.String(), app.CancelInput{Reason: "because " + c.Name + " said so"})
	w.Must(err)
	b.wants(b.post(contactURL(c.ID)+"/delete"), 303)
	b.wants(b.get(contactURL(c.ID)), 404)
	b.wants(b.get("/dashboard/contacts?q="+c.Email), 200, "Nobody found")
	b.wants(b.get("/dashboard/contacts"), 200, "!"+c.Email, "!"+contactURL(c.ID))
	b.wants(b.get("/dashboard/contacts/export"), 200, "!"+c.Email)
	after, err := w.Report.Analytics(t.Context(), w.Owner, report.AnalyticsInput{From: "2026-01-01T00:00:00Z"})
	w.Must(err)
	if after.Totals.Total != before.Totals.Total+1 || fmt.Sprint(after.Value) != fmt.Sprint(before.Value) {
		t.Errorf("figures: %+v of %+v", after.Totals, before.Totals)
	}
	for _, x := range append(history.Data, booked) {
		got, err := w.Booking(t.Context(), w.Owner, x.ID.String())
		w.Must(err)
		if got.Invitee.Email == c.Email || got.Invitee.Name == c.Name || got.Notes != "" || len(got.Answers) > 0 || got.Invitee.Phone != "" {
			t.Errorf("%+v", got.Invitee)
		}
		entries, err := w.History(t.Context(), w.Owner, x.ID.String())
		w.Must(err)
		for _, e := range entries {
			if strings.Contains(e.Reason, c.Name) {
				t.Error(e.Reason)
			}
		}
	}
	b.wants(b.post(contactURL(c.ID)+"/delete"), 404)
}

func TestImportAndExport(t *testing.T) {
	w := newWorld(t)
	b := w.asOwner()
	known := w.contact("Known", "known@mail.example")
	b.wants(b.get("/dashboard/contacts/import"), 200, "Excel workbook")
	b.wants(b.upload("/dashboard/contacts/import", ""), 422, "is not a CSV file")
	r := b.upload("/dashboard/contacts/import", "a,b\n1,x@mail.example\n")
	b.wants(r, 422, "headings", `<label for="column0">a</label>`, "<li>x@mail.example</li>", `!value="import"`)
	r = b.again(r, "column1", "email")
	b.wants(r, 200, "1 new customer", "Not imported: a.", `<option value="email" selected`, `value="import"`)
	b.wants(b.again(r, "column0", "notes", "do", "import"), 200, "Nothing has been saved yet", "a: 1", "!Not imported: a.")
	b.wants(b.upload("/dashboard/contacts/import", "email\n\x00\x01\x02\n"), 422, "UTF-8")
	b.wants(b.upload("/dashboard/contacts/import", "PK\x03\x04"), 422, "This workbook")
	b.wants(b.upload("/dashboard/contacts/import", "email\nx@x.example\n\"y\n"), 422, "from line 3 on")
	b.wants(b.upload("/dashboard/contacts/import", strings.Repeat("a,", 2<<20)), 422, "more than 100 columns")
	b.wants(b.post("/dashboard/contacts/import"), 422, "Choose a CSV or Excel file")
	b.wants(b.post("/dashboard/contacts/import", "draft", "???"), 422, "could not be read completely")
	b.wants(b.upload("/dashboard/contacts/import", "Email,Birthday\n"), 200, "0 new customers", `!value="import"`)
	r = b.upload("/dashboard/contacts/import", "name,email,Consent\nOne,one@mail.example,yes\nTwo,two@\nThree,ONE@mail.example\nFour\n")
	b.wants(r, 200, "Nothing has been saved yet", "<li>1 new customer ", "2 lines left out", "<td>3</td><td>Two</td>", "Lines 2, 4", "Lines 3, 5",
		"<td>5</td><td>Four</td><td>No e-mail address and no phone number.</td>", "Not imported: Consent.", "1 line is of somebody")
	left := b.again(r, "do", "left")
	b.wants(left, 200, "\ufeffname,email,Consent,why\nTwo,two@,,", "\nFour,,,5: No e-mail address and no phone number.")
	b.wants(b.get("/dashboard/contacts?q=one@mail"), 200, "Nobody found")
	b.wants(b.confirm(r), 200, "<li>1 new customer ", "2 lines left out", "<td>5</td><td>Four</td>", "Not imported: Consent.")
	b.wants(b.get("/dashboard/contacts?q=one@mail"), 200, "One")
	r = b.upload("/dashboard/contacts/import", "\ufeffE-mail;Full Name;Phone;Time zone;Notes;Age\r\nnew@mail.example;Søren;'+45 20 30 40 50;Europe/Copenhagen;\"two\nlines\";44\r\nKNOWN@mail.example;;;;\"now with notes\"\r\n")
	b.wants(r, 200, "<li>1 new customer ", "1 known customer changed", "Not imported: Age.", "<li>44</li>", "1 line has no name", "Import 2 customers",
		"Known customers that change", "<span>Known</span>", "<ins>now with notes</ins>")
	b.wants(b.again(r, "change", ""), 200, "Import 1 customer<", "1 known customer left as it was", "!1 known customer changed")
	b.wants(b.confirm(r), 200, "<li>1 new customer ", "1 known customer changed", "!line left out", "!lines left out")
	c, err := w.People.ContactByID(t.Context(), w.Owner, known.ID.String())
	w.Must(err)
	if c.Name != "Known" || c.Notes != "now with notes" {
		t.Errorf("%+v", c)
	}
	w.contact("=cmd|' /C calc'!A0", "evil@mail.example")
	r = b.get("/dashboard/contacts/export")
	b.wants(r, 200, "name,email,phone", "Søren,new@mail.example,\"'+4520304050\",Europe/Copenhagen,\"two\nlines\"", "'=cmd")
	if !strings.Contains(r.header.Get("Content-Disposition"), "demo-2026-11-21-contacts.csv") {
		t.Error(r.header)
	}
	b.wants(b.upload("/dashboard/contacts/import", r.body), 200, "0 new customers", "known customers unchanged", "!known customers changed", `!value="import"`)

	many := &strings.Builder{}
	many.WriteString("name,email,notes\n")
	for i := range 5000 {
		fmt.Fprintf(many, "Person %d,p%d@many.example,%s\n", i, i, strings.Repeat("n", 300))
	}
	b.wants(b.confirm(b.upload("/dashboard/contacts/import", many.String())), 200, "5000 new")

	short := "email\n" + strings.Repeat("x@many.example\n", 50_001)
	b.wants(b.upload("/dashboard/contacts/import", short), 422, "more than 50000 lines")
}

// The page of an import undoes it, says why that is refused, and is no stranger's.
func TestImportsAreUndoneFromTheirPage(t *testing.T) {
	w := newWorld(t)
	b := w.asOwner()
	link := regexp.MustCompile(`/dashboard/imports/im_[0-9a-z]+`)
	imports := func(text string) string {
		t.Helper()
		r := b.confirm(b.upload("/dashboard/contacts/import", text))
		b.wants(r, 200, "See this import or undo it")
		return link.FindString(r.body)
	}
	first := imports("name,email\nUma,uma@mail.example\nUlf,ulf@mail.example\n")
	second := imports("name,email,notes\nUma,uma@mail.example,tea\n")
	b.wants(b.get("/dashboard/contacts/import"), 200, "Imports of the last 24 hours", first, second, "2 new customers", "1 known customer changed", "Can be undone")
	b.wants(b.get(first), 200, "Undo this import", "This can be undone until")
	b.wants(b.post(first+"/undo"), 409, "A later import changed some of the same customers. Undo that one first.", "Undo this import")
	b.wants(b.post(second+"/undo"), 303)
	b.wants(b.get(second), 200, "1 customer is as before the import", "!Undo this import")
	b.wants(b.post(first+"/undo"), 303)
	b.wants(b.post(first+"/undo"), 303)
	b.wants(b.get(first), 200, "2 customers are as before the import", "Undone", "!Undo this import", "!Customers who stay")
	b.wants(b.get("/dashboard/contacts?q=uma@mail"), 200, "Nobody found")
	third := imports("name,email\nUma,uma@mail.example\n")
	staff, stranger := w.staff(w.setup().Hosts[0].ID), w.stranger()
	staff.wants(staff.get(third), 403)
	staff.wants(staff.post(third+"/undo"), 403)
	stranger.wants(stranger.get(third), 404)
	stranger.wants(stranger.post(third+"/undo"), 404)
	w.Clock.Advance(2 * when.Day)
	b = w.asOwner()
	b.wants(b.get(third), 200, "Can’t be undone any more", "!Undo this import")
	b.wants(b.post(third+"/undo"), 409, "An import can be undone for 24 hours. They are over.")
}

// An import of appointments is undone from its page, which says what stays and why.
func TestImportsOfAppointmentsAreUndoneFromTheirPage(t *testing.T) {
	const page = "/dashboard/contacts/import/appointments"
	w := newWorld(t)
	b := w.asOwner()
	host := w.setup().Hosts[0]
	r := b.upload(page, "Date,Time,Duration,Service,Staff,Name,Email\n"+
		"2027-01-12,09:10,30,Peeling,"+host.Name+",Lea Moved,lea@mail.example\n2027-01-12,10:20,30,Peeling,"+host.Name+",Kim,kim@mail.example\n")
	r = b.appointments(r, "do", "import")
	b.wants(r, 200, "2 appointments to come", "See this import or undo it")
	one := regexp.MustCompile(`/dashboard/imports/im_[0-9a-z]+`).FindString(r.body)
	b.wants(b.get(page), 200, "Imports of the last 24 hours", one, "2 appointments · 2 new customers · 1 new service")
	b.wants(b.get(one), 200, "The appointments go with their history", "Undo this import")
	all, err := w.Reader(t.Context()).Bookings(w.Workspace.ID, booking.BookingFilter{Limit: 50, Descending: true})
	w.Must(err)
	w.Must(w.People.SetContactNotes(t.Context(), w.Owner, all[0].ContactID.String(), "tea"))
	_, err = w.Service.Cancel(t.Context(), w.Owner, all[1].ID.String(), booking.CancelInput{})
	w.Must(err)
	b.wants(b.post(one+"/undo"), 303)
	b.wants(b.get(one), 200, "1 entry is as before the import", "4 entries stay", "What stays", "Lea Moved</a>", "Was changed since.", "Peeling</a>",
		"Is in use by now.", "Kim</a>", "!Undo this import")
	b.wants(b.get("/dashboard/bookings/"+all[0].ID.String()), 404)
	b.wants(b.get("/dashboard/bookings/"+all[1].ID.String()), 200)
}

func TestContactsKeepToTheirOwn(t *testing.T) {
	w := newWorld(t)
	mine := w.oneWithBookings()
	staff, stranger := w.staff(w.setup().Hosts[0].ID), w.stranger()
	base := contactURL(mine.ID)
	staff.wants(staff.get(base), 404) // the workspace doesn't let them see customers
	stranger.wants(stranger.get(base), 404)
	for _, path := range []string{"/edit", "/merge"} {
		staff.wants(staff.get(base+path), 403)
		stranger.wants(stranger.get(base+path), 404)
	}
	for _, path := range []string{"/edit", "/notes", "/merge", "/delete"} {
		form := []string{"name", "x", "email", "x@x.example", "notes", "x", "into", base}
		staff.wants(staff.post(base+path, form...), 403)
		stranger.wants(stranger.post(base+path, form...), 404)
	}
	for _, path := range []string{"", "/new", "/import", "/export"} {
		staff.wants(staff.get("/dashboard/contacts"+path), 403)
	}
	staff.wants(staff.upload("/dashboard/contacts/import", "email\nx@x.example\n"), 403)
	stranger.wants(stranger.get("/dashboard/contacts"), 200, "No customers yet")
	theirs := strings.TrimSuffix(stranger.post("/dashboard/contacts/new", "name", "Theirs", "email", "theirs@x.example").location, "?said=created")
	stranger.wants(stranger.post(theirs+"/merge", "into", mine.ID.String()), 404)
	c, err := w.People.ContactByID(t.Context(), w.Owner, mine.ID.String())
	w.Must(err)
	if !reflect.DeepEqual(c, mine) {
		t.Errorf("%+v", c)
	}
}

// The business books somebody who has a telephone number only; what can't be mailed is there to be read out, and contacts
// with the same number are shown to each other.
func TestBookedByPhone(t *testing.T) {
	w := newWorld(t)
	b := w.manager()
	at := w.open("haircut")
	b.wants(b.get("/dashboard/bookings/new?start="+at), 200, "A name is enough. Without e-mail, no mail goes out.")
	b.wants(b.post("/dashboard/bookings/new", "type", "haircut", "start", at), 422, "Enter a name.")
	r := b.post("/dashboard/bookings/new", "type", "haircut", "start", at, "name", "Pat Caller", "phone", "030 77788899")
	b.wants(r, 303)
	b.wants(b.get(r.location), 200, "+493077788899", "no mail is sent", "Link to move or cancel", "!mailto:")
	found, err := w.People.ContactsWith(t.Context(), w.Owner, "", "030 77788899")
	if w.Must(err); len(found.Data) != 1 {
		t.Fatalf("%d contacts", len(found.Data))
	}
	b.wants(b.get("/dashboard/contacts?q=pat"), 200, "Pat Caller", "030 77788899")
	b.wants(b.get(contactURL(found.Data[0].ID)), 200, "!mailto:", "!Same phone number")
	b.wants(b.post("/dashboard/contacts/new", "name", "Pat Twice", "phone", "030 77788899"), 409, "already has this address or number")
	b.wants(b.post("/dashboard/contacts/new", "name", "Pat Twice", "email", "pat@mail.example", "phone", "030 77788899"), 303)
	b.wants(b.get(contactURL(found.Data[0].ID)), 200, "Same phone number: merge?", "Pat Twice")
}
