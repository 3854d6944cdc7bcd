package dashboard

import (
	"net/url"
	"strconv"

	"daybook/app"
	"daybook/views"
)

const contactsPath = "/dashboard/contacts"

func (d *Door) contacts(c *call) error {
	q := c.URL.Query()
	page, err := d.Contacts(c.Context(), c.actor, q.Get("q"), nil, q.Get("cursor"))
	if err != nil && refused(err) == nil {
		return err
	}
	v := views.ContactsPage{Dash: c.dash("Contacts", "contacts"), Search: q.Get("q"), NewURL: contactsPath + "/new", ExportURL: contactsPath + "/export", ImportURL: contactsPath + "/import"}
	for i := range page.Data {
		p := &page.Data[i]
		r := views.ContactRow{URL: contactsPath + "/" + p.ID.String(), Name: p.Name, Email: p.Email, Phone: p.Phone, Bookings: strconv.Itoa(p.Bookings)}
		if p.LastBookingAt != 0 {
			r.Last = c.day(c.at(p.LastBookingAt))
		}
		v.Rows = append(v.Rows, r)
	}
	if page.NextCursor != nil {
		v.Pager.NextURL = withQuery(contactsPath, q, "cursor", *page.NextCursor)
	}
	if q.Get("cursor") != "" {
		v.Pager.FirstURL = withQuery(contactsPath, q, "cursor", "")
	}
	return c.show(200, views.Contacts(v))
}

func (d *Door) contact(c *call) error {
	p, err := d.ContactByID(c.Context(), c.actor, c.PathValue("id"))
	if err != nil {
		return err
	}
	return c.showContact(&p, nil, nil)
}

func (c *call) showContact(p *app.Contact, typed url.Values, e *app.Error) error {
	q := c.URL.Query()
	n := 25
	page, err := c.door.Bookings(c.Context(), c.actor, app.ListBookingsInput{Invitee: p.Email, Scope: "past", All: true, Limit: &n, Cursor: q.Get("cursor")})
	if err != nil && refused(err) == nil {
		return err
	}
	path := contactsPath + "/" + p.ID.String()
	v := views.ContactPage{Dash: c.dash(p.Name, "contacts"), EditURL: path + "/edit", Notes: p.Notes}
	if e != nil {
		v.Said, v.SaidBad = sentence(e), true
	}
	if types := c.bookable(); len(types) > 0 {
		v.BookURL = withQuery(newBookingPath, url.Values{"name": {p.Name}, "email": {p.Email}, "phone": {p.Phone}})
	}
	v.Facts = []views.Fact{{Name: "E-mail", Value: p.Email, URL: "mailto:" + p.Email}}
	if p.Phone != "" {
		v.Facts = append(v.Facts, views.Fact{Name: "Phone", Value: p.Phone})
	}
	if p.TimeZone != "" {
		v.Facts = append(v.Facts, views.Fact{Name: "Time zone", Value: p.TimeZone})
	}
	v.Facts = append(v.Facts, views.Fact{Name: "Bookings", Value: strconv.Itoa(p.Bookings)}, views.Fact{Name: "No-shows", Value: strconv.Itoa(p.NoShows)}, views.Fact{Name: "Since", Value: c.day(c.at(p.CreatedAt))})
	for i := range page.Data {
		v.Rows = append(v.Rows, c.row(&page.Data[i]))
	}
	if page.NextCursor != nil {
		v.Pager.NextURL = withQuery(path, q, "cursor", *page.NextCursor)
	}
	v.Actions = []views.Danger{
		{Title: "Merge with another contact", Quiet: true, Text: "All bookings and notes of " + p.Name + " go to the other contact; this one is forgotten.", Action: path + "/merge", Submit: "Merge",
			Inputs: []views.Input{{Name: "into", Label: "E-mail of the other contact", Kind: "email", Required: true, Value: typed.Get("into")}}},
		{Title: "Delete", Text: "Name, address, notes and answers of " + p.Name + " are taken out of everything: bookings, their history, webhooks and mails. The bookings stay in your figures. This can't be undone.",
			Action: path + "/delete", Submit: "Delete everything about " + p.Name},
	}
	return c.show(refusedStatus(e), views.ContactShown(v))
}

