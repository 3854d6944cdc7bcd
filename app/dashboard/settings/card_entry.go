package settings

import (
	"net/url"

	"daybook/app/booking"
	"daybook/app/contact"
	"daybook/app/dashboard/web"
	"daybook/views/dash"
)

// entriesShown is how many entries a card shows at once.
const entriesShown = 50

// The parameters of a card's address.
const (
	entriesAfter = "entries" // the entries after this cursor
	likeLast     = "again"   // opens the form filled with the last formula
	correcting   = "correct" // opens the form filled with this entry
)

// written fills in what was written about the customer, and the form that writes more.
func (k *card) written(v *dash.ContactPage, formula *contact.Entry, s *cardState) error {
	q := k.URL.Query()
	n := entriesShown
	page, err := k.Subjects.People.Entries(k.Context(), k.Actor, k.id, &n, q.Get(entriesAfter))
	if err != nil {
		return err
	}
	byID := make(map[contact.EntryID]*contact.Entry, len(page.Data))
	for i := range page.Data {
		byID[page.Data[i].ID] = &page.Data[i]
	}
	behind := map[contact.EntryID]bool{} // those that another one of the page corrects
	for i := range page.Data {
		behind[page.Data[i].Corrects] = true
	}
	for i := range page.Data {
		e := &page.Data[i]
		if behind[e.ID] {
			continue
		}
		shown := k.entry(e, q.Get(entriesAfter))
		for was := byID[e.Corrects]; was != nil; was = byID[was.Corrects] {
			shown.Was = append(shown.Was, k.entry(was, ""))
		}
		if e.Pinned {
			v.Pinned = append(v.Pinned, shown)
		} else {
			v.Entries = append(v.Entries, shown)
		}
	}
	v.Pager = k.entriesPager(q.Get(entriesAfter), page.NextCursor)
	if formula != nil {
		shown := k.entry(formula, "")
		v.Formula = &shown
		if k.writes {
			v.Again = dash.SameAgainPath(k.id)
		}
	}
	if k.writes {
		v.Write = k.entryForm(formula, byID, s)
	}
	return nil
}

// entriesPager is of the entries; the one of the bookings is another.
func (k *card) entriesPager(at string, next *string) (p dash.Pager) {
	if at != "" {
		p.FirstURL = dash.ContactPath(k.id) + "#entries"
	}
	if next != nil {
		p.NextURL = web.WithQuery(dash.ContactPath(k.id), url.Values{entriesAfter: {*next}}) + "#entries"
	}
	return p
}

// entry is an entry as the card shows it; after is the cursor of the list that it is in.
func (k *card) entry(e *contact.Entry, after string) dash.Entry {
	v := dash.Entry{ID: e.ID.String(), Text: e.Text, Day: k.Day(k.At(e.CreatedAt)), Author: k.Author(e.Author), Pinned: e.Pinned,
		Corrected: e.Corrected}
	if e.Kind == contact.FormulaEntry {
		v.Kind = k.T("card_formula")
	}
	v.Visit, v.VisitURL = k.visitOf(e.Booking)
	if k.writes && !e.Corrected {
		v.PinURL = dash.CardPinPath(k.id, v.ID)
		at := url.Values{correcting: {v.ID}}
		if after != "" {
			at.Set(entriesAfter, after)
		}
		v.CorrectURL = web.WithQuery(dash.ContactPath(k.id), at) + "#" + dash.WritePart
	}
	if k.manages && !e.Corrected {
		v.Delete = &dash.Danger{Title: k.T("card_delete"), Text: k.T("card_entry_delete_text"), Submit: k.T("card_entry_delete_do"),
			Action: dash.CardEntryDeletePath(k.id, v.ID)}
	}
	return v
}

// visitOf says what the visit was, and where it is shown to those who see it.
func (k *card) visitOf(id booking.BookingID) (what, address string) {
	b := k.bookings[id]
	if b == nil {
		return "", ""
	}
	what = k.TypeTitle(b)
	if k.Actor.SeesBooking(b) {
		address = dash.BookingPath(id.String())
	}
	return what, address
}

