package settings

import (
	"bytes"
	"cmp"
	"compress/flate"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"daybook/app/contact"
	"daybook/app/dashboard/web"
	"daybook/app/fault"
	"daybook/app/serve"
	"daybook/app/table"
	"daybook/views/dash"
)

// A file is imported in two steps: the first answers with what would become of it, which can be changed as often as one
// likes, the second imports it as it was shown. In between the file is in that page, packed: nothing of it is kept by
// the server if nobody clicks, it ends with the page, and any server of the database can go on. What comes back is read
// and checked like a new file.

// draft returns a file packed for a form; opened unpacks it.
func draft(file []byte) (string, error) {
	var packed bytes.Buffer
	to := base64.NewEncoder(base64.RawURLEncoding, &packed)
	deflate, err := flate.NewWriter(to, flate.BestSpeed)
	if err != nil {
		return "", err
	}
	_, err = deflate.Write(file)
	if err := errors.Join(err, deflate.Close(), to.Close()); err != nil {
		return "", err
	}
	return packed.String(), nil
}

func opened(draft string) ([]byte, error) {
	return readFile(flate.NewReader(base64.NewDecoder(base64.RawURLEncoding, strings.NewReader(draft))))
}

func readFile(from io.Reader) ([]byte, error) {
	file, err := io.ReadAll(io.LimitReader(from, table.MaxBytes+1))
	if err != nil {
		return nil, fault.Invalid("file", "could not be read to its end")
	}
	return file, nil
}

func (c call) importForm() error { return c.showImport(nil, nil) }

func (c call) showImport(found *dash.ImportFound, e *fault.Error) (err error) {
	v := dash.ImportPage{Frame: c.Frame(c.T("dash_contacts_import"), "contacts"), Problem: c.Sentence(e), Found: found,
		Most: c.T("dash_contacts_most")}
	if found == nil {
		if v.Recent, err = c.recentImports(); err != nil {
			return err
		}
	}
	return c.Show(web.RefusedStatus(e), dash.ImportContacts(v))
}

// importContacts shows what would become of an uploaded file, or of one that comes back with the form of that page, or
// imports it.
func (c call) importContacts() error {
	in, do, err := c.importInput()
	if e := web.Refused(err); e != nil {
		return c.showImport(nil, e)
	}
	if err != nil {
		return err
	}
	switch do {
	case "import":
		return c.importFile(&in)
	case "left":
		return c.linesLeft(&in)
	}
	return c.previewImport(&in)
}

