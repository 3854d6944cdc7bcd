package table

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"
)

// pack makes a workbook of one sheet of its rows, and of the files given beside it or instead.
func pack(t *testing.T, rows string, more map[string]string) []byte {
	t.Helper()
	files := map[string]string{
		"xl/workbook.xml": `<workbook xmlns:r="x"><sheets><sheet name="One" sheetId="1" r:id="a"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels": `<Relationships><Relationship Id="a" Type="http://x/worksheet" Target="worksheets/sheet1.xml"/>` +
			`<Relationship Id="b" Type="http://x/sharedStrings" Target="sharedStrings.xml"/><Relationship Id="c" Type="http://x/styles" Target="/xl/styles.xml"/></Relationships>`,
		"xl/worksheets/sheet1.xml": `<worksheet><sheetData>` + rows + `</sheetData></worksheet>`,
	}
	for name, text := range more {
		files[name] = text
	}
	var packed bytes.Buffer
	to := zip.NewWriter(&packed)
	for name, text := range files {
		f, err := to.Create(name)
		if err == nil {
			_, err = io.WriteString(f, text)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := to.Close(); err != nil {
		t.Fatal(err)
	}
	return packed.Bytes()
}

func anything(cells []string) bool { return len(cells) > 0 }

// Cells are read as a person sees them: texts, numbers with all digits, dates, the saved results of formulas.
func TestWorkbookCells(t *testing.T) {
	file := pack(t, `<row r="2"><c r="A2" t="s"><v>1</v></c><c r="C2"><v>4.91705556678E11</v></c><c r="D2" s="1"><v>32905</v></c>`+
		`<c r="E2" s="2"><v>32905.5</v></c><c r="F2" t="str"><f>HYPERLINK("https://evil.example")</f><v>seen</v></c>`+
		`<c r="G2" t="e"><v>#N/A</v></c><c r="H2" t="b"><v>1</v></c><c r="I2" t="inlineStr"><is><t>a &amp; b</t></is></c>`+
		`<c r="XFD2" s="1"/></row><row/><row><c><v>0.1</v></c><c t="s"><v>7</v></c></row>`,
		map[string]string{
			"xl/sharedStrings.xml": `<sst><si><t>no</t></si><si><r><t>ri</t></r><r><t xml:space="preserve">ch </t></r><rPh><t>spoken</t></rPh></si></sst>`,
			"xl/styles.xml": `<styleSheet><numFmts><numFmt numFmtId="170" formatCode="&quot;d&quot;0"/><numFmt numFmtId="171" formatCode="dd/mm/yyyy;@"/></numFmts>` +
				`<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="170"/><xf numFmtId="171"/><xf numFmtId="22"/></cellXfs></styleSheet>`})
	got, err := Read(file, "", anything)
	if err != nil {
		t.Fatal(err)
	}
	want := []Row{{2, []string{"rich ", "", "491705556678", "1990-02-01", "1990-02-01 12:00", "seen", "", "TRUE", "a & b"}},
		{4, []string{"0.1"}}}
	if got.Sheet != "One" || !slices.Equal(got.Sheets, []string{"One"}) || fmt.Sprintf("%#v", got.Rows) != fmt.Sprintf("%#v", want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	if _, err := Read(file, "Two", anything); err == nil || err.Error() != "sheet: there is no such sheet" {
		t.Error(err)
	}
}

// Files that would cost much are refused before they do: what unpacks to gigabytes, columns and tags without end, a
// million texts in one cell's place.
func TestRefused(t *testing.T) {
	const broken = `file: is a workbook that can't be read. Save it as .xlsx or as "CSV UTF-8"`
	for name, c := range map[string]struct {
		file []byte
		want string
	}{
		"a bomb": {pack(t, strings.Repeat(`<row><c t="str"><v></v></c></row>`, 3_000_000), nil),
			"file: must have at most 64 MiB when it is unpacked"},
		"one text a million times": {pack(t, strings.Repeat(`<row><c t="s"><v>0</v></c></row>`, 3000),
			map[string]string{"xl/sharedStrings.xml": `<sst><si><t>` + strings.Repeat("x", 32000) + `</t></si></sst>`}),
			"file: must have at most 64 MiB when it is unpacked"},
		"a million columns":           {pack(t, `<row>`+strings.Repeat(`<c t="str"><v>x</v></c>`, 1<<20)+`</row>`, nil), "file: must have at most 100 columns"},
		"a column far out":            {pack(t, `<row><c r="XFD1" t="str"><v>x</v></c></row>`, nil), "file: must have at most 100 columns"},
		"a million attributes":        {pack(t, `<row `+strings.Repeat(`a="1" `, 1<<20)+`/>`, nil), broken},
		"attributes behind a comment": {pack(t, `<!-- <x " --><row a=">" `+strings.Repeat(`b="" `, 1<<20)+`/>`, nil), broken},
		"a text without end":          {pack(t, `<row><c t="str"><v>`+strings.Repeat("x", 1<<20)+`</v></c></row>`, nil), broken},
		"sheets without end":          {pack(t, "", map[string]string{"xl/workbook.xml": `<workbook xmlns:r="x"><sheets>` + strings.Repeat(`<sheet name="a" r:id="a"/>`, 20_000) + `</sheets></workbook>`}), broken},
		"attributes with marks":       {pack(t, `<row `+strings.Repeat(`a=">" `, 1<<20)+`/>`, nil), broken},
		"entities":                    {pack(t, "", map[string]string{"xl/workbook.xml": `<!DOCTYPE x [<!ENTITY a "aaaa">]><workbook/>`}), broken},
		"too many rows":               {pack(t, strings.Repeat(`<row><c t="b"><v>1</v></c></row>`, 50_020), nil), "file: must have at most 50000 lines; cut it in parts"},
		"a presentation":              {pack(t, "", map[string]string{"xl/workbook.xml": "<workbook/>"}), broken},
		"cut off":                     {pack(t, "", nil)[:200], broken},
	} {
		begun := time.Now()
		_, err := Read(c.file, "", anything)
		// The time that reading may take is over first on a machine that is busy enough.
		if err == nil || err.Error() != c.want && (name != "a bomb" || err.Error() != `file: takes too long to read. Save it as "CSV UTF-8"`) {
			t.Errorf("%s: %v", name, err)
		}
		t.Logf("%s: %d bytes, refused after %v", name, len(c.file), time.Since(begun))
	}
	deep := pack(t, strings.Repeat("<a>", 1<<20)+`<row><c t="str"><v>x</v></c></row>`, nil)
	if got, err := Read(deep, "", anything); err != nil || len(got.Rows) != 1 {
		t.Errorf("a million levels: %+v %v", got.Rows, err)
	}
}

// A sheet that can't be read, such as one with a thousand columns, doesn't keep the customers on another one from being
// read.
func TestAnotherSheet(t *testing.T) {
	file := pack(t, `<row><c r="XFD1" t="str"><v>x</v></c></row>`, map[string]string{
		"xl/workbook.xml": `<workbook xmlns:r="x"><sheets><sheet name="Wide" r:id="a"/><sheet name="List" r:id="d"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels": `<Relationships><Relationship Id="a" Type="http://x/worksheet" Target="worksheets/sheet1.xml"/>` +
			`<Relationship Id="d" Type="http://x/worksheet" Target="/xl/two.xml"/></Relationships>`,
		"xl/two.xml": `<worksheet><row><c t="str"><v>Name</v></c></row></worksheet>`,
	})
	if got, err := Read(file, "", anything); err != nil || got.Sheet != "List" || len(got.Rows) != 1 || len(got.Sheets) != 2 {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := Read(file, "Wide", anything); err == nil || err.Error() != "file: must have at most 100 columns" {
		t.Error(err)
	}
}
