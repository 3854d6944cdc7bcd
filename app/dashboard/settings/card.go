package settings

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/contact"
	"daybook/app/dashboard/web"
	"daybook/app/fault"
	"daybook/app/when"
	"daybook/views"
	"daybook/views/dash"
)

// cardState is what a refused form left on a card: what was typed, and why it was refused.
type cardState struct {
	notes, entry, file, health, reply, texts                                            url.Values
	notesWrong, entryWrong, fileWrong, healthWrong, deleteWrong, replyWrong, textsWrong *fault.Error
}

func (s *cardState) wrong() *fault.Error {
	return cmp.Or(s.notesWrong, s.entryWrong, s.fileWrong, s.healthWrong, s.deleteWrong, s.replyWrong, s.textsWrong)
}

// card is what the page of a customer is made from.
type card struct {
	call
	x        *booking.Contact
	id       string
	now      time.Time
	writes   bool
	manages  bool
	bookings map[booking.BookingID]*booking.Booking // those that are shown
	today    *booking.Booking                       // the member's visit of today; nil for none
}

func (c call) contact() error {
	x, err := c.Subjects.People.ContactByID(c.Context(), c.Actor, c.PathValue("id"))
	if err != nil {
		return err
	}
	return c.showCard(&x, cardState{})
}

// showCard is the page of a customer: what matters at the chair first, and behind it all bookings.
func (c call) showCard(x *booking.Contact, s cardState) error {
	k := card{call: c, x: x, id: x.ID.String(), now: c.Now(), writes: c.May(app.MayWriteCard), manages: c.May(app.MayManageContacts)}
	v := dash.ContactPage{Frame: c.Frame(x.Name, "contacts"), Name: x.Name, ID: k.id, Manages: k.manages,
		BookURL: web.WithQuery(dash.NewBookingPath, url.Values{"contact": {k.id}}), Problem: c.Sentence(s.notesWrong)}
	cursor := c.URL.Query().Get("cursor")
	history, err := c.Subjects.People.ContactHistory(c.Context(), c.Actor, k.id, cursor)
	if err != nil {
		return err
	}
	k.read(history.Data)
	v.Years = k.years(history.Data)
	v.More = web.PagerOf(dash.ContactPath(k.id), url.Values{}, cursor, history.NextCursor)
	known, err := c.Subjects.People.Card(c.Context(), c.Actor, k.id)
	if err != nil {
		return err
	}
	v.Tags, v.Reach, v.Tells, v.Figures = k.tags(), k.reach(), k.tells(), k.figures(&known)
	v.Texts = k.texts(&s)
	if v.Passes, err = k.passes(); err != nil {
		return err
	}
	if err := k.written(&v, known.Formula, &s); err != nil {
		return err
	}
	if v.Talk, err = k.talk(&s); err != nil {
		return err
	}
	if err := k.agreed(&v, &s); err != nil {
		return err
	}
	if err := k.pictured(&v, &s); err != nil {
		return err
	}
	if v.Facts, err = k.facts(); err != nil {
		return err
	}
	if v.Offers, err = k.offers(); err != nil {
		return err
	}
	v.Notes = dash.Input{Name: "notes", Label: c.T("dash_notes_only_team"), Kind: "area", Value: x.Notes, Rows: 4}
	if s.notes != nil {
		v.Notes.Value = s.notes.Get("notes")
	}
	v.Danger = []dash.Danger{{
		Title: c.T("dash_contact_delete"), Action: dash.ContactDeletePath(k.id), Submit: c.T("dash_contact_delete"),
		Text: c.T("dash_contact_delete_text", "Count", x.Bookings, "Name", x.Name),
	}}
	if s.deleteWrong != nil {
		v.Said, v.SaidBad = c.Sentence(s.deleteWrong), true
	}
	return c.Show(web.RefusedStatus(s.wrong()), dash.Contact(v))
}

