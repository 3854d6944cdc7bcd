package serve

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"syscall"
)

// front is an open address and the HTTP server on it.
type front struct {
	listener net.Listener
	http     *http.Server
	abort    context.CancelFunc // ends the contexts of all its requests
	tls      *tls.Config
	fetch    func(ctx context.Context) error // asks for the certificates; nil without
}

func (f *front) serve() error {
	err := error(nil)
	if f.tls != nil {
		f.http.TLSConfig = f.tls
		err = f.http.ServeTLS(f.listener, "", "")
	} else {
		err = f.http.Serve(f.listener)
	}
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// open opens every address, or none; that of the doors comes first.
func (s *server) open() ([]*front, error) {
	fronts, err := s.openDoors()
	if err != nil || s.config.DebugAddr == "" {
		return fronts, err
	}
	debug, err := s.debugFront()
	if err != nil {
		for _, f := range fronts {
			f.listener.Close()
			f.abort()
		}
		return nil, err
	}
	return append(fronts, debug), nil
}

func (s *server) openDoors() ([]*front, error) {
	listener := s.config.Listener
	if listener == nil {
		var err error
		if listener, err = Listen(s.config.Addr); err != nil {
			return nil, err
		}
	}
	first := s.newFront(listener, s.chain(s.mux))
	if len(s.config.TLSDomains) == 0 {
		return []*front{first}, nil
	}
	certs := s.newCertificates()
	first.tls, first.fetch = certs.tlsConfig(), certs.fetch
	challenges, err := Listen(s.config.ChallengeAddr)
	if err != nil {
		first.listener.Close()
		first.abort()
		return nil, fmt.Errorf("%w (the HTTP address answers certificate challenges and redirects to HTTPS)", err)
	}
	return []*front{first, s.newFront(challenges, s.chain(certs.manager.HTTPHandler(s.redirect())))}, nil
}

func (s *server) newFront(l net.Listener, h http.Handler) *front {
	base, abort := context.WithCancel(context.Background())
	return &front{listener: l, http: s.httpServer(base, h), abort: abort}
}

// Listen opens an address. Its error says in one line what to do.
func Listen(addr string) (net.Listener, error) {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, listenError(addr, err)
	}
	return l, nil
}

// listenError says in one line what to do.
func listenError(addr string, err error) error {
	switch {
	case errors.Is(err, syscall.EACCES):
		return fmt.Errorf("cannot listen on %s: ports below 1024 need a privilege: run `setcap cap_net_bind_service=+ep` "+
			"on the daybook binary, give the service AmbientCapabilities=CAP_NET_BIND_SERVICE, or choose a higher port: %w",
			addr, err)
	case errors.Is(err, syscall.EADDRINUSE):
		return fmt.Errorf("cannot listen on %s: another program has this port: stop it or choose another address: %w", addr,
			err)
	case errors.Is(err, syscall.EADDRNOTAVAIL):
		return fmt.Errorf("cannot listen on %s: this machine has no such address: %w", addr, err)
	}
	return fmt.Errorf("cannot listen on %s: %w", addr, err)
}
