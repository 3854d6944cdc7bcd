package settings

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"daybook/app/catalog"
	"daybook/app/contact"
	"daybook/app/dashboard/web"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/movein"
	"daybook/app/serve"
	"daybook/app/table"
	"daybook/views/dash"
)

// Appointments of another program are imported as customers are: see draft.

func (c call) appointmentsForm() error {
	if err := movein.May(c.Actor); err != nil {
		return err
	}
	return c.showAppointments(nil, nil)
}

func (c call) showAppointments(found *dash.AppointmentsFound, e *fault.Error) error {
	v := dash.AppointmentsPage{Frame: c.Frame(c.T("movein_title"), "contacts"), Problem: c.Sentence(e), Found: found,
		Most: c.T("dash_contacts_most")}
	if found == nil {
		var err error
		if v.Recent, err = c.recentImports(); err != nil {
			return err
		}
	}
	return c.Show(web.RefusedStatus(e), dash.ImportAppointments(v))
}

// importAppointments shows what would become of a file, or imports it.
func (c call) importAppointments() error {
	in, do, err := c.appointmentsInput()
	if err == nil {
		switch do {
		case "diary":
			return c.askDiary(&in)
		case "import":
			return c.importAppointmentsFile(&in)
		case "left":
			return c.appointmentsLeft(&in)
		}
		return c.previewAppointments(&in)
	}
	if e := web.Refused(err); e != nil {
		return c.showAppointments(nil, e)
	}
	return err
}

func (c call) appointmentsInput() (in appointments, do string, err error) {
	if strings.HasPrefix(c.Request.Header.Get("Content-Type"), "multipart/") {
		upload, _, err := c.FormFile("file")
		if fault.As(err) != nil {
			return in, "", err
		}
		if err != nil {
			return in, "", chooseFile()
		}
		defer upload.Close()
		if in.File, err = readFile(upload); err != nil {
			return in, "", err
		}
		return c.diaryOf(in, nil)
	}
	form, err := c.Posted()
	if err != nil {
		return in, "", err
	}
	if form.Get("draft") == "" {
		return in, "", chooseFile()
	}
	if in.File, err = opened(form.Get("draft")); err != nil {
		return in, "", err
	}
	if in, do, err = c.diaryOf(in, form); err != nil || do == "diary" {
		return in, do, err
	}
	was, rest, _ := strings.Cut(form.Get("was"), ":")
	if in.Sheet = cmp.Or(form.Get("sheet"), was); in.Sheet != was { // the rest of the form is about another sheet
		return in, "look", nil
	}
	for n := 0; form.Has(columnName(n)) && n < table.MaxColumns; n++ {
		in.Columns = append(in.Columns, movein.Field(form.Get(columnName(n))))
	}
	in.Order = movein.Order(form.Get("order"))
	in.Services, in.People, in.Classes, in.Rows = map[string]string{}, map[string]string{}, map[string]bool{}, map[int]movein.Row{}
	in.Emails = map[string]string{}
	for name, values := range form {
		if key, is := strings.CutPrefix(name, "service-"); is {
			in.Services[key] = values[0]
		} else if key, is := strings.CutPrefix(name, "class-"); is {
			in.Classes[key] = true
		} else if key, is := strings.CutPrefix(name, "person-"); is {
			in.People[key] = values[0]
		} else if key, is := strings.CutPrefix(name, "email-"); is && strings.TrimSpace(values[0]) != "" {
			in.Emails[key] = values[0]
		}
	}
	for _, line := range form["overlap"] {
		n, err := strconv.Atoi(line)
		if err != nil {
			continue
		}
		x := movein.Row{Out: form.Has("out" + line), At: form.Get("at" + line)}
		x.Host, _ = id.Parse[catalog.HostIDKind](form.Get("host" + line)) // 0 as in the file
		if x != (movein.Row{}) {
			in.Rows[n] = x
		}
	}
	for line := range strings.SplitSeq(form.Get("chosen"), ",") { // of overlaps that a page before has listed
		n, text, _ := strings.Cut(line, "=")
		at, err := strconv.Atoi(n)
		if _, again := in.Rows[at]; err != nil || again {
			continue
		}
		host, start, _ := strings.Cut(text, "@")
		x := movein.Row{Out: host == "out", At: start}
		x.Host, _ = id.Parse[catalog.HostIDKind](host)
		in.Rows[at] = x
	}
	for _, line := range form["cancel"] {
		if n, err := strconv.Atoi(line); err == nil {
			in.Cancel = append(in.Cancel, n)
		}
	}
	in.Remind, in.Calendar, in.Tell = form.Has("remind"), form.Has("calendar"), form.Has("tell")
	if do = form.Get("do"); do == "import" && rest != appointmentsReadAs(&in) {
		do = "look" // the page did not show what this would import
	}
	return in, do, nil
}

