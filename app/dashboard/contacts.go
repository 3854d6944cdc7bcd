package dashboard

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"daybook/app"
	"daybook/app/contact"
	"daybook/app/fault"
	"daybook/app/serve"
	"daybook/app/when"
	"daybook/views"
	"daybook/views/dash"
)

func (d *Door) contacts(c *call) error {
	q := c.URL.Query()
	v := dash.ContactsPage{Frame: c.frame("Contacts", "contacts"), Q: q.Get("q")}
	page, err := d.Contacts(c.Context(), c.actor, v.Q, nil, q.Get("cursor"))
	if e := refused(err); e != nil {
		page, v.Said, v.SaidBad = fault.Page[app.Contact]{}, sentence(e), true
	} else if err != nil {
		return err
	}
	for i := range page.Data {
		v.Rows = append(v.Rows, c.contactRow(&page.Data[i]))
	}
	v.Results = counted(len(v.Rows), "contact")
	search := url.Values{}
	if v.Q != "" {
		search.Set("q", v.Q)
	}
	v.Pager = pagerOf(dash.ContactsPath, search, q.Get("cursor"), page.NextCursor)
	return c.show(200, dash.Contacts(v))
}

// pagerOf leads from the page behind cursor to the next.
func pagerOf(path string, query url.Values, cursor string, next *string) (p dash.Pager) {
	if cursor != "" {
		p.FirstURL = path + "?" + query.Encode()
	}
	if next != nil {
		query.Set("cursor", *next)
		p.NextURL = path + "?" + query.Encode()
	}
	return p
}

func (c *call) contactRow(x *app.Contact) dash.ContactRow {
	r := dash.ContactRow{Name: x.Name, Email: x.Email, Phone: x.Phone, URL: dash.ContactPath(x.ID.String()), Bookings: x.Bookings, NoShows: x.NoShows}
	switch {
	case x.LastBookingAt > when.At(c.door.Now()):
		r.Last = "next " + c.day(c.at(x.LastBookingAt))
	case x.LastBookingAt != 0:
		r.Last = "last " + c.day(c.at(x.LastBookingAt))
	}
	return r
}

func (d *Door) contact(c *call) error {
	x, err := d.People.ContactByID(c.Context(), c.actor, c.PathValue("id"))
	if err != nil {
		return err
	}
	return c.showContact(&x, x.Notes, nil)
}

func (c *call) showContact(x *app.Contact, notes string, e *fault.Error) error {
	cursor := c.URL.Query().Get("cursor")
	page, err := c.door.People.ContactBookings(c.Context(), c.actor, x.ID.String(), cursor)
	if err != nil {
		return err
	}
	v := dash.ContactPage{Frame: c.frame(x.Name, "contacts"), Name: x.Name, ID: x.ID.String(), Sub: "Contact since " + c.day(c.at(x.CreatedAt))}
	for i := range page.Data {
		row := c.row(&page.Data[i])
		row.Name, row.Type = row.Type, row.Name // whose booking it is the page says already
		v.Rows = append(v.Rows, row)
	}
	v.Pager = pagerOf(dash.ContactPath(v.ID), url.Values{}, cursor, page.NextCursor)
	v.Stats = []dash.Stat{{Label: "Bookings", Value: fmt.Sprint(x.Bookings)}, {Label: "No-shows", Value: fmt.Sprint(x.NoShows)}}
	v.Facts = []dash.Fact{{Name: "E-mail", Value: x.Email, URL: views.MailTo(x.Email)}}
	if x.Phone != "" {
		v.Facts = append(v.Facts, dash.Fact{Name: "Phone", Value: x.Phone, URL: "tel:" + strings.ReplaceAll(x.Phone, " ", "")})
	}
	if x.TimeZone != "" {
		v.Facts = append(v.Facts, dash.Fact{Name: "Time zone", Value: x.TimeZone})
	}
	v.Notes = dash.Input{Name: "notes", Label: "Only your team sees them", Kind: "area", Value: notes, Rows: 4}
	v.Problem = sentence(e)
	v.Danger = []dash.Danger{{
		Title: "Delete contact", Action: dash.ContactDeletePath(v.ID), Submit: "Delete for good",
		Text: "Everything that names " + x.Name + " is removed: details, notes, answers, mails, and the name in " + counted(x.Bookings, "booking") + ". The bookings stay as figures. This can't be undone.",
	}}
	if e != nil && e.Reason == "has_upcoming" {
		v.Problem, v.Said, v.SaidBad = "", sentence(e), true
	}
	return c.show(refusedStatus(e), dash.Contact(v))
}

