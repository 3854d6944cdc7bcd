package install

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"os"
	"path"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"syscall"

	"daybook/app/cli/console"
	"daybook/store/postgres"
)

var domainName = regexp.MustCompile(`^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$`)

// check is wrong usage where the service can't be what was asked for.
func (s service) check() error {
	switch {
	case len(s.domains) == 0 && s.baseURL == "":
		return console.Usagef("give --tls-domain, the name of this server in DNS, such as book.example.com; or, behind a " +
			"proxy that serves HTTPS, --base-url https://book.example.com")
	case len(s.domains) > 0 && s.baseURL+s.addr != "" || len(s.domains) > 0 && len(s.proxies) > 0:
		return console.Usagef("--base-url, --addr and --trust-proxy are for a server behind a proxy, --tls-domain for one " +
			"without: give the one or the others")
	case s.db == "" && (s.password || s.insecure):
		return console.Usagef("--db-password-file and --db-insecure are for a PostgreSQL database: give --db its URL")
	case s.db != "" && !postgres.IsURL(s.db):
		return console.Usagef("the service has its database at %s: leave --db out, or give it the URL of a PostgreSQL database",
			dbPath)
	case postgres.HasPassword(s.db):
		return console.Usagef("everybody on this machine can read a command line: put the password into a file, and give it " +
			"as --db-password-file")
	case s.db != "" && len(s.replicas) > 0:
		return console.Usagef("--replica is for SQLite; PostgreSQL replicates itself")
	}
	if err := s.checkProxied(); err != nil {
		return err
	}
	for _, d := range s.domains {
		if _, err := netip.ParseAddr(d); err == nil || len(d) > 253 || !domainName.MatchString(d) {
			return console.Usagef("--tls-domain %q must be a name such as book.example.com, in small letters, without https://",
				d)
		}
	}
	for _, r := range s.replicas {
		if err := checkReplica(r); err != nil {
			return err
		}
	}
	return nil
}

// checkProxied looks at what a server behind a proxy needs.
func (s service) checkProxied() error {
	if s.baseURL == "" {
		return nil
	}
	var base console.WebURL
	if err := base.Set(s.baseURL); err != nil {
		return console.Usagef("--base-url %q %v", s.baseURL, err)
	}
	if base.Path != "" {
		return console.Usagef("--base-url %s has a path, and Daybook's pages are at none: give it a host name of its own", s.baseURL)
	}
	host, port, err := net.SplitHostPort(s.addr)
	if n, err2 := strconv.ParseUint(port, 10, 16); err != nil || err2 != nil || n == 0 {
		return console.Usagef("--addr %q must be an address such as %s", s.addr, proxiedAddr)
	}
	if ip, err := netip.ParseAddr(host); len(s.proxies) == 0 && (err != nil || !ip.IsLoopback()) {
		return console.Usagef("--addr %s is reached from other machines: give --trust-proxy the network of the proxy", s.addr)
	}
	var networks console.Networks
	if err := networks.Set(strings.Join(s.proxies, ",")); len(s.proxies) > 0 && err != nil {
		return console.Usagef("--trust-proxy %v", err)
	}
	for _, n := range networks {
		if n.Bits() == 0 {
			return console.Usagef("--trust-proxy %s believes everybody: name the network of the proxy alone", n)
		}
	}
	return nil
}

// ports are those that the service listens on.
func (s service) ports() []string {
	if s.baseURL == "" {
		return []string{"443", "80"}
	}
	_, port, _ := net.SplitHostPort(s.addr)
	return []string{port}
}

// hidden are the directories that the unit hides from the service, or gives it for a while.
var hidden = []string{"/home", "/root", "/run", "/tmp", "/var/tmp", "/dev", "/proc", "/sys"}

func checkReplica(text string) error {
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Scheme != "file" && u.Scheme != "s3" || u.Scheme == "s3" && u.Host == "":
		return console.Usagef("--replica must be file:///directory or s3://bucket/path?endpoint=…&region=…")
	case u.User != nil:
		return console.Usagef("--replica has a password in it; put AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY into %s",
			envPath)
	case u.Scheme == "s3":
		return nil
	case u.Host != "" || !path.IsAbs(u.Path) || path.Clean(u.Path) != strings.TrimSuffix(u.Path, "/") ||
		path.Dir(path.Clean(u.Path)) == "/":
		return console.Usagef("--replica %s must name a directory at least two levels deep, such as "+
			"file:///mnt/backup/daybook/salon", text)
	}
	for _, dir := range append(hidden, stateDir, configDir, "/usr", "/boot", "/etc") {
		if strings.HasPrefix(u.Path+"/", dir+"/") {
			return console.Usagef("--replica %s is in %s, where the service keeps no copies; take another disk, under /mnt or "+
				"/srv", text, dir)
		}
	}
	return nil
}

// folders returns the directories of replicas.
func (s service) folders() (all []string) {
	for _, r := range s.replicas {
		if u, err := url.Parse(r); err == nil && u.Scheme == "file" {
			all = append(all, path.Clean(u.Path))
		}
	}
	return all
}

// checkMachine is why nothing can be installed or removed here.
func (p *plan) checkMachine() error {
	if runtime.GOOS != "linux" {
		return errors.New("install is for Linux with systemd; elsewhere start `daybook serve` as the system starts services")
	}
	if p.live && !p.dry && os.Geteuid() != 0 {
		return errors.New("only root can do this: run it with sudo (--dry-run shows what it does, and needs no root)")
	}
	return nil
}

// checkPorts is an error while another program listens where the service is to.
func checkPorts(ports ...string) error {
	for _, port := range ports {
		l, err := net.Listen("tcp", ":"+port)
		if errors.Is(err, syscall.EADDRINUSE) {
			return fmt.Errorf("port %s is taken by another program (ss -ltnp 'sport = :%s' names it); stop that one first, or "+
				"serve behind it: give --base-url instead of --tls-domain, or another --addr. Nothing was changed", port, port)
		}
		if err == nil {
			l.Close()
		}
	}
	return nil
}
