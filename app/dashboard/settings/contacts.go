package settings

import (
	"cmp"
	"net/http"
	"net/url"
	"strings"

	"daybook/app/booking"
	"daybook/app/contact"
	"daybook/app/dashboard/web"
	"daybook/app/fault"
	"daybook/app/serve"
	"daybook/views/dash"
)

func (c call) contacts() error {
	q := c.URL.Query()
	v := dash.ContactsPage{Frame: c.Frame(c.T("dash_contacts"), "contacts"), Q: q.Get("q"),
		Chosen: tagsOf(strings.Join(q["tags"], ","))}
	page, err := c.Subjects.People.Contacts(c.Context(), c.Actor, contact.Filter{Q: v.Q, Tags: v.Chosen}, nil, q.Get("cursor"))
	if e := web.Refused(err); e != nil {
		page, v.Said, v.SaidBad = fault.Page[booking.Contact]{}, c.Sentence(e), true
	} else if err != nil {
		return err
	}
	for i := range page.Data {
		v.Rows = append(v.Rows, c.contactRow(&page.Data[i]))
	}
	v.Results = c.T("dash_contacts_count", "Count", len(v.Rows))
	if v.Tags, err = c.tagFilter(v.Q, v.Chosen); err != nil {
		return err
	}
	search := url.Values{}
	if v.Q != "" {
		search.Set("q", v.Q)
	}
	if len(v.Chosen) > 0 {
		search.Set("tags", strings.Join(v.Chosen, ","))
	}
	v.Pager = web.PagerOf(dash.ContactsPath, search, q.Get("cursor"), page.NextCursor)
	return c.Show(200, dash.Contacts(v))
}

func (c call) contactRow(x *booking.Contact) dash.ContactRow {
	r := dash.ContactRow{Name: x.Name, Email: cmp.Or(x.Email, c.Phone(x.Phone)), Phone: c.Phone(x.Phone),
		URL:      dash.ContactPath(x.ID.String()),
		Bookings: x.Bookings, NoShows: x.NoShows, Tags: x.Tags}
	switch {
	case x.NextBookingAt != 0:
		r.Last = c.T("dash_contact_next", "Day", c.Day(c.At(x.NextBookingAt)))
	case x.LastVisitAt != 0:
		r.Last = c.T("dash_contact_last", "Day", c.Day(c.At(x.LastVisitAt)))
	}
	return r
}

func (c call) contactNotes() error {
	form, err := c.Posted()
	if err != nil {
		return err
	}
	err = c.Subjects.People.SetContactNotes(c.Context(), c.Actor, c.PathValue("id"), form.Get("notes"))
	if e := web.Refused(err); e != nil {
		x, err := c.Subjects.People.ContactByID(c.Context(), c.Actor, c.PathValue("id"))
		if err != nil {
			return err
		}
		return c.showCard(&x, cardState{notes: form, notesWrong: e})
	}
	if err != nil {
		return err
	}
	return c.Redirect(dash.ContactPath(c.PathValue("id")), "saved")
}

func (c call) newContactForm() error { return c.showContactForm(nil, nil, nil) }

// showContactForm is the form of a contact, or of a new one.
func (c call) showContactForm(x *booking.Contact, typed url.Values, e *fault.Error) error {
	v := dash.FormPage{Frame: c.Frame(c.T("dash_contact_new"), "contacts"), BackURL: dash.ContactsPath,
		BackLabel: c.T("dash_contacts"),
		Action:    dash.NewContactPath, Submit: c.T("dash_contact_create")}
	if x == nil {
		x = &booking.Contact{}
	} else {
		v.Title, v.BackURL, v.BackLabel, v.Action, v.Submit = c.T("dash_contact_edit_one", "Name", x.Name),
			dash.ContactPath(x.ID.String()), x.Name,
			dash.ContactEditPath(x.ID.String()), c.T("dash_save_changes")
	}
	tags, err := c.tagsInput(x)
	if err != nil {
		return err
	}
	v.Groups = []dash.Group{{Inputs: []dash.Input{
		{Name: "name", Label: c.T("dash_name"), Required: true, Value: x.Name, Half: true},
		{Name: "email", Label: c.T("dash_email"), Kind: "email", Value: x.Email, Half: true,
			Hint: c.T("contact_one_is_enough")},
		{Name: "phone", Label: c.T("dash_phone"), Kind: "tel", Value: x.Phone, Half: true},
		{Name: "timeZone", Label: c.T("dash_time_zone"), Kind: "zone", Value: x.TimeZone, Half: true},
		tags, c.tellInput(x),
	}}, c.birthdayGroup(x)}
	if own := c.ownGroup(x); len(own.Inputs) > 0 {
		v.Groups = append(v.Groups, own)
	}
	v.Groups = append(v.Groups, dash.Group{Inputs: []dash.Input{
		{Name: "notes", Label: c.T("dash_notes"), Kind: "area", Value: x.Notes, Rows: 4, Hint: c.T("dash_only_team")},
	}})
	v.Problem = c.Fill(v.Groups, typed, e)
	return c.Show(web.RefusedStatus(e), dash.Form(v))
}

