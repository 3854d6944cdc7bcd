package settings

import (
	"cmp"
	"strings"

	"daybook/app/contact"
	"daybook/app/dashboard/web"
	"daybook/app/fault"
	"daybook/views/dash"
	"daybook/views/finding"
)

// importPage shows an import of the last day: how far it has come, how to undo it, how far that has come, or what stays and
// why.
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
	v.Live, v.Appointments = im.State <= contact.Undoing, im.Besides() > 0
	switch im.State {
	case contact.Importing:
		v.Runs, v.Lines, v.Come = true, im.Lines, im.Come
		v.Text = c.T("import_runs_text")
	case contact.ImportDone:
		if im.Come < im.Lines {
			v.Counts = append(v.Counts, c.T("import_stopped_text", "Come", im.Come, "Lines", im.Lines))
		}
		if im.LeftOut > 0 {
			v.Counts = append(v.Counts, c.T("import_left_later", "Count", im.LeftOut))
		}
		if im.Did() == 0 {
			switch {
			case im.Lines == 0:
				v.Counts = append(v.Counts, c.T("import_none"))
			case im.Come == im.Lines && im.LeftOut == 0:
				v.Counts = append(v.Counts, c.T("import_nothing"))
			}
			break
		}
		if v.Undoable = im.Until.Time().After(c.Subjects.Now()); v.Undoable {
			v.Text = c.T("import_undo_until", "Until", finding.Moment(c.Locale, c.Setup.Zone, im.Until))
		}
	case contact.Undoing:
		v.Text = c.T("import_undoing_text", "Done", im.Undone+im.Stays, "All", im.Did())
	case contact.ImportIsUndone:
		undone, stays := "import_undone_count", "import_stays_count"
		if v.Appointments {
			undone, stays = "movein_undone_count", "movein_stays_count"
		}
		v.Counts = append(v.Counts, c.T(undone, "Count", im.Undone))
		if im.Stays > 0 {
			v.Counts = append(v.Counts, c.T(stays, "Count", im.Stays))
		}
	}
	for _, s := range stays {
		v.Stays = append(v.Stays, c.importStay(&s))
	}
	v.More = im.Stays - len(stays)
	return c.Show(web.RefusedStatus(e), dash.Imported(v))
}

// importStay returns what stays in words.
func (c call) importStay(s *contact.Stay) (stay dash.ImportStay) {
	switch {
	case s.Contact != 0:
		stay = dash.ImportStay{Name: cmp.Or(s.Name, c.T("import_stays_nobody")), Why: c.T(stayWords[s.Outcome])}
		if s.Name != "" {
			stay.URL = dash.ContactPath(s.Contact.String())
		}
	case s.Booking != 0:
		stay = dash.ImportStay{Name: c.T("movein_stays_nothing"), Why: c.T(bookingStayWords[s.Outcome])}
		if s.Start != 0 {
			stay.Name = c.Day(c.At(s.Start)) + ", " + c.Clock(s.Start) + ", " + s.Name
			stay.URL = dash.BookingPath(s.Booking.String())
		}
	case s.Host != 0:
		stay = dash.ImportStay{Name: c.T("movein_stays_nothing"), Why: c.T(bookingStayWords[s.Outcome])}
		if h := c.Setup.Host(s.Host); h != nil {
			stay.Name, stay.URL = h.Name, dash.HostPath(h.ID.String())
		}
	default:
		stay = dash.ImportStay{Name: c.T("movein_stays_nothing"), Why: c.T(bookingStayWords[s.Outcome])}
		if e := c.Setup.EventTypeByID(s.Service); e != nil {
			stay.Name, stay.URL = e.Title, dash.TypePath(e.ID.String())
		}
	}
	return stay
}

var bookingStayWords = map[contact.Outcome]string{
	contact.StaysWritten: "movein_stays_written", contact.StaysEdited: "movein_stays_edited",
	contact.StaysGone: "movein_stays_gone", contact.StaysTaken: "movein_stays_taken",
	contact.StaysPaid: "movein_stays_paid", contact.StaysUsed: "movein_stays_used",
	contact.StaysEnded: "movein_stays_ended",
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
	var did []string
	for _, n := range []struct {
		key string
		n   int
	}{{"movein_booked", im.Booked}, {"import_new", im.Created}, {"import_changed", im.Changed}, {"movein_services_made", im.Services},
		{"movein_people_made", im.People}} {
		if n.n > 0 {
			did = append(did, c.T(n.key, "Count", n.n))
		}
	}
	r.Text = strings.Join(did, " · ")
	switch {
	case im.State == contact.ImportDone && im.Did() == 0:
		r.Mark.Text = c.T("import_state_ended")
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
