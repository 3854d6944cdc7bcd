package contact

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"daybook/app/booking"
	"daybook/app/catalog"
)

// What a column becomes that stands on a card.
const (
	TagsField     ImportField = "tags"
	BirthdayField ImportField = "birthday"
	TellByField   ImportField = "tellBy"
)

// ownField begins an ImportField that is one of the workspace's own fields; its key follows.
const ownField = "own:"

// OwnField returns the ImportField of one of the workspace's own fields.
func OwnField(key string) ImportField { return ImportField(ownField + key) }

// Own returns the key of one of the workspace's own fields.
func (f ImportField) Own() (key string, own bool) { return strings.CutPrefix(string(f), ownField) }

// fieldFor returns what a column with the heading becomes: a usual field that the export writes, or by which somebody is
// known, else an own field of that label or key, else a usual field.
func fieldFor(heading string, own []catalog.ContactField) ImportField {
	usual := fieldOf[folded(heading)]
	if usual == EmailField || usual == PhoneField || slices.ContainsFunc(contactColumns, func(c string) bool { return folded(c) == folded(heading) }) {
		return usual
	}
	name := foldLabel(heading)
	for _, of := range []func(*catalog.ContactField) string{
		func(f *catalog.ContactField) string { return labelAndKey(f) },
		func(f *catalog.ContactField) string { return f.Label },
		func(f *catalog.ContactField) string { return f.Key },
	} {
		for i := range own {
			if name != "" && foldLabel(of(&own[i])) == name {
				return OwnField(own[i].Key)
			}
		}
	}
	return usual
}

func labelAndKey(f *catalog.ContactField) string { return f.Label + " (" + f.Key + ")" }

// headingFor returns the heading under which an export writes an own field: its label, unless an import would take that
// for something else.
func headingFor(f *catalog.ContactField, own []catalog.ContactField) string {
	if fieldFor(f.Label, own) == OwnField(f.Key) {
		return f.Label
	}
	return labelAndKey(f)
}

// cardCells are what a row has for the card, as cards have it.
type cardCells struct {
	tags             []string
	tagged           string // their heading
	birthday, tellBy string
	fields           map[string]string
}

// hasCard reports whether the row has something for the card.
func (r *importRow) hasCard() bool {
	return len(r.card.tags) > 0 || r.card.birthday+r.card.tellBy != "" || len(r.card.fields) > 0
}

// card reads a cell that stands on the card into the row, and returns what of it doesn't fit there.
func (r *Read) card(row *importRow, field ImportField, cell, country string) (rest string) {
	one := func(to *string, value string, ok bool) string {
		if !ok || *to != "" && *to != value {
			return cell
		}
		*to = value
		return ""
	}
	switch field {
	case TagsField:
		cell = strings.ReplaceAll(cell, severalMark, ",")
		tags, left := uniteTags(row.card.tags, strings.FieldsFunc(cell, func(r rune) bool { return strings.ContainsRune(",;|\n", r) }))
		row.card.tags = tags
		return strings.Join(left, ", ")
	case BirthdayField:
		if noDate.MatchString(cell) {
			return ""
		}
		day, ok := dateIn(cell, country, r.today, true)
		if ok {
			day, ok = bornText(day, r.today)
		}
		return one(&row.card.birthday, day, ok)
	case TellByField:
		by, ok := tellWords[folded(cell)]
		return one(&row.card.tellBy, string(by), ok)
	}
	key, _ := field.Own()
	value, ok := r.ownValue(key, cell, country)
	was := row.card.fields[key]
	if rest = one(&was, value, ok && value != ""); rest == "" {
		if row.card.fields == nil {
			row.card.fields = map[string]string{}
		}
		row.card.fields[key] = was
	}
	return rest
}

// ownValue reads the value of an own field as files have it.
func (r *Read) ownValue(key, cell, country string) (string, bool) {
	f, _ := r.settings.ContactField(key)
	if f == nil {
		return "", false
	}
	switch f.Type {
	case catalog.DateField:
		if day, ok := dateIn(cell, country, r.today, false); ok {
			cell = day
		}
	case catalog.ChoiceField:
		for _, option := range f.Options {
			if foldLabel(option) == foldLabel(cell) {
				cell = option
				break
			}
		}
	}
	value, err := f.Value(key, cell, "")
	return value, err == nil
}

// bornText returns a birthday as contacts have it.
func bornText(day string, today time.Time) (string, bool) {
	text, err := checkBirthday(day, today)
	return text, err == nil && text != ""
}

