package own_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/account"
	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/contact"
	"daybook/app/counter"
	"daybook/app/fault"
	"daybook/app/money"
	"daybook/app/own"
	"daybook/app/vault"
)

// visitor is somebody on the booking page who has shown to be that contact.
func (w *world) visitor(c booking.ContactID) app.Actor {
	return app.Actor{Kind: booking.ByInvitee, Workspace: w.Workspace.ID, Contact: c}
}

// listed are the ids of all bookings on somebody's page, a page after the other, with a + before those that stand for a
// visit.
func (w *world) listed(a app.Actor, past bool) (ids []string) {
	w.T.Helper()
	in := own.ListInput{Past: past, Limit: 2}
	for pages := 0; pages < 20; pages++ {
		page, err := w.Own.OwnBookings(w.T.Context(), a, in)
		w.Must(err)
		for _, i := range page.Data {
			sign := ""
			if i.Visit != nil {
				sign = "+"
			}
			ids = append(ids, sign+i.Booking.ID.String())
			if i.Booking.InternalNote != "" || i.Booking.ManageURL == "" {
				w.T.Errorf("the page has a note, or lacks the link: %+v", i.Booking)
			}
		}
		if !page.HasMore {
			break
		}
		in.Cursor = *page.NextCursor
	}
	return ids
}

// The page has all bookings of its contact, those under another address, too, and each visit once; and no others'.
func TestThePageOfAContact(t *testing.T) {
	w := newWorld(t)
	w.Offer("colour", 60, func(e *catalog.EventType) { e.MinimumNoticeMinutes = 0 })
	note := func(b booking.Booking) booking.Booking {
		text := "late as ever"
		_, err := w.Edit(t.Context(), w.Owner, b.ID.String(), booking.EditInput{InternalNote: &text}, "")
		w.Must(err)
		return b
	}
	first := note(w.Booked("cut", "1T09", "mia"))
	under := w.Booked("cut", "1T11", "mia-old")
	_, err := w.People.MergeContacts(t.Context(), w.Owner, under.ContactID.String(), first.ContactID.String())
	w.Must(err)
	visit, err := w.BookVisit(t.Context(), w.Owner, booking.VisitInput{Start: apptest.At("2T09"),
		Invitee: booking.Invitee{Name: "mia", Email: "mia@mail.example"},
		Items:   []booking.VisitItem{{EventType: "cut"}, {EventType: "colour"}}})
	w.Must(err)
	cancelled := w.Booked("cut", "3T09", "mia")
	_, err = w.Cancel(t.Context(), w.Owner, cancelled.ID.String(), app.CancelInput{})
	w.Must(err)
	theirs := w.Booked("cut", "3T11", "tom")
	mia, tom := w.visitor(first.ContactID), w.visitor(theirs.ContactID)
	want := func(a app.Actor, past bool, ids ...string) {
		t.Helper()
		if got := w.listed(a, past); !slices.Equal(got, ids) {
			t.Errorf("listed, past %t: %v, want %v", past, got, ids)
		}
	}
	one, two := visit.Items[0].ID.String(), visit.Items[1].ID.String()
	want(mia, false, first.ID.String(), under.ID.String(), "+"+one, cancelled.ID.String())
	want(mia, true)
	want(tom, false, theirs.ID.String())
	w.Clock.Set(visit.Items[1].Start.Time().Add(time.Minute)) // the first service of the visit is over
	want(mia, false, "+"+two, cancelled.ID.String())
	want(mia, true, under.ID.String(), first.ID.String())
	w.Clock.Set(visit.End.Time().Add(time.Minute))
	want(mia, false, cancelled.ID.String())
	want(mia, true, "+"+two, under.ID.String(), first.ID.String())

	_, err = w.Own.OwnBookings(t.Context(), app.Actor{Kind: booking.ByInvitee, Workspace: w.Workspace.ID}, own.ListInput{Limit: 5})
	w.Refused(err, fault.NotFound, "")
	_, err = w.Own.OwnBookings(t.Context(), w.Owner, own.ListInput{Limit: 5})
	w.Refused(err, fault.Forbidden, "role")
	beside := w.Beside("beside", "eve")
	stranger := mia
	stranger.Workspace = beside.Workspace.ID
	_, err = w.Own.OwnBookings(t.Context(), stranger, own.ListInput{Limit: 5})
	w.Refused(err, fault.NotFound, "")
}

