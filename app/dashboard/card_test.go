package dashboard

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"daybook/app"
	"daybook/app/apptest/browser"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/contact"
	"daybook/app/when"
	"daybook/store/enginetest"
	"daybook/views/dash"
)

// photographed adds a photograph to the card of a contact.
func (w *world) photographed(of string, kind contact.PhotoKind) contact.File {
	w.T.Helper()
	data, err := w.People.ReadFile(w.T.Context(), w.Owner, pictureFile(w.T, 640, 480))
	w.Must(err)
	f, err := w.People.AddFile(w.T.Context(), w.Owner, of, contact.FileInput{Kind: kind}, data)
	w.Must(err)
	return f
}

// comesToday is a booking of today that stands, of a customer whose card is empty.
func (w *world) comesToday() booking.Booking {
	w.T.Helper()
	page, err := w.Bookings(w.T.Context(), w.Owner, booking.ListBookingsInput{From: "2026-11-21T00:00:00Z", To: "2026-11-22T00:00:00Z"})
	w.Must(err)
	for _, b := range page.Data {
		if b.ContactID == 0 || !b.Status.Stands() {
			continue
		}
		entries, err := w.People.Entries(w.T.Context(), w.Owner, b.ContactID.String(), nil, "")
		w.Must(err)
		if len(entries.Data) == 0 {
			return b
		}
	}
	w.T.Fatal("nobody comes today whose card is empty")
	return booking.Booking{}
}

// Without scripts: a note and a formula are written and tied to the visit of that day, the formula is copied by "Same
// again", corrected, pinned and deleted; what was corrected stays readable.
func TestCardByForms(t *testing.T) {
	w := newWorld(t)
	b := w.asOwner()
	visit := w.comesToday()
	id := visit.ContactID.String()
	card := dash.ContactPath(id)
	b.wants(b.get(card), 200, "Nothing written down yet", "No photos yet", `value="`+visit.ID.String()+`" checked`, "!Same again", "!Last formula")

	b.wants(b.post(dash.CardEntriesPath(id), "kind", "note", "text", " ", "pinned", "on"), 422, `role="alert"`, `name="pinned" value="on" checked`)
	b.wants(b.post(dash.CardEntriesPath(id), "kind", "note", "text", "Likes it <short>", "pinned", "on"), 303)
	b.wants(b.post(dash.CardEntriesPath(id), "kind", "formula", "text", "6/0 + 6% 30 min", "booking", visit.ID.String()), 303)
	entries := w.entries(id)
	note, formula := entries[0], entries[1]
	if !note.Pinned || note.Booking != 0 || formula.Booking != visit.ID || formula.Kind != contact.FormulaEntry {
		t.Fatalf("%+v", entries)
	}
	b.wants(b.get(card), 200, "Last formula", "Likes it &lt;short&gt;", ">Pinned<", dash.SameAgainPath(id), "!Nothing written")

	again := b.get(card + "?again=1")
	b.wants(again, 200, ">6/0 + 6% 30 min</textarea>", `value="formula" checked`, `value="`+visit.ID.String()+`" checked`)
	b.wants(b.post(dash.CardEntriesPath(id), "kind", "formula", "text", "6/0 + 6% 35 min", "booking", visit.ID.String()), 303)
	newest := w.entries(id)[1]
	if newest.Text != "6/0 + 6% 35 min" || newest.Booking != visit.ID {
		t.Errorf("%+v", newest)
	}

	correct := b.get(card + "?correct=" + newest.ID.String())
	b.wants(correct, 200, `name="corrects" value="`+newest.ID.String()+`"`, ">6/0 + 6% 35 min</textarea>", `!name="kind" value="note"`)
	b.wants(b.post(dash.CardEntriesPath(id), "corrects", newest.ID.String(), "booking", visit.ID.String(), "text", "6/0 + 9% 35 min"), 303)
	b.wants(b.get(card), 200, "6/0 + 9% 35 min", "what was written before", "6/0 + 6% 35 min")
	b.wants(b.post(dash.CardEntriesPath(id), "corrects", newest.ID.String(), "text", "too late"), 409, ">too late</textarea>", `role="alert"`,
		"as a new entry", `!name="corrects"`, `value="formula" checked`)

	b.wants(b.post(dash.CardPinPath(id, note.ID.String()), "pinned", "off"), 303)
	b.wants(b.get(card), 200, "!>Pinned<")
	b.wants(b.post(dash.CardEntryDeletePath(id, note.ID.String())), 303)
	b.wants(b.get(card), 200, "!Likes it")
	b.wants(b.post(dash.CardEntryDeletePath(id, note.ID.String())), 404)

	// Beside the booking, and in the calendar, the formula is there without a tap, and the name leads to the card.
	for _, beside := range []string{dash.BookingPath(visit.ID.String()), dash.CalendarPath + "?date=2026-11-21&booking=" + visit.ID.String()} {
		b.wants(b.get(beside), 200, "Last formula", "6/0 + 9% 35 min", `href="`+card+`"`, `href="`+dash.SameAgainPath(id)+`"`)
	}
	b.wants(b.get(dash.TodayPath), 200, `href="`+card+`"`)
}

