package address

import (
	"errors"
	"net"
	"net/netip"
	"strings"
	"testing"
)

func TestLaw(t *testing.T) {
	law := Law{Option: "--webhook-allow", Allow: []netip.Prefix{
		netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::ffff:10.1.0.0/112"), netip.MustParsePrefix("fd00::/8"),
	}}
	for _, c := range []struct {
		addrs       string
		secure, not bool // may https:// and may http:// be sent to it
	}{
		{"93.184.216.34 8.8.8.8 2606:2800:220:1:248:1893:25c8:1946 2a00:1450:4001::1", true, false},
		{"127.0.0.1 127.9.9.9 ::ffff:127.0.0.1 10.1.0.7 fd00::1", true, true},
		{"0.0.0.0 0.1.2.3 10.0.0.1 10.2.0.1 100.64.0.1 100.100.100.200 168.63.129.16 169.254.169.254 172.16.0.1 172.31.255.255 192.168.1.1", false, false},
		{"192.0.0.192 192.0.2.1 198.18.0.1 198.19.255.255 198.51.100.7 203.0.113.7 192.88.99.1 224.0.0.1 239.1.1.1 240.0.0.1 255.255.255.255", false, false},
		{":: ::1 ::ffff:10.0.0.1 ::ffff:169.254.169.254 ::10.0.0.1 64:ff9b::7f00:1 64:ff9b:1::1 100::1 fe80::1 fe80::1%eth0 fec0::1 fc00::1 ff02::1", false, false},
		{"2001::1 2001:db8::1 2001:2::1 2001:10::1 2002:7f00:1:: 2002:a9fe:a9fe::1 3fff::1 4000::1 5f00::1", false, false},
	} {
		for text := range strings.FieldsSeq(c.addrs) {
			a := netip.MustParseAddr(text)
			if err := law.Check(a, true); (err == nil) != c.secure {
				t.Errorf("https to %s: %v", a, err)
			}
			err := law.Check(a, false)
			if (err == nil) != c.not {
				t.Errorf("http to %s: %v", a, err)
			}
			if err != nil && !strings.Contains(err.Error(), "--webhook-allow") {
				t.Errorf("%s: %q does not say what to do", a, err)
			}
		}
	}
}

// Every connection obeys the law, whatever was saved: the address behind the name, and the port.
func TestControl(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	port := uint16(l.Addr().(*net.TCPAddr).Port)
	loopback := []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	for _, c := range []struct {
		law  Law
		want string
	}{
		{Law{Option: "--mail-allow"}, "127.0.0.1 is a loopback address; the operator can allow it with --mail-allow 127.0.0.1/32"},
		{Law{Allow: loopback, Ports: []uint16{25, 587}}, "use one of 25, 587"},
		{Law{Allow: loopback, Ports: []uint16{25, port}}, ""},
		{Law{Allow: loopback}, ""},
	} {
		d := net.Dialer{Control: c.law.Control(true)}
		conn, err := d.DialContext(t.Context(), "tcp", l.Addr().String())
		if err == nil {
			conn.Close()
		}
		if refused := (*Refused)(nil); (c.want == "") != (err == nil) || err != nil && (!errors.As(err, &refused) || !strings.Contains(refused.Error(), c.want)) {
			t.Errorf("%+v: %v", c.law, err)
		}
	}
}
