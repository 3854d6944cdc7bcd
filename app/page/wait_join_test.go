package page_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/mail"
	"daybook/app/page"
	"daybook/app/waitlist"
	"daybook/views"
)

// waitlist returns all entries, the newest first.
func (w *world) waitlist() []waitlist.Entry {
	w.T.Helper()
	all, err := w.Waitlist.Waitlist(w.T.Context(), w.Owner, waitlist.ListInput{})
	w.Must(err)
	return all.Data
}

func joins(values ...string) url.Values {
	form := url.Values{"name": {"Bo Berg"}, "email": {"bo@mail.example"}, "from0": {"2026-12-01"}, "to0": {"2026-12-04"}}
	for i := 0; i < len(values); i += 2 {
		form.Set(values[i], values[i+1])
	}
	return form
}

// A visitor asks to be told when a time comes free, with the person and the services of the page, and is mailed.
func TestAVisitorJoinsTheWaitlist(t *testing.T) {
	w := newMailing(t)
	setup, err := w.Setup(w.Workspace.ID)
	w.Must(err)
	ana := setup.HostByEmail("ana@salon.example").ID
	month := w.get("/salon/either?host=" + ana.String())
	link := "/salon/_wait/either?host=" + ana.String()
	if !strings.Contains(month.text, `href="`+link) {
		t.Fatalf("the page doesn't lead there: %s", month.text)
	}
	form := w.get(link + "&date=2026-12-03")
	if form.StatusCode != http.StatusOK || !strings.Contains(form.text, `value="2026-12-03"`) || !strings.Contains(form.text, "Ana") {
		t.Fatalf("%d: %s", form.StatusCode, form.text)
	}
	a := w.send("POST", link, joins("evening0", "on", "from3", "2026-12-08"))
	if a.StatusCode != http.StatusAccepted || !strings.Contains(a.text, "bo@mail.example") {
		t.Fatalf("%d: %s", a.StatusCode, a.text)
	}
	all := w.waitlist()
	if len(all) != 1 || all[0].Status != waitlist.Unconfirmed {
		t.Fatalf("%+v", all)
	}
	e := all[0]
	if len(e.Items) != 1 || e.Items[0].EventType != "either" || e.Items[0].Host != ana.String() || e.Invitee.Name != "Bo Berg" || e.Invitee.Locale == "" ||
		len(e.Wishes) != 2 || !slices.Equal(e.Wishes[0].Hours, []string{"17:00-24:00"}) || e.Wishes[0].To != "2026-12-04" || e.Wishes[1].To != "2026-12-08" {
		t.Errorf("%+v", e)
	}
	mails, err := w.Mail.Mails(t.Context(), w.Owner, mail.ListInput{})
	w.Must(err)
	if len(mails.Data) != 1 || mails.Data[0].Kind != catalog.MailWaits || mails.Data[0].To != "bo@mail.example" {
		t.Errorf("%+v", mails.Data)
	}
}

// What is wrong is said at its field, and what was typed stays.
func TestWaitlistFormSaysWhatIsWrong(t *testing.T) {
	w := newMailing(t)
	for field, wrong := range map[string][]string{
		"name": {"name", " "}, "email": {"email", "bo"}, "from0": {"from0", "26.11."}, "to0": {"to0", "2026-11-01"}, "to1": {"from1", "2028-01-01"},
		"from2": {"to2", "2026-12-05"},
	} {
		a := w.send("POST", "/salon/_wait/either", joins(append(wrong, "phone", "030 1234567")...))
		if a.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(a.text, `id="f-`+field+`-error"`) ||
			strings.Count(a.text, `-error"`) != 2*strings.Count(a.text, `<p class="error"`) || !strings.Contains(a.text, "030 1234567") {
			t.Errorf("%s: %d: %s", field, a.StatusCode, a.text)
		}
	}
	if a := w.send("POST", "/salon/_wait/either", joins(views.HoneypotName, "x")); a.StatusCode != http.StatusUnprocessableEntity {
		t.Errorf("a program: %d", a.StatusCode)
	}
	for path, status := range map[string]int{"/salon/_wait/nothing": 404, "/nowhere/_wait/either": 404} {
		if a := w.send("POST", path, joins()); a.StatusCode != status {
			t.Errorf("%s: %d", path, a.StatusCode)
		}
	}
	if n := len(w.waitlist()); n != 0 {
		t.Errorf("%d entries", n)
	}
}

// Several services wait together, an address makes five entries an hour, and who was mailed three times without an answer
// isn't mailed again.
func TestWaitlistOfVisitsIsBounded(t *testing.T) {
	w := newMailing(t)
	from := []string{"X-Forwarded-For", "203.0.113.7"}
	visit := "/salon/_wait/either?with=cut"
	for i := range 3 {
		if a := w.send("POST", visit, joins(), from...); a.StatusCode != http.StatusAccepted {
			t.Fatalf("%d: %d: %s", i, a.StatusCode, a.text)
		}
	}
	if e := w.waitlist()[0]; len(e.Items) != 2 || e.Items[1].EventType != "cut" || e.Order != booking.OrderAny {
		t.Errorf("%+v", e)
	}
	if a := w.send("POST", visit, joins(), from...); a.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(a.text, "written to") {
		t.Errorf("a fourth mail: %d", a.StatusCode)
	}
	if a := w.send("POST", visit, joins("email", "cem@mail.example"), from...); a.StatusCode != http.StatusAccepted {
		t.Errorf("the fifth entry: %d: %s", a.StatusCode, a.text)
	}
	if a := w.send("POST", visit, joins("email", "dee@mail.example"), from...); a.StatusCode != http.StatusTooManyRequests {
		t.Errorf("the sixth entry: %d", a.StatusCode)
	}
}

// Where no mails go out nothing is offered, and the page doesn't lead there.
func TestNobodyWaitsWithoutMails(t *testing.T) {
	w := newWorld(t, page.Options{})
	if a := w.get("/salon/either"); strings.Contains(a.text, "_wait") {
		t.Error("the page leads there")
	}
	if a := w.send("POST", "/salon/_wait/either", joins()); a.StatusCode != http.StatusConflict {
		t.Errorf("%d: %s", a.StatusCode, a.text)
	}
}
