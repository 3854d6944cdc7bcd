package serve

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"strconv"
	"strings"
	"sync"
)

// compress packs pages, assets and the answers of the API with gzip for clients that accept it; doors write them
// uncompressed. An answer is not packed when it is a stream (flushed before it has packSize bytes), small, packed
// already, part of a file, or of a type that is not in packedTypes. JSON is packed under /api only: there a caller is
// known by a header, which no page of another site can make a browser send, so nobody can have answers with secrets
// beside texts of their own made in a browser to measure their length (BREACH).
func (s *server) compress(next step) step {
	return func(e *requestState) {
		p := packers.Get().(*packer)
		p.ResponseWriter, p.r = e.answer.ResponseWriter, e.r
		e.answer.ResponseWriter = p
		defer func() {
			e.answer.ResponseWriter = p.ResponseWriter
			p.release()
		}()
		next(e)
		p.finish()
		if p.state == packing {
			e.answer.bytes = p.sent
		}
	}
}

const packSize = 1000 // bytes: less fits into one packet, with its head

var packedTypes = map[string]bool{
	"text/html": true, "text/css": true, "text/javascript": true, "text/plain": true, "text/csv": true,
	"text/calendar": true, "image/svg+xml": true, "application/yaml": true, "application/manifest+json": true,
	"text/markdown": true,
}

type packState int

const (
	unknown  packState = iota // no head yet
	waiting                   // the head is held until there are packSize bytes
	unpacked                  // sent as it is
	packing
)

// packer is the ResponseWriter below an answer.
type packer struct {
	http.ResponseWriter
	r      *http.Request
	state  packState
	status int
	kept   bytes.Buffer // while waiting, less than packSize
	zip    *gzip.Writer // while packing
	sent   int64
}

var (
	packers = sync.Pool{New: func() any { return new(packer) }}
	zips    = sync.Pool{New: func() any {
		z, _ := gzip.NewWriterLevel(nil, 4)
		return z
	}}
)

func (p *packer) release() {
	if p.zip != nil {
		p.zip.Reset(nil)
		zips.Put(p.zip)
	}
	kept := p.kept
	kept.Reset()
	*p = packer{kept: kept}
	packers.Put(p)
}

// Unwrap is for http.ResponseController.
func (p *packer) Unwrap() http.ResponseWriter { return p.ResponseWriter }

func (p *packer) WriteHeader(status int) {
	if status < 200 && status != http.StatusSwitchingProtocols {
		p.ResponseWriter.WriteHeader(status)
		return
	}
	h := p.Header()
	p.status = status
	if !p.packable(h) {
		if status == http.StatusNotModified { // it has no type, and says what the whole answer would
			addVary(h)
		}
		p.start(unpacked)
		return
	}
	addVary(h)
	small := false
	if n, err := strconv.Atoi(h.Get("Content-Length")); err == nil {
		small = n < packSize
	}
	switch {
	case small || !takesGzip(p.r.Header.Values("Accept-Encoding")):
		p.start(unpacked)
	case p.r.Method == http.MethodHead:
		h.Del("Content-Length") // unknown without packing the body
		p.start(unpacked)
	default:
		p.state = waiting
	}
}

// start sends the head and sets the state.
func (p *packer) start(state packState) {
	p.state = state
	if state == packing {
		h := p.Header()
		h.Del("Content-Length")
		h.Set("Content-Encoding", "gzip")
		if tag := h.Get("Etag"); strings.HasPrefix(tag, `"`) {
			h.Set("Etag", "W/"+tag) // the same content in other bytes
		}
	}
	p.ResponseWriter.WriteHeader(p.status)
}

func (p *packer) Write(b []byte) (int, error) {
	switch p.state {
	case unknown:
		p.WriteHeader(http.StatusOK)
		return p.Write(b)
	case waiting:
		if p.kept.Len()+len(b) < packSize {
			return p.kept.Write(b)
		}
		if err := p.pack(); err != nil {
			return 0, err
		}
		return p.zip.Write(b)
	case packing:
		return p.zip.Write(b)
	}
	return p.ResponseWriter.Write(b)
}

// pack starts packing, with the bytes that were held.
func (p *packer) pack() error {
	p.start(packing)
	p.zip = zips.Get().(*gzip.Writer)
	p.zip.Reset(packedBytes{p})
	_, err := p.zip.Write(p.kept.Bytes())
	return err
}

// packedBytes is what the gzip writer writes to.
type packedBytes struct{ *packer }

func (p packedBytes) Write(b []byte) (int, error) {
	n, err := p.ResponseWriter.Write(b)
	p.sent += int64(n)
	return n, err
}

func (p *packer) Flush() {
	switch p.state {
	case unknown:
		p.WriteHeader(http.StatusOK)
		p.Flush()
		return
	case waiting:
		p.start(unpacked)
		p.ResponseWriter.Write(p.kept.Bytes()) //nolint:errcheck // the client has left
	case packing:
		p.zip.Flush() //nolint:errcheck
	}
	http.NewResponseController(p.ResponseWriter).Flush() //nolint:errcheck // a writer that can't has nothing to flush
}

// finish sends the rest.
func (p *packer) finish() {
	switch p.state {
	case waiting:
		p.start(unpacked)
		p.ResponseWriter.Write(p.kept.Bytes()) //nolint:errcheck // the client has left
	case packing:
		p.zip.Close() //nolint:errcheck
	}
}

func (p *packer) packable(h http.Header) bool {
	kind, _, _ := strings.Cut(h.Get("Content-Type"), ";")
	packed := packedTypes[kind] || kind == "application/json" && strings.HasPrefix(p.r.URL.Path, "/api/")
	return packed && h.Get("Content-Encoding") == "" && h.Get("Content-Range") == "" &&
		!strings.Contains(h.Get("Cache-Control"), "no-transform")
}

// addVary tells caches that the answer depends on Accept-Encoding.
func addVary(h http.Header) {
	if vary := strings.Join(h.Values("Vary"), ", "); vary == "" {
		h.Set("Vary", "Accept-Encoding")
	} else if vary != "*" && !strings.Contains(strings.ToLower(vary), "accept-encoding") {
		h.Set("Vary", vary+", Accept-Encoding")
	}
}

// takesGzip reads Accept-Encoding by RFC 9110: the weight of gzip counts before that of *, weight 0 refuses, and
// identity with a greater weight is preferred.
func takesGzip(headers []string) bool {
	weights := map[string]float64{}
	for _, header := range headers {
		for part := range strings.SplitSeq(header, ",") {
			coding, params, _ := strings.Cut(part, ";")
			if coding = strings.ToLower(strings.TrimSpace(coding)); coding == "x-gzip" {
				coding = "gzip"
			}
			weights[coding] = weight(params)
		}
	}
	gzip, named := weights["gzip"]
	if !named {
		gzip = weights["*"]
	}
	return gzip > 0 && gzip >= weights["identity"]
}

// weight returns the q of a coding: 1 when it has none, 0 when it is not a number from 0 to 1.
func weight(params string) float64 {
	for param := range strings.SplitSeq(params, ";") {
		name, value, _ := strings.Cut(param, "=")
		if strings.EqualFold(strings.TrimSpace(name), "q") {
			q, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
			if err != nil || !(q >= 0 && q <= 1) {
				return 0
			}
			return q
		}
	}
	return 1
}
