package gsm_test

import (
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"daybook/app/text/gsm"
)

// Lengths that carriers and providers publish, such as twilio.com/docs/glossary/what-sms-character-limit: 160 and 153
// of the alphabet of 7 bits, 70 and 67 of UCS-2, two for each of ^{}\[~]|€.
func TestSegments(t *testing.T) {
	a := strings.Repeat
	for _, c := range []struct {
		name, text string
		want       gsm.Count
	}{
		{"nothing", "", gsm.Count{0, 0, 160, false, 160}},
		{"a letter", "a", gsm.Count{1, 1, 160, false, 159}},
		{"a full one", a("a", 160), gsm.Count{1, 160, 160, false, 0}},
		{"one more", a("a", 161), gsm.Count{2, 161, 153, false, 145}},
		{"two full", a("a", 306), gsm.Count{2, 306, 153, false, 0}},
		{"three", a("a", 307), gsm.Count{3, 307, 153, false, 152}},
		{"eighty euros", a("€", 80), gsm.Count{1, 160, 160, false, 0}},
		{"81 euros: 76 in a segment", a("€", 81), gsm.Count{2, 162, 153, false, 143}},
		{"152 and euros, which is not cut", a("a", 152) + a("€", 5), gsm.Count{2, 162, 153, false, 143}},
		{"umlauts", a("äöüÄÖÜß", 22) + "éèàÉñ¿", gsm.Count{1, 160, 160, false, 0}},
		{"ê is not there", "ê", gsm.Count{1, 1, 70, true, 69}},
		{"ç is not there, Ç is", "Çç", gsm.Count{1, 2, 70, true, 68}},
		{"á is not there", a("á", 70), gsm.Count{1, 70, 70, true, 0}},
		{"71", a("á", 71), gsm.Count{2, 71, 67, true, 63}},
		{"a curly quote", a("a", 69) + "’", gsm.Count{1, 70, 70, true, 0}},
		{"35 smileys", a("😀", 35), gsm.Count{1, 70, 70, true, 0}},
		{"36: 33 in a segment", a("😀", 36), gsm.Count{2, 72, 67, true, 61}},
		{"66 and a smiley, which is not cut", a("á", 66) + "😀" + a("á", 5), gsm.Count{2, 73, 67, true, 60}},
		{"no UTF-8", "a\xff", gsm.Count{1, 2, 70, true, 68}},
		{"a grave accent and a tab", "`\t", gsm.Count{1, 2, 70, true, 68}},
	} {
		if got := gsm.Segments(c.text); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

// codes are the code points of the alphabet and of its extension, in the order of the tables of 3GPP TS 23.038.
var codes = []rune{
	0x40, 0xa3, 0x24, 0xa5, 0xe8, 0xe9, 0xf9, 0xec, 0xf2, 0xc7, 0x0a, 0xd8, 0xf8, 0x0d, 0xc5, 0xe5,
	0x394, 0x5f, 0x3a6, 0x393, 0x39b, 0x3a9, 0x3a0, 0x3a8, 0x3a3, 0x398, 0x39e, -1, 0xc6, 0xe6, 0xdf, 0xc9,
	0x20, 0x21, 0x22, 0x23, 0xa4, 0x25, 0x26, 0x27, 0x28, 0x29, 0x2a, 0x2b, 0x2c, 0x2d, 0x2e, 0x2f,
	0x30, 0x31, 0x32, 0x33, 0x34, 0x35, 0x36, 0x37, 0x38, 0x39, 0x3a, 0x3b, 0x3c, 0x3d, 0x3e, 0x3f,
	0xa1, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x49, 0x4a, 0x4b, 0x4c, 0x4d, 0x4e, 0x4f,
	0x50, 0x51, 0x52, 0x53, 0x54, 0x55, 0x56, 0x57, 0x58, 0x59, 0x5a, 0xc4, 0xd6, 0xd1, 0xdc, 0xa7,
	0xbf, 0x61, 0x62, 0x63, 0x64, 0x65, 0x66, 0x67, 0x68, 0x69, 0x6a, 0x6b, 0x6c, 0x6d, 0x6e, 0x6f,
	0x70, 0x71, 0x72, 0x73, 0x74, 0x75, 0x76, 0x77, 0x78, 0x79, 0x7a, 0xe4, 0xf6, 0xf1, 0xfc, 0xe0,
}

var extended = map[rune]byte{0x0c: 0x0a, 0x5e: 0x14, 0x7b: 0x28, 0x7d: 0x29, 0x5c: 0x2f, 0x5b: 0x3c, 0x7e: 0x3d, 0x5d: 0x3e, 0x7c: 0x40, 0x20ac: 0x65}

// encode returns the characters as a network has them, each in its units; false if it is UCS-2.
func encode(text string) (all [][]uint16, seven bool) {
	seven = true
	for _, r := range text {
		at := -1
		for i, code := range codes {
			if code == r {
				at = i
			}
		}
		if at >= 0 {
			all = append(all, []uint16{uint16(at)})
		} else if code, is := extended[r]; is {
			all = append(all, []uint16{0x1b, uint16(code)})
		} else {
			seven = false
		}
	}
	if seven {
		return all, true
	}
	all = nil
	for _, r := range text {
		all = append(all, utf16.Encode([]rune{r}))
	}
	return all, false
}

// fewest returns the fewest segments that hold the characters, tried for every place at which they can be cut.
func fewest(all [][]uint16, most int) int {
	best := make([]int, len(all)+1)
	for end := 1; end <= len(all); end++ {
		best[end] = end
		for begin, n := end-1, 0; begin >= 0; begin-- {
			if n += len(all[begin]); n > most {
				break
			}
			best[end] = min(best[end], best[begin]+1)
		}
	}
	return best[len(all)]
}

func judge(t *testing.T, text string) {
	t.Helper()
	all, seven := encode(text)
	n := 0
	for _, u := range all {
		n += len(u)
	}
	single, several := 160, 153
	if !seven {
		single, several = 70, 67
	}
	want := 1
	if n > single {
		want = fewest(all, several)
	} else if n == 0 {
		want = 0
	}
	c := gsm.Segments(text)
	if c.Segments != want || c.Units != n || c.Unicode == seven {
		t.Fatalf("%q: %+v, want %d segments of %d units, 7 bits: %v", text, c, want, n, seven)
	}
	// What is left is what fits, and not one more.
	filler := "a"
	if !seven {
		filler = "á"
	}
	if more := gsm.Segments(text + strings.Repeat(filler, c.Left)); want > 0 && more.Segments != want {
		t.Fatalf("%q: %d are left, but with them there are %d segments", text, c.Left, more.Segments)
	}
	if more := gsm.Segments(text + strings.Repeat(filler, c.Left+1)); more.Segments != max(want, 1)+1 {
		t.Fatalf("%q: with one more than %d there are %d segments", text, c.Left, more.Segments)
	}
}

// Every character of the basic plane, and some beyond it, is counted as the tables have it.
func TestEveryCharacter(t *testing.T) {
	for r := rune(0); r < 0x10400; r++ {
		if utf8.ValidRune(r) {
			all, seven := encode(string(r))
			if c := gsm.Segments(string(r)); c.Unicode == seven || c.Units != len(all[0]) {
				t.Fatalf("%U: %+v", r, c)
			}
		}
	}
}

func FuzzSegments(f *testing.F) {
	for _, text := range []string{"", "a", strings.Repeat("a", 152) + "€€€€€€", strings.Repeat("€", 200), strings.Repeat("á", 66) + "😀😀😀",
		strings.Repeat("a", 161) + "\xff", "Grüß Gott, 10:30 – bis bald…", strings.Repeat("a€", 110)} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) < 3000 {
			judge(t, text)
		}
	})
}

func TestPlain(t *testing.T) {
	for text, want := range map[string]string{
		"„Grüße“ – bis 10\u202f:\u00a030…": `"Grüße" - bis 10 : 30...`,
		"l’été « bon » ‹ah› · 2 × 30":      `l'été " bon " 'ah' - 2 x 30`,
		"naïve Ærø 😀 €":                    "naïve Ærø 😀 €",
		"soft\u00adhy\u200bphen":           "softhyphen",
		"👩\u200d🔧":                         "👩\u200d🔧", // one picture of two
		"`a´\tb\u2028c":                    "'a' b\nc",
	} {
		if got := gsm.Plain(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	if c := gsm.Segments(gsm.Plain("„“”‟«»″‘’‚‛‹›′´`‐‑‒–—―−·•…×\u00a0\u202f\u2009\t\u2028")); c.Unicode {
		t.Error("what is plain is not of the alphabet")
	}
}

// What makes a text dear is named once, an emoji of several characters as one.
func TestDear(t *testing.T) {
	for text, want := range map[string]string{"Grüße, 5 € {x}": "", "Łukasz ❤️ ok ❤️ 👩‍👧": "Ł ❤️ 👩‍👧"} {
		if got := strings.Join(gsm.Dear(text), " "); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
