package app_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/contact"
	"daybook/app/fault"
	"daybook/store/enginetest"
)

// Contacts are found while somebody types: by words of the name, the e-mail address, and the number however it is
// written; never more than a few, and none of another workspace.
func TestLookup(t *testing.T) {
	w := newWorld(t)
	add := func(name, email, phone string) {
		t.Helper()
		_, created, err := w.People.CreateContact(t.Context(), w.Owner, booking.ContactInput{Name: name, Email: email, Phone: phone})
		if w.Must(err); !created {
			t.Fatalf("%s is there already", name)
		}
	}
	add("Anna-Lena Müller", "al@mail.example", "+49 30 901820")
	add("Anna Keller", "keller@mail.example", "")
	add("Bo Ek", "", "+46 8 123 456 78")
	add("Lee Ann", "", "0151 23456789")
	add("Odd", "odd@mail.example", "1-2") // kept as it was typed
	other := w.Beside("other", "dan")
	_, _, err := other.People.CreateContact(t.Context(), other.Owner, booking.ContactInput{Name: "Anna Other", Email: "other@mail.example"})
	w.Must(err)
	for typed, want := range map[string]string{
		"an": "Lee Ann, Anna-Lena Müller, Anna Keller", "ANNA": "Anna-Lena Müller, Anna Keller", "anna k": "Anna Keller",
		"k anna": "Anna Keller", "len": "Anna-Lena Müller", "mü": "Anna-Lena Müller", "keller@m": "Anna Keller",
		"al@mail.example": "Anna-Lena Müller", "bo": "Bo Ek", "ek bo": "Bo Ek", "nn": "", "anna zz": "",
		"+49 30 90": "Anna-Lena Müller", "0049 30": "Anna-Lena Müller", "+49 (0)30 90 18": "Anna-Lena Müller",
		"030 90": "Anna-Lena Müller", "(030) 90 18 20": "Anna-Lena Müller", "030/901820": "Anna-Lena Müller",
		"4930": "Anna-Lena Müller", "0151-234": "Lee Ann", "+4915123456789": "Lee Ann", "+46 8": "Bo Ek", "0046812345678": "Bo Ek",
		"a": "", "": "", "  ": "", "0": "", "+": "", "()": "", "12": "Odd", "%": "", "anna %": "", "\U0010FFFF\U0010FFFF": "",
	} {
		found, err := w.People.Lookup(t.Context(), w.Owner, typed)
		var names []string
		for _, c := range found {
			names = append(names, c.Name)
		}
		if got := strings.Join(names, ", "); err != nil || got != want {
			t.Errorf("%q finds %q, want %q, %v", typed, got, want, err)
		}
	}
	if _, err := w.People.Lookup(t.Context(), w.Owner, strings.Repeat("x", fault.MaxSearch+1)); refusal(err) != "invalid q" {
		t.Error(refusal(err))
	}
	for i := range 20 {
		add(fmt.Sprint("Many ", i), fmt.Sprintf("many%d@mail.example", i), "")
	}
	if found, err := w.People.Lookup(t.Context(), w.Owner, "many"); err != nil || len(found) != contact.LookupMost {
		t.Errorf("%d found, %v", len(found), err)
	}
	staff := w.Owner
	staff.Role, staff.User, staff.Host = app.StaffRole, 9, 1
	if _, err := w.People.Lookup(t.Context(), staff, "anna"); !fault.Is(err, fault.Forbidden) {
		t.Error(err)
	}
}

// What is known of a contact are the bookings that took place, and what they mostly have among the last ten.
func TestKnown(t *testing.T) {
	w := newWorld(t)
	w.Offer("cut", 30, nil)
	w.Offer("colour", 30, nil)
	book := func(kind, start string, status booking.Status) booking.Booking {
		t.Helper()
		b, err := w.Book(t.Context(), w.API, booking.BookInput{EventType: kind, Start: apptest.At(start), Invitee: booking.Invitee{Name: "Pat", Phone: "030 901820"}})
		w.Must(err)
		if status == booking.Cancelled {
			_, err = w.Cancel(t.Context(), w.API, b.ID.String(), app.CancelInput{})
			w.Must(err)
		}
		return b
	}
	first := book("colour", "1T09", booking.Confirmed)
	for i := range 6 {
		book("colour", fmt.Sprintf("1T%02d", 10+i), booking.Confirmed)
	}
	for i := range 5 {
		book("cut", fmt.Sprintf("2T%02d", 9+i), booking.Confirmed)
	}
	book("colour", "2T15", booking.Cancelled)
	missed := book("colour", "2T14", booking.Confirmed)
	book("colour", "3T09", booking.Confirmed)
	known := func() contact.Known {
		t.Helper()
		k, err := w.People.Known(t.Context(), w.Owner, first.ContactID.String())
		w.Must(err)
		return k
	}
	if k := known(); len(k.Past) != 0 || k.Usual != 0 {
		t.Errorf("before the first visit: %d, %v", len(k.Past), k.Usual)
	}
	w.at("+2 17:00")
	_, err := w.MarkNoShow(t.Context(), w.API, missed.ID.String())
	w.Must(err)
	k := known()
	var got []string
	for _, b := range k.Past {
		got = append(got, b.EventType+" "+b.Start.String()+" "+b.Host.Name)
	}
	setup, err := w.Setup(w.Workspace.ID)
	w.Must(err)
	// Five of the last ten are cuts, five colour: the latest of the two. No-shows and cancelled ones don't count.
	if len(got) != 3 || !strings.HasPrefix(got[0], "cut ") || k.Usual != setup.EventType("cut").ID || k.NoShows != 1 {
		t.Errorf("%v, usual %v, %d no-shows", got, k.Usual, k.NoShows)
	}
	if _, err := w.People.Known(t.Context(), w.Owner, "ct_0"); !fault.Is(err, fault.NotFound) {
		t.Error(err)
	}
	w.Alter("cut", func(e *catalog.EventType) { e.Active = false })
	if known().Usual != setup.EventType("cut").ID {
		t.Error("what is switched off is nobody's usual service")
	}
}

