package cli

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"math/big"
	"sync"
	"testing"
	"time"

	"golang.org/x/crypto/acme/autocert"

	"daybook/app"
	"daybook/app/subjects"
	"daybook/app/vault"
	"daybook/store"
	"daybook/store/enginetest"
)

// Certificates outlive the server, are sealed in the file, and are sealed anew when a key comes later.
func TestCertificatesLieInTheDatabase(t *testing.T) {
	db := enginetest.Open(t)
	st := store.New(db)
	c := certificates{subjects.New(subjects.Config{Config: app.Config{Store: st}})}
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
	sealing := certificates{subjects.New(subjects.Config{Config: app.Config{Store: st, Vault: vault}})}
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

// pemUntil is a certificate of 90 days that ends then.
func pemUntil(t *testing.T, end time.Time) []byte {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	made := &x509.Certificate{SerialNumber: big.NewInt(1), NotBefore: end.AddDate(0, 0, -90), NotAfter: end}
	der, err := x509.CreateCertificate(rand.Reader, made, made, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
}

// Of two servers one orders a certificate, the other waits for it; so it is when it is due to be renewed.
func TestOneServerOrders(t *testing.T) {
	place := enginetest.Place(t)
	var servers [2]certificates
	for i := range servers {
		servers[i] = certificates{subjects.New(subjects.Config{Config: app.Config{Store: store.New(enginetest.OpenAt(t, place))}})}
	}
	const name = "book.example.com"
	old, renewed := pemUntil(t, time.Now().AddDate(0, 0, 5)), pemUntil(t, time.Now().AddDate(0, 0, 90))
	var ordered [2]sync.Once
	orders := make(chan int, 2)
	begin := make(chan struct{})
	var all sync.WaitGroup
	for i, c := range servers {
		for range 16 {
			all.Go(func() {
				<-begin
				data, err := c.Get(t.Context(), name)
				switch {
				case errors.Is(err, autocert.ErrCacheMiss):
					ordered[i].Do(func() {
						orders <- i
						if err := c.Put(t.Context(), name, old); err != nil {
							t.Error(err)
						}
					})
				case err != nil || !bytes.Equal(data, old):
					t.Errorf("got %q, %v", data, err)
				}
			})
		}
	}
	close(begin)
	all.Wait()
	if len(orders) != 1 {
		t.Fatalf("%d servers ordered it", len(orders))
	}
	for _, c := range servers { // both have loaded it now
		if data, err := c.Get(t.Context(), name); err != nil || !bytes.Equal(data, old) {
			t.Fatalf("got %q, %v", data, err)
		}
		if err := c.Put(t.Context(), name, old); err != nil { // the turn that this Get may have begun is over
			t.Fatal(err)
		}
	}
	if data, err := servers[0].Get(t.Context(), name); err != nil || !bytes.Equal(data, old) {
		t.Fatalf("to renew it: %q, %v", data, err)
	}
	got := make(chan []byte)
	go func() {
		data, err := servers[1].Get(t.Context(), name)
		if err != nil {
			t.Error(err)
		}
		got <- data
	}()
	select {
	case data := <-got:
		t.Fatalf("the other server renews it too: %q", data)
	case <-time.After(500 * time.Millisecond): // nothing may come in this time
	}
	if err := servers[0].Put(t.Context(), name, renewed); err != nil {
		t.Fatal(err)
	}
	if data := <-got; !bytes.Equal(data, renewed) {
		t.Errorf("the other server got %q", data)
	}
}