func (d *Door) contactNotes(c *call) error {
	form, err := c.posted()
	if err != nil {
		return err
	}
	err = d.People.SetContactNotes(c.Context(), c.actor, c.PathValue("id"), form.Get("notes"))
	if e := refused(err); e != nil {
		x, err := d.People.ContactByID(c.Context(), c.actor, c.PathValue("id"))
		if err != nil {
			return err
		}
		return c.showContact(&x, form.Get("notes"), e)
	}
	if err != nil {
		return err
	}
	return c.redirect(dash.ContactPath(c.PathValue("id")), "saved")
}

func (d *Door) newContactForm(c *call) error { return c.showContactForm(nil, nil, nil) }

// showContactForm is the form of a contact, or of a new one.
func (c *call) showContactForm(x *app.Contact, typed url.Values, e *fault.Error) error {
	v := dash.FormPage{Frame: c.frame("New contact", "contacts"), BackURL: dash.ContactsPath, BackLabel: "Contacts", Action: dash.NewContactPath, Submit: "Create contact"}
	if x == nil {
		x = &app.Contact{}
	} else {
		v.Title, v.BackURL, v.BackLabel, v.Action, v.Submit = "Edit "+x.Name, dash.ContactPath(x.ID.String()), x.Name, dash.ContactEditPath(x.ID.String()), "Save"
	}
	v.Groups = []dash.Group{{Inputs: []dash.Input{
		{Name: "name", Label: "Name", Required: true, Value: x.Name, Half: true},
		{Name: "email", Label: "E-mail", Kind: "email", Required: true, Value: x.Email, Half: true},
		{Name: "phone", Label: "Phone", Kind: "tel", Value: x.Phone, Half: true},
		{Name: "timeZone", Label: "Time zone", Kind: "zone", Value: x.TimeZone, Half: true},
		{Name: "notes", Label: "Notes", Kind: "area", Value: x.Notes, Rows: 4, Hint: "Only your team sees them."},
	}}}
	v.Problem = fill(v.Groups, typed, e)
	return c.show(refusedStatus(e), dash.Form(v))
}

func contactInput(form url.Values) app.ContactInput {
	return app.ContactInput{Name: form.Get("name"), Email: form.Get("email"), Phone: form.Get("phone"), TimeZone: strings.TrimSpace(form.Get("timeZone")), Notes: form.Get("notes")}
}

func (d *Door) createContact(c *call) error {
	form, err := c.posted()
	if err != nil {
		return err
	}
	x, err := d.People.NewContact(c.Context(), c.actor, contactInput(form))
	if e := refused(err); e != nil {
		return c.showContactForm(nil, form, e)
	}
	if err != nil {
		return err
	}
	return c.redirect(dash.ContactPath(x.ID.String()), "created")
}

func (d *Door) contactForm(c *call) error {
	x, err := d.People.ContactByID(c.Context(), c.actor, c.PathValue("id"))
	if err != nil {
		return err
	}
	return c.showContactForm(&x, nil, nil)
}

func (d *Door) saveContact(c *call) error {
	form, err := c.posted()
	if err != nil {
		return err
	}
	x, err := d.People.ContactByID(c.Context(), c.actor, c.PathValue("id"))
	if err != nil {
		return err
	}
	_, err = d.People.UpdateContact(c.Context(), c.actor, c.PathValue("id"), contactInput(form))
	if e := refused(err); e != nil {
		return c.showContactForm(&x, form, e)
	}
	if err != nil {
		return err
	}
	return c.redirect(dash.ContactPath(x.ID.String()), "saved")
}

func (d *Door) deleteContact(c *call) error {
	x, err := d.People.ContactByID(c.Context(), c.actor, c.PathValue("id"))
	if err != nil {
		return err
	}
	err = d.People.DeleteContact(c.Context(), c.actor, c.PathValue("id"))
	if e := refused(err); e != nil {
		return c.showContact(&x, x.Notes, e)
	}
	if err != nil {
		return err
	}
	return c.redirect(dash.ContactsPath, "deleted")
}

