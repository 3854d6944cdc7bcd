package text

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"

	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/waitlist"
	"daybook/app/when"
)

const (
	// linkLength is how many characters a link's code has: 60 bits, 5 each.
	linkLength   = 12
	linkAlphabet = "0123456789abcdefghjkmnpqrstvwxyz" // Crockford's, https://www.crockford.com/base32.html
	// linkKept is how long a link is found after what it opens is over, so that its page can say so.
	linkKept = 90 * when.Day
	// LinkPath begins the path of a link; its code follows.
	LinkPath = "/t/"
)

// code returns the code of the text's link. It is made of the workspace's key, so that neither the queue nor the log has it.
func (t *Text) code(setup *catalog.Setup) string {
	sum := sha256.Sum256([]byte(setup.MAC(fmt.Sprintf("text\x00%s\x00%d", t.ID, t.Resends))))
	code := make([]byte, linkLength)
	for i := range code {
		code[i] = linkAlphabet[sum[i]&31]
	}
	return string(code)
}

// IsCode reports whether a text has the form of a link's code.
func IsCode(text string) bool {
	return len(text) == linkLength && strings.Trim(text, linkAlphabet) == ""
}

func linkHash(code string) []byte {
	sum := sha256.Sum256([]byte(code))
	return sum[:]
}

// link returns the address that a text leads to, and saves it where it is a short link; "" for a text that has none.
func (s *Service) link(ctx context.Context, t *Text, a *subject) (string, error) {
	switch t.Kind {
	case catalog.TextCode, catalog.TextReply, catalog.TextStopped, catalog.TextTest:
		return "", nil
	}
	if t.Facts.Mail == catalog.MailOfferOver { // it leads to nothing any more
		return "", nil
	}
	f := &a.mail.Facts
	switch { // what they asked for on a page has an address of its own
	case t.Kind == catalog.TextOwn && f.Own != nil:
		return s.Core.BaseURL() + f.Own.Path(a.Setup), nil
	case t.Kind == catalog.TextWaits && f.Waits != nil:
		return s.Core.BaseURL() + waitlist.Path(a.Setup, f.Waits.Entry), nil
	}
	until := max(f.End, f.Start, when.At(s.Core.Now()))
	if f.Waits != nil && f.Waits.Offer != nil {
		until = max(until, f.Waits.Offer.Until)
	}
	code := t.code(a.Setup)
	return s.Core.BaseURL() + LinkPath + code, s.Quietly(ctx, func(tx Tx) error {
		return tx.SaveTextLink(t.WorkspaceID, linkHash(code), t.ID, until.Add(linkKept))
	})
}

// errLink answers a code that opens nothing.
func errLink() *fault.Error {
	return fault.New(fault.NotFound, "", "This link opens nothing. Use the one of the latest text.")
}

// Linked returns the text whose link has the code. What it is about may be over. Errors: not_found.
func (s *Service) Linked(ctx context.Context, code string) (Text, error) {
	if !IsCode(code) {
		return Text{}, errLink()
	}
	t, err := s.Reader(ctx).TextByLink(linkHash(code), when.At(s.Core.Now()))
	if errors.Is(err, fault.ErrNotFound) {
		return Text{}, errLink()
	}
	return t, err
}
