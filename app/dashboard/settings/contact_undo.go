package settings

import (
	"cmp"

	"daybook/app/contact"
	"daybook/app/dashboard/web"
	"daybook/app/fault"
	"daybook/views/dash"
	"daybook/views/finding"
)

// importPage shows an import of the last day: with how to undo it, how far that has come, or who stays and why.
func (c call) importPage() error { return c.showImported(nil) }

// undoImport undoes an import, or goes on with that.
func (c call) undoImport() error {
	im, err := c.Subjects.People.UndoImport(c.Context(), c.Actor, c.PathValue("id"))
	if e := web.Refused(err); e != nil && e.Code == fault.Conflict {
		return c.showImported(e)
	}
	if err != nil {
		return err
	}
	return c.Redirect(dash.ImportPath(im.ID.String()), "")
}

func (c call) showImported(e *fault.Error) error {
	im, stays, err := c.Subjects.People.Import(c.Context(), c.Actor, c.PathValue("id"))
	if err != nil {
		return err
	}
	row := c.importedRow(&im)
	v := dash.ImportedPage{Frame: c.Frame(row.Title, "contacts"), ID: im.ID.String(), Problem: c.Sentence(e), Is: row}
	v.Live = im.State <= contact.Undoing
	switch im.State {
	case contact.ImportDone:
		if v.Undoable = im.Until.Time().After(c.Subjects.Now()); v.Undoable {
			v.Text = c.T("import_undo_until", "Until", finding.Moment(c.Locale, c.Setup.Zone, im.Until))
		}
	case contact.Undoing:
		v.Text = c.T("import_undoing_text", "Done", im.Undone+im.Stays, "All", im.Created+im.Changed)
	case contact.ImportIsUndone:
		v.Counts = append(v.Counts, c.T("import_undone_count", "Count", im.Undone))
		if im.Stays > 0 {
			v.Counts = append(v.Counts, c.T("import_stays_count", "Count", im.Stays))
		}
	}
	for _, s := range stays {
		stay := dash.ImportStay{Name: cmp.Or(s.Name, c.T("import_stays_nobody")), Why: c.T(stayWords[s.Outcome])}
		if s.Name != "" {
			stay.URL = dash.ContactPath(s.Contact.String())
		}
		v.Stays = append(v.Stays, stay)
	}
	v.More = im.Stays - len(stays)
	return c.Show(web.RefusedStatus(e), dash.Imported(v))
}

var stayWords = map[contact.Outcome]string{
	contact.StaysBooked: "import_stays_booked", contact.StaysWritten: "import_stays_written",
	contact.StaysEdited: "import_stays_edited", contact.StaysMerged: "import_stays_merged",
	contact.StaysGone: "import_stays_gone", contact.StaysTaken: "import_stays_taken",
}

// recentImports lists the imports of the last day.
func (c call) recentImports() (rows []dash.ImportedRow, err error) {
	all, err := c.Subjects.People.Imports(c.Context(), c.Actor)
	for i := range all {
		rows = append(rows, c.importedRow(&all[i]))
	}
	return rows, err
}

// importedRow returns an import in words.
func (c call) importedRow(im *contact.Import) dash.ImportedRow {
	r := dash.ImportedRow{URL: dash.ImportPath(im.ID.String()), Mark: dash.Badge{Text: c.T("import_state_done")},
		Title: c.T("import_of", "At", finding.Moment(c.Locale, c.Setup.Zone, im.MadeAt))}
	if im.Created > 0 {
		r.Text = c.T("import_new", "Count", im.Created)
	}
	if im.Changed > 0 {
		if r.Text != "" {
			r.Text += " · "
		}
		r.Text += c.T("import_changed", "Count", im.Changed)
	}
	switch {
	case im.State == contact.Importing:
		r.Mark.Text = c.T("import_state_runs")
	case im.State == contact.Undoing:
		r.Mark = dash.Badge{Text: c.T("import_state_undoing"), Tone: "warn"}
	case im.State == contact.ImportIsUndone:
		r.Mark.Text = c.T("import_state_undone")
	case !im.Until.Time().After(c.Subjects.Now()):
		r.Mark.Text = c.T("import_state_over")
	}
	return r
}
