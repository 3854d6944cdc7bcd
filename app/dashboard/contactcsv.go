package dashboard

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"

	"daybook/app"
	"daybook/views"
)

var contactColumns = []string{"name", "email", "phone", "timeZone", "notes", "bookings", "noShows", "lastBookingAt", "createdAt"}

// exportContacts writes all contacts as CSV, a page at a time.
func (d *Door) exportContacts(c *call) error {
	attach(c, c.setup.Workspace.Slug+"-contacts.csv", "text/csv; charset=utf-8")
	out := csv.NewWriter(c.ResponseWriter)
	if err := out.Write(contactColumns); err != nil {
		return nil
	}
	limit, after := 100, ""
	for {
		page, err := d.Contacts(c.Context(), c.actor, "", &limit, after)
		if err != nil {
			return cut(c, err)
		}
		for i := range page.Data {
			p := &page.Data[i]
			out.Write([]string{plain(p.Name), plain(p.Email), plain(p.Phone), p.TimeZone, plain(p.Notes), strconv.Itoa(p.Bookings), strconv.Itoa(p.NoShows), stamp(p.LastBookingAt), stamp(p.CreatedAt)})
		}
		if page.NextCursor == nil {
			break
		}
		after = *page.NextCursor
	}
	out.Flush()
	return nil
}

// attach begins an answer that the browser keeps as a file.
func attach(c *call, name, kind string) {
	c.Header().Set("Content-Type", kind)
	c.Header().Set("Content-Disposition", `attachment; filename="`+name+`"`)
}

// cut ends a file that has begun in a way that nobody takes for its end.
func cut(c *call, err error) error {
	c.door.log.Error("export", "error", err)
	panic(http.ErrAbortHandler)
}

func stamp(i app.Instant) string {
	if i == 0 {
		return ""
	}
	return i.String()
}

// plain keeps a spreadsheet from taking a text for a formula.
func plain(s string) string {
	if s != "" && strings.ContainsRune("=@\t\r", rune(s[0])) || len(s) > 1 && (s[0] == '+' || s[0] == '-') && strings.ContainsAny(s[1:], "()!=") && strings.ContainsFunc(s, isLetter) {
		return "'" + s
	}
	return s
}

func isLetter(r rune) bool { return r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' }

func (d *Door) importForm(c *call) error {
	return c.show(200, views.Import(views.ImportPage{Dash: c.dash("Import contacts", "contacts")}))
}

func (d *Door) importContacts(c *call) error {
	v := views.ImportPage{Dash: c.dash("Import contacts", "contacts")}
	refuse := func(text string) error {
		v.Problem = text
		return c.show(422, views.Import(v))
	}
	file, _, err := c.FormFile("file")
	if err != nil {
		var large *http.MaxBytesError
		if errors.As(err, &large) {
			return refuse("The file is larger than 8 MB. Cut it into several.")
		}
		return refuse("Choose a CSV file first.")
	}
	defer file.Close()
	text, err := io.ReadAll(file)
	if err != nil {
		return refuse("The file could not be read.")
	}
	report, err := d.importCSV(c, text)
	if e := refused(err); e != nil {
		return refuse(sentence(e))
	}
	if err != nil {
		return err
	}
	v.Report = report
	return c.show(200, views.Import(v))
}

const maxImport = 20_000

// importCSV adds those of the file's contacts who are not there yet, and says what became of the lines.
func (d *Door) importCSV(c *call, text []byte) (report []string, err error) {
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	in := csv.NewReader(bytes.NewReader(text))
	in.FieldsPerRecord, in.TrimLeadingSpace = -1, true
	if first, _, _ := bytes.Cut(text, []byte("\n")); bytes.Count(first, []byte(";")) > bytes.Count(first, []byte(",")) {
		in.Comma = ';'
	}
	head, err := in.Read()
	if err != nil {
		return nil, app.Invalid("file", "it is empty, or no CSV")
	}
	column := map[string]int{}
	for i, name := range head {
		column[strings.ToLower(strings.NewReplacer(" ", "", "-", "", "_", "").Replace(name))] = i
	}
	if _, ok := column["email"]; !ok {
		return nil, app.Invalid("file", "its first line must name the columns, one of them email")
	}
	var made, there int
	for line := 2; ; line++ {
		row, err := in.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			report = append(report, fmt.Sprintf("From line %d on the file can't be read as CSV.", line))
			break
		}
		if made+there >= maxImport {
			report = append(report, fmt.Sprintf("Stopped after %d contacts: import the rest with another file.", maxImport))
			break
		}
		get := func(name string) string {
			if i, ok := column[name]; ok && i < len(row) {
				return strings.TrimPrefix(strings.TrimSpace(row[i]), "'")
			}
			return ""
		}
		p := app.ContactInput{Name: get("name"), Email: get("email"), Phone: get("phone"), TimeZone: get("timezone"), Notes: get("notes")}
		if p.Name == "" {
			p.Name, _, _ = strings.Cut(p.Email, "@")
		}
		_, created, err := d.CreateContact(c.Context(), c.actor, p)
		switch e := refused(err); {
		case e != nil && len(report) < 20:
			report = append(report, fmt.Sprintf("Line %d was left out: %s: %s", line, e.Field, sentence(e)))
		case e != nil:
		case err != nil:
			return nil, err
		case created:
			made++
		default:
			there++
		}
	}
	return append([]string{counted(made, "contact") + " added.", counted(there, "contact") + " there already."}, report...), nil
}
