package table

import (
	"archive/zip"
	"bytes"
	"cmp"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"daybook/app/fault"
)

// A workbook is a ZIP of XML files (ECMA-376, part 1, 18): the list of its sheets, a file for each sheet, one for the
// texts that they share, and one for the styles, which tell dates from numbers.

func otherWorkbook() error {
	return fault.Invalid("file", `is a workbook that can't be read. Save it as .xlsx or as "CSV UTF-8"`)
}

// workbook is one that is being read.
type workbook struct {
	files    map[string]*zip.File
	unpacked int // bytes that may still be unpacked
	text     int // bytes that the cells may still have
	ends     time.Time

	strings  string // the file of the texts that cells share, and that of the styles
	styles   string
	sheets   []sheet
	shared   []string
	isDate   []bool // by the number of a cell's style
	from1904 bool   // days are counted from 1904, as old programs for the Mac did
}

type sheet struct{ name, file string }

// maxSheets is how many sheets a workbook has at most; one of them is chosen from a list.
const maxSheets = 200

func readWorkbook(file []byte, name string, heads func([]string) bool) (t Table, err error) {
	packed, err := zip.NewReader(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		return t, otherWorkbook()
	}
	b := &workbook{files: map[string]*zip.File{}, unpacked: maxUnpacked, text: maxUnpacked, ends: time.Now().Add(maxTime)}
	for _, f := range packed.File {
		b.files[strings.TrimPrefix(f.Name, "/")] = f
	}
	if err := errors.Join(b.readSheets(), b.readShared(), b.readStyles()); err != nil {
		return t, refusal(err)
	}
	if len(b.sheets) == 0 {
		return t, otherWorkbook()
	}
	names := make([]string, len(b.sheets))
	for i := range b.sheets {
		names[i] = b.sheets[i].name
	}
	var first Table
	var failed error // of the first sheet that can't be read: the customers may be in another one
	for i, s := range b.sheets {
		if name != "" && name != s.name {
			continue
		}
		t = Table{Sheet: s.name, Sheets: names}
		if err := b.readRows(s.file, &t); err != nil {
			if name != "" {
				return t, refusal(err)
			}
			failed = cmp.Or(failed, err)
			continue
		}
		if name != "" || t.Head(heads) >= 0 {
			return t, nil
		}
		if i == 0 {
			first = t
		}
	}
	if name != "" {
		return t, fault.Invalid("sheet", "there is no such sheet")
	}
	if failed != nil {
		return t, refusal(failed)
	}
	return first, nil
}

// refusal returns an error of reading as bad_request: whatever is wrong with the file is a matter of the file.
func refusal(err error) error {
	if e := fault.As(err); e != nil {
		return e
	}
	return otherWorkbook()
}

// each calls take with each element and text of a file of the workbook; a file that isn't there has none.
func (b *workbook) each(name string, take func(xml.Token) error) error {
	if time.Now().After(b.ends) {
		return fault.Invalid("file", `takes too long to read. Save it as "CSV UTF-8"`)
	}
	f := b.files[name]
	if f == nil {
		return nil
	}
	from, err := f.Open()
	if err != nil {
		return err
	}
	defer from.Close()
	limited := &bounded{from: from, left: &b.unpacked}
	in := xml.NewDecoder(limited)
	for n := 0; ; n++ {
		if n%1024 == 0 && time.Now().After(b.ends) {
			return fault.Invalid("file", `takes too long to read. Save it as "CSV UTF-8"`)
		}
		limited.token = maxToken
		token, err := in.RawToken() // keeps no stack of what is open, however deep it is
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if _, is := token.(xml.Directive); is { // no workbook declares entities
			return otherWorkbook()
		}
		if err := take(token); err != nil {
			return err
		}
	}
}

// maxToken is the most bytes of a tag or a text, of which the decoder keeps many times as much. A cell has at most 32,767
// characters.
const maxToken = 256 << 10

// bounded ends with an error where the file unpacks to too much, or has a tag or a text that is too long.
type bounded struct {
	from  io.Reader
	left  *int
	token int // bytes that may still be read of a token
}