func (c call) createContact() error {
	form, err := c.Posted()
	if err != nil {
		return err
	}
	x, err := c.Subjects.People.NewContact(c.Context(), c.Actor, c.contactInput(form))
	if e := web.Refused(err); e != nil {
		return c.showContactForm(nil, form, e)
	}
	if err != nil {
		return err
	}
	return c.Redirect(dash.ContactPath(x.ID.String()), "created")
}

func (c call) contactForm() error {
	x, err := c.Subjects.People.ContactByID(c.Context(), c.Actor, c.PathValue("id"))
	if err != nil {
		return err
	}
	return c.showContactForm(&x, nil, nil)
}

func (c call) saveContact() error {
	form, err := c.Posted()
	if err != nil {
		return err
	}
	x, err := c.Subjects.People.ContactByID(c.Context(), c.Actor, c.PathValue("id"))
	if err != nil {
		return err
	}
	_, err = c.Subjects.People.UpdateContact(c.Context(), c.Actor, c.PathValue("id"), c.contactInput(form))
	if e := web.Refused(err); e != nil {
		return c.showContactForm(&x, form, e)
	}
	if err != nil {
		return err
	}
	return c.Redirect(dash.ContactPath(x.ID.String()), "saved")
}

func (c call) deleteContact() error {
	x, err := c.Subjects.People.ContactByID(c.Context(), c.Actor, c.PathValue("id"))
	if err != nil {
		return err
	}
	err = c.Subjects.People.DeleteContact(c.Context(), c.Actor, c.PathValue("id"))
	if e := web.Refused(err); e != nil {
		return c.showCard(&x, cardState{deleteWrong: e})
	}
	if err != nil {
		return err
	}
	return c.Redirect(dash.ContactsPath, "deleted")
}

func (c call) mergeForm() error { return c.showMerge(nil) }

func (c call) showMerge(e *fault.Error) error {
	x, err := c.Subjects.People.ContactByID(c.Context(), c.Actor, c.PathValue("id"))
	if err != nil {
		return err
	}
	v := dash.MergePage{Frame: c.Frame(c.T("dash_contact_merge_one", "Name", x.Name), "contacts"), Name: x.Name,
		ID: x.ID.String(),
		Q:  c.URL.Query().Get("q"), Problem: c.Sentence(e)}
	search := v.Q
	if search == "" { // people who were entered twice mostly have the same name
		search = x.Name
	}
	n := 20
	page, err := c.Subjects.People.Contacts(c.Context(), c.Actor, contact.Filter{Q: search}, &n, "")
	if web.Refused(err) != nil {
		page, err = fault.Page[booking.Contact]{}, nil
	}
	if err != nil {
		return err
	}
	for i := range page.Data {
		if other := &page.Data[i]; other.ID != x.ID {
			v.Rows = append(v.Rows, c.contactRow(other))
			v.Values = append(v.Values, other.ID.String())
		}
	}
	return c.Show(web.RefusedStatus(e), dash.MergeContact(v))
}

func (c call) mergeContact() error {
	form, err := c.Posted()
	if err != nil {
		return err
	}
	if form.Get("into") == "" {
		return c.showMerge(fault.Invalid("into", "choose the contact that stays"))
	}
	into, err := c.Subjects.People.MergeContacts(c.Context(), c.Actor, c.PathValue("id"), form.Get("into"))
	if e := web.Refused(err); e != nil {
		return c.showMerge(e)
	}
	if err != nil {
		return err
	}
	return c.Redirect(dash.ContactPath(into.ID.String()), "merged")
}

func (c call) exportContacts() error {
	c.Attach("contacts.csv", "text/csv; charset=utf-8")
	c.ResponseWriter.Write([]byte("\ufeff")) // a byte order mark, so that spreadsheets read it as UTF-8
	return c.Subjects.People.ExportContacts(c.Context(), c.Actor, c.ResponseWriter)
}

// file has no time limit: a regular's may be long.
func (c call) file() (err error) {
	x, err := c.Subjects.People.ContactByID(c.Context(), c.Actor, c.PathValue("id"))
	if err != nil {
		return err
	}
	c.Attach("person-"+x.ID.String()+".json", "application/json; charset=utf-8")
	serve.Stream(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err = c.Subjects.Privacy.ExportPerson(r.Context(), c.Actor, x.ID.String(), w); err != nil {
			c.Log.Error("the file about a contact", "error", err)
			panic(http.ErrAbortHandler) // so that the client sees that the file is incomplete
		}
	})).ServeHTTP(c.ResponseWriter, c.Request)
	return nil
}
