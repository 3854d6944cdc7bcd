package setup_test

import (
	"strings"
	"testing"

	"daybook/app/fault"
)

// A need of several hosts names them by their addresses, and what was exported applies as it is.
func TestSeveralHostsOfAFile(t *testing.T) {
	s := blank(t)
	apply(t, s, salon)
	const file = "workspace: {slug: salon}\neventTypes: [{slug: cut, needs: [{hosts: 2, of: [BO@salon.example, ana@salon.example]}]}]"
	if got := told(apply(t, s, file)); !strings.HasPrefix(got, "eventType cut.needs") {
		t.Errorf("got\n%s", got)
	}
	_, text := export(t, s, "salon")
	if !strings.Contains(text, "- hosts: 2\n        of: [bo@salon.example, ana@salon.example]") || strings.Contains(text, "during:") {
		t.Errorf("exported\n%s", text)
	}
	for _, again := range []string{file, text} {
		if all := apply(t, s, again); len(all) != 0 {
			t.Errorf("differs:\n%s", told(all))
		}
	}
	other := blank(t)
	apply(t, other, text)
	if _, copied := export(t, other, "salon"); copied != text {
		t.Errorf("copied to another database:\n%s\nwant\n%s", copied, text)
	}
	for need, want := range map[string]string{
		"{hosts: 1}":                         "needs[0].hosts: must lie between 2 and 5",
		"{of: [bo@salon.example]}":           "needs[0].hosts: must lie between 2 and 5",
		"{hosts: 2, of: [cy@salon.example]}": `needs[0].of[0]: "cy@salon.example" is no host of this workspace`,
		"{hosts: 2, during: all}":            "needs[0]: give either oneOf and during, or hosts and of",
		"{hosts: 3}":                         "needs[0].of: 3 hosts work together, but too few are named",
		"{hosts: 2}, {hosts: 2}":             "needs[1]: only one need may be of hosts",
		"{hosts: 2, of: [bo@salon.example, bo@salon.example]}": "needs[0].of[1]: ",
	} {
		_, err := tryApply(t, s, "workspace: {slug: salon}\neventTypes: [{slug: cut, needs: ["+need+"]}]")
		if e := fault.As(err); e == nil || e.Code != fault.BadRequest || !strings.Contains(e.Error(), want) {
			t.Errorf("%s: %v, want %s", need, err, want)
		}
	}
}