// entryForm is the form for a new entry, or filled with the last formula, with an entry to be corrected, or with what was
// refused. The correction of what somebody else corrected meanwhile becomes an entry of its own.
func (k *card) entryForm(formula *contact.Entry, all map[contact.EntryID]*contact.Entry, s *cardState) *dash.EntryForm {
	q := k.URL.Query()
	f := &dash.EntryForm{Action: dash.CardEntriesPath(k.id), Title: k.T("card_write"), Tied: true}
	if after := q.Get(entriesAfter); after != "" {
		f.Action = web.WithQuery(f.Action, url.Values{entriesAfter: {after}})
	}
	corrects := q.Get(correcting)
	if s.entry != nil {
		corrects = s.entry.Get("corrects")
	}
	var of *contact.Entry
	for _, e := range all {
		if e.ID.String() == corrects && !e.Corrected {
			of = e
		}
	}
	if k.today != nil {
		f.VisitID, f.Visit = k.today.ID.String(), k.TypeTitle(k.today)+", "+k.Clock(k.today.Start)
	}
	switch {
	case of != nil:
		f.Corrects, f.Text, f.Focus, f.CancelURL = corrects, of.Text, true, dash.ContactPath(k.id)+"#"+of.ID.String()
		f.Title, f.Hint = k.T("card_correcting", "Day", k.Day(k.At(of.CreatedAt))), k.T("card_correcting_text")
		f.VisitID, f.Visit = "", ""
		if of.Booking != 0 {
			f.VisitID = of.Booking.String()
		}
	case q.Has(likeLast) && formula != nil:
		f.Formula, f.Text, f.Focus, f.CancelURL = true, formula.Text, true, dash.ContactPath(k.id)
		f.Title, f.Hint = k.T("card_again"), k.T("card_again_hint")
	}
	if s.entry != nil {
		f.Formula, f.Text, f.Focus = s.entry.Get("kind") == string(contact.FormulaEntry), s.entry.Get("text"), false
		f.Tied, f.Pinned, f.Corrects = s.entry.Has("booking"), s.entry.Has("pinned"), corrects
		f.Problem = k.Sentence(s.entryWrong)
		if s.entryWrong.Reason == "corrected" { // saved again as it is, it would be refused again
			f.Corrects, f.Problem = "", k.T("card_corrected_new")
			f.Tied = s.entry.Get("booking") == f.VisitID
			for _, e := range all {
				f.Formula = f.Formula || e.ID.String() == corrects && e.Kind == contact.FormulaEntry
			}
		}
	}
	return f
}

// writeEntry saves an entry. The author's visit of that day is named by the form.
func (c call) writeEntry() error {
	x, err := c.Subjects.People.ContactByID(c.Context(), c.Actor, c.PathValue("id"))
	if err != nil {
		return err
	}
	form, err := c.Posted()
	if err != nil {
		return err
	}
	_, err = c.Subjects.People.AddEntry(c.Context(), c.Actor, c.PathValue("id"), contact.EntryInput{
		Kind: contact.EntryKind(form.Get("kind")), Text: form.Get("text"), Booking: form.Get("booking"),
		Corrects: form.Get("corrects"), Pinned: form.Has("pinned")})
	if e := web.Refused(err); e != nil {
		return c.showCard(&x, cardState{entry: form, entryWrong: e})
	}
	if err != nil {
		return err
	}
	return c.Redirect(dash.ContactPath(x.ID.String()), "saved")
}

func (c call) pinEntry() error {
	form, err := c.Posted()
	if err != nil {
		return err
	}
	id := c.PathValue("id")
	if _, err := c.Subjects.People.PinEntry(c.Context(), c.Actor, id, c.PathValue("entry"), form.Get("pinned") == "on"); err != nil {
		return err
	}
	return c.Redirect(dash.ContactPath(id), "saved")
}

func (c call) deleteEntry() error {
	id := c.PathValue("id")
	if err := c.Subjects.People.DeleteEntry(c.Context(), c.Actor, id, c.PathValue("entry")); err != nil {
		return err
	}
	return c.Redirect(dash.ContactPath(id), "deleted")
}