func (w *world) entries(of string) []contact.Entry {
	w.T.Helper()
	page, err := w.People.Entries(w.T.Context(), w.Owner, of, nil, "")
	w.Must(err)
	return page.Data
}

// Staff write on the cards of those whom they serve, and see no money and delete nothing; managers do.
func TestCardOfEachRole(t *testing.T) {
	w := newWorld(t)
	visit := w.comesToday()
	id := visit.ContactID.String()
	card := dash.ContactPath(id)
	entry, err := w.People.AddEntry(t.Context(), w.Owner, id, contact.EntryInput{Kind: contact.FormulaEntry, Text: "7/1 + 4%"})
	w.Must(err)
	file := w.photographed(id, contact.BeforePhoto).ID.String()
	staff, manager := w.staff(visit.Host.ID), w.manager()
	for _, path := range []string{card, dash.CardFilePath(id, file), dash.CardSmallPath(id, file)} {
		staff.wants(staff.get(path), 404)
	}
	staff.wants(staff.post(dash.CardEntriesPath(id), "kind", "note", "text", "mine"), 404)
	staff.wants(staff.uploadAs("file", dash.CardFilesPath(id), "a.png", pictureFile(t, 40, 30)), 404)

	_, err = w.Shop.UpdateWorkspace(t.Context(), w.Owner, func(ws *catalog.Workspace) { ws.Settings.StaffSeeCustomers = true })
	w.Must(err)
	w.received(visit.ID)
	staff.wants(staff.get(card), 200, "7/1 + 4%", dash.CardSmallPath(id, file), `name="text"`, "!>Paid so far<", "!"+dash.CardEntryDeletePath(id, entry.ID.String()),
		"!"+dash.CardFileDeletePath(id, file), `!href="`+dash.ContactsPath+`"`, "!?tags=")
	manager.wants(manager.get(card), 200, ">Paid so far<", dash.CardEntryDeletePath(id, entry.ID.String()), dash.CardFileDeletePath(id, file))
	staff.wants(staff.post(dash.CardEntriesPath(id), "kind", "note", "text", "by the stylist"), 303)
	manager.wants(manager.get(card), 200, "by the stylist", visit.Host.Name)
	staff.wants(staff.post(dash.CardPinPath(id, entry.ID.String()), "pinned", "on"), 303)
	staff.wants(staff.post(dash.CardEntryDeletePath(id, entry.ID.String())), 403)
	staff.wants(staff.get(dash.BookingPath(visit.ID.String())), 200, "7/1 + 4%")
	if n := len(w.entries(id)); n != 2 {
		t.Errorf("%d entries", n)
	}
	manager.wants(manager.post(dash.CardEntryDeletePath(id, entry.ID.String())), 303)

	// It ends with the membership.
	members, err := w.Account.Members(t.Context(), w.Owner)
	w.Must(err)
	for _, m := range members {
		if m.Role == app.StaffRole {
			_, err := w.Account.RemoveMember(t.Context(), w.Owner, m.ID.String())
			w.Must(err)
		}
	}
	for _, path := range []string{card, dash.CardFilePath(id, file)} {
		staff.wants(staff.get(path), 303)
	}
	staff.wants(staff.post(dash.CardEntriesPath(id), "kind", "note", "text", "after"), 303)
	if n := len(w.entries(id)); n != 1 {
		t.Errorf("%d entries", n)
	}
}

