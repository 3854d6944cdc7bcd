// Package vault encrypts the secrets that the server must be able to read, with a key kept outside the database. It
// imports nothing of Daybook.
package vault

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
)

// Vault seals secrets that must be readable again (signing keys, Stripe keys, mail passwords) with a key kept outside
// the database: AES-256-GCM. The zero Vault stores them in clear text, and reads only such.
type Vault struct {
	aead cipher.AEAD
	mark string // tells keys apart and reveals nothing else; "" without a key
}

// The forms of a stored secret.
const (
	PlainForm  = "plain:"
	SealedForm = "sealed:"
)

// NewVault makes a vault with a key of 32 bytes.
func NewVault(key []byte) (*Vault, error) {
	if len(key) != 32 {
		return nil, fmt.Errorf("the secret key must have 32 bytes, not %d; make one with: openssl rand -base64 32", len(key))
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	aead, err := cipher.NewGCM(block)
	mark := sha256.Sum256(append([]byte("daybook secret key "), key...))
	return &Vault{aead, hex.EncodeToString(mark[:8])}, err
}

// Mark tells the vault's key apart from other keys and reveals nothing else about it; it is "" without a key.
func (v *Vault) Mark() string { return v.mark }

// Seals reports whether the vault encrypts.
func (v *Vault) Seals() bool { return v.aead != nil }

// Seal makes the stored form of a secret.
func (v *Vault) Seal(secret []byte) string {
	if v.aead == nil {
		return PlainForm + base64.StdEncoding.EncodeToString(secret)
	}
	nonce := make([]byte, v.aead.NonceSize())
	rand.Read(nonce)
	return SealedForm + base64.StdEncoding.EncodeToString(v.aead.Seal(nonce, nonce, secret, nil))
}

// Open reads the stored form. It fails for a secret that was sealed with another key, or with any key when the vault
// has none.
func (v *Vault) Open(stored string) ([]byte, error) {
	if text, ok := strings.CutPrefix(stored, PlainForm); ok {
		return base64.StdEncoding.DecodeString(text)
	}
	text, ok := strings.CutPrefix(stored, SealedForm)
	if !ok {
		return nil, errors.New("a stored secret has no known form")
	}
	if v.aead == nil {
		return nil, errors.New("the database's secrets are encrypted: start with --secret-key-file and the file that they " +
			"were encrypted with")
	}
	raw, err := base64.StdEncoding.DecodeString(text)
	if err != nil || len(raw) < v.aead.NonceSize() {
		return nil, errors.New("a stored secret is damaged")
	}
	secret, err := v.aead.Open(nil, raw[:v.aead.NonceSize()], raw[v.aead.NonceSize():], nil)
	if err != nil {
		return nil, errors.New("the key of --secret-key-file is not the one that the database's secrets were encrypted with")
	}
	return secret, nil
}
