package settings

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"daybook/app/booking"
	"daybook/app/contact"
	"daybook/app/dashboard/web"
	"daybook/views/dash"
)

// contactInput reads the form of a contact. What the form doesn't have stays as it is.
func (c call) contactInput(form url.Values) booking.ContactInput {
	in := booking.ContactInput{Name: form.Get("name"), Email: form.Get("email"), Phone: form.Get("phone"),
		TimeZone: strings.TrimSpace(form.Get("timeZone")), Notes: form.Get("notes")}
	if form.Has("tags") {
		in.Tags = tagsOf(form.Get("tags"))
	}
	if form.Has("birthday") {
		day := birthdayOf(form.Get("birthday"), form.Get("birthday.month"), form.Get("birthday.year"))
		in.Birthday = &day
	}
	if form.Has("tellBy") {
		by := form.Get("tellBy")
		in.TellBy = &by
	}
	in.Fields = ownFields(form, c.Setup.Workspace.Settings.ContactFields)
	return in
}

// tagsOf reads tags that are separated by commas; it is never nil.
func tagsOf(text string) []string {
	tags := []string{}
	for tag := range strings.SplitSeq(text, ",") {
		if tag = strings.TrimSpace(tag); tag != "" {
			tags = append(tags, tag)
		}
	}
	return tags
}

// birthdayOf returns a birthday as contacts have it; what is no day is left to the check of contacts.
func birthdayOf(day, month, year string) string {
	year = strings.TrimSpace(year)
	if day == "" && month == "" && year == "" {
		return ""
	}
	return cmp.Or(year, "-") + "-" + month + "-" + day
}

// tagsInput asks for tags, and offers the workspace's behind those that are there.
func (c call) tagsInput(x *booking.Contact) (dash.Input, error) {
	in := dash.Input{Name: "tags", Label: c.T("card_tags"), Value: strings.Join(x.Tags, ", "), Hint: c.T("card_tags_hint")}
	known, err := c.Subjects.People.Tags(c.Context(), c.Actor)
	for _, t := range known {
		if !slices.Contains(x.Tags, t.Tag) {
			value := strings.Join(append(slices.Clone(x.Tags), t.Tag), ", ")
			in.Options = append(in.Options, dash.Option{Value: value, Label: value})
		}
	}
	return in, err
}

func (c call) tellInput(x *booking.Contact) dash.Input {
	in := dash.Input{Name: "tellBy", Label: c.T("card_tell"), Kind: "select", Half: true, Options: []dash.Option{
		{Value: "", Label: c.T("card_tell_none")},
		{Value: string(contact.TellByEmail), Label: c.T("card_tell_email")},
		{Value: string(contact.TellByText), Label: c.T("card_tell_text")},
		{Value: string(contact.TellByBoth), Label: c.T("card_tell_both")},
		{Value: string(contact.TellByCall), Label: c.T("card_tell_call")}}}
	if x.TellBy != nil {
		in.Value = *x.TellBy
	}
	return in
}

// birthdayGroup asks for a birthday in parts: a calendar begins with today, and wants a year.
func (c call) birthdayGroup(x *booking.Contact) dash.Group {
	none := dash.Option{Value: "", Label: "–"}
	day := dash.Input{Name: "birthday", Label: c.T("card_day"), Kind: "select", Half: true, Options: []dash.Option{none}}
	month := dash.Input{Name: "birthday.month", Label: c.T("card_month"), Kind: "select", Half: true, Options: []dash.Option{none}}
	year := dash.Input{Name: "birthday.year", Label: c.T("card_year"), Digits: true, Half: true}
	for d := range 31 {
		day.Options = append(day.Options, dash.Option{Value: fmt.Sprintf("%02d", d+1), Label: strconv.Itoa(d + 1)})
	}
	for m := time.January; m <= time.December; m++ {
		month.Options = append(month.Options, dash.Option{Value: fmt.Sprintf("%02d", m),
			Label: c.Locale.MonthName(time.Date(2000, m, 1, 0, 0, 0, 0, time.UTC))})
	}
	if born, known, ok := bornOn(x); ok {
		day.Value, month.Value = born.Format("02"), born.Format("01")
		if known {
			year.Value = strconv.Itoa(born.Year())
		}
	}
	return dash.Group{Title: c.T("card_birthday"), Hint: c.T("card_birthday_hint"), Inputs: []dash.Input{day, month, year}}
}

// bornOn returns the customer's birthday, and whether its year is known.
func bornOn(x *booking.Contact) (day time.Time, year, ok bool) {
	if x.Birthday == nil || *x.Birthday == "" {
		return day, false, false
	}
	text, year := *x.Birthday, true
	if rest, without := strings.CutPrefix(text, "--"); without {
		text, year = "2000-"+rest, false // a year that has every day
	}
	day, err := time.Parse(time.DateOnly, text)
	return day, year, err == nil
}

// tagsOffered is how many tags stand above the list of customers.
const tagsOffered = 12

// tagFilter are the most used tags, and those that are chosen, as links that narrow the list or widen it.
func (c call) tagFilter(q string, chosen []string) (all []dash.Tab, err error) {
	known, err := c.Subjects.People.Tags(c.Context(), c.Actor)
	if err != nil {
		return nil, err
	}
	link := func(tags []string) string {
		to := url.Values{}
		if q != "" {
			to.Set("q", q)
		}
		if len(tags) > 0 {
			to.Set("tags", strings.Join(tags, ","))
		}
		return web.WithQuery(dash.ContactsPath, to)
	}
	same := func(tag string) func(string) bool {
		return func(o string) bool { return contact.FoldTag(o) == contact.FoldTag(tag) }
	}
	for _, tag := range chosen {
		all = append(all, dash.Tab{Label: tag, Current: true, URL: link(slices.DeleteFunc(slices.Clone(chosen), same(tag)))})
	}
	for _, t := range known {
		if len(all) < tagsOffered+len(chosen) && !slices.ContainsFunc(chosen, same(t.Tag)) {
			all = append(all, dash.Tab{Label: t.Tag, Count: t.Contacts, URL: link(append(slices.Clone(chosen), t.Tag))})
		}
	}
	return all, nil
}
