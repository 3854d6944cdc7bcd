package phone

import (
	"strings"
	"testing"

	"github.com/nyaruka/phonenumbers"
)

// Numbers as people write them, at home and abroad.
func TestParse(t *testing.T) {
	for _, c := range []struct{ text, country, want string }{
		{"030 901820", "DE", "+4930901820"},
		{"+49 30 901820", "DE", "+4930901820"},
		{"+49 (0)30 901820", "FR", "+4930901820"},
		{"0049 30/901820", "DE", "+4930901820"},
		{"49 30 901820", "DE", "+4930901820"},
		{"(0151) 234-567 89", "DE", "+4915123456789"},
		{"0151\u00a02345\u201167\u202f89", "DE", "+49151234567" + "89"},
		{"06 12 34 56 78", "FR", "+33612345678"},
		{"0660 1234567", "AT", "+436601234567"},
		{"02 1234567", "IT", "+39021234567"}, // the nought stays
		{"(202) 555-0143", "US", "+12025550143"},
		{"1-202-555-0143", "US", "+12025550143"},
		{"011 49 30 901820", "US", "+4930901820"},
		{"+44 20 7946 0018", "US", "+442079460018"},
		{"8 495 123-45-67", "RU", "+74951234567"},
		{"11 15 2345-6789", "AR", "+5491123456789"},
		{"\u0660\u0665\u0660 123 4567", "SA", "+966501234567"},
		{"+800 1234 5678", "", "+80012345678"},
		{"030 901820", "", ""},
		{"030 901820", "XX", ""},
		{"call me", "DE", ""},
		{"030 901820 ext 5", "DE", ""},
		{"", "DE", ""},
		{"+", "DE", ""},
		{"+999 123456", "DE", ""},
		{"+1 202 555 014", "DE", ""},
		{"202 555 01433", "US", ""},
		{strings.Repeat("1", 40), "US", ""},
	} {
		if got, ok := Parse(c.text, c.country); got != c.want || ok != (c.want != "") {
			t.Errorf("%q in %q is %q %v, want %q", c.text, c.country, got, ok, c.want)
		}
	}
}

// For every country's example numbers, written nationally, internationally and bare, the answer is the library's.
func TestParseLikeTheLibrary(t *testing.T) {
	n := 0
	for id := range phonenumbers.GetSupportedRegions() {
		for _, kind := range []phonenumbers.PhoneNumberType{phonenumbers.FIXED_LINE, phonenumbers.MOBILE, phonenumbers.TOLL_FREE} {
			example := phonenumbers.GetExampleNumberForType(id, kind)
			if example == nil {
				continue
			}
			for _, form := range []phonenumbers.PhoneNumberFormat{phonenumbers.NATIONAL, phonenumbers.INTERNATIONAL, phonenumbers.E164} {
				for _, at := range []string{id, "DE", "US"} {
					text := phonenumbers.Format(example, form)
					want := ""
					if number, err := phonenumbers.Parse(text, at); err == nil &&
						phonenumbers.IsPossibleNumberWithReason(number) == phonenumbers.IS_POSSIBLE { // local ones lack the area
						want = phonenumbers.Format(number, phonenumbers.E164)
					}
					if got, _ := Parse(text, at); got != want {
						t.Errorf("%s: %q in %s is %q, the library says %q", id, text, at, got, want)
					}
					n++
				}
			}
		}
	}
	if n < 5000 {
		t.Errorf("only %d numbers were tried", n)
	}
}

// Whoever looks for a number finds it in the forms in which it was written down.
func TestForms(t *testing.T) {
	for e164, want := range map[string]string{
		"+4930901820":   "4930901820 030901820 30901820 004930901820 49030901820",
		"+12025550143":  "12025550143 2025550143 0012025550143 112025550143",
		"+390212345678": "390212345678 0212345678 00390212345678 390212345678",
		"+999":          "999",
	} {
		if got := strings.Join(Forms(e164), " "); got != want {
			t.Errorf("%s: %s, want %s", e164, got, want)
		}
	}
	if got := strings.Join(Searched("+4930901820"), " "); got != "4930901820 030901820" {
		t.Error(got)
	}
}

// Numbers are grouped as in the country where they are read, and from abroad, as the library does it; what is written
// reads as the same number again.
func TestFormat(t *testing.T) {
	for _, c := range [][3]string{
		{"+4930901820", "DE", "030 901820"}, {"+4930901820", "FR", "+49 30 901820"}, {"+4930901820", "", "+49 30 901820"},
		{"+12025550143", "CA", "(202) 555-0143"}, {"+12025550143", "DE", "+1 202-555-0143"}, {"+390212345678", "IT", "02 1234 5678"},
		{"030 1-2", "DE", "030 1-2"}, {"+49 30", "DE", "+49 30"}, {"+", "DE", "+"}, {"", "DE", ""}, {"+999123", "DE", "+999123"},
	} {
		if got := Format(c[0], c[1]); got != c[2] {
			t.Errorf("%s in %s is %q, want %q", c[0], c[1], got, c[2])
		}
	}
	n := 0
	for id := range phonenumbers.GetSupportedRegions() {
		for _, kind := range []phonenumbers.PhoneNumberType{phonenumbers.FIXED_LINE, phonenumbers.MOBILE, phonenumbers.TOLL_FREE} {
			example := phonenumbers.GetExampleNumberForType(id, kind)
			if example == nil {
				continue
			}
			e164 := phonenumbers.Format(example, phonenumbers.E164)
			national, abroad := phonenumbers.Format(example, phonenumbers.NATIONAL), phonenumbers.Format(example, phonenumbers.INTERNATIONAL)
			if national == phonenumbers.GetNationalSignificantNumber(example) { // no groups are known
				national = Format(e164, id)
			}
			if got := Format(e164, id); got != national {
				t.Errorf("%s in %s is %q, the library says %q", e164, id, got, national)
			}
			if got := Format(e164, ""); got != abroad {
				t.Errorf("%s is %q, the library says %q", e164, got, abroad)
			}
			if again, ok := Parse(Format(e164, ""), ""); !ok || again != e164 {
				t.Errorf("%q reads as %s, was %s", Format(e164, ""), again, e164)
			}
			n++
		}
	}
	if n < 500 {
		t.Errorf("only %d numbers were tried", n)
	}
}