// read remembers the bookings, the latest first, and which of them is the member's of today: the one under way, else the
// next, else the last. For a member who serves nobody it is whoever's.
func (k *card) read(all []booking.Booking) {
	k.bookings = make(map[booking.BookingID]*booking.Booking, len(all))
	for i := range all {
		b := &all[i]
		k.bookings[b.ID] = b
		if !b.Status.Stands() || !web.SameDay(k.At(b.Start), k.now) || k.Actor.Host != 0 && !b.With(k.Actor.Host) {
			continue
		}
		if k.today == nil || b.End.Time().After(k.now) {
			k.today = b
		}
	}
}

func (k *card) years(all []booking.Booking) (years []dash.BookedYear) {
	for i := range all {
		b := &all[i]
		start := k.At(b.Start)
		year := strconv.Itoa(start.Year())
		if n := len(years); n == 0 || years[n-1].Year != year {
			years = append(years, dash.BookedYear{Year: year, Open: start.Year() == k.now.Year()})
		}
		row := dash.PastBooking{Day: k.Locale.ShortDay(start), What: k.TypeTitle(b), Host: b.Host.Name}
		ahead := b.Start.Time().After(k.now)
		if ahead {
			row.Day += ", " + k.Clock(b.Start)
		}
		if k.Actor.SeesBooking(b) {
			row.URL = dash.BookingPath(b.ID.String())
		}
		if !b.Status.Stands() || ahead {
			row.State = k.StateBadge(b)
		}
		of := &years[len(years)-1]
		of.Bookings++
		of.Rows = append(of.Rows, row)
	}
	if len(years) > 0 && !slices.ContainsFunc(years, func(y dash.BookedYear) bool { return y.Open }) {
		years[0].Open = true
	}
	return years
}

func (k *card) tags() (tags []dash.Tab) {
	for _, tag := range k.x.Tags {
		t := dash.Tab{Label: tag}
		if k.May(app.MaySeeContacts) {
			t.URL = web.WithQuery(dash.ContactsPath, url.Values{"tags": {tag}})
		}
		tags = append(tags, t)
	}
	return tags
}

// passes returns what the customer has paid ahead: "Ten cuts: 4 of 10, until Tue, Dec 1".
func (k *card) passes() (all []dash.Fact, err error) {
	if !k.May(app.MaySeeReceipts) {
		return nil, nil
	}
	passes, err := k.PassesOf(k.x.ID)
	for i := range passes {
		p := &passes[i]
		text := k.Locale.Labelled(k.PassName(p.Title), k.T("pass_left_of", "Left", k.PassWorth(p, p.Balance), "Face", k.PassWorth(p, p.Face)))
		if until := k.PassUntil(p); until != "" {
			text += ", " + k.T("pass_until", "Day", until)
		}
		all = append(all, dash.Fact{Value: text, URL: dash.PassPath(p.ID.String())})
	}
	return all, err
}

func (k *card) reach() (all []dash.Reach) {
	if k.x.Phone != "" {
		shown := k.Phone(k.x.Phone)
		all = append(all, dash.Reach{Icon: "phone", Text: shown, URL: "tel:" + web.Dialled(k.x.Phone),
			Label: k.T("card_call", "Name", k.x.Name, "Phone", shown)})
	}
	if k.x.Email != "" {
		all = append(all, dash.Reach{Icon: "mail", Text: k.x.Email, URL: views.MailTo(k.x.Email),
			Label: k.T("card_mail", "Name", k.x.Name, "Email", k.x.Email)})
	}
	return all
}

// tellsKeys say how somebody likes to be told.
var tellsKeys = map[string]string{string(contact.TellByEmail): "card_tells_email", string(contact.TellByText): "card_tells_text",
	string(contact.TellByBoth): "card_tells_both", string(contact.TellByCall): "card_tells_call"}

func (k *card) tells() string {
	if k.x.TellBy == nil || tellsKeys[*k.x.TellBy] == "" {
		return ""
	}
	return k.T(tellsKeys[*k.x.TellBy])
}