// importInput reads the form: the file, how it is to be read, and what to do with it.
func (c call) importInput() (in contact.ImportInput, do string, err error) {
	if strings.HasPrefix(c.Request.Header.Get("Content-Type"), "multipart/") {
		upload, _, err := c.FormFile("file")
		if fault.As(err) != nil { // such as a body that stopped coming
			return in, "", err
		}
		if err != nil {
			return in, "", chooseFile()
		}
		defer upload.Close()
		in.File, err = readFile(upload)
		return in, "look", err
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
	was, _, _ := strings.Cut(form.Get("was"), ":")
	if in.Sheet = cmp.Or(form.Get("sheet"), was); in.Sheet != was { // the rest of the form is about another sheet
		return in, "look", nil
	}
	for n := 0; form.Has(columnName(n)) && n < table.MaxColumns; n++ {
		in.Columns = append(in.Columns, contact.ImportField(form.Get(columnName(n))))
	}
	ticked := map[string]bool{}
	for _, line := range form["change"] {
		ticked[line] = true
	}
	for line := range strings.SplitSeq(form.Get("listed"), ",") {
		if n, err := strconv.Atoi(line); err == nil && !ticked[line] {
			in.Leave = append(in.Leave, n)
		}
	}
	in.LeaveRest = form.Has("more") && !form.Has("rest") // only a page that has more than it lists asks
	if do = form.Get("do"); do == "import" && form.Get("was") != readAs(&in) {
		do = "look" // the page did not show what this would import
	}
	return in, do, nil
}

func columnName(n int) string { return "column" + strconv.Itoa(n) }

// readAs says how a file is read: the sheet, whose name has no colon, and what each column becomes.
func readAs(in *contact.ImportInput) string {
	var columns []string
	for _, field := range in.Columns {
		columns = append(columns, string(field))
	}
	return in.Sheet + ":" + strings.Join(columns, ",")
}

// importing imports a file. One that takes long goes on alone: then its page's path is returned, and what do does
// is not known yet.
func (c call) importing(do func(ctx context.Context, begun func(contact.ImportID)) error) (page string, err error) {
	var ended error
	alone, err := c.Subjects.People.GoOn(c.Context(), func(ctx context.Context, begun func(contact.ImportID)) { ended = do(ctx, begun) })
	switch {
	case err != nil:
		return "", err
	case alone != 0:
		return dash.ImportPath(alone.String()), nil
	}
	return "", ended
}

func (c call) importFile(in *contact.ImportInput) error {
	var res contact.Imported
	alone, err := c.importing(func(ctx context.Context, begun func(contact.ImportID)) (err error) {
		in.Begun = begun
		if res, err = c.Subjects.People.ImportContacts(ctx, c.Actor, *in); err != nil && res.StoppedAt > 0 && ctx.Err() == nil {
			c.Log.Error("an import of contacts stopped", "error", err, "line", res.StoppedAt, "requestId", serve.RequestID(ctx))
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
		return c.showImport(nil, e)
	}
	if err != nil && res.StoppedAt > 0 && c.Context().Err() == nil {
		recent, err := c.recentImports()
		if err != nil {
			return err
		}
		return c.Show(http.StatusInternalServerError, dash.ImportContacts(dash.ImportPage{
			Frame: c.Frame(c.T("dash_contacts_import"), "contacts"), Most: c.T("dash_contacts_most"),
			Problem: c.T("dash_import_stopped", "Line", res.StoppedAt, "New", res.Created, "Changed", res.Changed,
				"Same", res.Same), Recent: recent}))
	}
	if err != nil {
		return err
	}
	found := c.importFound(&res, importedLines{})
	if found.Done = true; res.ID != 0 {
		found.UndoURL = dash.ImportPath(res.ID.String())
	}
	return c.showImport(found, nil)
}

// linesLeft gives the lines that are left out as a file, with why.
func (c call) linesLeft(in *contact.ImportInput) error {
	var file bytes.Buffer
	err := c.Subjects.People.WriteLeft(c.Context(), c.Actor, *in, &file, c.LineWords)
	if e := web.Refused(err); e != nil {
		return c.showImport(nil, e)
	}
	if err != nil {
		return err
	}
	c.Attach("left-out.csv", "text/csv; charset=utf-8")
	c.ResponseWriter.Write([]byte("\ufeff")) // a byte order mark, so that spreadsheets read it as UTF-8
	_, err = c.ResponseWriter.Write(file.Bytes())
	return err
}

func chooseFile() *fault.Error { return fault.Invalid("file", "choose a CSV file of at most 8 MiB") }

// previewImport shows what would become of a file.
func (c call) previewImport(in *contact.ImportInput) error {
	p, err := c.Subjects.People.PreviewImport(c.Context(), c.Actor, *in)
	e := web.Refused(err)
	if e != nil && len(p.Columns) == 0 {
		return c.showImport(nil, e)
	}
	if err != nil && e == nil {
		return err
	}
	lines := importedLines{p.NewLines, p.ChangedLines, p.SameLines}
	for i := range p.Left {
		lines[4] = append(lines[4], p.Left[i].Line)
	}
	found := c.importFound(&p.Imported, lines)
	if found.Draft, err = draft(in.File); err != nil {
		return err
	}
	shown := contact.ImportInput{Sheet: p.Sheet}
	for i := range p.Columns {
		shown.Columns = append(shown.Columns, p.Columns[i].Becomes)
	}
	found.Was = readAs(&shown)
	if e != nil { // it is to be chosen which column is the address or the number
		found.Counts = nil
		return c.showImport(found, e)
	}
	c.changes(found, &p, in)
	for i := range p.Rows {
		r := &p.Rows[i]
		mark := dash.Badge{Text: c.T("import_mark_new"), Tone: "good"}
		if r.Known {
			mark = dash.Badge{Text: c.T("import_mark_known")}
		}
		found.Rows = append(found.Rows,
			dash.ImportRow{Name: r.Name, Email: r.Email, Phone: c.Phone(r.Phone), Notes: short(r.Notes), Mark: mark})
	}
	if p.Unnamed > 0 {
		found.Notes = append(found.Notes, c.T("import_unnamed", "Count", p.Unnamed))
	}
	for i := range p.Columns {
		if x := &p.Columns[i]; x.Noted > 0 {
			examples := make([]string, len(x.NotedAs))
			for k, text := range x.NotedAs {
				examples[k] = short(text)
			}
			found.Notes = append(found.Notes, c.T("import_noted", "Column", found.Columns[i].Heading, "Count", x.Noted,
				"Examples", strings.Join(examples, ", ")))
		}
	}
	if p.Joined > 0 {
		found.Notes = append(found.Notes, c.T("import_joined", "Count", p.Joined))
	}
	if n := p.Created + p.Changed; n > 0 {
		found.Submit = c.T("import_submit", "Count", n)
	}
	return c.showImport(found, nil)
}

// changes lists what would become of known contacts. What was unticked stays so.
func (c call) changes(found *dash.ImportFound, p *contact.Preview, in *contact.ImportInput) {
	var listed []string
	for i := range p.Changes {
		d := &p.Changes[i]
		change := dash.ImportChange{Line: strconv.Itoa(d.Line), Name: short(d.Name),
			On: !slices.Contains(in.Leave, d.Line)}
		for _, f := range d.Fields {
			x := dash.ImportField{Label: c.importLabel(f.Field), Old: short(f.Old), New: short(f.New)}
			if f.Field == contact.PhoneField {
				x.Old, x.New = c.Phone(f.Old), c.Phone(f.New)
			}
			if f.Field == contact.NotesField { // what is there stays, more comes after it
				x.Old, x.New = "", short(strings.TrimSpace(strings.TrimPrefix(f.New, strings.TrimSpace(f.Old))))
			}
			change.Fields = append(change.Fields, x)
		}
		found.Changes = append(found.Changes, change)
		listed = append(listed, change.Line)
	}
	found.Listed, found.Rest, found.RestOn = strings.Join(listed, ","), p.Changed+p.Unticked-len(p.Changes), !in.LeaveRest
}

var importFields = map[contact.ImportField]string{
	contact.Dropped: "import_field_none", contact.FullName: "import_field_name", contact.FirstName: "import_field_first",
	contact.MiddleName: "import_field_middle", contact.LastName: "import_field_last", contact.EmailField: "dash_email",
	contact.PhoneField: "dash_phone", contact.ZoneField: "dash_time_zone", contact.NotesField: "dash_notes",
	contact.NumberField: "import_field_number", contact.TagsField: "card_tags", contact.BirthdayField: "card_birthday",
	contact.TellByField: "card_tell",
}

// importLabel says what a column becomes.
func (c call) importLabel(f contact.ImportField) string {
	if key, own := f.Own(); own {
		if of, _ := c.Setup.Workspace.Settings.ContactField(key); of != nil {
			return of.Label
		}
	}
	return c.T(importFields[f])
}

// importedLines are the lines of those who are new, changed, as they were, unticked and left out.
type importedLines [5][]int

// importFound returns what a file says, for a page.
func (c call) importFound(res *contact.Imported, lines importedLines) *dash.ImportFound {
	f := &dash.ImportFound{ReadAs: c.T("import_read_workbook", "Sheet", res.Sheet)}
	if res.Encoding != "" {
		f.ReadAs = c.T("import_read_as", "Encoding", res.Encoding, "Separator",
			c.T(map[rune]string{',': "import_comma", ';': "import_semicolon", '\t': "import_tab"}[res.Separator]))
	}
	for i, n := range []struct {
		key    string
		n      int
		always bool
	}{{"import_new", res.Created, true}, {"import_changed", res.Changed, false}, {"import_same", res.Same, false},
		{"import_unticked", res.Unticked, false}, {"import_left_count", res.LeftOut(), false}} {
		if n.n > 0 || n.always {
			f.Counts = append(f.Counts, dash.ImportCount{Text: c.T(n.key, "Count", n.n), Lines: c.lines(lines[i])})
		}
	}
	if f.Sheet = res.Sheet; len(res.Sheets) > 1 {
		f.Sheets = res.Sheets
	}
	var options []dash.Option
	for _, field := range contact.ImportFields {
		options = append(options, dash.Option{Value: string(field), Label: c.T(importFields[field])})
	}
	for _, f := range c.Setup.Workspace.Settings.ContactFields {
		options = append(options, dash.Option{Value: string(contact.OwnField(f.Key)), Label: f.Label})
	}
	columns := map[contact.ImportField]int{}
	var dropped []string
	for i, x := range res.Columns {
		columns[x.Becomes]++
		column := dash.ImportColumn{Heading: cmp.Or(x.Heading, c.T("import_column_number", "Number", i+1)), Name: columnName(i),
			Becomes: string(x.Becomes), Options: options}
		for _, text := range x.Samples {
			column.Examples = append(column.Examples, short(text))
		}
		f.Columns = append(f.Columns, column)
		if x.Becomes == contact.Dropped && x.Filled > 0 {
			dropped = append(dropped, short(column.Heading))
		}
	}
	if len(dropped) > 0 {
		f.Dropped = c.T("import_dropped", "Columns", strings.Join(dropped, ", "))
	}
	f.Several = columns[contact.EmailField] > 1 || columns[contact.PhoneField] > 1
	const most = 200
	for _, p := range res.Left[:min(len(res.Left), most)] {
		f.Left = append(f.Left, dash.ImportLine{Line: fmt.Sprint(p.Line), Name: short(p.Name), Text: c.LineWords(p.Text)})
	}
	f.More = res.LeftOut() - len(f.Left)
	return f
}

// lines names lines of a file, such as "lines 2–40, 44", the first few ranges of them.
func (c call) lines(lines []int) string {
	if len(lines) == 0 {
		return ""
	}
	lines = slices.Sorted(slices.Values(lines))
	var ranges []string
	for i := 0; i < len(lines); {
		from := i
		for i++; i < len(lines) && lines[i] <= lines[i-1]+1; i++ {
		}
		if len(ranges) == 8 {
			ranges = append(ranges, "…")
			break
		}
		text := strconv.Itoa(lines[from])
		if i-from > 1 {
			text += "–" + strconv.Itoa(lines[i-1])
		}
		ranges = append(ranges, text)
	}
	return c.T("import_lines", "Count", len(lines), "Lines", strings.Join(ranges, ", "))
}

// short returns the beginning of a text, as much of it as an example needs.
func short(text string) string {
	const most = 120
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}
