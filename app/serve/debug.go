package serve

import (
	"errors"
	"net"
	"net/http"
	"net/http/pprof"
	"net/netip"
	"time"
)

// debugWrite bounds how long one profile may take.
const debugWrite = 10 * time.Minute

// CheckDebugAddr returns what is wrong with an address for profiles: it must be one of loopback, in figures and with a
// port, since profiles show what the program does and have no password.
func CheckDebugAddr(addr string) error {
	at, err := netip.ParseAddrPort(addr)
	if err != nil || !at.Addr().Unmap().IsLoopback() {
		return errors.New("must be an address that only this machine reaches, such as 127.0.0.1:6060")
	}
	return nil
}

// debugFront opens DebugAddr. It has a mux of its own: no profile is ever served at another address.
func (s *server) debugFront() (*front, error) {
	if err := CheckDebugAddr(s.config.DebugAddr); err != nil {
		return nil, errors.New("the address for profiles " + err.Error())
	}
	l, err := Listen(s.config.DebugAddr)
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux() // without the command line, which may have a mail server's password
	mux.HandleFunc("GET /debug/pprof/", pprof.Index)
	mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	f := s.newFront(l, fromHere(mux))
	f.http.WriteTimeout = debugWrite
	s.log.Info("profiles are served", "url", "http://"+l.Addr().String()+"/debug/pprof/")
	return f, nil
}

// fromHere refuses what a browser was led to: requests that name another host than this machine (DNS rebinding), and
// those that another site made.
func fromHere(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := r.Host
		if host, _, err := net.SplitHostPort(r.Host); err == nil {
			name = host
		}
		ip, err := netip.ParseAddr(name)
		here := name == "localhost" || err == nil && ip.Unmap().IsLoopback()
		if site := r.Header.Get("Sec-Fetch-Site"); !here || site == "cross-site" || site == "same-site" {
			http.Error(w, "only for programs on this machine", http.StatusForbidden)
			return
		}
		h.ServeHTTP(w, r)
	})
}
