package table

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"

	"daybook/app/fault"
)

// readText reads a file of lines, each of which has cells with a separator between them.
func readText(file []byte) (t Table, err error) {
	text, encoding, err := decoded(file)
	if err != nil {
		return t, err
	}
	text, separator, skipped, err := separated(text)
	if err != nil {
		return t, err
	}
	t.Encoding, t.Separator = encoding, separator
	in := csv.NewReader(bytes.NewReader(text))
	in.Comma, in.FieldsPerRecord = separator, -1
	for {
		cells, err := in.Read()
		if err == io.EOF && len(t.Rows) == 0 {
			return t, fault.Invalid("file", "is empty or no CSV")
		} else if err == io.EOF {
			return t, nil
		}
		if bad := (*csv.ParseError)(nil); errors.As(err, &bad) { // the rest can't be split into rows
			return t, fault.Invalid("file", "can't be read from line %d on: a quotation mark is missing there, or is too many",
				bad.StartLine+skipped)
		} else if err != nil {
			return t, err
		}
		line, _ := in.FieldPos(0)
		if err := t.add(line+skipped, cells); err != nil {
			return t, err
		}
	}
}

// decoded returns a file as UTF-8 without a byte order mark, and the name of the encoding that it had:
// UTF-8, UTF-16 or Windows-1252, in which spreadsheets save a plain "CSV". The error is bad_request for what is no
// text.
func decoded(file []byte) (text []byte, encoding string, err error) {
	switch {
	case bytes.HasPrefix(file, []byte("\xd0\xcf\x11\xe0")): // XLS
		return nil, "", otherWorkbook()
	case bytes.HasPrefix(file, []byte("\ufeff")):
		text, encoding = file[len("\ufeff"):], "UTF-8"
	case bytes.HasPrefix(file, []byte("\xff\xfe")), zeros(file, 1):
		text, err = unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewDecoder().Bytes(file)
		encoding = "UTF-16"
	case bytes.HasPrefix(file, []byte("\xfe\xff")), zeros(file, 0):
		text, err = unicode.UTF16(unicode.BigEndian, unicode.UseBOM).NewDecoder().Bytes(file)
		encoding = "UTF-16"
	case utf8.Valid(file):
		text, encoding = file, "UTF-8"
	case mostlyUTF8(file): // read as Windows-1252, each of its umlauts would become two wrong letters
	default:
		text, err = charmap.Windows1252.NewDecoder().Bytes(file)
		encoding = "Windows-1252"
	}
	if err != nil || encoding == "" || !utf8.Valid(text) || bytes.IndexByte(text, 0) >= 0 ||
		encoding != "UTF-8" && bytes.ContainsRune(text, utf8.RuneError) {
		return nil, "", fault.Invalid("file", "is not UTF-8 text. Save it as \"CSV UTF-8\"")
	}
	if !bytes.ContainsRune(text, '\n') { // as old programs for the Mac end lines
		text = bytes.ReplaceAll(text, []byte("\r"), []byte("\n"))
	}
	return text, encoding, nil
}

// zeros reports whether every second byte of the beginning is zero, from the byte at on: UTF-16 without a mark.
func zeros(file []byte, at int) bool {
	start := file[:min(len(file), 16)&^1]
	for i := at; i < len(start); i += 2 {
		if start[i] != 0 || start[i^1] == 0 {
			return false
		}
	}
	return len(start) > 0
}

// mostlyUTF8 reports whether a text that is not UTF-8 has more characters of several bytes that are than bytes that
// are not.
func mostlyUTF8(text []byte) bool {
	right, wrong := 0, 0
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		switch {
		case r == utf8.RuneError && n == 1:
			wrong++
		case n > 1:
			right++
		}
		text = text[n:]
	}
	return right > wrong
}

// separated finds what separates the cells of a text: a comma, a semicolon as spreadsheets write it in many countries,
// or a tab, whichever its first line has most of outside quotes. Where that line is "sep=;", as some spreadsheets
// begin, it is cut off, and skipped counts it. The error is bad_request for a line of more than MaxColumns cells,
// and is found without splitting any.
func separated(text []byte) (rest []byte, separator rune, skipped int, err error) {
	separator = 0
	for _, mark := range ",;\t" {
		line := []byte("sep=" + string(mark))
		if after, ok := bytes.CutPrefix(text, line); ok && (len(after) == 0 || strings.ContainsRune("\r\n", rune(after[0]))) {
			_, text, _ = bytes.Cut(after, []byte("\n"))
			separator, skipped = mark, 1
		}
	}
	if separator == 0 {
		separator = mostIn(text)
	}
	cells, quoted := 1, false
	for _, b := range text {
		switch {
		case b == '"':
			quoted = !quoted
		case quoted:
		case b == '\n':
			cells = 1
		case b == byte(separator):
			if cells++; cells > MaxColumns {
				return nil, 0, 0, tooWide()
			}
		}
	}
	return text, separator, skipped, nil
}

// mostIn returns the separator that the first line with anything in it has most of outside quotes.
func mostIn(text []byte) rune {
	var count [256]int
	quoted := false
	for _, b := range bytes.TrimLeft(text, "\r\n") {
		if b == '"' {
			quoted = !quoted
		} else if b == '\n' && !quoted {
			break
		} else if !quoted {
			count[b]++
		}
	}
	best := ','
	for _, mark := range ";\t" {
		if count[mark] > count[best] {
			best = mark
		}
	}
	return best
}
