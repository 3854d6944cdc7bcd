package caldav

import (
	"encoding/xml"
	"fmt"

	"daybook/app/calsync"
)

// What an answer may cost. A genuine response has some 60 elements, most of them the names of reports, and three or
// four propstats; the deepest, of privileges, is eight levels down. How many are read at once calsync bounds, for
// readings of all kinds together.
const (
	maxDiscovery = 256 << 10 // bytes of an answer about accounts and calendars; others have at most calsync.MaxAnswer
	maxDepth     = 32
	maxElements  = 2_000     // of one response
	maxPropstats = 50        // of one response
	maxText      = 2 << 20   // bytes of the texts of one response: an event with all its exceptions
	maxAll       = 1_000_000 // elements of an answer: MaxItems responses, and what few servers say of each besides
)

// tokens reads an answer's XML within its bounds. The decoder over it checks that the elements fit together.
type tokens struct {
	raw                 *xml.Decoder
	depth, all          int
	elements, propstats int // of the response
	text                int
}

func (t *tokens) Token() (xml.Token, error) {
	token, err := t.raw.RawToken()
	switch e := token.(type) {
	case xml.StartElement:
		t.depth++
		t.all++
		if t.depth == 2 {
			t.elements, t.propstats, t.text = 0, 0, 0
		}
		t.elements++
		if t.depth == 3 && e.Name.Local == "propstat" {
			t.propstats++
		}
		for _, a := range e.Attr {
			t.text += len(a.Value)
		}
	case xml.EndElement:
		t.depth--
	case xml.CharData:
		t.text += len(e)
	}
	if t.depth > maxDepth || t.all > maxAll || t.elements > maxElements || t.propstats > maxPropstats || t.text > maxText {
		return nil, fmt.Errorf("%w: an answer with more elements than any calendar needs", calsync.ErrTooMuch)
	}
	return token, err
}
