package serve_test

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"daybook/app/apptest/outside"
)

const pebbleVersion = "v2.10.1"

// authority is a running pebble, Let's Encrypt's test server.
type authority struct {
	directory string
	self      *x509.CertPool // vouches for the directory
	issues    *x509.CertPool // vouches for what it issues
}

// startPebble runs pebble, which will look for challenges at these ports of
// 127.0.0.1 whatever the domain.
func startPebble(t *testing.T, httpPort, tlsPort string) authority {
	t.Helper()
	bin, certs := buildPebble(t)
	dir, dns, acme, management := t.TempDir(), outside.Address(t), outside.Address(t), outside.Address(t)
	config := filepath.Join(dir, "pebble.json")
	text := fmt.Sprintf(`{"pebble":{"listenAddress":%q,"managementListenAddress":%q,"certificate":%q,"privateKey":%q,
		"httpPort":%s,"tlsPort":%s,"retryAfter":{"authz":1,"order":1},"keyAlgorithm":"ecdsa",
		"profiles":{"default":{"description":"test","validityPeriod":7776000}}}}`,
		acme, management, filepath.Join(certs, "localhost/cert.pem"), filepath.Join(certs, "localhost/key.pem"), httpPort, tlsPort)
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	background(t, filepath.Join(bin, "pebble-challtestsrv"), "-dnsserver", dns, "-defaultIPv6", "",
		"-http01", "", "-https01", "", "-tlsalpn01", "", "-doh", "", "-management", outside.Address(t))
	background(t, filepath.Join(bin, "pebble"), "-config", config, "-dnsserver", dns, "-strict")

	a := authority{directory: "https://" + acme + "/dir", self: x509.NewCertPool(), issues: x509.NewCertPool()}
	root, err := os.ReadFile(filepath.Join(certs, "pebble.minica.pem"))
	if err != nil {
		t.Fatal(err)
	}
	a.self.AppendCertsFromPEM(root)
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: a.self}}}
	eventually(t, "pebble answers", func() bool {
		res, err := client.Get("https://" + management + "/roots/0")
		if err != nil {
			return false
		}
		defer res.Body.Close()
		pem, _ := io.ReadAll(res.Body)
		return a.issues.AppendCertsFromPEM(pem)
	})
	return a
}

// TestNeeds has .ci/run install what the tests of this package use, before it runs them.
func TestNeeds(t *testing.T) { buildPebble(t) }

var building sync.Mutex

// buildPebble builds it from the module proxy, once per machine.
func buildPebble(t *testing.T) (bin, certs string) {
	t.Helper()
	module := "github.com/letsencrypt/pebble/v2"
	bin = filepath.Join(os.TempDir(), "daybook-pebble-"+pebbleVersion)
	command := func(args ...string) []byte {
		cmd := exec.CommandContext(t.Context(), "go", args...)
		cmd.Dir = os.TempDir() // outside our module
		cmd.Env = append(os.Environ(), "GOBIN="+bin, "GOFLAGS=-mod=mod", "CGO_ENABLED=0")
		cmd.WaitDelay = time.Second
		out, err := cmd.Output()
		if err != nil {
			outside.Needs(t, "pebble", fmt.Errorf("go %s: %w", strings.Join(args, " "), err))
		}
		return out
	}
	building.Lock()
	defer building.Unlock()
	if _, err := os.Stat(filepath.Join(bin, "pebble-challtestsrv")); err != nil {
		command("install", module+"/cmd/pebble@"+pebbleVersion, module+"/cmd/pebble-challtestsrv@"+pebbleVersion)
	}
	var found struct{ Dir string }
	if err := json.Unmarshal(command("mod", "download", "-json", module+"@"+pebbleVersion), &found); err != nil {
		t.Fatal(err)
	}
	return bin, filepath.Join(found.Dir, "test", "certs")
}

// background runs a program until the test ends; what it printed is shown when the test failed.
func background(t *testing.T, name string, args ...string) {
	t.Helper()
	var out bytes.Buffer
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Env = append(os.Environ(), "PEBBLE_VA_NOSLEEP=1", "PEBBLE_WFE_NONCEREJECT=20")
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
		if t.Failed() {
			t.Logf("%s:\n%s", filepath.Base(name), &out)
		}
	})
}

func port(addr string) string { return addr[strings.LastIndexByte(addr, ':')+1:] }