// received takes some money for a booking.
func (w *world) received(id booking.BookingID) {
	w.T.Helper()
	form := w.asOwner()
	form.wants(form.post(dash.BookingPayPath(id.String()), "amount", "12.50", "method", "cash"), 303)
}

// Photographs come as pictures made anew, and PDF files as they are: both only to be saved, whatever a browser takes them
// for, and to those who may see the card; whoever added one may delete it for a day.
func TestFilesOfACard(t *testing.T) {
	w := newWorld(t)
	visit := w.comesToday()
	id := visit.ContactID.String()
	card, files := dash.ContactPath(id), dash.CardFilesPath(id)
	_, err := w.Shop.UpdateWorkspace(t.Context(), w.Owner, func(ws *catalog.Workspace) { ws.Settings.StaffSeeCustomers = true })
	w.Must(err)
	b, staff := w.asOwner(), w.staff(visit.Host.ID)
	b.wants(b.uploadAs("file", files, "", nil, "kind", "after"), 422, "Choose a photo or a file.", `value="after" checked`)
	b.wants(b.uploadAs("file", files, "x.png", []byte("<svg onload=alert(1)>"), "kind", "after"), 422, `role="alert"`)
	staff.wants(staff.uploadAs("file", files, "me.png", pictureFile(t, 900, 700), "kind", "after", "booking", visit.ID.String()), 303)
	b.wants(b.uploadAs("file", files, "Einverständnis \"A\".pdf", []byte("%PDF-1.4\n%%EOF"), "kind", ""), 303)
	page := b.get(card)
	b.wants(page, 200, "After, Sat, Nov 21", "Einverständnis", `capture="environment"`)
	all, err := w.People.Files(t.Context(), w.Owner, id, nil, "")
	w.Must(err)
	if len(all.Data) != 2 || all.Data[1].Booking != visit.ID || all.Data[1].Kind != contact.AfterPhoto {
		t.Fatalf("%+v", all.Data)
	}
	document, photo := all.Data[0].ID.String(), all.Data[1].ID.String()
	for path, want := range map[string]struct{ kind, disposition, begins string }{
		dash.CardSmallPath(id, photo):   {"image/", "attachment; filename=", ""},
		dash.CardFilePath(id, photo):    {"image/", "attachment; filename=", ""},
		dash.CardFilePath(id, document): {"application/pdf", "attachment; filename*=utf-8''Einverst%C3%A4ndnis", "%PDF-1.4"},
	} {
		r := b.get(path)
		h := r.header
		if r.status != 200 || !strings.HasPrefix(h.Get("Content-Type"), want.kind) || !strings.HasPrefix(h.Get("Content-Disposition"), want.disposition) ||
			!strings.HasPrefix(r.body, want.begins) ||
			h.Get("X-Content-Type-Options") != "nosniff" || h.Get("Content-Security-Policy") != "sandbox; default-src 'none'" || h.Get("Cache-Control") != "private, no-store" {
			t.Errorf("%s: %d %v", path, r.status, h)
		}
	}
	b.wants(b.get(dash.CardFilePath(id, "cf_1p4s8yvz00n1b")), 404)
	b.wants(b.get(dash.CardSmallPath(id, document)), 404)
	b.wants(b.get(dash.CardFilePath(w.oneWithBookings().ID.String(), photo)), 404)

	staff.wants(staff.post(dash.CardFileDeletePath(id, document)), 403)
	w.Clock.Set(w.Clock.Now().Add(25 * time.Hour))
	staff.wants(staff.post(dash.CardFileDeletePath(id, photo)), 403)
	b.wants(b.post(dash.CardFileDeletePath(id, photo)), 303)
	b.wants(b.get(dash.CardFilePath(id, photo)), 404)
	b.wants(b.get(card), 200, "!"+photo)
}

