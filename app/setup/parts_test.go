package setup_test

import (
	"strings"
	"testing"
)

// Services in parts, what makes a part longer, a host's own lengths of parts, what may be done meanwhile, and the margin
// around work: what was exported applies as it is, here and in another database.
func TestPartsOfAFile(t *testing.T) {
	s := blank(t)
	apply(t, s, salon)
	const file = `workspace: {slug: salon, waitMargin: 5}
eventTypes:
  - slug: cut
    durationMinutes: 120
    parts: [{work: 45}, {wait: 40}, {work: 35}]
    addOns:
      - {id: care, title: Care, minutes: 10, part: 2}
      - {id: gloss, title: Gloss, minutes: 5}
  - {slug: nails, title: Nails, durationMinutes: 30, hosts: [ana@salon.example], duringWait: true}
hosts:
  - email: ana@salon.example
    eventTypes: [{slug: cut, parts: [{work: 30}, {wait: 40}, {work: 30}]}]
`
	apply(t, s, file)
	_, text := export(t, s, "salon")
	for _, want := range []string{"waitMargin: 5", "duringWait: true", "part: 2", "wait: 40", "work: 45", "work: 30"} {
		if !strings.Contains(text, want) {
			t.Errorf("lacks %q:\n%s", want, text)
		}
	}
	for name, again := range map[string]string{"the file": file, "the export": text} {
		if all := apply(t, s, again); len(all) != 0 {
			t.Errorf("%s again differs:\n%s", name, told(all))
		}
	}
	other := blank(t)
	apply(t, other, text)
	if _, copied := export(t, other, "salon"); copied != text {
		t.Errorf("copied to another database:\n%s\nwant\n%s", copied, text)
	}
}
