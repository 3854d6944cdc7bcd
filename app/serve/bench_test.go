package serve_test

import (
	"io"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"syscall"
	"testing"

	"daybook/app/serve"
)

// The chain's price is /chain less /bare, with every access line formatted and
// written (to /dev/null, one write per batch).
//
//	CGO_ENABLED=0 go test -run '^$' -bench Chain -benchmem ./app/serve
func BenchmarkChain(b *testing.B) {
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		b.Fatal(err)
	}
	defer null.Close()
	out := serve.NewLogOutput(null)
	config := serve.Config{
		Logger: slog.New(slog.NewJSONHandler(out, nil)), LogOutput: out, Routes: oneRoute,
		TrustedProxies: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")},
	}
	chain, err := serve.Handler(config)
	if err != nil {
		b.Fatal(err)
	}
	config.LogOutput, config.Logger = nil, slog.New(slog.NewJSONHandler(null, nil))
	unbatched, _ := serve.Handler(config)
	config.Logger = nil
	unlogged, _ := serve.Handler(config)
	bare := http.NewServeMux()
	oneRoute(bare)
	proxied := http.Header{"X-Forwarded-For": {"203.0.113.9, 10.0.0.2"}, "X-Forwarded-Proto": {"https"}, "Accept": {"*/*"}}

	b.Run("bare", func(b *testing.B) { drive(b, bare, nil) })
	b.Run("chain", func(b *testing.B) { drive(b, chain, nil) })
	b.Run("chain-no-log", func(b *testing.B) { drive(b, unlogged, nil) })
	b.Run("chain-write-per-line", func(b *testing.B) { drive(b, unbatched, nil) })
	b.Run("chain-proxied", func(b *testing.B) { drive(b, chain, proxied) })
	b.Run("chain-parallel", func(b *testing.B) {
		b.ReportAllocs()
		b.RunParallel(func(pb *testing.PB) {
			w, r := exchangeOnce(nil)
			for pb.Next() {
				clear(w.h)
				chain.ServeHTTP(w, r)
			}
		})
	})
}

func oneRoute(mux *http.ServeMux) {
	contentType, body := []string{"application/json"}, []byte(`{"id":"bk_1"}`)
	mux.HandleFunc("GET /api/v1/bookings/{id}", func(w http.ResponseWriter, _ *http.Request) {
		w.Header()["Content-Type"] = contentType
		w.Write(body)
	})
}

func drive(b *testing.B, h http.Handler, header http.Header) {
	w, r := exchangeOnce(header)
	b.ReportAllocs()
	before := cpuTime()
	defer func() { b.ReportMetric(float64(cpuTime()-before)/float64(b.N), "cpu-ns/op") }()
	for b.Loop() {
		clear(w.h)
		for k, v := range header {
			r.Header[k] = v
		}
		h.ServeHTTP(w, r)
	}
}

// cpuTime is what this process has used, on all cores: unlike the clock it
// does not count the neighbours of a busy machine, and it does count the
// batches that are written beside the request.
func cpuTime() int64 {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return u.Utime.Nano() + u.Stime.Nano()
}

func exchangeOnce(header http.Header) (*nullWriter, *http.Request) {
	r := &http.Request{Method: "GET", URL: &url.URL{Path: "/api/v1/bookings/bk_1"}, Header: http.Header{"Accept": {"*/*"}},
		RemoteAddr: "127.0.0.1:50000", Host: "book.example.com", Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1}
	if header != nil {
		r.RemoteAddr = "10.1.2.3:50000"
	}
	return &nullWriter{h: http.Header{}}, r
}

// nullWriter is the cheapest ResponseWriter there is.
type nullWriter struct{ h http.Header }

func (w *nullWriter) Header() http.Header                 { return w.h }
func (w *nullWriter) WriteHeader(int)                     {}
func (w *nullWriter) Write(p []byte) (int, error)         { return len(p), nil }
func (w *nullWriter) WriteString(s string) (int, error)   { return len(s), nil }
func (w *nullWriter) ReadFrom(r io.Reader) (int64, error) { return io.Copy(io.Discard, r) }