// appointmentsReadAs says what was chosen for a file: what the page has shown is imported, or it is shown again.
func appointmentsReadAs(in *appointments) string {
	var b strings.Builder
	for _, f := range in.Columns {
		b.WriteString(string(f) + ",")
	}
	fmt.Fprint(&b, in.Order, in.Services, in.People, in.Emails, in.Classes, chosenRows(in)) // maps are written in order
	return b.String()
}

func chosenRows(in *appointments) string {
	var all []string
	for _, n := range slices.Sorted(maps.Keys(in.Rows)) {
		x := in.Rows[n]
		host := ""
		switch {
		case x.Out:
			host = "out"
		case x.Host != 0:
			host = x.Host.String()
		}
		all = append(all, strconv.Itoa(n)+"="+host+"@"+x.At)
	}
	return strings.Join(all, ",")
}

func (c call) importAppointmentsFile(in *appointments) error {
	var p movein.Preview
	alone, err := c.importing(func(ctx context.Context, begun func(contact.ImportID)) (err error) {
		in.Begun = begun
		if p, err = c.Subjects.MoveIn.ImportAppointments(ctx, c.Actor, in.Input); err != nil && p.StoppedAt > 0 {
			c.Log.Error("an import of appointments stopped", "error", err, "line", p.StoppedAt, "requestId", serve.RequestID(ctx))
		}
		return err
	})
	if alone != "" {
		return c.Redirect(alone, "")
	}
	if gone := c.Context().Err(); gone != nil { // the import may still be at it
		return gone
	}
	if e := web.Refused(err); e != nil {
		return c.showAppointments(nil, e)
	}
	if err != nil && p.StoppedAt == 0 {
		return err
	}
	found := c.appointmentsFound(&p, in)
	if found.Done = true; p.ID != 0 {
		found.UndoURL = dash.ImportPath(p.ID.String())
	}
	if err != nil {
		return c.showAppointments(found, fault.Invalid("file", "The import stopped at line %d. Import the same file again: nothing is doubled.",
			p.StoppedAt))
	}
	return c.showAppointments(found, nil)
}

func (c call) appointmentsLeft(in *appointments) error {
	var file bytes.Buffer
	err := c.Subjects.MoveIn.WriteLeftOut(c.Context(), c.Actor, in.Input, &file, c.LineWords)
	if e := web.Refused(err); e != nil {
		return c.showAppointments(nil, e)
	}
	if err != nil {
		return err
	}
	c.Attach("left-out.csv", "text/csv; charset=utf-8")
	c.ResponseWriter.Write([]byte("\ufeff")) // a byte order mark, so that spreadsheets read it as UTF-8
	_, err = c.ResponseWriter.Write(file.Bytes())
	return err
}

func (c call) previewAppointments(in *appointments) error {
	p, err := c.Subjects.MoveIn.PreviewAppointments(c.Context(), c.Actor, in.Input)
	e := web.Refused(err)
	if e != nil && len(p.Columns) == 0 {
		return c.showAppointments(nil, e)
	}
	if err != nil && e == nil {
		return err
	}
	found := c.appointmentsFound(&p, in)
	if found.Draft, err = draft(in.given()); err != nil {
		return err
	}
	shown := *in
	shown.Columns = nil
	for i := range p.Columns {
		if in.diary != nil { // nobody is asked what they become
			break
		}
		shown.Columns = append(shown.Columns, p.Columns[i].Becomes)
	}
	shown.Services, shown.People, shown.Classes = map[string]string{}, map[string]string{}, map[string]bool{}
	shown.Emails = map[string]string{}
	for i := range p.Services {
		n := &p.Services[i]
		if n.Asked {
			shown.Services[n.Key] = n.Is
		}
		if n.Class {
			shown.Classes[n.Key] = true
		}
	}
	for i := range p.People {
		if n := &p.People[i]; n.Asked {
			shown.People[n.Key] = n.Is
			if n.Email != "" {
				shown.Emails[n.Key] = n.Email
			}
		}
	}
	if shown.Order = ""; found.Order != nil {
		shown.Order = p.Order
	}
	found.Was = p.Sheet + ":" + appointmentsReadAs(&shown)
	found.Listed = chosenRows(in)
	if e != nil {
		found.Counts = nil
		return c.showAppointments(found, e)
	}
	if n := p.Upcoming + p.Past + p.Moved; n > 0 && p.Undecided == 0 {
		found.Submit = c.T("movein_submit", "Count", n)
	} else if len(p.Ended) > 0 && p.Undecided == 0 {
		found.Submit = c.T("movein_submit_ticked")
	}
	for i := range p.Rows {
		x := &p.Rows[i]
		found.First = append(found.First, dash.AppointmentsRow{When: c.Day(c.At(x.Start)) + ", " + c.Clock(x.Start), Name: short(x.Name),
			Text: short(strings.Trim(x.Service+" · "+x.Person, " ·"))})
	}
	return c.showAppointments(found, nil)
}