// paid takes the price of a booking at the counter, and returns the receipt.
func (w *world) paid(a app.Actor, b booking.Booking) counter.Receipt {
	w.T.Helper()
	_, err := w.Counter.Record(w.T.Context(), a, b.ID.String(), counter.Input{Amount: 4500, Method: "cash", Note: "secret-till"})
	w.Must(err)
	page, err := w.Counter.Receipts(w.T.Context(), w.Owner, counter.ReceiptQuery{Booking: b.ID.String()})
	w.Must(err)
	return page.Data[0]
}

// Receipts of one's own bookings are on the page, and nobody else's.
func TestReceiptsOfAContact(t *testing.T) {
	w := newWorld(t)
	w.Taxed(money.Tax{Mode: money.TaxIncluded}, 4500, "wash")
	b, theirs := w.Booked("wash", "1T09", "mia"), w.Booked("wash", "1T11", "tom")
	var receipts []counter.Receipt
	for _, b := range []booking.Booking{b, theirs} {
		receipts = append(receipts, w.paid(w.Owner, b))
	}
	mia := w.visitor(b.ContactID)
	page, err := w.Own.OwnBookings(t.Context(), mia, own.ListInput{Limit: 5})
	w.Must(err)
	if len(page.Data) != 1 || len(page.Data[0].Receipts) != 1 || page.Data[0].Receipts[0].ID != receipts[0].ID {
		t.Errorf("%+v", page.Data)
	}
	if r, err := w.Own.OwnReceipt(t.Context(), mia, receipts[0].ID.String()); err != nil || r.Total != 4500 {
		t.Errorf("%+v, %v", r, err)
	}
	_, err = w.Own.OwnReceipt(t.Context(), mia, receipts[1].ID.String())
	w.Refused(err, fault.NotFound, "")
	// That of a sale with somebody else's booking is shown to neither; one of two of her own is one receipt.
	more, his := w.Booked("wash", "2T09", "mia"), w.Booked("wash", "2T11", "tom")
	again := w.Booked("wash", "3T09", "mia")
	sell := func(all ...booking.Booking) counter.Sale {
		in := counter.SaleInput{Payments: []counter.SalePaymentInput{{Method: booking.ByCash, Amount: 9000}}}
		for _, b := range all {
			in.Lines = append(in.Lines, counter.SaleLineInput{Kind: counter.ServiceLine, BookingID: b.ID.String()})
		}
		sale, err := w.Counter.Sell(t.Context(), w.Owner, in)
		w.Must(err)
		return sale
	}
	mixed := sell(more, his)
	_, err = w.Own.OwnReceipt(t.Context(), mia, mixed.ReceiptID.String())
	w.Refused(err, fault.NotFound, "")
	hers := sell(again, w.Booked("wash", "3T11", "mia"))
	if r, err := w.Own.OwnReceipt(t.Context(), mia, hers.ReceiptID.String()); err != nil || r.Total != 9000 {
		t.Errorf("%+v, %v", r, err)
	}
}

