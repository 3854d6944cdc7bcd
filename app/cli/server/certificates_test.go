package server

import (
	"errors"
	"testing"

	"golang.org/x/crypto/acme/autocert"

	"daybook/app"
	"daybook/app/rooms"
	"daybook/app/vault"
	"daybook/store"
	"daybook/store/enginetest"
)

// Certificates outlive the server, are sealed in the file, and are sealed anew when a key comes later.
func TestCertificatesLieInTheDatabase(t *testing.T) {
	db := enginetest.Open(t)
	st := store.New(db)
	c := certificates{rooms.New(rooms.Config{Config: app.Config{Store: st}})}
	if _, err := c.Get(t.Context(), "book.example.com"); !errors.Is(err, autocert.ErrCacheMiss) {
		t.Fatalf("got %v", err)
	}
	for _, data := range []string{"old", "new"} {
		if err := c.Put(t.Context(), "book.example.com", []byte(data)); err != nil {
			t.Fatal(err)
		}
	}
	vault, err := vault.NewVault(make([]byte, 32))
	if err != nil {
		t.Fatal(err)
	}
	sealing := certificates{rooms.New(rooms.Config{Config: app.Config{Store: st, Vault: vault}})}
	if n, err := sealing.Upkeep.SealSecrets(t.Context()); err != nil || n != 1 {
		t.Fatalf("sealed %d, %v", n, err)
	}
	if data, err := sealing.Get(t.Context(), "book.example.com"); err != nil || string(data) != "new" {
		t.Errorf("got %q, %v", data, err)
	}
	if _, err := c.Get(t.Context(), "book.example.com"); err == nil {
		t.Error("read without the key")
	}
	if err := sealing.Delete(t.Context(), "book.example.com"); err != nil {
		t.Fatal(err)
	}
	if _, err := sealing.Get(t.Context(), "book.example.com"); !errors.Is(err, autocert.ErrCacheMiss) {
		t.Errorf("got %v", err)
	}
}
