package text

import (
	"cmp"
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/binary"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"time"

	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/phone"
	"daybook/app/when"
)

// What a code is worth that proves that a number is somebody's own.
const (
	codeLife     = 10 * time.Minute
	codesAnHour  = 3  // of a link; a number gets no more of them than of other texts that visitors cause
	triesPerCode = 5  // wrong or right, from wherever they come
	codesAmong   = 20 // of the newest texts to a number the code is
)

// digits returns the code that a text of the kind TextCode brings. It is made of the workspace's key, so that neither the
// queue nor the log has it.
func (t *Text) digits(setup *catalog.Setup) string {
	sum := sha256.Sum256([]byte(setup.MAC("text code\x00" + t.ID.String())))
	return fmt.Sprintf("%06d", binary.BigEndian.Uint64(sum[:])%1_000_000)
}

// SendCode sends a code of six digits to the number that a text went to, so that whoever has opened its link can prove that
// the number is their own. from is where they ask from. Errors: rate_limited (three an hour for a link); conflict no_code (no text may go to the number
// now).
func (s *Service) SendCode(ctx context.Context, t *Text, locale string, from netip.Addr) error {
	setup, err := s.Core.Setup(t.WorkspaceID)
	if err != nil {
		return err
	}
	none := fault.Conflictf("no_code", "No code can be sent to this number now.")
	country, mobile := phone.Mobile(t.To)
	if !setup.Workspace.Texts || !mobile || !slices.Contains(setup.Workspace.TextPlaces(), country) {
		return none
	}
	return s.Write(ctx, func(tx Tx) error {
		if err := s.gate.In(tx).CountOf(ctx, "text codes "+t.ID.String(), codesAnHour); err != nil {
			return err
		}
		stopped, err := tx.LockTextNumber(t.WorkspaceID, t.To)
		if err != nil {
			return err
		}
		now := when.At(s.Core.Now())
		n, err := tx.VisitorTexts(t.WorkspaceID, t.To, now.Add(-when.Day))
		if err != nil {
			return err
		}
		if stopped != 0 || n >= visitorsADay {
			return none
		}
		code := id.New[TextIDKind](now.Time())
		if spent, err := spend(tx, t.WorkspaceID, from, int64(code), now); err != nil || spent {
			return cmp.Or[error](err, none)
		}
		return tx.InsertTexts(Text{ID: code, WorkspaceID: t.WorkspaceID, ContactID: t.ContactID,
			Kind: catalog.TextCode, To: t.To, CreatedAt: now, DueAt: now, Until: now.Add(codeLife), Visitor: true,
			Facts: Facts{Own: true, Locale: locale, Proves: t.ID}})
	})
}

// Prove returns nil where the code is the one that SendCode sent last for the text, not more than ten minutes ago. Errors:
// not_found (another code, or none any more); rate_limited (it was tried five times).
func (s *Service) Prove(ctx context.Context, t *Text, code string) error {
	setup, err := s.Core.Setup(t.WorkspaceID)
	if err != nil {
		return err
	}
	wrong := fault.New(fault.NotFound, "", "This is not the code of the latest text, or it is older than ten minutes.")
	sent, err := s.Reader(ctx).Texts(t.WorkspaceID, Filter{Phone: t.To, Limit: codesAmong})
	if err != nil {
		return err
	}
	i := slices.IndexFunc(sent, func(c Text) bool { return c.Kind == catalog.TextCode && c.Facts.Proves == t.ID })
	if i < 0 || sent[i].CreatedAt.Add(codeLife) <= when.At(s.Core.Now()) {
		return wrong
	}
	if err := s.gate.CountOf(ctx, "text code "+sent[i].ID.String(), triesPerCode); err != nil {
		return err
	}
	code = strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, code)
	if subtle.ConstantTimeCompare([]byte(code), []byte(sent[i].digits(setup))) != 1 {
		return wrong
	}
	return nil
}