// One's own file has what one gave and what became of it. It has nothing that the business wrote for itself, and not who of
// it did what.
func TestMyData(t *testing.T) {
	w := newWorld(t)
	w.Taxed(money.Tax{Mode: money.TaxIncluded}, 4500, "wash")
	in := apptest.Input("wash", "1T09", "mia")
	in.Notes = "my-wish"
	b, err := w.Book(t.Context(), w.Owner, in)
	w.Must(err)
	theirs := w.Booked("wash", "1T11", "tom")
	birthday := "1990-05-03"
	_, err = w.People.UpdateContact(t.Context(), w.Owner, b.ContactID.String(), booking.ContactInput{Name: "mia",
		Email: "mia@mail.example", Notes: "secret-notes", Tags: []string{"secret-tag"}, Birthday: &birthday})
	w.Must(err)
	text, data := "secret-note", "secret-number"
	_, err = w.Edit(t.Context(), w.Owner, b.ID.String(), booking.EditInput{InternalNote: &text, Metadata: map[string]*string{"crm": &data}}, "")
	w.Must(err)
	_, err = w.Shop.UpdateWorkspace(t.Context(), w.Owner, func(x *catalog.Workspace) {
		x.Settings.ContactFields = []catalog.ContactField{{Key: "shoe", Label: "Shoe size", Type: catalog.NumberField}}
		x.Settings.Consents = []catalog.ConsentKind{{Key: "health", Name: "Health", Wording: "My allergies are kept.", Health: true}}
	})
	w.Must(err)
	_, err = w.People.UpdateContact(t.Context(), w.Owner, b.ContactID.String(), booking.ContactInput{Name: "mia",
		Email: "mia@mail.example", Notes: "secret-notes", Fields: map[string]any{"shoe": "39"}})
	w.Must(err)
	_, err = w.People.AddEntry(t.Context(), w.Owner, b.ContactID.String(), contact.EntryInput{Kind: contact.FormulaEntry, Text: "secret-formula"})
	w.Must(err)
	member, err := w.Account.CreateUser(t.Context(), w.Owner, account.UserInput{Email: "boss@salon.example", Role: app.OwnerRole})
	w.Must(err)
	r := w.paid(member.Actor(), b)
	v, err := vault.NewVault(make([]byte, 32))
	w.Must(err)
	*w.Vault() = *v
	_, err = w.People.RecordConsent(t.Context(), member.Actor(), b.ContactID.String(), contact.ConsentInput{Kind: "health", Signer: "Mia B.",
		Signature: "1,2 3,4"})
	w.Must(err)
	_, err = w.People.AddHealth(t.Context(), member.Actor(), b.ContactID.String(), contact.HealthInput{Kind: contact.Allergy, Text: "secret-latex"})
	w.Must(err)
	var out bytes.Buffer
	w.Must(w.Privacy.ExportOwn(t.Context(), w.visitor(b.ContactID), &out))
	file := out.String()
	var read struct {
		Contact     map[string]any
		Consents    []map[string]any
		NotIncluded []string
		Bookings    []struct {
			ID       string
			Notes    string
			History  []map[string]any
			Receipts []counter.Receipt
		}
	}
	if err := json.Unmarshal(out.Bytes(), &read); err != nil {
		t.Fatalf("%v: %s", err, file)
	}
	if len(read.Bookings) != 1 || read.Bookings[0].Notes != "my-wish" || len(read.Bookings[0].History) < 3 ||
		len(read.Bookings[0].Receipts) != 1 || read.Bookings[0].Receipts[0].Number != r.Number || read.Contact["birthday"] != birthday || fmt.Sprint(read.Contact["fields"]) != "map[shoe:39]" {
		t.Errorf("it lacks something: %s", file)
	}
	if len(read.Consents) != 1 || read.Consents[0]["wording"] != "My allergies are kept." || read.Consents[0]["signer"] != "Mia B." ||
		read.Consents[0]["signature"] != "M1 2L3 4" || read.Consents[0]["author"] != nil {
		t.Errorf("consents: %v", read.Consents)
	}
	if !slices.ContainsFunc(read.NotIncluded, func(what string) bool { return strings.Contains(what, "health") }) {
		t.Errorf("it doesn't say that health is left out: %q", read.NotIncluded)
	}
	for _, hidden := range []string{"secret", member.ID.String(), "boss", theirs.ID.String(), `"entries"`, `"files"`, `"mails"`, "manageUrl",
		b.ManageURL[strings.LastIndex(b.ManageURL, "/")+1:]} {
		if strings.Contains(file, hidden) {
			t.Errorf("it has %s: %s", hidden, file)
		}
	}
	w.Refused(w.Privacy.ExportOwn(t.Context(), w.visitor(0), &out), fault.NotFound, "")
	w.Refused(w.Privacy.ExportOwn(t.Context(), w.Owner, &out), fault.Forbidden, "role")
}
