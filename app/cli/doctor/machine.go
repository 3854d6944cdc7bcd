package doctor

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"time"

	"daybook/app/disk"
)

func checkZones(context.Context, *target) []finding {
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		return []finding{fail("time zones", "Time zones can't be read: "+err.Error(),
			"Use a released binary, which has them built in.")}
	}
	winter, summer := time.Date(2026, 1, 1, 0, 0, 0, 0, zone), time.Date(2026, 7, 1, 0, 0, 0, 0, zone)
	_, a := winter.Zone()
	_, b := summer.Zone()
	if a != 3600 || b != 7200 {
		return []finding{fail("time zones", "The machine's time zone data is wrong for Europe/Berlin.",
			"Update the tzdata package, or unset ZONEINFO.")}
	}
	return []finding{fine("time zones", "known")}
}

// The years in which this program can be running.
const firstYear, lastYear = 2026, 2100

func checkClock(_ context.Context, t *target) []finding {
	now := time.Now().UTC()
	const advice = "Set the clock, and keep it by NTP (timedatectl set-ntp true)."
	if now.Year() < firstYear || now.Year() > lastYear {
		return []finding{fail("clock", "The clock says "+now.Format(time.RFC3339)+".", advice)}
	}
	for _, name := range []string{t.flags.Path, t.flags.Path + "-wal"} { // there is none of a PostgreSQL database
		if info, err := os.Stat(name); err == nil && info.ModTime().After(now.Add(2*time.Minute)) {
			return []finding{fail("clock", fmt.Sprintf("%s was written at %s, which is still to come: the clock went back.",
				name, info.ModTime().UTC().Format(time.RFC3339)), advice)}
		}
	}
	return []finding{fine("clock", "%s", now.Format(time.RFC3339))}
}

func checkAddress(_ context.Context, t *target) []finding {
	s, base := t.server, t.server.BaseURL
	if _, _, err := net.SplitHostPort(s.Addr); err != nil {
		return []finding{fail("address", fmt.Sprintf("--addr %q is no address: %v", s.Addr, err),
			"Write it as :8080 or 127.0.0.1:8080.")}
	}
	switch {
	case base.URL == nil && len(s.TLSDomains) == 0:
		return []finding{warn("address",
			"This command was not given --base-url, so this is not checked: without it a server's links lead to this "+
				"machine only.",
			"Give doctor and serve the same --base-url https://book.example.com or --tls-domain, or set "+
				"DAYBOOK_BASE_URL for both.")}
	case base.URL == nil:
		return []finding{fine("address", "https://%s", s.TLSDomains[0])}
	case base.Path != "":
		return []finding{fail("address", fmt.Sprintf("--base-url %s has a path.", base.String()),
			"Give Daybook a host name of its own.")}
	case base.Scheme == "http" && !local(base.Hostname()):
		return []finding{warn("address", fmt.Sprintf("%s is not HTTPS: keys and passwords travel in the clear.",
			base.String()),
			"Give --tls-domain "+base.Hostname()+", or put a proxy with HTTPS before it and name it by --trust-proxy.")}
	case base.Scheme == "https" && len(s.TLSDomains) == 0 && len(s.TrustProxy) == 0:
		return []finding{warn("address",
			fmt.Sprintf("%s is HTTPS, but no proxy is trusted: all clients would seem to be the proxy, and plain HTTP is "+
				"served, too.", base.String()),
			"Give --trust-proxy the network of the proxy, and have it set X-Forwarded-Proto; "+
				"or give --tls-domain "+base.Hostname()+".")}
	}
	return []finding{fine("address", "%s", base.String())}
}

func local(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

const (
	diskLow  = 1 << 30
	diskFull = 100 << 20
	walLarge = 256 << 20
)

func checkDisk(_ context.Context, t *target) []finding {
	if t.flags.OnServer() {
		return nil // it is the other machine's
	}
	dir := filepath.Dir(t.flags.Path)
	free, err := disk.Free(dir)
	if err != nil {
		return []finding{warn("disk", "The disk can't be asked: "+err.Error(), "")}
	}
	var all []finding
	text := fmt.Sprintf("%s has %s free", dir, size(free))
	switch {
	case free < diskFull:
		all = append(all, fail("disk", text+".", "Make room, or move the database."))
	case free < diskLow:
		all = append(all, warn("disk", text+".",
			"Make room: a migration and a backup each need as much as the database has."))
	default:
		all = append(all, fine("disk", "%s", text))
	}
	if info, err := os.Stat(t.flags.Path + "-wal"); err == nil && info.Size() > walLarge {
		all = append(all, warn("disk", fmt.Sprintf("The log %s-wal has grown to %s.", t.flags.Path, size(info.Size())),
			"End programs that read the database for long (sqlite3 shells, copies), or restart the server."))
	}
	return all
}

func size(n int64) string {
	switch {
	case n >= 1<<30:
		return fmt.Sprintf("%.1f GiB", float64(n)/(1<<30))
	case n >= 1<<20:
		return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
	}
	return fmt.Sprintf("%d KiB", n>>10)
}