// A customer is found without accents and however an umlaut is written, by a part of a word, of the address or of the number's
// end, in the look-up and in the list alike; what begins with the text comes first. Those who were saved before are found
// so once their terms are renewed.
func TestCustomersAreFoundHoweverTheyAreWritten(t *testing.T) {
	w := newWorld(t)
	for _, c := range []booking.ContactInput{
		{Name: "María García", Phone: "+34 911 23 45 67"}, {Name: "Ayşe Yılmaz", Email: "ay@mail.example"},
		{Name: "Jörg Krüger", Email: "kunde@krueger-bau.example"}, {Name: "Ina Krueger", Phone: "030 901 820"},
		{Name: "Ole Strauß", Email: "ole.b@other.example"}, {Name: "Tom Baumann", Email: "tom@third.example"},
		{Name: "Queenie O´Brien", Email: "q@sixth.example"}, {Name: "Ida Søeborg", Email: "i@seventh.example"}, {Name: "Γιώργος", Email: "g@eighth.example"},
		{Name: "Mann", Email: "m@fourth.example"}, {Name: "Søren Łuczak", Email: "s@fifth.example"},
	} {
		_, _, err := w.People.CreateContact(t.Context(), w.Owner, c)
		w.Must(err)
	}
	find := func(when string) {
		t.Helper()
		for typed, want := range map[string]string{
			"Garcia": "María García", "garcía": "María García", "maria gar": "María García", "yilmaz": "Ayşe Yılmaz", "YILMAZ": "Ayşe Yılmaz",
			"Ayse": "Ayşe Yılmaz", "Kruger": "Ina Krueger, Jörg Krüger", "krueger": "Ina Krueger, Jörg Krüger", "Krüger": "Ina Krueger, Jörg Krüger",
			"krue": "Ina Krueger, Jörg Krüger", "krug": "Ina Krueger, Jörg Krüger", "jorg": "Jörg Krüger", "Joerg": "Jörg Krüger",
			"queen": "Queenie O´Brien", "queenie": "Queenie O´Brien", "o´brien": "Queenie O´Brien", "soeborg": "Ida Søeborg", "Søeborg": "Ida Søeborg", "soborg": "Ida Søeborg",
			"ΓΙΏΡΓΟΣ": "Γιώργος", "\u0301": "",
			"strauss": "Ole Strauß", "Strauß": "Ole Strauß", "soren luc": "Søren Łuczak",
			"mann": "Mann, Tom Baumann", "uman": "Tom Baumann", "uma": "", "tom uman": "Tom Baumann", "mann tom": "Tom Baumann",
			"mail.example": "Ayşe Yılmaz", "b@other": "Ole Strauß", "bau.ex": "Jörg Krüger",
			"820": "Ina Krueger", "1820": "Ina Krueger", "45 67": "María García", "567": "María García", "20": "", "0901": "",
		} {
			found, err := w.People.Lookup(t.Context(), w.Owner, typed)
			w.Must(err)
			listed, err := w.People.Contacts(t.Context(), w.Owner, contact.Filter{Q: typed}, nil, "")
			w.Must(err)
			for where, all := range map[string][]booking.Contact{"the look-up": found, "the list": listed.Data} {
				var names []string
				for _, c := range all {
					names = append(names, c.Name)
				}
				if where == "the list" || strings.Contains(want, "Ina") { // the last one first; of one name who was first
					slices.Sort(names)
				}
				if got := strings.Join(names, ", "); got != want {
					t.Errorf("%s, %s: %q finds %q, want %q", when, where, typed, got, want)
				}
			}
		}
	}
	find("new")
	db := enginetest.Raw(t, w.Store.Engine)
	for _, query := range []string{`DELETE FROM contact_terms`, `UPDATE contacts SET terms = 0`} {
		_, err := db.Exec(query)
		w.Must(err)
	}
	if found, err := w.People.Lookup(t.Context(), w.Owner, "garcia"); err != nil || len(found) != 0 {
		t.Fatalf("%+v, %v", found, err)
	}
	for _, d := range w.Duties() {
		if d.Prune != nil {
			w.Must(d.Prune(t.Context()))
		}
	}
	find("renewed")
}
