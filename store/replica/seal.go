package replica

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"filippo.io/age"
)

// Key encrypts what targets keep, and opens it. It is a key of age's, https://age-encryption.org/v1, so that its
// command can open the files too. A nil Key leaves them as they are.
type Key struct {
	identity *age.X25519Identity
	overhead int64 // bytes of an encrypted empty file
}

const (
	chunk    = 64 << 10 // of plain text, in age's format
	chunkTag = 16       // bytes more that a chunk has encrypted
)

// NewKey makes a key at random.
func NewKey() (*Key, error) {
	id, err := age.GenerateX25519Identity()
	if err != nil {
		return nil, err
	}
	return keyOf(id)
}

// ReadKey reads the key in a file as age-keygen writes it: a line that begins with AGE-SECRET-KEY-1. An error never
// holds what is in the file.
func ReadKey(path string) (*Key, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("the replica's key can't be read: %w", err)
	}
	return ParseKey(string(content))
}

// ParseKey reads the text of a key file.
func ParseKey(text string) (*Key, error) {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		id, err := age.ParseX25519Identity(line)
		if err != nil {
			break
		}
		return keyOf(id)
	}
	return nil, errors.New("that is no key of a replica: it has a line that begins with AGE-SECRET-KEY-1; " +
		"`daybook replicas key FILE` makes one")
}

func keyOf(id *age.X25519Identity) (*Key, error) {
	var b bytes.Buffer
	w, err := age.Encrypt(&b, id.Recipient())
	if err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return &Key{identity: id, overhead: int64(b.Len())}, nil
}

// Secret returns the key as its file has it.
func (k *Key) Secret() string { return k.identity.String() }

// Public names the key without telling it; "" for none.
func (k *Key) Public() string {
	if k == nil {
		return ""
	}
	return k.identity.Recipient().String()
}

// seal encrypts what is written to it into w. Close ends it.
func (k *Key) seal(w io.Writer) (io.WriteCloser, error) {
	if k == nil {
		return plain{w}, nil
	}
	return age.Encrypt(w, k.identity.Recipient())
}

type plain struct{ io.Writer }

func (plain) Close() error { return nil }

// open decrypts from a byte on.
func (k *Key) open(r io.Reader, offset int64) (io.Reader, error) {
	if k != nil {
		var err error
		if r, err = age.Decrypt(r, k.identity); err != nil {
			return nil, err
		}
		if _, err := io.CopyN(io.Discard, r, offset); err != nil && err != io.EOF {
			return nil, err
		}
	}
	return r, nil
}

// size returns the size of the content of a file that has so many bytes encrypted: each chunk has a tag more, an empty
// file one chunk.
func (k *Key) size(stored int64) int64 {
	if k == nil {
		return stored
	}
	rest := stored - k.overhead + chunkTag
	chunks := max(1, (rest+chunk+chunkTag-1)/(chunk+chunkTag))
	return rest - chunks*chunkTag
}
