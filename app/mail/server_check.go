package mail

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"fmt"
	"math/big"
	"strings"
	"time"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/mail/smtp"
	"daybook/app/when"
)

// Check is what is kept while nobody has shown that the mails of a workspace's own server arrive: a test mail with four
// digits goes to somebody, who types them in. The zero Check has sent none yet.
type Check struct {
	Hash   string       // of the digits; "" before the first mail
	To     string       // where the latest went
	SentAt when.Instant // when
	Tries  int          // how often digits were typed since then
}

const (
	checkLasts = 15 * time.Minute
	checkPause = time.Minute // between two mails
	checkTries = 5           // of one mail's digits
)

// Open reports whether the digits of the latest mail can be typed.
func (c *Check) Open(now when.Instant) bool {
	return c.Hash != "" && c.Tries < checkTries && now < c.SentAt.Add(checkLasts)
}

// Again returns since when another mail can be sent.
func (c *Check) Again() when.Instant {
	if c.Hash == "" {
		return 0
	}
	return c.SentAt.Add(checkPause)
}

// ErrCheckSoon is the error of another test mail within the minute.
func ErrCheckSoon() *fault.Error {
	return fault.New(fault.RateLimited, "", "a test mail was just sent; the next can be sent a minute after it")
}

// newCode returns four digits, and what is kept of them.
func newCode(ws catalog.WorkspaceID, to string, now when.Instant) (code string, kept Check) {
	n, err := rand.Int(rand.Reader, big.NewInt(10_000))
	if err != nil {
		panic(err) // as rand.Read does
	}
	code = fmt.Sprintf("%04d", n)
	return code, Check{Hash: hashCode(ws, now, code), To: to, SentAt: now}
}

func hashCode(ws catalog.WorkspaceID, at when.Instant, code string) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %d %s", ws, at, code))
	return hex.EncodeToString(sum[:])
}

// ServerCheck returns the check of the workspace's own mail server; nil if there is no such server or its mails are known
// to arrive. It asks for no right: Today says it to everybody who sees what is wrong.
func (s *Service) ServerCheck(ctx context.Context, ws catalog.WorkspaceID) (*Check, error) {
	c, err := s.Reader(ctx).MailCheck(ws)
	if errors.Is(err, fault.ErrNotFound) {
		return nil, nil
	}
	return &c, err
}

// SendCheck sends four new digits to an address through the workspace's own server; those before count no more. Errors:
// forbidden, bad_request; rate_limited within a minute of the last; not_found without a server that has to be checked; a
// *smtp.Failure.
func (s *Service) SendCheck(ctx context.Context, a app.Actor, to string) error {
	if err := a.May(app.MayManageMails); err != nil {
		return err
	}
	now := when.At(s.Core.Now())
	code, fresh := newCode(a.Workspace, to, now)
	var old Check
	err := s.Write(ctx, func(tx Tx) (err error) {
		if err := tx.LockWorkspace(a.Workspace); err != nil {
			return err
		}
		if old, err = tx.MailCheck(a.Workspace); err != nil {
			return err
		}
		if now < old.Again() {
			return ErrCheckSoon()
		}
		return tx.SetMailCheck(a.Workspace, &fresh)
	})
	missing := fault.New(fault.NotFound, "", "no mail server has to be checked")
	if errors.Is(err, fault.ErrNotFound) {
		return missing
	}
	if err != nil {
		return err
	}
	server, err := s.OwnServer(ctx, a.Workspace) // one that is saved meanwhile has a check of its own
	if err == nil && server == nil {
		err = missing
	}
	if err == nil {
		err = smtp.TestCode(ctx, server, s.mail.Trust, to, s.localeOf(a.Workspace), code)
	}
	if err == nil {
		return nil
	}
	return errors.Join(err, s.Write(context.WithoutCancel(ctx), func(tx Tx) error { // the digits before it still count
		if err := tx.LockWorkspace(a.Workspace); err != nil {
			return err
		}
		if c, err := tx.MailCheck(a.Workspace); errors.Is(err, fault.ErrNotFound) || err == nil && c.Hash != fresh.Hash {
			return nil
		} else if err != nil {
			return err
		}
		return tx.SetMailCheck(a.Workspace, &old)
	}))
}

// ConfirmServer takes the digits of the latest test mail: the workspace's server is checked then, as it is if nothing had
// to be. Errors: forbidden; bad_request on the field code if they are wrong, or too old, or were tried five times.
func (s *Service) ConfirmServer(ctx context.Context, a app.Actor, code string) error {
	if err := a.May(app.MayManageMails); err != nil {
		return err
	}
	code = strings.Join(strings.FieldsFunc(code, func(r rune) bool { return r < '0' || r > '9' }), "")
	var wrong error
	err := s.Write(ctx, func(tx Tx) error {
		wrong = nil
		if err := tx.LockWorkspace(a.Workspace); err != nil {
			return err
		}
		c, err := tx.MailCheck(a.Workspace)
		if errors.Is(err, fault.ErrNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		if !c.Open(when.At(s.Core.Now())) {
			wrong = fault.Invalid("code", "these digits can't be used any more; send a new test mail")
			return nil
		}
		if subtle.ConstantTimeCompare([]byte(hashCode(a.Workspace, c.SentAt, code)), []byte(c.Hash)) == 1 {
			return tx.SetMailCheck(a.Workspace, nil)
		}
		wrong = fault.Invalid("code", "these are not the digits of the latest test mail")
		c.Tries++
		return tx.SetMailCheck(a.Workspace, &c)
	})
	return errors.Join(err, wrong)
}
