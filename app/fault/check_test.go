package fault_test

import (
	"strings"
	"testing"

	"daybook/app/fault"
)

// The texts of people's details may be as long as their bounds say, and no longer.
func TestBoundsOfTexts(t *testing.T) {
	for name, c := range map[string]struct {
		most  int
		text  func(n int) string
		check func(field, text string) (string, error)
	}{
		"locale": {fault.MaxLocale, func(n int) string { return ("abcdefgh" + strings.Repeat("-abcdefgh", 9))[:n] }, fault.CheckLocale},
		"phone":  {fault.MaxPhone, func(n int) string { return strings.Repeat("5", n) }, fault.CheckPhone},
		"email":  {fault.MaxEmail, func(n int) string { return "a@" + strings.Repeat("b", n-5) + ".de" }, fault.CheckEmail},
	} {
		if _, err := c.check(name, c.text(c.most)); err != nil {
			t.Errorf("%s of %d characters: %v", name, c.most, err)
		}
		if _, err := c.check(name, c.text(c.most+1)); err == nil {
			t.Errorf("%s of %d characters is taken", name, c.most+1)
		}
	}
}
