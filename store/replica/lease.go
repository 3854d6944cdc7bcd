package replica

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

const (
	leaseName = "server.json"
	leaseTime = time.Minute
)

// lease keeps two machines with copies of one database from writing to the same target. It is as good as the target's
// comparing is: one that can't compare lets the second server write for up to a minute before the first one notices.
type lease struct {
	holder string
	tag    string
}

type leaseNote struct {
	Holder string    `json:"holder"`
	Until  time.Time `json:"until"` // by the clock of the holder
}

// holderName is the file beside the database with who holds the leases. A server that was killed goes on with its own.
const holderName = "holder"

// readHolder reads who this machine is to the targets, and makes it up the first time.
func readHolder(dir string) (string, error) {
	path := filepath.Join(dir, holderName)
	name, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		name = []byte(rand.Text())
		err = os.WriteFile(path, name, 0o600)
	}
	return string(name), err
}

// renew takes the lease or makes it longer, or fails with ErrHeld in the error. ErrEmptied is for one that was held and
// is gone.
func (l *lease) renew(ctx context.Context, o Objects, now time.Time) error {
	had := l.tag != ""
	held, err := l.read(ctx, o)
	if err != nil {
		return err
	}
	if had && l.tag == "" {
		return fmt.Errorf("%s: %w", o, ErrEmptied)
	}
	if held.Holder != "" && held.Holder != l.holder && now.Before(held.Until) {
		return fmt.Errorf("%s: %w; if it is none of yours, wait until %s", o, ErrHeld, held.Until.Format(time.RFC3339))
	}
	return l.write(ctx, o, now.Add(leaseTime))
}

// read reads who holds it, and the tag to compare with.
func (l *lease) read(ctx context.Context, o Objects) (held leaseNote, err error) {
	x, err := o.Stat(ctx, leaseName)
	if errors.Is(err, fs.ErrNotExist) {
		l.tag = ""
		return held, nil
	}
	if err != nil {
		return held, err
	}
	content, err := readSmall(ctx, o, leaseName)
	if err == nil {
		err = json.Unmarshal(content, &held)
	}
	l.tag = x.Tag
	return held, err
}

func (l *lease) write(ctx context.Context, o Objects, until time.Time) error {
	content, err := json.Marshal(leaseNote{l.holder, until.UTC()})
	if err != nil {
		return err
	}
	tag, err := o.Swap(ctx, leaseName, append(content, '\n'), l.tag)
	if errors.Is(err, ErrChanged) {
		return fmt.Errorf("%s: %w", o, ErrHeld)
	}
	if err == nil {
		l.tag = tag
	}
	return err
}

// release ends the lease now, if it is still held.
func (l *lease) release(ctx context.Context, o Objects, now time.Time) error {
	held, err := l.read(ctx, o)
	if err != nil || held.Holder != l.holder {
		return err
	}
	return l.write(ctx, o, now)
}
