package settings

import (
	"bytes"
	"cmp"
	"compress/flate"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"daybook/app/contact"
	"daybook/app/dashboard/web"
	"daybook/app/fault"
	"daybook/app/serve"
	"daybook/views/dash"
)

// A file is imported in two steps: the first answers with what would become of it, the second, with a click on that
// page, imports it. In between the file is in that page, packed: nothing of it is kept by the server if nobody clicks,
// it ends with the page, and any server of the database can go on. What comes back is read and checked like a new file.

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

func opened(draft string) io.ReadCloser {
	return flate.NewReader(base64.NewDecoder(base64.RawURLEncoding, strings.NewReader(draft)))
}

func (c call) importForm() error { return c.showImport(nil, nil) }

func (c call) showImport(found *dash.ImportFound, e *fault.Error) error {
	return c.Show(web.RefusedStatus(e), dash.ImportContacts(dash.ImportPage{
		Frame: c.Frame(c.T("dash_contacts_import"), "contacts"), Problem: c.Sentence(e), Found: found,
		Most: c.T("dash_contacts_most")}))
}

func (c call) importContacts() error {
	if strings.HasPrefix(c.Request.Header.Get("Content-Type"), "multipart/") {
		return c.previewImport()
	}
	form, err := c.Posted()
	if err != nil {
		return err
	}
	file := opened(form.Get("draft"))
	defer file.Close()
	if form.Get("draft") == "" {
		return c.showImport(nil, chooseFile())
	}
	res, err := c.Subjects.People.ImportContacts(c.Context(), c.Actor, file)
	if e := web.Refused(err); e != nil {
		return c.showImport(nil, e)
	}
	if err != nil && res.StoppedAt > 0 && c.Context().Err() == nil {
		c.Log.Error("an import of contacts stopped", "error", err, "line", res.StoppedAt, "requestId",
			serve.RequestID(c.Context()))
		return c.Show(http.StatusInternalServerError, dash.ImportContacts(dash.ImportPage{
			Frame: c.Frame(c.T("dash_contacts_import"), "contacts"), Most: c.T("dash_contacts_most"),
			Problem: c.T("dash_import_stopped", "Line", res.StoppedAt, "New", res.Created, "Changed", res.Changed,
				"Same", res.Same)}))
	}
	if err != nil {
		return err
	}
	found := c.importFound(&res)
	found.Done = true
	return c.showImport(found, nil)
}

func chooseFile() *fault.Error { return fault.Invalid("file", "choose a CSV file of at most 8 MiB") }

// previewImport shows what would become of an uploaded file.
func (c call) previewImport() error {
	upload, _, err := c.FormFile("file")
	if fault.As(err) != nil { // such as a body that stopped coming
		return err
	}
	if err != nil {
		return c.showImport(nil, chooseFile())
	}
	defer upload.Close()
	file, err := io.ReadAll(io.LimitReader(upload, contact.MaxImportBytes+1))
	if err != nil {
		return c.showImport(nil, fault.Invalid("file", "could not be read to its end"))
	}
	p, err := c.Subjects.People.PreviewImport(c.Context(), c.Actor, bytes.NewReader(file))
	if e := web.Refused(err); e != nil {
		return c.showImport(nil, e)
	}
	if err != nil {
		return err
	}
	found := c.importFound(&p.Imported)
	for i := range p.Rows {
		r := &p.Rows[i]
		mark := dash.Badge{Text: c.T("import_mark_new"), Tone: "good"}
		if r.Known {
			mark = dash.Badge{Text: c.T("import_mark_known")}
		}
		found.Rows = append(found.Rows,
			dash.ImportRow{Name: r.Name, Email: r.Email, Phone: c.Phone(r.Phone), Notes: short(r.Notes), Mark: mark})
	}
	found.Unnamed = p.Unnamed
	if n := p.Created + p.Changed; n > 0 {
		found.Submit = c.T("import_submit", "Count", n)
		if found.Draft, err = draft(file); err != nil {
			return err
		}
	}
	return c.showImport(found, nil)
}

var importFields = map[contact.ImportField]string{
	contact.FullName: "import_field_name", contact.FirstName: "import_field_first", contact.MiddleName: "import_field_middle",
	contact.LastName: "import_field_last", contact.EmailField: "dash_email", contact.PhoneField: "dash_phone",
	contact.ZoneField: "dash_time_zone", contact.NotesField: "dash_notes",
}

// importFound returns what a file says, for a page.
func (c call) importFound(res *contact.Imported) *dash.ImportFound {
	f := &dash.ImportFound{More: res.More, ReadAs: c.T("import_read_as", "Encoding", res.Encoding, "Separator",
		c.T(map[rune]string{',': "import_comma", ';': "import_semicolon", '\t': "import_tab"}[res.Separator]))}
	for _, n := range []struct {
		key    string
		n      int
		always bool
	}{{"import_new", res.Created, true}, {"import_changed", res.Changed, false}, {"import_same", res.Same, false},
		{"import_left_count", res.LeftOut(), false}} {
		if n.n > 0 || n.always {
			f.Counts = append(f.Counts, c.T(n.key, "Count", n.n))
		}
	}
	columns := map[contact.ImportField]int{}
	for _, x := range res.Columns {
		column := dash.ImportColumn{Heading: cmp.Or(x.Heading, "–"), Example: short(strings.Join(x.Samples, " · "))}
		switch {
		case x.Becomes != contact.Dropped:
			columns[x.Becomes]++
			column.Becomes = c.T(importFields[x.Becomes])
			f.Kept = append(f.Kept, column)
		case x.Filled > 0:
			column.Becomes = c.T("import_cells", "Count", x.Filled)
			f.Dropped = append(f.Dropped, column)
		default:
			f.Empty++
		}
	}
	f.Several = columns[contact.EmailField] > 1 || columns[contact.PhoneField] > 1
	for _, p := range res.Left {
		f.Left = append(f.Left, dash.ImportLine{Line: fmt.Sprint(p.Line), Name: short(p.Name), Text: c.LineWords(p.Text)})
	}
	return f
}

// short returns the beginning of a text, as much of it as an example needs.
func short(text string) string {
	const most = 120
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}
