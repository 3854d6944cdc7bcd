package cli

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"strings"

	"daybook/app/disk"
	"daybook/app/vault"
)

// Vault returns the vault of --secret-key-file; without the flag, one that encrypts nothing.
func (f *databaseFlags) Vault() (*vault.Vault, error) {
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
	text, err := readPrivate(name, "secret key file")
	if os.IsNotExist(err) {
		return nil, fmt.Errorf("there is no secret key file %s; %s", name, make)
	}
	if err != nil {
		return nil, err
	}
	if key := decodeKey(strings.TrimSpace(text)); len(key) == 32 {
		return key, nil
	}
	return nil, fmt.Errorf("the secret key file %s must hold 32 bytes as base64 or hex; %s", name, make)
}

// readPrivate reads a short file that nobody else may read. what is the file's kind, for errors.
func readPrivate(name, what string) (string, error) {
	f, err := os.Open(name)
	if os.IsNotExist(err) {
		return "", err
	}
	if err != nil {
		return "", fmt.Errorf("can't read the %s: %w", what, err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "", err
	}
	if disk.OthersMayRead(info) {
		return "", fmt.Errorf("others may read the %s %s; run: chmod 600 %s", what, name, name)
	}
	text, err := io.ReadAll(io.LimitReader(f, 4<<10))
	if err != nil {
		return "", fmt.Errorf("can't read the %s: %w", what, err)
	}
	return string(text), nil
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
