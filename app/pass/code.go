package pass

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"errors"
	"strings"

	"daybook/app"
	"daybook/app/audit"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/gate"
	"daybook/app/id"
	"daybook/app/when"
)

// How often strangers may try codes in an hour, right or wrong.
const (
	triesPerAddress   = 20
	triesPerWorkspace = 600
)

// letters are those of Crockford's Base32: none is taken for another.
var letters = base32.NewEncoding("0123456789ABCDEFGHJKMNPQRSTVWXYZ").WithPadding(base32.NoPadding)

// newCode returns 80 random bits as sixteen letters in groups of four.
func newCode() string {
	var bits [10]byte
	rand.Read(bits[:])
	text := letters.EncodeToString(bits[:])
	return text[:4] + "-" + text[4:8] + "-" + text[8:12] + "-" + text[12:]
}

// hashOf returns the hash of a code, however it was typed; nil for what is no code.
func hashOf(code string) []byte {
	text := strings.NewReplacer("O", "0", "I", "1", "L", "1").Replace(strings.ToUpper(spaced.Replace(strings.TrimSpace(code))))
	if bits, err := letters.DecodeString(text); err != nil || len(bits) != 10 {
		return nil
	}
	sum := sha256.Sum256([]byte(text))
	return sum[:]
}

// GiveCode gives a pass a code that is kept sealed until somebody asks for it.
func (s *Service) GiveCode(l *Ledger, p *Pass) error {
	code := newCode()
	return l.Tx.SetPassCode(l.Workspace, SealedCode{p.ID, hashOf(code), s.Core.Vault().Seal([]byte(code))}, when.At(l.Now))
}

// PassCode returns the code of a pass, to be printed. The first time it is the one that the pass was sold with; each further time
// there is a new one, and the old one ends, which staff must leave to others. After that only its hash is kept. Errors: forbidden, not_found, conflict pass_blocked,
// pass_empty.
func (s *Service) PassCode(ctx context.Context, a app.Actor, ref string) (code string, p Pass, err error) {
	if err := a.May(app.MayTakeMoney); err != nil {
		return "", p, err
	}
	if p, err = s.find(s.Reader(ctx), a, ref); err != nil {
		return "", p, err
	}
	err = s.Write(ctx, func(tx Tx) error {
		l := Ledger{tx, a.Workspace, a, s.Now()}
		if err := l.Lock(p.ID); err != nil {
			return err
		}
		if p, err = tx.Pass(a.Workspace, p.ID); err != nil {
			return err
		}
		if err := p.Usable(when.At(l.Now)); err != nil && fault.As(err).Reason != "pass_ended" {
			return err
		}
		sealed, err := tx.SealedCode(a.Workspace, p.ID)
		if errors.Is(err, fault.ErrNotFound) && a.Own() {
			return fault.New(fault.Forbidden, "role", "This code was given away already: ask a manager or an owner to print it again, which ends the one before.")
		}
		switch {
		case errors.Is(err, fault.ErrNotFound):
			code = newCode()
			sealed = SealedCode{Pass: p.ID, Hash: hashOf(code)}
			err = tx.SetPassCode(a.Workspace, sealed, when.At(l.Now))
		case err == nil:
			var text []byte
			if text, err = s.Core.Vault().Open(sealed.Sealed); err != nil {
				return err
			}
			code, sealed.Sealed = string(text), ""
			err = tx.SealCodeAgain(a.Workspace, sealed)
		}
		if err != nil {
			return err
		}
		p.Code = HasCode
		return audit.Note(tx, s.Now(), a, audit.Entry{Action: audit.PassCodeShown, Subject: p.ID.String()})
	})
	return code, p, err
}

// PassWithCode returns the pass that has the code, for somebody who sees passes. Errors: forbidden, and those of Resolve.
func (s *Service) PassWithCode(ctx context.Context, a app.Actor, code string) (Pass, error) {
	if err := a.May(app.MaySeeReceipts); err != nil {
		return Pass{}, err
	}
	p, err := s.Resolve(ctx, a, code)
	p.Show(when.At(s.Now()))
	return p, err
}

// HasCodes reports whether anybody may have the code of a pass or voucher of the workspace.
func (s *Service) HasCodes(ctx context.Context, ws catalog.WorkspaceID) (bool, error) {
	return s.Reader(ctx).HasCodes(ws)
}

// Resolve returns the pass that is meant by a code or, by who sees passes, an id. Strangers can try only so many codes, and learn
// of none whether it was ever good. Errors: not_found with the reason pass_unknown, conflict pass_replaced, rate_limited.
func (s *Service) Resolve(ctx context.Context, a app.Actor, ref string) (Pass, error) {
	knows := a.May(app.MaySeeReceipts) == nil && a.Business()
	unknown := fault.New(fault.NotFound, "pass_unknown", "There is no pass or voucher with this code. Check each letter, and whether it was replaced by another.")
	if knows {
		if which, err := id.Parse[booking.PassIDKind](ref); err == nil {
			p, err := s.Reader(ctx).Pass(a.Workspace, which)
			return p, fault.OrMissing(err, fault.Missing("pass", ref))
		}
	} else {
		if err := s.gate.Count(ctx, gate.Client{Address: a.From, Most: triesPerAddress, What: "pass code"}); err != nil {
			return Pass{}, err
		}
		if err := s.gate.CountOf(ctx, "pass codes "+a.Workspace.String(), triesPerWorkspace); err != nil {
			return Pass{}, err
		}
	}
	hash := hashOf(ref)
	if hash == nil {
		return Pass{}, unknown
	}
	p, current, err := s.Reader(ctx).PassByCode(a.Workspace, hash)
	switch {
	case errors.Is(err, fault.ErrNotFound) || err == nil && !current && !knows:
		return Pass{}, unknown
	case err == nil && !current:
		return Pass{}, fault.Conflictf("pass_replaced", "This code was replaced by another one: ask for the newest print.").With("passId", p.ID)
	}
	return p, err
}
