package calsync

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"sync"

	"daybook/app/catalog"
)

// The most readings that have large responses of calendars' servers in memory at once. One of 16 MB takes some 20 MB
// until its events are saved.
const (
	maxReadings     = 4         // of the process
	maxReadingsEach = 2         // of a workspace
	little          = 256 << 10 // bytes that a reading may have read without a place
)

// reading has what is asked of one account. It takes a place when it has read more than a little, and keeps it until
// end, also while it waits for more of the answer or for another one: what came before is in memory. A server that says
// little holds none, and one that drips a long answer holds one of its workspace's, for as long as a reading may take.
type reading struct {
	service *Service
	of      catalog.WorkspaceID

	mu   sync.Mutex
	read int    // bytes, since the beginning or end
	done func() // nil without a place
}

type readingKey struct{}

// reading begins one of the workspace's. What is asked within the context is part of it.
func (s *Service) reading(ctx context.Context, of catalog.WorkspaceID) (context.Context, *reading) {
	r := &reading{service: s, of: of}
	return context.WithValue(ctx, readingKey{}, r), r
}

// Apart returns a context in which requests take no place. It is for short responses for which readings that have a
// place are waiting.
func Apart(ctx context.Context) context.Context {
	return context.WithValue(ctx, readingKey{}, (*reading)(nil))
}

// more counts bytes that were read, and waits for a place when they are more than a little. The error is ErrBusy, or
// that of ctx.
func (r *reading) more(ctx context.Context, n int) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.read += n; r.read <= little {
		return nil
	}
	return r.take(ctx)
}

// take waits for a place, for most of what a person waits, unless the reading has one. r.mu is held.
func (r *reading) take(ctx context.Context) error {
	if r.done != nil {
		return nil
	}
	wait := r.service.patience() * 3 / 4
	late, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	done, err := r.service.places.Take(late, r.of)
	if err != nil && ctx.Err() == nil {
		return fmt.Errorf("%w: none of %d places within %s", ErrBusy, maxReadings, wait)
	}
	r.done = done
	return err
}

// end gives the place back, once what was read is saved or no longer needed. The reading may go on, and take another.
func (r *reading) end() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.read = 0
	if r.done != nil {
		r.done()
		r.done = nil
	}
}

// placed has the answers to a reading's requests take its place when they are read.
type placed struct{ http.RoundTripper }

func (p placed) RoundTrip(q *http.Request) (*http.Response, error) {
	a, err := p.RoundTripper.RoundTrip(q)
	if r, _ := q.Context().Value(readingKey{}).(*reading); r != nil && err == nil && a.Body != http.NoBody {
		a.Body = &placedBody{a.Body, q.Context(), r}
	}
	return a, err
}

type placedBody struct {
	io.ReadCloser
	ctx     context.Context
	reading *reading
}

func (b *placedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if late := b.reading.more(b.ctx, n); late != nil {
		return 0, late
	}
	return n, err
}
