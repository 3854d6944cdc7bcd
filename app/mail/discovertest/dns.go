package discovertest

import (
	"context"
	"net"
	"strings"
	"testing"

	"golang.org/x/net/dns/dnsmessage"
)

// Zone is what the DNS server of a test knows: resources by their lower-case name with its final dot.
type Zone map[string][]dnsmessage.ResourceBody

// DNS answers over UDP from the zone; for names of the list silent it answers that it failed.
func DNS(t testing.TB, z Zone, silent ...string) *net.Resolver {
	t.Helper()
	c, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	go func() {
		for buf := make([]byte, 1500); ; {
			n, from, err := c.ReadFrom(buf)
			if err != nil {
				return
			}
			if out := z.answer(buf[:n], silent); out != nil {
				c.WriteTo(out, from)
			}
		}
	}()
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "udp", c.LocalAddr().String())
	}}
}

func (z Zone) answer(question []byte, silent []string) []byte {
	var m dnsmessage.Message
	if m.Unpack(question) != nil || len(m.Questions) != 1 {
		return nil
	}
	q := m.Questions[0]
	name := strings.ToLower(q.Name.String())
	out := dnsmessage.Message{Header: dnsmessage.Header{ID: m.ID, Response: true, RecursionAvailable: true, Authoritative: true}, Questions: m.Questions}
	for _, s := range silent {
		if strings.HasSuffix(name, s) {
			out.RCode = dnsmessage.RCodeServerFailure
		}
	}
	all, known := z[name]
	if !known && out.RCode == 0 {
		out.RCode = dnsmessage.RCodeNameError
	}
	for _, body := range all {
		h := dnsmessage.ResourceHeader{Name: q.Name, Class: dnsmessage.ClassINET, TTL: 1}
		switch body.(type) {
		case *dnsmessage.MXResource:
			h.Type = dnsmessage.TypeMX
		case *dnsmessage.SRVResource:
			h.Type = dnsmessage.TypeSRV
		case *dnsmessage.AResource:
			h.Type = dnsmessage.TypeA
		}
		if h.Type == q.Type {
			out.Answers = append(out.Answers, dnsmessage.Resource{Header: h, Body: body})
		}
	}
	packed, err := out.Pack()
	if err != nil {
		return nil
	}
	return packed
}

// MX is a host that takes a domain's mail.
func MX(host string) dnsmessage.ResourceBody {
	return &dnsmessage.MXResource{Pref: 10, MX: dnsmessage.MustNewName(host)}
}

// SRV is a server for a service.
func SRV(port uint16, host string) dnsmessage.ResourceBody {
	return &dnsmessage.SRVResource{Priority: 1, Weight: 1, Port: port, Target: dnsmessage.MustNewName(host)}
}

// After returns the record for the case that all others fail.
func After(r dnsmessage.ResourceBody) dnsmessage.ResourceBody {
	r.(*dnsmessage.SRVResource).Priority = 2
	return r
}

// Loopback is the address 127.0.0.1.
func Loopback() dnsmessage.ResourceBody { return &dnsmessage.AResource{A: [4]byte{127, 0, 0, 1}} }
