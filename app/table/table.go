// Package table reads the tables that other programs write: CSV in the encodings and with the separators that
// spreadsheets use, and workbooks (XLSX). It knows nothing of what the columns mean.
//
// It computes nothing: of a formula it reads the value that was saved with it. Whatever a file holds, reading it takes
// bounded time and memory.
package table

import (
	"bytes"
	"slices"
	"strings"
	"time"

	"daybook/app/fault"
)

// The most that a file may have.
const (
	MaxBytes   = 8 << 20
	MaxRows    = 50_000 // below the headings
	MaxColumns = 100    // address books write up to 92

	maxUnpacked = 64 << 20         // bytes of a workbook, and of the texts of its cells
	maxTime     = 10 * time.Second // of reading a workbook
	headRows    = 10               // the headings are in one of the first rows
)

// Table is what was read.
type Table struct {
	Encoding  string   // UTF-8, UTF-16 or Windows-1252; "" of a workbook
	Separator rune     // a comma, a semicolon or a tab; 0 of a workbook
	Sheets    []string // names of a workbook's sheets; nil of a text
	Sheet     string   // the one that was read
	Rows      []Row    // those with anything in them
}

// Row is a row of a table. Cells are as they stand in the file, as many as the row has.
type Row struct {
	Line  int // in the file, from 1
	Cells []string
}

// Read reads a file. Of a workbook it reads the sheet of that name, with "" the first one in whose first rows heads
// finds headings; where it finds none, the first sheet. Errors: bad_request (the file as a whole).
func Read(file []byte, sheet string, heads func(cells []string) bool) (Table, error) {
	if len(file) > MaxBytes {
		return Table{}, fault.Invalid("file", "must have at most %d MiB", MaxBytes>>20)
	}
	if bytes.HasPrefix(file, []byte("PK\x03\x04")) {
		return readWorkbook(file, sheet, heads)
	}
	return readText(file)
}

// Head returns the first of the first rows in which heads finds headings, else -1.
func (t *Table) Head(heads func(cells []string) bool) int {
	return slices.IndexFunc(t.Rows[:min(len(t.Rows), headRows)], func(r Row) bool { return heads(r.Cells) })
}

// add adds a row unless it is blank.
func (t *Table) add(line int, cells []string) error {
	if !slices.ContainsFunc(cells, func(cell string) bool { return strings.TrimSpace(cell) != "" }) {
		return nil
	}
	if len(t.Rows) > MaxRows+headRows {
		return TooLong()
	}
	t.Rows = append(t.Rows, Row{line, cells})
	return nil
}

// TooLong returns the error of a table with more than MaxRows rows below its headings.
func TooLong() error {
	return fault.Invalid("file", "must have at most %d lines; cut it in parts", MaxRows)
}

func tooWide() error { return fault.Invalid("file", "must have at most %d columns", MaxColumns) }
