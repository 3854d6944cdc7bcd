package contact

import (
	"cmp"
	"slices"
	"strings"
	"time"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/phone"
	"daybook/app/when"
)

// TellBy is how a customer likes to be told. The words are stored, so none may be renamed.
type TellBy string

// The ways to tell a customer.
const (
	TellByEmail TellBy = "email"
	TellByText  TellBy = "text"
	TellByBoth  TellBy = "both" // e-mail and text
	TellByCall  TellBy = "call"
)

// TellBys lists them.
var TellBys = []TellBy{TellByEmail, TellByText, TellByBoth, TellByCall}

const (
	// MaxTags is the most tags of a contact.
	MaxTags = 20
	// MaxTag is the most characters of a tag.
	MaxTag = 40
)

// FoldTag returns a tag as tags are compared: in lower case and without accents. The key is stored.
func FoldTag(tag string) string {
	var b strings.Builder
	for _, r := range norm.NFKD.String(strings.ToLower(strings.TrimSpace(tag))) {
		if !unicode.Is(unicode.Mn, r) {
			b.WriteString(cmp.Or(letters[r], string(r)))
		}
	}
	return b.String()
}

// SortTags brings tags into the order of their names.
func SortTags(tags []string) {
	slices.SortFunc(tags, func(a, b string) int { return cmp.Or(cmp.Compare(FoldTag(a), FoldTag(b)), cmp.Compare(a, b)) })
}

// checkTag returns a tag without what people leave around it. Errors: bad_request.
func checkTag(tag string) (string, error) {
	tag, err := fault.CheckLine("tags", tag, 1, MaxTag)
	if err != nil {
		return "", err
	}
	if strings.ContainsAny(tag, ",;") { // they separate tags in addresses and files
		return "", fault.Invalid("tags", "a tag must not contain a comma or a semicolon")
	}
	if FoldTag(tag) == "" {
		return "", fault.Invalid("tags", "a tag must have a letter or a digit")
	}
	return tag, nil
}

// checkTags returns tags in the order of their names, each once: the first of those that are compared as one. Errors:
// bad_request.
func checkTags(tags []string) ([]string, error) {
	all, found := []string{}, map[string]bool{}
	for _, tag := range tags {
		tag, err := checkTag(tag)
		if err != nil {
			return nil, err
		}
		if key := FoldTag(tag); !found[key] {
			all, found[key] = append(all, tag), true
		}
	}
	if len(all) > MaxTags {
		return nil, fault.Invalid("tags", "at most %d", MaxTags)
	}
	SortTags(all)
	return all, nil
}

// noYear begins a birthday without a year.
const noYear = "--"

// firstBirthday is the earliest year of one.
const firstBirthday = 1900

// checkBirthday checks a birthday such as 1990-05-03, --05-03 or "". Errors: bad_request.
func checkBirthday(text string, now time.Time) (string, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return "", nil
	}
	day, yearless := strings.CutPrefix(text, noYear)
	if yearless {
		day = "2000-" + day // a leap year
	}
	date, err := time.Parse(time.DateOnly, day)
	switch {
	case err != nil:
		return "", fault.Invalid("birthday", "must be a date such as 1990-05-03, or --05-03 without the year")
	case yearless:
		return text, nil
	case date.Year() < firstBirthday:
		return "", fault.Invalid("birthday", "must not lie before %d", firstBirthday)
	case text > now.Format(time.DateOnly):
		return "", fault.Invalid("birthday", "must not lie in the future")
	}
	return text, nil
}

// checkTellBy checks a way to tell a customer, or "". Errors: bad_request.
func checkTellBy(text string) (string, error) {
	text = strings.TrimSpace(text)
	if text != "" && !slices.Contains(TellBys, TellBy(text)) {
		return "", fault.Invalid("tellBy", "must be one of email, text, both and call, or empty")
	}
	return text, nil
}

// mayGive returns the forbidden error if the input has something that only those may give who may see cards, and the actor
// may not.
func mayGive(a app.Actor, in *booking.ContactInput) error {
	if in.Tags == nil && in.Birthday == nil && in.TellBy == nil && in.Texts == nil && in.Fields == nil {
		return nil
	}
	return a.May(app.MaySeeCard)
}

// checkCard normalises what of an input stands on the card. Errors: bad_request.
func (s *Service) checkCard(w *catalog.Workspace, in *booking.ContactInput) error {
	zone, err := catalog.CheckZone("timeZone", w.TimeZone)
	if err != nil {
		return err
	}
	var p fault.Problems
	if in.Tags != nil {
		in.Tags, err = checkTags(in.Tags)
		p.Add(err)
	}
	if in.Birthday != nil {
		birthday, err := checkBirthday(*in.Birthday, s.Core.Now().In(zone))
		in.Birthday = &birthday
		p.Add(err)
	}
	if in.TellBy != nil {
		tellBy, err := checkTellBy(*in.TellBy)
		in.TellBy = &tellBy
		p.Add(err)
	}
	if in.Texts != nil {
		p.Add(in.Texts.Check())
		if _, ok := phone.Parse(in.Phone, ""); !ok {
			p.Add(fault.Invalid("texts", "needs a telephone number that texts can go to"))
		}
	}
	return p.Err()
}

// setCard saves what of an input only those may give who may see cards. c has what the contact had before, but for the
// number, which is the new one. Errors: bad_request (the workspace's own fields, which are checked against that), conflict
// texts_stopped.
func (s *Service) setCard(tx Tx, a app.Actor, c *booking.Contact, in *booking.ContactInput) error {
	if len(in.Fields) > 0 {
		t, err := ownFields(tx, c.WorkspaceID)
		if err != nil {
			return err
		}
		values, err := checkFields(t, in.Fields, c.Fields)
		if err != nil {
			return err
		}
		if err := saveFields(tx, t, c, values); err != nil {
			return err
		}
	}
	if in.Texts != nil {
		if err := s.setTexts(tx, a, c, *in.Texts); err != nil {
			return err
		}
	}
	return tx.SaveCard(&booking.Contact{ID: c.ID, WorkspaceID: c.WorkspaceID, Tags: in.Tags, Birthday: in.Birthday, TellBy: in.TellBy})
}

// shownBy reads what is shown of contacts.
type shownBy interface {
	booking.ContactCounter
	booking.CardReader
}

// shown fills in what the actor sees of contacts besides what every reader has: the counts of their bookings and, for
// those who may see cards, what stands on them. Staff don't see the notes, which are the owners' and managers' own.
func (s *Service) shown(r shownBy, a app.Actor, all []booking.Contact) error {
	if a.Own() {
		for i := range all {
			all[i].Notes = ""
		}
	}
	if err := r.CountBookingsOf(all, when.At(s.Core.Now())); err != nil || a.May(app.MaySeeCard) != nil {
		return err
	}
	return r.ReadCards(a.Workspace, all)
}

// shownOne is shown for one contact.
func (s *Service) shownOne(r shownBy, a app.Actor, c booking.Contact) (booking.Contact, error) {
	one := []booking.Contact{c}
	err := s.shown(r, a, one)
	return one[0], err
}