func (r *bounded) Read(p []byte) (int, error) {
	n, err := r.from.Read(p)
	if *r.left -= n; *r.left < 0 {
		return 0, fault.Invalid("file", "must have at most %d MiB when it is unpacked", maxUnpacked>>20)
	}
	if r.token -= n; r.token < 0 {
		return 0, otherWorkbook()
	}
	return n, err
}

func attr(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// readSheets reads the list of sheets that a person sees, and which file each is in.
func (b *workbook) readSheets() error {
	const home = "xl/"
	target := map[string]string{}
	err := b.each(home+"_rels/workbook.xml.rels", func(token xml.Token) error {
		e, is := token.(xml.StartElement)
		if !is || e.Name.Local != "Relationship" {
			return nil
		}
		file, whole := strings.CutPrefix(attr(e, "Target"), "/")
		if !whole {
			file = path.Join(home, file)
		}
		switch path.Base(attr(e, "Type")) {
		case "worksheet":
			target[attr(e, "Id")] = file
		case "sharedStrings":
			b.strings = file
		case "styles":
			b.styles = file
		}
		return nil
	})
	if err != nil {
		return err
	}
	return b.each(home+"workbook.xml", func(token xml.Token) error {
		e, is := token.(xml.StartElement)
		switch {
		case !is:
		case e.Name.Local == "workbookPr":
			b.from1904 = attr(e, "date1904") == "1" || attr(e, "date1904") == "true"
		case e.Name.Local == "sheet":
			var id string
			for _, a := range e.Attr {
				if a.Name.Local == "id" && a.Name.Space != "" { // r:id
					id = a.Value
				}
			}
			hidden := attr(e, "state") == "hidden" || attr(e, "state") == "veryHidden"
			if file := target[id]; file != "" && !hidden {
				if len(b.sheets) == maxSheets {
					return otherWorkbook()
				}
				b.sheets = append(b.sheets, sheet{attr(e, "name"), file})
			}
		}
		return nil
	})
}

// readShared reads the texts that cells refer to by number. How a text is pronounced, which Japanese workbooks have
// beside it, is no part of it.
func (b *workbook) readShared() error {
	var text strings.Builder
	in, spoken := false, false
	return b.each(b.strings, func(token xml.Token) error {
		switch e := token.(type) {
		case xml.StartElement:
			switch e.Name.Local {
			case "si":
				text.Reset()
			case "t":
				in = !spoken
			case "rPh":
				spoken = true
			}
		case xml.CharData:
			if in {
				text.Write(e)
			}
		case xml.EndElement:
			switch e.Name.Local {
			case "t":
				in = false
			case "rPh":
				spoken = false
			case "si":
				if len(b.shared) == MaxColumns*MaxRows {
					return otherWorkbook()
				}
				b.shared = append(b.shared, plain(text.String()))
			}
		}
		return nil
	})
}

// plain returns a text without the code that workbooks have for the first half of a line's end.
func plain(text string) string { return strings.ReplaceAll(text, "_x000D_", "") }

// readStyles reads which styles show a number as a date.
func (b *workbook) readStyles() error {
	custom := map[string]bool{}
	in := false
	return b.each(b.styles, func(token xml.Token) error {
		switch e := token.(type) {
		case xml.StartElement:
			switch e.Name.Local {
			case "numFmt":
				custom[attr(e, "numFmtId")] = showsDate(attr(e, "formatCode"))
			case "cellXfs":
				in = true
			case "xf":
				if in {
					id := attr(e, "numFmtId")
					n, _ := strconv.Atoi(id)
					b.isDate = append(b.isDate, custom[id] || n >= 14 && n <= 22 || n >= 27 && n <= 36 || n >= 45 && n <= 47 ||
						n >= 50 && n <= 58)
				}
			}
		case xml.EndElement:
			if e.Name.Local == "cellXfs" {
				in = false
			}
		}
		return nil
	})
}

// showsDate reports whether a format such as "dd/mm/yyyy;@" shows a date or a time: whether one of its letters outside
// quotes and brackets stands for a part of one.
func showsDate(format string) bool {
	var quoted, bracketed, escaped bool
	for _, r := range strings.ToLower(format) {
		switch {
		case escaped:
			escaped = false
		case r == '\\':
			escaped = true
		case r == '"':
			quoted = !quoted
		case quoted:
		case r == '[':
			bracketed = true
		case r == ']':
			bracketed = false
		case !bracketed && strings.ContainsRune("ydhs", r):
			return true
		}
	}
	return false
}

// readRows reads the rows of a sheet.
func (b *workbook) readRows(file string, t *Table) error {
	var cells []string
	var kind, style string
	var value strings.Builder
	line, column := 0, 0
	in, spoken := false, false
	return b.each(file, func(token xml.Token) error {
		switch e := token.(type) {
		case xml.StartElement:
			switch e.Name.Local {
			case "row":
				line++
				if n, err := strconv.Atoi(attr(e, "r")); err == nil && n > 0 {
					line = n
				}
				cells, column = nil, 0
			case "c":
				if at := columnOf(attr(e, "r")); at > 0 {
					column = at
				} else {
					column++
				}
				kind, style = attr(e, "t"), attr(e, "s")
				value.Reset()
			case "v", "t":
				in = !spoken
			case "rPh":
				spoken = true
			}
		case xml.CharData:
			if in {
				value.Write(e)
			}
		case xml.EndElement:
			switch e.Name.Local {
			case "v", "t":
				in = false
			case "rPh":
				spoken = false
			case "c":
				text := b.cell(kind, style, value.String())
				if text == "" {
					return nil
				}
				if column > MaxColumns {
					return tooWide()
				}
				if b.text -= len(text); b.text < 0 {
					return fault.Invalid("file", "must have at most %d MiB when it is unpacked", maxUnpacked>>20)
				}
				for len(cells) < column {
					cells = append(cells, "")
				}
				cells[column-1] = text
			case "row":
				cells = slices.Clip(cells)
				return t.add(line, cells)
			}
		}
		return nil
	})
}

// columnOf returns the number of the column of a reference such as "AB12", from 1; 0 for none.
func columnOf(reference string) (n int) {
	for _, c := range []byte(reference) {
		if c < 'A' || c > 'Z' {
			break
		}
		if n = n*26 + int(c-'A') + 1; n > 1<<20 {
			break
		}
	}
	return n
}

// cell returns what a cell shows, more or less: dates as they are written in ISO 8601, numbers with all their digits.
func (b *workbook) cell(kind, style, value string) string {
	switch kind {
	case "s":
		if n, err := strconv.Atoi(strings.TrimSpace(value)); err == nil && n >= 0 && n < len(b.shared) {
			return b.shared[n]
		}
		return ""
	case "str", "inlineStr", "d":
		return plain(value)
	case "b":
		if value == "1" {
			return "TRUE"
		}
		return "FALSE"
	case "e": // what a formula could not compute
		return ""
	}
	number, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
	if err != nil || math.IsInf(number, 0) || math.IsNaN(number) {
		return value
	}
	if n, err := strconv.Atoi(style); err == nil && n >= 0 && n < len(b.isDate) && b.isDate[n] && number >= 0 && number < 3e6 {
		return b.date(number)
	}
	if math.Abs(number) < 1e15 {
		return strconv.FormatFloat(number, 'f', -1, 64)
	}
	return value
}

// date returns the date and time of a number of days, of those the part that it has.
func (b *workbook) date(days float64) string {
	day := time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)
	if b.from1904 {
		day = time.Date(1904, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	whole, part := math.Modf(days)
	at := day.AddDate(0, 0, int(whole)).Add(time.Duration(math.Round(part*24*60)) * time.Minute)
	switch {
	case part == 0:
		return at.Format(time.DateOnly)
	case whole == 0:
		return at.Format("15:04")
	}
	return at.Format("2006-01-02 15:04")
}
