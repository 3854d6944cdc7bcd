package page_test

import (
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/field"
	"daybook/app/page"
)

// marked gives each text of v that is free a mark of its own, and returns the path of each mark.
func marked(v reflect.Value, at string, marks map[string]string) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			marked(v.Elem(), at, marks)
		}
	case reflect.Slice:
		for i := range v.Len() {
			marked(v.Index(i), at, marks)
		}
	case reflect.Struct:
		for _, f := range reflect.VisibleFields(v.Type()) {
			if name, _ := field.Name(f); name != "" {
				marked(v.FieldByIndex(f.Index), at+"."+name, marks)
			}
		}
	case reflect.String:
		if v.Type() != reflect.TypeFor[string]() || v.String() != "" && !strings.HasPrefix(v.String(), "free") {
			return // one that means something
		}
		mark := fmt.Sprintf("mark%02dx", len(marks))
		marks[mark] = at
		v.SetString(strings.Replace(v.String(), "free", "", 1) + mark)
	}
}

// Of the free texts of an event type and its host, exactly these are on the pages that anybody opens.
func TestStrangersSee(t *testing.T) {
	w := newWorld(t, page.Options{})
	marks := map[string]string{}
	w.Alter("cut", func(e *catalog.EventType) {
		e.Title, e.Description, e.Location, e.Category = "free", "free", "free", ""
		e.Questions = []catalog.Question{{Key: "q", Label: "free", Type: "choice", Options: []string{"free"}}}
		e.AddOns = []catalog.AddOn{{ID: "a", Title: "free", Group: "g"}}
		e.AddOnGroups = []catalog.AddOnGroup{{ID: "g", Title: "free"}}
		e.Words = []catalog.MailWords{{Locale: "en", Text: "free"}}
		marked(reflect.ValueOf(e).Elem(), "eventType", marks)
		e.RedirectURL = "https://" + e.RedirectURL + ".example/"
	})
	setup, err := w.Setup(w.Workspace.ID)
	w.Must(err)
	h := setup.Hosts[0]
	h.Name, h.Email = "free", ""
	marked(reflect.ValueOf(&h).Elem(), "host", marks)
	h.Email += "@salon.example"
	w.Must(w.Store.Write(t.Context(), func(tx app.Tx) error { return tx.UpdateHost(&h) }))
	booked := w.send("POST", "/salon/cut", bookingForm("1T10:00", "leo", "q_q", ""))
	if booked.StatusCode != http.StatusSeeOther {
		t.Fatalf("%d: %.2000s", booked.StatusCode, booked.text)
	}
	seen := map[string]bool{}
	for _, at := range []string{"/salon", "/salon/cut", "/salon/cut?date=2026-12-01", "/salon/cut?start=2026-12-01T08:00:00Z", path(booked.Header.Get("Location"))} {
		text := w.get(at).text
		for mark, of := range marks {
			seen[of] = seen[of] || strings.Contains(text, mark)
		}
	}
	var shown []string
	for of, yes := range seen {
		if yes {
			shown = append(shown, of)
		}
	}
	slices.Sort(shown)
	const want = "eventType.addOnGroups.title eventType.addOns.title eventType.category eventType.description " +
		"eventType.location eventType.questions.label eventType.questions.options eventType.title host.about host.name"
	if got := strings.Join(shown, " "); got != want {
		t.Errorf("they see\n%s\nof %v, want\n%s", got, marks, want)
	}
}