// uniteTags adds tags to those that are there, and returns those for which there is no room or that can't be one.
func uniteTags(tags, more []string) (all, left []string) {
	all = slices.Clone(tags)
	for _, tag := range more {
		if tag = strings.TrimSpace(tag); tag == "" || strings.HasPrefix(tag, "* ") { // groups that Google makes
			continue
		}
		checked, err := checkTag(tag)
		switch {
		case err == nil && slices.ContainsFunc(all, func(other string) bool { return FoldTag(other) == FoldTag(checked) }):
		case err == nil && len(all) < MaxTags:
			all = append(all, checked)
		default:
			left = append(left, tag)
		}
	}
	SortTags(all)
	return all, left
}

var (
	dateNumbers = regexp.MustCompile(`^(\d{1,2})([./-])(\d{1,2})[./-](\d{4}|\d{2})$`)
	dayNumbers  = regexp.MustCompile(`^(\d{1,2})\.(\d{1,2})\.?$`)
	noDate      = regexp.MustCompile(`^0+([./-]0+)+$`) // as Outlook writes an empty one
	dayOnly     = regexp.MustCompile(`^(\d{4}-\d{2}-\d{2})[T ]\d{2}:\d{2}(:\d{2})?(\.\d+)?Z?$`)
)

// dateIn reads a date as files have it: 1990-05-03, 3.5.1990, 3/5/1990, in the United States 5/3/1990, and where a
// birthday is meant also 3.5. Years of two digits are the last ones that have begun.
func dateIn(cell, country string, today time.Time, birthday bool) (string, bool) {
	cell = strings.TrimSpace(cell)
	if g := dayOnly.FindStringSubmatch(cell); g != nil {
		cell = g[1]
	}
	if _, err := time.Parse(time.DateOnly, cell); err == nil {
		return cell, true
	}
	if birthday && strings.HasPrefix(cell, noYear) {
		return cell, true
	}
	if g := dayNumbers.FindStringSubmatch(cell); birthday && g != nil {
		return noYear + two(g[2]) + "-" + two(g[1]), true
	}
	g := dateNumbers.FindStringSubmatch(cell)
	if g == nil {
		return "", false
	}
	day, month, year := g[1], g[3], g[4]
	if first, _ := strconv.Atoi(g[1]); g[2] == "/" && country == "US" && first <= 12 || mustBeDay(g[3]) {
		day, month = month, day
	}
	if len(year) == 2 {
		century := today.Year() / 100 * 100
		if n, _ := strconv.Atoi(year); century+n > today.Year() {
			century -= 100
		}
		year = strconv.Itoa(century/100) + year
	}
	text := year + "-" + two(month) + "-" + two(day)
	_, err := time.Parse(time.DateOnly, text)
	return text, err == nil
}

// mustBeDay reports whether a number is no month.
func mustBeDay(text string) bool {
	n, _ := strconv.Atoi(text)
	return n > 12
}

func two(text string) string {
	if len(text) == 1 {
		return "0" + text
	}
	return text
}

// tellWords are how files say how somebody likes to be told, folded, in the dashboard's languages.
var tellWords = func() map[string]TellBy {
	of := map[string]TellBy{}
	for by, words := range map[TellBy]string{
		TellByEmail: `email mail emails courriel mel correo correoelectronico`,
		TellByText: `text sms textmessage textmessages textnachricht kurznachricht nachricht message messagetexte texto
			mensaje mensajedetexto`,
		TellByCall: `call phone phonecall telephone telefon anruf telefonisch appel appeltelephonique telefono llamada
			llamadatelefonica`,
		TellByBoth: `both emailandtext textandemail emailandsms emailundsms beides beide lesdeux emailetsms ambos correoysms`,
	} {
		for word := range strings.FieldsSeq(words) {
			of[word] = by
		}
	}
	return of
}()