// Tags, a birthday and the way to be told are saved by the form, and stand on the card; customers are found by their tags.
func TestTagsAndBirthdayByForms(t *testing.T) {
	w := newWorld(t)
	b := w.asOwner()
	x := w.contact("Mia Berg", "mia.berg@mail.example")
	w.contact("Noah Berg", "noah.berg@mail.example")
	card := contactURL(x.ID)
	form := []string{"name", x.Name, "email", x.Email, "tags", "Vegan,  Allergy , vegan", "birthday", "31", "birthday.month", "04", "birthday.year", "", "tellBy", "text"}
	b.wants(b.post(card+"/edit", form...), 422, `value="31" selected`, `value="04" selected`, "Enter a valid date")
	form[7] = "24"
	form[9] = "11"
	b.wants(b.post(card+"/edit", form...), 303)
	b.wants(b.get(card), 200, "?tags=Vegan", "?tags=Allergy", "Nov 24", "in 3 days", "Prefers text messages")
	b.wants(b.get(card+"/edit"), 200, `value="Allergy, Vegan"`, `value="24" selected`, `value="11" selected`, `value="text" selected`)
	form[11] = "1996"
	b.wants(b.post(card+"/edit", form...), 303)
	w.Clock.Set(time.Date(2026, 11, 24, 9, 0, 0, 0, time.UTC))
	b.wants(b.get(card), 200, "today, turns 30")
	// What a form doesn't have stays.
	b.wants(b.post(card+"/edit", "name", x.Name, "email", x.Email), 303)
	b.wants(b.get(card), 200, "?tags=Vegan", "Nov 24")

	list := b.get(dash.ContactsPath)
	b.wants(list, 200, "?tags=Vegan", "Noah Berg")
	b.wants(b.get(dash.ContactsPath+"?tags=vegan"), 200, "Mia Berg", "!Noah Berg", `aria-current="true"`)
	b.wants(b.get(dash.ContactsPath+"?tags=vegan,allergy&q=mia"), 200, "Mia Berg", `name="tags" value="vegan"`)
	b.wants(b.get(dash.ContactsPath+"?tags=vegan&q=noah"), 200, "Nobody found")
	form[5], form[7], form[9], form[11] = "", "", "", ""
	b.wants(b.post(card+"/edit", form...), 303)
	b.wants(b.get(card), 200, "!Vegan", "!Nov 24", `!id="birthday`)
}

