package database

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"strings"

	"daybook/app/vault"
)

// Vault is the vault of --secret-key-file; without the flag, one that encrypts nothing.
func (f *Flags) Vault() (*vault.Vault, error) {
	if f.SecretKeyFile == "" {
		return &vault.Vault{}, nil
	}
	key, err := readSecretKey(f.SecretKeyFile)
	if err != nil {
		return nil, err
	}
	return vault.NewVault(key)
}

// readSecretKey reads 32 bytes, as base64 or hex, from a file that nobody else may read.
func readSecretKey(name string) ([]byte, error) {
	make := fmt.Sprintf("make one with: (umask 077; openssl rand -base64 32 > %s)", name)
	f, err := os.Open(name)
	if os.IsNotExist(err) {
		return nil, fmt.Errorf("there is no secret key file %s; %s", name, make)
	}
	if err != nil {
		return nil, fmt.Errorf("can't read the secret key file: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if info.Mode().Perm()&0o077 != 0 {
		return nil, fmt.Errorf("others may read the secret key file %s; run: chmod 600 %s", name, name)
	}
	text, err := io.ReadAll(io.LimitReader(f, 1024))
	if err != nil {
		return nil, fmt.Errorf("can't read the secret key file: %w", err)
	}
	if key := decodeKey(strings.TrimSpace(string(text))); len(key) == 32 {
		return key, nil
	}
	return nil, fmt.Errorf("the secret key file %s must hold 32 bytes as base64 or hex; %s", name, make)
}

func decodeKey(text string) []byte {
	if key, err := hex.DecodeString(text); err == nil {
		return key
	}
	text = strings.TrimRight(text, "=")
	if key, err := base64.RawStdEncoding.DecodeString(text); err == nil {
		return key
	}
	key, _ := base64.RawURLEncoding.DecodeString(text)
	return key
}