// joinCard adds to a row what another one of the same person has for the card, and notes what it has otherwise.
func (r *importRow) joinCard(other *importRow, columns []ImportColumn, note func(string)) {
	tags, left := uniteTags(r.card.tags, other.card.tags)
	if len(tags) > 0 {
		r.card.tags = tags
	}
	if len(left) > 0 {
		note(headingOf(columns, TagsField, "Tags") + ": " + strings.Join(left, ", "))
	}
	for _, part := range []struct {
		to    *string
		text  string
		field ImportField
	}{{&r.card.birthday, other.card.birthday, BirthdayField}, {&r.card.tellBy, other.card.tellBy, TellByField}} {
		if *part.to == "" {
			*part.to = part.text
		} else if part.text != "" && part.text != *part.to {
			note(headingOf(columns, part.field, string(part.field)) + ": " + part.text)
		}
	}
	r.card.fields = maps.Clone(r.card.fields)
	for _, key := range slices.Sorted(maps.Keys(other.card.fields)) {
		value := other.card.fields[key]
		switch was, has := r.card.fields[key]; {
		case !has:
			if r.card.fields == nil {
				r.card.fields = map[string]string{}
			}
			r.card.fields[key] = value
		case was != value:
			note(headingOf(columns, OwnField(key), key) + ": " + value)
		}
	}
}

// changeCard gives a contact, whose card was read, what the row has for it: tags beside those that are there, and, where an
// earlier row of the file was the same person, else only what the card lacks. left are tags for which there is no room.
func (r *importRow) changeCard(c *booking.Contact, again bool) (left []string) {
	if !r.hasCard() {
		return nil
	}
	if len(r.card.tags) > 0 {
		c.Tags, left = uniteTags(c.Tags, r.card.tags)
	}
	for _, part := range []struct {
		to   **string
		text string
	}{{&c.Birthday, r.card.birthday}, {&c.TellBy, r.card.tellBy}} {
		if part.text != "" && (!again || *part.to == nil || **part.to == "") {
			text := part.text
			*part.to = &text
		}
	}
	fields := maps.Clone(c.Fields)
	for key, value := range r.card.fields {
		if !again || fields[key] == "" {
			if fields == nil {
				fields = map[string]string{}
			}
			fields[key] = value
		}
	}
	c.Fields = fields
	return left
}

// saveCard saves what stands otherwise on the card of a contact than it did.
func saveCard(tx Tx, t *catalog.Settings, before, c *booking.Contact) error {
	changed := booking.Contact{ID: c.ID, WorkspaceID: c.WorkspaceID}
	if TagsField.get(before) != TagsField.get(c) {
		changed.Tags = c.Tags
	}
	if BirthdayField.get(before) != BirthdayField.get(c) {
		changed.Birthday = c.Birthday
	}
	if TellByField.get(before) != TellByField.get(c) {
		changed.TellBy = c.TellBy
	}
	if changed.Tags != nil || changed.Birthday != nil || changed.TellBy != nil {
		if err := tx.SaveCard(&changed); err != nil {
			return err
		}
	}
	values := map[string]string{}
	for _, key := range ownKeys(before, c) {
		if before.Fields[key] != c.Fields[key] {
			values[key] = c.Fields[key]
		}
	}
	return saveFields(tx, t, c, values)
}

// ownKeys returns the keys of the own fields that one of the two has, sorted.
func ownKeys(a, b *booking.Contact) []string {
	keys := slices.Concat(slices.Collect(maps.Keys(a.Fields)), slices.Collect(maps.Keys(b.Fields)))
	slices.Sort(keys)
	return slices.Compact(keys)
}

// get returns the contact's field as a text: tags one after the other.
func (f ImportField) get(c *booking.Contact) string {
	deref := func(text *string) string {
		if text == nil {
			return ""
		}
		return *text
	}
	switch f {
	case EmailField:
		return c.Email
	case PhoneField:
		return c.Phone
	case ZoneField:
		return c.TimeZone
	case NotesField:
		return c.Notes
	case TagsField:
		return strings.Join(c.Tags, ", ")
	case BirthdayField:
		return deref(c.Birthday)
	case TellByField:
		return deref(c.TellBy)
	}
	if key, own := f.Own(); own {
		return c.Fields[key]
	}
	return c.Name
}

// set changes the contact's field, from a text as get returns it.
func (f ImportField) set(c *booking.Contact, text string) {
	switch f {
	case EmailField:
		c.Email = text
	case PhoneField:
		c.Phone = text
	case ZoneField:
		c.TimeZone = text
	case NotesField:
		c.Notes = text
	case TagsField:
		c.Tags, _ = uniteTags([]string{}, strings.Split(text, ","))
	case BirthdayField:
		c.Birthday = &text
	case TellByField:
		c.TellBy = &text
	default:
		key, own := f.Own()
		if !own {
			c.Name = text
			return
		}
		fields := maps.Clone(c.Fields)
		if fields == nil {
			fields = map[string]string{}
		}
		if fields[key] = text; text == "" {
			delete(fields, key)
		}
		c.Fields = fields
	}
}
