package postgres

import (
	"strings"
	"testing"
)

// A server on another machine must prove who it is, unless --db-insecure is given; one on this machine need not.
func TestServersOnOtherMachinesProveThemselves(t *testing.T) {
	t.Setenv("PGSSLMODE", "")
	for _, c := range []struct {
		url      string
		insecure bool
		server   string // that a certificate must name; "" for none
		refused  string
	}{
		{"postgres://me@db.example/x", false, "db.example", ""},
		{"postgres://me@db.example/x?sslmode=verify-full", false, "db.example", ""},
		{"postgres://me@127.0.0.1,db.example/x", false, "127.0.0.1", ""},
		{"postgres://me:hidden@db.example/x?sslmode=require", false, "", "leave sslmode out, which is verify-full, or give --db-insecure"},
		{"postgres://me:hidden@db.example/x?sslmode=verify-ca", false, "", "--db-insecure"},
		{"postgres://me@db.example/x?sslmode=disable", true, "", ""},
		{"postgres://me@127.0.0.1/x?sslmode=disable", false, "", ""},
		{"postgres://me@localhost/x?sslmode=disable", false, "", ""},
	} {
		config, err := (&Options{URL: c.url, Insecure: c.insecure}).parse()
		switch {
		case c.refused != "":
			if err == nil || !strings.Contains(err.Error(), c.refused) || strings.Contains(err.Error(), "hidden") {
				t.Errorf("%s: %v, want %q and no password", c.url, err, c.refused)
			}
		case err != nil:
			t.Errorf("%s: %v", c.url, err)
		case c.server == "":
			if config.TLSConfig != nil {
				t.Errorf("%s: encrypts, though it is told not to", c.url)
			}
		case config.TLSConfig == nil || config.TLSConfig.InsecureSkipVerify || config.TLSConfig.ServerName != c.server:
			t.Errorf("%s: %s need not prove who it is", c.url, c.server)
		}
	}
}
