package replica

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

const (
	noteName = "daybook.json"
	maxNote  = 4 << 10
)

// ownerNote says whose replica a target has. It is the first object of a target.
type ownerNote struct {
	Database string    `json:"database"`      // its id, see upkeep's DatabaseID
	Key      string    `json:"key,omitempty"` // Public of the key that encrypts it
	Made     time.Time `json:"made"`
}

var (
	// ErrOther is in the error for a target that has another database's replica.
	ErrOther = errors.New("it has the replica of another database; name an empty place, or another path in it")
	// ErrKey is in the error for a target that is encrypted with another key than the one given, or with none.
	ErrKey = errors.New("its key does not fit")
	// ErrEmpty is in the error for a target without a replica.
	ErrEmpty = errors.New("it has no replica")
	// ErrEmptied is in the error for a target that had the copies of this machine, and has nothing now: an emptied one,
	// or the mount point of a disk that isn't mounted. To begin anew there by itself could fill the wrong disk.
	ErrEmptied = errors.New("it had this database's copies and is empty now; is its disk mounted? If it was emptied on " +
		"purpose, run `daybook replicas forget` with its address, and a new copy begins there")
	// ErrHeld is in the error for a target that another server writes to.
	ErrHeld = errors.New("another server writes there; stop one of the two")
)

// readOwner reads whose replica a target has; ErrEmpty is in the error for nobody's.
func readOwner(ctx context.Context, o Objects) (n ownerNote, err error) {
	content, err := readSmall(ctx, o, noteName)
	if errors.Is(err, fs.ErrNotExist) {
		return n, ErrEmpty
	}
	if err == nil {
		err = json.Unmarshal(content, &n)
	}
	return n, err
}

func readSmall(ctx context.Context, o Objects, name string) ([]byte, error) {
	r, err := o.Read(ctx, name, 0, 0)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(io.LimitReader(r, maxNote))
}

// fits is an error when the key is not the one of the target.
func (n *ownerNote) fits(o Objects, key *Key) error {
	switch {
	case n.Key == key.Public():
		return nil
	case n.Key == "":
		return fmt.Errorf("%s is not encrypted: %w; leave --replica-key-file out, or name an empty place", o, ErrKey)
	case key == nil:
		return fmt.Errorf("%s is encrypted: %w; give the file with the key %s as --replica-key-file", o, ErrKey, n.Key)
	}
	return fmt.Errorf("%s is encrypted with the key %s: %w; this one is %s", o, n.Key, ErrKey, key.Public())
}

// claim makes the target this database's, if it is nobody's yet. dir is the directory beside the database.
func claim(ctx context.Context, o Objects, dir, database string, key *Key, now time.Time) error {
	err := claimFor(ctx, o, dir, database, key, now)
	if err == nil {
		err = remember(dir, o)
	}
	return err
}

func claimFor(ctx context.Context, o Objects, dir, database string, key *Key, now time.Time) error {
	n, err := readOwner(ctx, o)
	if errors.Is(err, ErrEmpty) {
		known, err := remembers(dir, o)
		if err != nil {
			return err
		}
		if known {
			return fmt.Errorf("%s: %w", o, ErrEmptied)
		}
		n = ownerNote{Database: database, Key: key.Public(), Made: now.UTC().Truncate(time.Second)}
		content, err := json.Marshal(n)
		if err != nil {
			return err
		}
		_, err = o.Swap(ctx, noteName, append(content, '\n'), "")
		if !errors.Is(err, ErrChanged) {
			return err
		}
		n, err = readOwner(ctx, o) // somebody was faster
		if err != nil {
			return err
		}
	} else if err != nil {
		return err
	}
	if n.Database != database {
		return fmt.Errorf("%s can't be used: %w", o, ErrOther)
	}
	return n.fits(o, key)
}

// knownDir is the directory with a file for each target that was claimed from this machine.
const knownDir = "targets"

func knownFile(dir string, o Objects) string {
	sum := sha256.Sum256([]byte(o.String()))
	return filepath.Join(dir, knownDir, hex.EncodeToString(sum[:8]))
}

func remember(dir string, o Objects) error {
	path := knownFile(dir, o)
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(o.String()+"\n"), 0o600)
}

func remembers(dir string, o Objects) (bool, error) {
	_, err := os.Stat(knownFile(dir, o))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// Forget lets the server of the database at path begin anew at a target that was emptied on purpose; known tells
// whether copies were kept there from this machine. It may be called while the database is served.
func Forget(path string, o Objects) (known bool, err error) {
	err = os.Remove(knownFile(localDir(path), o))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}