// A stylist with a phone in her hand sees the last formula in the first screen, does the same again with two taps, and
// takes a photograph.
func TestStylistAtTheChair(t *testing.T) {
	w := newWorld(t)
	visit := w.comesToday()
	id := visit.ContactID.String()
	_, err := w.Shop.UpdateWorkspace(t.Context(), w.Owner, func(ws *catalog.Workspace) { ws.Settings.StaffSeeCustomers = true })
	w.Must(err)
	_, err = w.People.AddEntry(t.Context(), w.Owner, id, contact.EntryInput{Kind: contact.FormulaEntry, Text: "6/0 + 6% 30 min"})
	w.Must(err)
	_, err = w.People.ChangeContact(t.Context(), w.Owner, id, func(c *booking.Contact) (booking.ContactInput, error) {
		return booking.ContactInput{Name: c.Name, Email: c.Email, Phone: c.Phone, Tags: []string{"Colour", "Regular"}}, nil
	})
	w.Must(err)
	w.member(app.StaffRole, visit.Host.ID)
	b := w.browse()
	b.look("light", 390, 844)
	b.open("/login")
	b.fill("email", "staff-member@salon.example", "password", "correct horse battery")
	b.click("button[type=submit]")
	b.until("location.pathname=='/dashboard'")
	b.open(dash.BookingPath(visit.ID.String()))
	b.click(fmt.Sprintf(".customer-sum a[href=%q]", dash.ContactPath(id)))
	b.until(`document.querySelector(".cust-formula .cust-text")`)
	for _, selector := range []string{"h1", ".cust-who .chip", ".cust-figures > div:nth-child(1)", ".cust-figures > div:nth-child(2)", ".cust-formula .cust-text", ".cust-formula .button-main"} {
		bottom := browser.Eval[float64](t, b.ctx, fmt.Sprintf(`document.querySelector(%q).getBoundingClientRect().bottom`, selector))
		bar := browser.Eval[float64](t, b.ctx, `document.querySelector(".side-nav").getBoundingClientRect().top`)
		if bottom <= 0 || bottom > bar {
			t.Errorf("%s ends at %.0f, the screen at %.0f", selector, bottom, bar)
		}
	}
	b.click(".cust-formula .button-main")
	b.until(`document.activeElement?.id=="entry-text" && document.activeElement.value=="6/0 + 6% 30 min"`)
	b.do(chromedp.KeyEvent(kb.End), chromedp.KeyEvent(", 5 more"))
	b.click(".entry-form button[type=submit]")
	b.until(`document.querySelector(".cust-formula .cust-text").textContent=="6/0 + 6% 30 min, 5 more"`)
	newest := w.entries(id)[0]
	if newest.Booking != visit.ID || newest.Kind != contact.FormulaEntry || newest.Author.Name != visit.Host.Name {
		t.Errorf("%+v", newest)
	}

	file := filepath.Join(t.TempDir(), "IMG_0001.png")
	w.Must(os.WriteFile(file, pictureFile(t, 900, 1200), 0o600))
	b.click(`.file-form .pill:nth-of-type(2)`)
	b.do(chromedp.SetUploadFiles(chromedp.CSS(`.file-form input[capture]`), []string{file}))
	b.until(`(i=>i&&i.complete&&i.naturalWidth>0)(document.querySelector(".strip img"))`)
	all, err := w.People.Files(t.Context(), w.Owner, id, nil, "")
	w.Must(err)
	if len(all.Data) != 1 || all.Data[0].Booking != visit.ID || all.Data[0].Kind != contact.AfterPhoto {
		t.Fatalf("%+v", all.Data)
	}
	// The keyboard opens it in large, and closes it.
	b.do(chromedp.Focus(chromedp.CSS(".strip button")), chromedp.KeyEvent(kb.Enter))
	b.until(`(i=>i&&i.checkVisibility()&&i.complete&&i.naturalWidth>0)(document.querySelector(".photo-large:popover-open img"))`)
	b.do(chromedp.KeyEvent(kb.Escape))
	b.until(`!document.querySelector(".photo-large:popover-open") && document.activeElement.closest(".strip")`)
}

// crowded is a customer with that many visits, entries and photographs.
func (w *world) crowded(visits, entries, photos int) booking.Contact {
	w.T.Helper()
	x := w.contact("Zoé Sánchez-Lindqvist", "zoe@mail.example")
	visit := w.comesToday()
	db := enginetest.Raw(w.T, w.Store.Engine)
	rows, err := db.Query("SELECT * FROM bookings WHERE 1 = 0")
	w.Must(err)
	columns, err := rows.Columns()
	w.Must(err)
	w.Must(rows.Close())
	for i := range visits {
		start := visit.Start.Time().AddDate(0, 0, -7*(i+1))
		end := start.Add(visit.End.Time().Sub(visit.Start.Time()))
		made := make([]string, len(columns))
		for n, column := range columns {
			made[n] = column
			switch column {
			case "id":
				made[n] = fmt.Sprint(int64(visit.ID) + 1 + int64(i))
			case "contact_id":
				made[n] = fmt.Sprint(int64(x.ID))
			case "start_ms", "busy_start_ms":
				made[n] = fmt.Sprint(int64(when.At(start)))
			case "end_ms", "busy_end_ms":
				made[n] = fmt.Sprint(int64(when.At(end)))
			}
		}
		_, err := db.Exec("INSERT INTO bookings (" + strings.Join(columns, ", ") + ") SELECT " + strings.Join(made, ", ") + " FROM bookings WHERE id = " + fmt.Sprint(int64(visit.ID)))
		w.Must(err)
	}
	for i := range entries {
		in := contact.EntryInput{Kind: contact.FormulaEntry, Text: fmt.Sprintf("6/%d + 6/34 (1:1), 6%%, %d min\nLengths: 7/0 with 1.9%%", i, 20+i), Pinned: i%9 == 0}
		if i%3 == 0 {
			in.Kind, in.Text = contact.NoteEntry, strings.Repeat("Sensitive at the temples. ", 1+i%5)
		}
		_, err := w.People.AddEntry(w.T.Context(), w.Owner, x.ID.String(), in)
		w.Must(err)
	}
	for i := range photos {
		w.photographed(x.ID.String(), []contact.PhotoKind{contact.BeforePhoto, contact.AfterPhoto}[i%2])
	}
	return x
}

