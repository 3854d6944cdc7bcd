package contact

import (
	"bufio"
	"io"
	"regexp"
	"strings"
)

// CSVWriter writes texts that people have typed as CSV in which no spreadsheet finds a formula, even one that splits
// cells at semicolons or tabs: it quotes cells that encoding/csv would not quote, and puts an apostrophe before text
// that a spreadsheet would compute. FromCSVCell removes the apostrophes again.
type CSVWriter struct{ to *bufio.Writer }

// NewCSV makes a CSVWriter.
func NewCSV(to io.Writer) *CSVWriter { return &CSVWriter{bufio.NewWriter(to)} }

// Write writes a line. Errors are returned by Flush.
func (w *CSVWriter) Write(cells []string) {
	for i, cell := range cells {
		if i > 0 {
			w.to.WriteByte(',')
		}
		marked := csvCell(cell)
		if marked != cell || strings.ContainsAny(marked, ",;\t\r\n\"") || strings.HasPrefix(marked, " ") {
			marked = `"` + strings.ReplaceAll(marked, `"`, `""`) + `"`
		}
		w.to.WriteString(marked)
	}
	w.to.WriteByte('\n')
}

// Flush writes what is left, and returns the first error of all writes.
func (w *CSVWriter) Flush() error { return w.to.Flush() }

// A formula begins a cell: at the start of the text, or after a semicolon or tab at which another spreadsheet splits.
// Spaces and quotes may precede it.
var (
	atStart, atCut             = regexp.MustCompile(`^([ "]*)([=+\-@\t\r])`), regexp.MustCompile(`([;\t][ "]*)([=+\-@])`)
	markedAtStart, markedAtCut = regexp.MustCompile(`^([ "]*)'([=+\-@\t\r])`), regexp.MustCompile(`([;\t][ "]*)'([=+\-@])`)
)

func csvCell(text string) string {
	return atStart.ReplaceAllString(atCut.ReplaceAllString(text, "$1'$2"), "$1'$2")
}

func FromCSVCell(text string) string {
	return markedAtCut.ReplaceAllString(markedAtStart.ReplaceAllString(text, "$1$2"), "$1$2")
}