func (d *Door) mergeForm(c *call) error { return c.showMerge(nil) }

func (c *call) showMerge(e *fault.Error) error {
	x, err := c.door.People.ContactByID(c.Context(), c.actor, c.PathValue("id"))
	if err != nil {
		return err
	}
	v := dash.MergePage{Frame: c.frame("Merge "+x.Name, "contacts"), Name: x.Name, ID: x.ID.String(), Q: c.URL.Query().Get("q"), Problem: sentence(e)}
	search := v.Q
	if search == "" { // people who were written down twice mostly have the same name
		search = x.Name
	}
	n := 20
	page, err := c.door.Contacts(c.Context(), c.actor, search, &n, "")
	if refused(err) != nil {
		page, err = fault.Page[app.Contact]{}, nil
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
	return c.show(refusedStatus(e), dash.MergeContact(v))
}

func (d *Door) mergeContact(c *call) error {
	form, err := c.posted()
	if err != nil {
		return err
	}
	if form.Get("into") == "" {
		return c.showMerge(fault.Invalid("into", "choose the contact that stays"))
	}
	into, err := d.People.MergeContacts(c.Context(), c.actor, c.PathValue("id"), form.Get("into"))
	if e := refused(err); e != nil {
		return c.showMerge(e)
	}
	if err != nil {
		return err
	}
	return c.redirect(dash.ContactPath(into.ID.String()), "merged")
}

// attach makes the answer a file to keep.
func (c *call) attach(name, kind string) {
	c.Header().Set("Content-Type", kind)
	c.Header().Set("Content-Disposition", fmt.Sprintf(`attachment; filename="%s-%s-%s"`, c.setup.Workspace.Slug, c.now().Format("2006-01-02"), name))
}

func (d *Door) exportContacts(c *call) error {
	c.attach("contacts.csv", "text/csv; charset=utf-8")
	c.ResponseWriter.Write([]byte("\ufeff")) // or spreadsheets take it for their own alphabet
	return d.People.ExportContacts(c.Context(), c.actor, c.ResponseWriter)
}

func (d *Door) importForm(c *call) error { return c.showImport(contact.Imported{}, nil) }

func (c *call) showImport(res contact.Imported, e *fault.Error) error {
	v := dash.ImportPage{Frame: c.frame("Import contacts", "contacts"), Problem: sentence(e), More: res.More, Most: "At most 50,000 lines and 8 MiB."}
	for _, p := range res.Problems {
		v.Lines = append(v.Lines, dash.ImportLine{Line: fmt.Sprint(p.Line), Text: p.Text})
	}
	status := refusedStatus(e)
	switch {
	case res.StoppedAt > 0:
		status = http.StatusInternalServerError
		v.Problem = fmt.Sprintf("The import stopped before line %d: %d new, %d changed, %d as they were. Choose the same file again for the rest; nothing is made twice.",
			res.StoppedAt, res.Created, res.Changed, res.Same)
	case len(v.Lines) > 0:
		status = http.StatusUnprocessableEntity
	case res.Created+res.Changed+res.Same > 0:
		v.Result = fmt.Sprintf("Imported: %d new, %d changed, %d as they were.", res.Created, res.Changed, res.Same)
	}
	return c.show(status, dash.ImportContacts(v))
}

func (d *Door) importContacts(c *call) error {
	file, _, err := c.FormFile("file")
	if err != nil {
		return c.showImport(contact.Imported{}, fault.Invalid("file", "choose a CSV file of at most 8 MiB"))
	}
	defer file.Close()
	res, err := d.People.ImportContacts(c.Context(), c.actor, file)
	if e := refused(err); e != nil {
		return c.showImport(res, e)
	}
	if err != nil && res.StoppedAt > 0 && c.Context().Err() == nil {
		d.log.Error("an import of contacts stopped", "error", err, "line", res.StoppedAt, "requestId", serve.RequestID(c.Context()))
		return c.showImport(res, nil)
	}
	if err != nil {
		return err
	}
	return c.showImport(res, nil)
}