// The card of a customer of ten years opens as fast as that of a new one, and all bookings stand under their years.
func TestCardOfTenYears(t *testing.T) {
	w := newWorld(t)
	x := w.crowded(500, 60, contact.MaxFiles)
	b := w.asOwner()
	r, err := http.NewRequest("GET", w.server.URL+contactURL(x.ID), nil)
	w.Must(err)
	r.Header.Set("Accept-Encoding", "gzip")
	b.get(contactURL(x.ID))
	began := time.Now()
	packed := b.do(r)
	took := time.Since(began)
	if packed.header.Get("Content-Encoding") != "gzip" || len(packed.body) > 100_000 {
		t.Errorf("%d bytes", len(packed.body))
	}
	t.Logf("%d bytes compressed, in %v", len(packed.body), took)
	page := b.get(contactURL(x.ID))
	b.wants(page, 200, "<b>2017</b>", "There is room for 50", "?entries=")
	if n := len(regexp.MustCompile(`<details class="year"`).FindAllString(page.body, -1)); n != 10 {
		t.Errorf("%d years", n)
	}
	if n := strings.Count(page.body, `popovertarget="p-cf_`); n != 2*contact.MaxFiles {
		t.Errorf("%d buttons of photographs", n)
	}
	next := regexp.MustCompile(`\?entries=[^"#]+`).FindString(page.body)
	b.wants(b.get(contactURL(x.ID)+next), 200, "Back to the start", "6/1 + 6/34")
}

// The card breaks no rule of WCAG that a machine can check, and scrolls sideways at no width: full and empty, with a form
// that is filled, refused, and with a photograph in large.
func TestCardIsAccessible(t *testing.T) {
	w := newWorld(t)
	full, empty := w.crowded(12, 14, 6), w.contact("Ida Ohne", "ida.ohne@mail.example")
	birthday, tell := "1990-11-21", "call"
	_, err := w.People.ChangeContact(t.Context(), w.Owner, full.ID.String(), func(c *booking.Contact) (booking.ContactInput, error) {
		return booking.ContactInput{Name: c.Name, Email: c.Email, Phone: "+49 30 555013", Birthday: &birthday, TellBy: &tell,
			Tags: []string{"Stammkundin", "Balayage", "Kommt mit der Bahn", strings.Repeat("Langeswort", 4)}}, nil
	})
	w.Must(err)
	w.asOwner().post("/dashboard/account/language", "locale", "de")
	axe := browser.Axe(t)
	b := w.browse()
	b.look("light", 1280, 800)
	b.signIn(w)
	for name, path := range map[string]string{"card-full": contactURL(full.ID), "card-empty": contactURL(empty.ID), "card-again": contactURL(full.ID) + "?again=1",
		"card-edit": dash.ContactEditPath(full.ID.String()), "card-list": dash.ContactsPath + "?tags=Balayage"} {
		b.accessible(name, path, axe)
		for _, width := range []int64{320, 390, 820, 1440} {
			b.look("light", width, 844)
			b.open(path)
			if found := browser.Eval[string](t, b.ctx, broad); found != "" {
				t.Errorf("%s at %d: %s", name, width, found)
			}
		}
	}
	b.open(contactURL(full.ID))
	b.click(".strip button")
	b.until(`document.querySelector(".photo-large:popover-open")`)
	browser.Accessible(t, b.ctx, axe)
}