var appointmentFields = map[movein.Field]string{
	movein.Start: "movein_field_start", movein.Date: "movein_field_date", movein.Clock: "movein_field_clock",
	movein.End: "movein_field_end", movein.Length: "movein_field_length", movein.Treatment: "movein_field_service",
	movein.Person: "movein_field_person", movein.Price: "movein_field_price", movein.Status: "movein_field_status",
	movein.Paid: "movein_field_paid", movein.Note: "dash_notes", movein.Foreign: "movein_field_id", movein.Field(contact.NumberField): "import_field_number", movein.Made: "movein_field_made",
}

// appointmentsFound returns what a file says, for a page.
func (c call) appointmentsFound(p *movein.Preview, in *appointments) *dash.AppointmentsFound {
	f := &dash.AppointmentsFound{Ticked: map[string]bool{"remind": in.Remind, "calendar": in.Calendar, "tell": in.Tell}}
	f.ReadAs = c.T("import_read_workbook", "Sheet", p.Sheet)
	if p.Encoding != "" {
		f.ReadAs = c.T("import_read_as", "Encoding", p.Encoding, "Separator",
			c.T(map[rune]string{',': "import_comma", ';': "import_semicolon", '\t': "import_tab"}[p.Separator]))
	}
	left := slices.Concat(p.Left, p.Listed)
	if d := in.diary; d != nil {
		f.Diary = &dash.AppointmentsDiary{Service: d.service.ID.String(), Host: d.host.ID.String(), Since: strconv.FormatInt(d.since.Unix(), 10)}
		f.Whole, f.ReadAs = true, c.T("bring_diary_read", "Service", d.service.Title, "Host", d.host.Name)
		for i := range left {
			left[i].Line = in.number(left[i].Line)
		}
		left = slices.Concat(d.left, left)
		slices.SortStableFunc(left, func(a, b movein.LineProblem) int { return a.Line - b.Line })
	}
	for _, n := range []struct {
		key    string
		n      int
		always bool
	}{{"movein_upcoming", p.Upcoming, true}, {"movein_past", p.Past, true}, {"movein_noshows", p.NoShows, false},
		{"movein_moved", p.Moved, false}, {"movein_same", p.Same, false}, {"movein_overlap_count", len(p.Overlaps), false},
		{"movein_ended_count", p.Ending, false}, {"movein_undecided", p.Undecided, false}, {"movein_cancelled", p.Cancelled, false},
		{"import_left_count", len(left), false}} {
		if n.n > 0 || n.always {
			f.Counts = append(f.Counts, dash.ImportCount{Text: c.T(n.key, "Count", n.n)})
		}
	}
	if n := len(p.Unpriced); n > 0 {
		f.Counts = append(f.Counts, dash.ImportCount{Text: c.T("movein_unpriced", "Count", n), Lines: c.lines(p.Unpriced)})
	}
	if p.Reminded > 0 {
		f.Remind = c.T("movein_remind", "Count", p.Reminded)
	}
	if f.Sheet = p.Sheet; len(p.Sheets) > 1 {
		f.Sheets = p.Sheets
	}
	var options []dash.Option
	for _, field := range movein.Fields {
		options = append(options, dash.Option{Value: string(field),
			Label: c.T(cmp.Or(appointmentFields[field], importFields[contact.ImportField(field)]))})
	}
	var dropped []string
	for i, x := range p.Columns {
		column := dash.ImportColumn{Heading: cmp.Or(x.Heading, c.T("import_column_number", "Number", i+1)), Name: columnName(i),
			Becomes: string(x.Becomes), Options: options}
		for _, text := range x.Samples {
			column.Examples = append(column.Examples, short(text))
		}
		f.Columns = append(f.Columns, column)
		if x.Becomes == movein.Dropped && x.Filled > 0 {
			dropped = append(dropped, short(column.Heading))
		}
	}
	if len(dropped) > 0 {
		f.Dropped = c.T("import_dropped", "Columns", strings.Join(dropped, ", "))
	}
	if p.Ordered {
		f.Order = &dash.AppointmentsName{Text: c.T("movein_order"), Is: string(p.Order), Options: []dash.Option{
			{Value: string(movein.DayFirst), Label: c.T("movein_order_day")},
			{Value: string(movein.MonthFirst), Label: c.T("movein_order_month")}}}
	}
	f.Services, f.People = c.unknownNames(p)
	f.Hosts = append([]dash.Option{{Value: "", Label: c.T("movein_host_same")}}, c.hostOptions()...)
	for i := range p.Services {
		switch n := &p.Services[i]; {
		case n.Together < 2:
		case n.Is == movein.Make:
			f.Classes = append(f.Classes, dash.AppointmentsTick{Name: "class-" + n.Key, Value: "on", On: n.Class,
				Text: c.T("movein_class", "Service", short(n.Name), "Count", n.Together)})
		case n.Seats < n.Together && n.Seats > 0:
			f.Seatless = append(f.Seatless, c.T("movein_seatless", "Service", short(n.Name), "Count", n.Together, "Seats", n.Seats))
		}
	}
	for i := range p.Ended {
		x := &p.Ended[i]
		f.Ended = append(f.Ended, dash.AppointmentsTick{Name: "cancel", Value: strconv.Itoa(x.Line), On: x.Ticked, Text: c.T("movein_ended_line", "Line", in.number(x.Line),
			"When", c.Day(c.At(x.Start))+", "+c.Clock(x.Start), "Name", short(x.Name), "Service", short(x.Service))})
	}
	for _, o := range p.Overlaps {
		host := ""
		if h := c.Setup.Host(o.Host); h != nil {
			host = h.Name
		} else { // who is yet to be added
			host = short(o.Person)
		}
		x := dash.AppointmentsOverlap{Line: strconv.Itoa(o.Line), At: o.Choice.At, Text: c.T("movein_overlap", "Line", in.number(o.Line),
			"When", c.Day(c.At(o.Start))+", "+c.Clock(o.Start), "Name", short(o.Name), "Service", short(o.Service), "Host", host)}
		if o.Choice.Host != 0 {
			x.Host = o.Choice.Host.String()
		}
		f.Overlaps = append(f.Overlaps, x)
	}
	const most = 200
	for _, l := range left[:min(len(left), most)] {
		x := dash.ImportLine{Line: strconv.Itoa(l.Line), Name: short(l.Name), Text: c.LineWords(l.Text)}
		if l.Start != 0 && in.diary != nil { // an event may be many
			x.Name += ", " + c.Day(c.At(l.Start)) + ", " + c.Clock(l.Start)
		}
		f.Left = append(f.Left, x)
	}
	f.More = len(left) - len(f.Left)
	return f
}

