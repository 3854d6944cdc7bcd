package phone

import "testing"

// Mobile numbers are found with their countries; land lines, premium and toll-free numbers are none.
func TestMobile(t *testing.T) {
	for number, want := range map[string]string{
		"+4915112345678": "DE", "+436641234567": "AT", "+41791234567": "CH", "+33612345678": "FR", "+34612345678": "ES",
		"+393331234567": "IT", "+447400123456": "GB", "+447781123456": "GG", "+12015550123": "US", "+15062345678": "CA",
		"+18762101234": "JM", "+79123456789": "RU", "+77710009998": "KZ", "+5491123456789": "AR",
		"+4930901820": "", "+499001234567": "", "+4918012345678": "", "+33899123456": "", "+448700123456": "", "+19002345678": "", "+18002345678": "",
		"+34803123456": "", "+881612345678": "", "+37060112345": "LT", "+1900": "", "+49": "", "4915112345678": "", "+49151x": "", "": "",
	} {
		got, ok := Mobile(number)
		if got != want || ok != (want != "") {
			t.Errorf("%s: %q, %t; want %q", number, got, ok, want)
		}
	}
}
