package contact

import (
	"slices"
	"strings"
	"unicode/utf8"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/id"
	"daybook/views"
)

// mergeCards gives what stands on the card of gone to the contact into, and saves that. left are notes for which there is
// no room. What can't be kept beside what into has is written into an entry. ownFields has returned own.
func (s *Service) mergeCards(tx Tx, a app.Actor, own *catalog.Settings, gone, into *booking.Contact, left string) error {
	both := []booking.Contact{*gone, *into}
	if err := tx.ReadCards(a.Workspace, both); err != nil {
		return err
	}
	from, to := &both[0], &both[1]
	words := views.MatchLocale(own.Locale, "")
	lines := []string{gone.Name}
	if *to.Birthday == "" {
		to.Birthday = from.Birthday
	} else if *from.Birthday != "" && *from.Birthday != *to.Birthday {
		lines = append(lines, words.T("card_birthday")+": "+*from.Birthday)
	}
	if *to.TellBy == "" {
		to.TellBy = from.TellBy
	} else if *from.TellBy != "" && *from.TellBy != *to.TellBy {
		lines = append(lines, words.T("card_tell")+": "+words.T("card_tell_"+*from.TellBy))
	}
	var rest []string
	for _, tag := range from.Tags {
		switch {
		case slices.ContainsFunc(to.Tags, func(other string) bool { return FoldTag(other) == FoldTag(tag) }):
		case len(to.Tags) < MaxTags:
			to.Tags = append(to.Tags, tag)
		default:
			rest = append(rest, tag)
		}
	}
	if len(rest) > 0 {
		lines = append(lines, words.T("card_tags")+": "+strings.Join(rest, ", "))
	}
	kept := map[string]string{}
	for i := range own.ContactFields {
		f := &own.ContactFields[i]
		switch value := from.Fields[f.Key]; {
		case value == "" || value == to.Fields[f.Key]:
		case to.Fields[f.Key] == "":
			kept[f.Key] = value
		default:
			lines = append(lines, f.Label+": "+value)
		}
	}
	if err := saveFields(tx, own, to, kept); err != nil {
		return err
	}
	if err := tx.SaveCard(to); err != nil {
		return err
	}
	if err := tx.MoveCard(a.Workspace, gone.ID, into.ID); err != nil {
		return err
	}
	if err := gatherAll(tx, a.Workspace, into.ID); err != nil {
		return err
	}
	for len(lines) > 1 { // several where one has no room for all
		text, n := lines[0], 1
		for ; n < len(lines) && utf8.RuneCountInString(text)+1+utf8.RuneCountInString(lines[n]) <= MaxEntryText; n++ {
			text += "\n" + lines[n]
		}
		if err := s.mergeEntry(tx, a, into.ID, text); err != nil {
			return err
		}
		lines = append(lines[:1], lines[n:]...)
	}
	head := gone.Name + "\n" + words.T("dash_notes") + ": "
	parts := slices.Collect(slices.Chunk([]rune(left), MaxEntryText-len([]rune(head))))
	for _, part := range slices.Backward(parts) { // the latest entry is read first
		if err := s.mergeEntry(tx, a, into.ID, head+string(part)); err != nil {
			return err
		}
	}
	return nil
}

// mergeEntry writes an entry of a merge, however many there are.
func (s *Service) mergeEntry(tx Tx, a app.Actor, c booking.ContactID, text string) error {
	return tx.InsertEntry(a.Workspace, c, &Entry{ID: id.New[EntryIDKind](s.Now()), Kind: NoteEntry, Text: text,
		Author: Author{Actor: a.Kind, By: a.ID()}})
}
