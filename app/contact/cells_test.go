package contact

import (
	"encoding/csv"
	"strings"
	"testing"
)

// No spreadsheet finds a formula in a cell, at whatever it parts them, and what is read back is what was written.
func TestCSVHoldsNoFormulas(t *testing.T) {
	for _, c := range []struct{ text, cell string }{
		{"Ana", `Ana`},
		{"O'Brien", `O'Brien`},
		{"a,b", `"a,b"`},
		{`say "hi"`, `"say ""hi"""`},
		{"two\nlines", "\"two\nlines\""},
		{"foo;bar", `"foo;bar"`},
		{"=1+1", `"'=1+1"`},
		{"-2", `"'-2"`},
		{"foo;=1+1;x", `"foo;'=1+1;x"`},
		{"foo\t@x", "\"foo\t'@x\""},
		{`foo; "=1+1"`, `"foo; ""'=1+1"""`},
		{`;=1;=2`, `";'=1;'=2"`},
		{"\t=1", "\"'\t'=1\""},
		{"a-b; c", `"a-b; c"`},
	} {
		var out strings.Builder
		w := NewCSV(&out)
		w.Write([]string{"x", c.text, ""})
		if err := w.Flush(); err != nil || out.String() != "x,"+c.cell+",\n" {
			t.Errorf("%q: %q %v, want %q", c.text, out.String(), err, c.cell)
		}
		for _, comma := range ",;\t" {
			in := csv.NewReader(strings.NewReader(out.String()))
			in.Comma, in.LazyQuotes = comma, true
			cells, err := in.Read()
			if err != nil {
				t.Fatalf("%q at %q: %v", c.text, comma, err)
			}
			for _, cell := range cells {
				if start := strings.TrimLeft(cell, ` "`); start != "" && strings.ContainsRune("=+-@", rune(start[0])) {
					t.Errorf("%q parted at %q has the formula %q", c.text, comma, cell)
				}
			}
			if comma == ',' && FromCSVCell(cells[1]) != c.text {
				t.Errorf("%q is read back as %q", c.text, FromCSVCell(cells[1]))
			}
		}
	}
}