// figures are the line of what matters.
func (k *card) figures(known *contact.Card) []dash.Figure {
	all := []dash.Figure{k.visit("card_last", "card_last_none", known.LastVisit), k.visit("card_next", "card_next_none", known.NextVisit)}
	if u := k.usual(known); u.Value != "" {
		all = append(all, u)
	}
	visits := dash.Figure{Label: k.T("contact_visits_past"), Value: fmt.Sprint(k.x.PastVisits)}
	if k.x.NoShows > 0 {
		visits.Sub, visits.Tone = k.T("dash_no_shows_count", "Count", k.x.NoShows), "bad"
	}
	if k.x.PastVisits+k.x.NoShows > 0 {
		all = append(all, visits)
	}
	if len(known.Spent) > 0 {
		var spent []string
		for i := range known.Spent {
			spent = append(spent, k.Money(&known.Spent[i]))
		}
		all = append(all, dash.Figure{Label: k.T("card_spent"), Value: strings.Join(spent, " · ")})
	}
	if b := k.birthday(); b.Value != "" {
		all = append(all, b)
	}
	return all
}

func (k *card) visit(label, none string, b *booking.Booking) dash.Figure {
	if b == nil {
		return dash.Figure{Label: k.T(label), Value: k.T(none)}
	}
	f := dash.Figure{Label: k.T(label), Value: k.Day(k.At(b.Start)), Sub: k.TypeTitle(b) + " · " + b.Host.Name}
	if b.End.Time().After(k.now) {
		f.Value += ", " + k.Clock(b.Start)
	}
	if k.Actor.SeesBooking(b) {
		f.URL = dash.BookingPath(b.ID.String())
	}
	return f
}

func (k *card) usual(known *contact.Card) dash.Figure {
	var what []string
	if e := k.Setup.EventTypeByID(known.UsualEventType); e != nil {
		what = append(what, e.Title)
	}
	if h := k.Setup.Host(known.UsualHost); h != nil {
		what = append(what, h.Name)
	}
	f := dash.Figure{Label: k.T("card_usual"), Value: strings.Join(what, " · ")}
	if known.EveryDays > 0 {
		f.Sub = k.T("card_every", "Count", known.EveryDays)
	}
	return f
}

// nearBirthday is how many days ahead a birthday is told.
const nearBirthday = 14

func (k *card) birthday() dash.Figure {
	born, year, ok := bornOn(k.x)
	if !ok {
		return dash.Figure{}
	}
	f := dash.Figure{Label: k.T("card_birthday"), Value: k.Locale.DayOfMonth(born)}
	if year {
		f.Sub = strconv.Itoa(born.Year())
	}
	today := web.Midnight(k.now)
	next := time.Date(today.Year(), born.Month(), born.Day(), 0, 0, 0, 0, k.Zone())
	if next.Before(today) {
		next = time.Date(today.Year()+1, born.Month(), born.Day(), 0, 0, 0, 0, k.Zone())
	}
	days := 0
	for at := today; at.Before(next) && days <= nearBirthday; at = when.AddDays(at, 1) {
		days++
	}
	switch {
	case days > nearBirthday:
		return f
	case days == 0:
		f.Sub = k.T("card_birthday_today")
	case days == 1:
		f.Sub = k.T("card_birthday_tomorrow")
	default:
		f.Sub = k.T("dash_in_days", "Count", days)
	}
	f.Tone = "good"
	if year {
		f.Sub += ", " + k.T("card_turns", "Age", next.Year()-born.Year())
	}
	return f
}

// facts are the rest that is known.
func (k *card) facts() (facts []dash.Fact, err error) {
	facts = []dash.Fact{{Name: k.T("dash_bookings"), Value: fmt.Sprint(k.x.Bookings)}}
	if k.x.TimeZone != "" && k.x.TimeZone != k.Setup.Workspace.TimeZone {
		facts = append(facts, dash.Fact{Name: k.T("dash_time_zone"), Value: k.x.TimeZone})
	}
	facts = append(facts, dash.Fact{Name: k.T("card_since"), Value: k.Day(k.At(k.x.CreatedAt))})
	facts = append(facts, k.ownFacts()...)
	if !k.May(app.MaySeeContacts) {
		return facts, nil
	}
	same, err := k.Subjects.People.SamePhone(k.Context(), k.Actor, *k.x)
	for i := range same {
		facts = append(facts, dash.Fact{Name: k.T("contact_same_phone"), Value: same[i].Name,
			URL: dash.ContactMergePath(k.id) + "?q=" + url.QueryEscape(same[i].Name)})
	}
	return facts, err
}
