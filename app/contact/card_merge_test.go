package contact_test

import (
	"fmt"
	"strings"
	"testing"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/contact"
	"daybook/app/fault"
)

// Merging keeps all that stands on both cards: what the contact that stays has no room for, or has another of, is written
// into entries.
func TestMergeCards(t *testing.T) {
	w := newWorld(t, nil)
	ctx := t.Context()
	_, err := w.Shop.UpdateWorkspace(ctx, w.Owner, func(x *catalog.Workspace) { x.Settings.Locale = "de-AT" })
	w.Must(err)
	tags := func(from, to int) (all []string) {
		for i := from; i < to; i++ {
			all = append(all, fmt.Sprintf("Tag %02d", i))
		}
		return all
	}
	_, err = w.changed(w.Owner, w.mias, booking.ContactInput{Tags: tags(0, 12), Birthday: new("1990-05-03"), TellBy: new("text")})
	w.Must(err)
	_, err = w.changed(w.Owner, w.cys, booking.ContactInput{Tags: append(tags(14, 22), "TAG 11"), Birthday: new("--05-03")})
	w.Must(err)
	w.Must(w.People.SetContactNotes(ctx, w.Owner, w.mias, "first "+strings.Repeat("m", booking.MaxContactNotes-10)+"last"))
	w.Must(w.People.SetContactNotes(ctx, w.Owner, w.cys, strings.Repeat("c", booking.MaxContactNotes)))
	old := w.noted(w.mias, "of Mia")
	_, err = w.People.AddEntry(ctx, w.Owner, w.mias, contact.EntryInput{Text: "corrected", Corrects: old.ID.String()})
	w.Must(err)
	w.noted(w.cys, "of Cy")
	paper, err := w.People.ReadFile(ctx, w.Owner, pdf(100))
	w.Must(err)
	for range contact.MaxFiles {
		for _, ref := range []string{w.mias, w.cys} {
			_, err := w.People.AddFile(ctx, w.Owner, ref, contact.FileInput{}, paper)
			w.Must(err)
		}
	}
	c, err := w.People.MergeContacts(ctx, w.manager, w.mias, w.cys)
	w.Must(err)
	if len(c.Tags) != contact.MaxTags || *c.Birthday != "--05-03" || *c.TellBy != "text" || len(c.Notes) != booking.MaxContactNotes {
		t.Errorf("%d tags, %s, %s, %d of notes", len(c.Tags), *c.Birthday, *c.TellBy, len(c.Notes))
	}
	page, err := w.People.Entries(ctx, w.Owner, w.cys, nil, "")
	w.Must(err)
	if len(page.Data) != 6 {
		t.Fatalf("%d entries", len(page.Data))
	}
	// Eight of Cy's and Tag 11, which both have: eleven of Mia's others fit.
	if got := page.Data[2].Text; got != "Mia\nGeburtstag: 1990-05-03" {
		t.Errorf("%q", got)
	}
	if n := strings.Count(page.Data[0].Text+page.Data[1].Text, "m"); n != booking.MaxContactNotes-10 ||
		!strings.HasPrefix(page.Data[0].Text, "Mia\nNotizen: first m") || !strings.HasPrefix(page.Data[1].Text, "Mia\nNotizen: ") ||
		!strings.HasSuffix(page.Data[1].Text, "last") {
		t.Errorf("%d characters of the notes are kept, from %q", n, page.Data[0].Text[:20])
	}
	if e := page.Data[1]; e.Author.By != w.manager.ID() || e.Kind != contact.NoteEntry || len([]rune(e.Text)) > contact.MaxEntryText {
		t.Errorf("%+v", e.Author)
	}
	files, err := w.People.Files(ctx, w.Owner, w.cys, new(100), "")
	if w.Must(err); len(files.Data) != 2*contact.MaxFiles {
		t.Errorf("%d files", len(files.Data))
	}
	if _, _, err := w.People.File(ctx, w.Owner, w.cys, files.Data[99].ID.String(), false); err != nil {
		t.Error(err)
	}
	_, err = w.People.AddFile(ctx, w.Owner, w.cys, contact.FileInput{}, paper)
	w.Refused(err, fault.Conflict, "too_many_files")
	_, err = w.People.Entries(ctx, w.Owner, w.mias, nil, "")
	w.Refused(err, fault.NotFound, "")

	// Beyond twenty tags.
	third, err := w.People.NewContact(ctx, w.Owner, booking.ContactInput{Name: "Di", Email: "di@x.example", Tags: []string{"zz", "tag 01"},
		TellBy: new("call")})
	w.Must(err)
	c, err = w.People.MergeContacts(ctx, w.manager, third.ID.String(), w.cys)
	w.Must(err)
	page, err = w.People.Entries(ctx, w.Owner, w.cys, nil, "")
	w.Must(err)
	if got := page.Data[0].Text; got != "Di\nBevorzugter Kontaktweg: Anruf\nStichwörter: zz" || len(c.Tags) != contact.MaxTags {
		t.Errorf("%q, %q", got, c.Tags)
	}
	if _, err := w.People.MergeContacts(ctx, w.manager, w.cys, w.cys); !fault.Is(err, fault.BadRequest) {
		t.Error(err)
	}
}