func (d *Door) newContactForm(c *call) error {
	return c.showContactForm("New contact", contactsPath+"/new", contactsPath, app.ContactInput{}, nil, nil)
}

func (c *call) showContactForm(title, action, back string, in app.ContactInput, typed url.Values, e *app.Error) error {
	v := views.FormPage{Dash: c.dash(title, "contacts"), BackURL: back, BackLabel: "Back", Action: action, Submit: "Save", Groups: []views.Group{{Inputs: []views.Input{
		{Name: "name", Label: "Name", Required: true, Value: in.Name, Focus: true},
		{Name: "email", Label: "E-mail", Kind: "email", Required: true, Value: in.Email, Half: true},
		{Name: "phone", Label: "Phone", Kind: "tel", Value: in.Phone, Half: true},
		{Name: "timeZone", Label: "Time zone", Kind: "zone", Value: in.TimeZone, Half: true},
		{Name: "notes", Label: "Notes", Kind: "area", Value: in.Notes, Rows: 5, Hint: "Only you and your colleagues see them."},
	}}}}
	v.Problem = fill(v.Groups, typed, e)
	return c.show(refusedStatus(e), views.DashForm(v))
}

func contactInput(form url.Values) app.ContactInput {
	return app.ContactInput{Name: form.Get("name"), Email: form.Get("email"), Phone: form.Get("phone"), TimeZone: form.Get("timeZone"), Notes: form.Get("notes")}
}

func (d *Door) newContact(c *call) error {
	form, err := c.posted()
	if err != nil {
		return err
	}
	in := contactInput(form)
	p, created, err := d.CreateContact(c.Context(), c.actor, in)
	if err == nil && !created {
		err = &app.Error{Code: app.Conflict, Field: "email", Message: "email: There is a contact with this address already: " + p.Name + "."}
	}
	if e := refused(err); e != nil {
		return c.showContactForm("New contact", contactsPath+"/new", contactsPath, in, form, e)
	}
	if err != nil {
		return err
	}
	return c.redirect(contactsPath+"/"+p.ID.String(), "created")
}

func (d *Door) editContactForm(c *call) error {
	p, err := d.ContactByID(c.Context(), c.actor, c.PathValue("id"))
	if err != nil {
		return err
	}
	path := contactsPath + "/" + p.ID.String()
	return c.showContactForm("Edit "+p.Name, path+"/edit", path, app.ContactInput{Name: p.Name, Email: p.Email, Phone: p.Phone, TimeZone: p.TimeZone, Notes: p.Notes}, nil, nil)
}

func (d *Door) editContact(c *call) error {
	form, err := c.posted()
	if err != nil {
		return err
	}
	path := contactsPath + "/" + url.PathEscape(c.PathValue("id"))
	in := contactInput(form)
	_, err = d.UpdateContact(c.Context(), c.actor, c.PathValue("id"), in)
	if e := refused(err); e != nil {
		return c.showContactForm("Edit contact", path+"/edit", path, in, form, e)
	}
	if err != nil {
		return err
	}
	return c.redirect(path, "saved")
}

func (d *Door) mergeContact(c *call) error {
	form, err := c.posted()
	if err != nil {
		return err
	}
	p, err := d.ContactByID(c.Context(), c.actor, c.PathValue("id"))
	if err != nil {
		return err
	}
	into, err := d.ContactByAddress(c.Context(), c.actor, form.Get("into"))
	if err == nil {
		into, err = d.MergeContacts(c.Context(), c.actor, p.ID.String(), into.ID.String())
	}
	if app.IsCode(err, app.NotFound) {
		return c.showContact(&p, form, &app.Error{Code: app.BadRequest, Message: "There is no contact with the address " + form.Get("into") + "."})
	}
	if e := refused(err); e != nil {
		return c.showContact(&p, form, e)
	}
	if err != nil {
		return err
	}
	return c.redirect(contactsPath+"/"+into.ID.String(), "merged")
}

func (d *Door) deleteContact(c *call) error {
	p, err := d.ContactByID(c.Context(), c.actor, c.PathValue("id"))
	if err != nil {
		return err
	}
	err = d.DeleteContact(c.Context(), c.actor, p.ID.String())
	if e := refused(err); e != nil {
		return c.showContact(&p, nil, e)
	}
	if err != nil {
		return err
	}
	return c.redirect(contactsPath, "deleted")
}