func (c call) hostOptions() (all []dash.Option) {
	for i := range c.Setup.Hosts {
		if h := &c.Setup.Hosts[i]; h.Active {
			all = append(all, dash.Option{Value: h.ID.String(), Label: h.Name})
		}
	}
	return all
}

// unknownNames returns the services and people of the file that nothing here is called by.
func (c call) unknownNames(p *movein.Preview) (services, people []dash.AppointmentsName) {
	leave := dash.Option{Value: movein.Out, Label: c.T("movein_leave")}
	choose := dash.Option{Value: "", Label: c.T("movein_choose")}
	row := func(kind string, n *movein.Named) dash.AppointmentsName {
		return dash.AppointmentsName{Name: kind + n.Key, Text: cmp.Or(short(n.Name), c.T("movein_unnamed")), Is: n.Is,
			Lines: c.T("movein_lines", "Count", n.Lines)}
	}
	for i := range p.Services {
		n := &p.Services[i]
		if !n.Asked {
			continue
		}
		x := row("service-", n)
		x.Options = append(x.Options, choose)
		if n.Key != "" {
			label := c.T("movein_make", "Minutes", n.Minutes)
			if n.Price != nil {
				label = c.T("movein_make_priced", "Minutes", n.Minutes, "Price", c.Money(n.Price))
			}
			x.Options = append(x.Options, dash.Option{Value: movein.Make, Label: label})
		}
		for j := range c.Setup.EventTypes {
			e := &c.Setup.EventTypes[j]
			x.Options = append(x.Options, dash.Option{Value: e.ID.String(), Label: e.Title})
		}
		x.Options = append(x.Options, leave)
		services = append(services, x)
	}
	for i := range p.People {
		if n := &p.People[i]; n.Asked {
			x := row("person-", n)
			x.Options = append(x.Options, choose)
			if n.Key != "" {
				x.Options = append(x.Options, dash.Option{Value: movein.Make, Label: c.T("movein_person_make")})
				x.Email = &dash.AppointmentsEmail{Name: "email-" + n.Key, Value: n.Email}
				if n.Wrong {
					x.Is, x.Email.Problem = movein.Make, c.T("movein_person_email_wrong")
				}
			}
			x.Options = append(append(x.Options, c.hostOptions()...), leave)
			people = append(people, x)
		}
	}
	return services, people
}
