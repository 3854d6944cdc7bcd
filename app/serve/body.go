package serve

import (
	"errors"
	"io"
	"net/http"
	"os"
	"sync/atomic"
	"time"

	"daybook/app/fault"
)

// What bodies of requests may take while they come in. Anybody can begin one and never end it.
const (
	// freeBody is how much of a body is taken without a place among the large ones: every form that people fill in is
	// shorter.
	freeBody = 16 << 10
	// maxBodies is how much of all bodies together, behind their first freeBody bytes, is held at a time. Uploads, which
	// have places of their own (Upload), don't count.
	maxBodies = 32 << 20
	// uploadPace is the least speed of an upload, in bytes a second, behind the time that Limits.Upload gives it. One that
	// was fast is given no more than twice that time, so that it can't stop for minutes just before its end.
	uploadPace = 32 << 10
)

// errSlow is what a door reads of a body that stopped coming. Whatever it answers then is 408, see answer.WriteHeader.
var errSlow = fault.New(fault.BadRequest, "incomplete_body",
	"The rest of the request did not come in time. Please send it again.")

// errManyBodies is what a door reads of a large body while too many others are coming in.
var errManyBodies = fault.New(fault.Unavailable, "busy",
	"Too many large requests are coming in. Try again in a few seconds.").With("retryAfter", 5)

// bodies counts what is held of all bodies of a server.
type bodies struct{ counted atomic.Int64 }

// body is the body of a request as the doors read it: bounded together with all others, and its end known.
type body struct {
	io.ReadCloser
	of      *bodies
	read    int64
	counted int64 // counted in of
	slow    bool  // it did not come in time
	full    bool  // there was no room
	paced   *http.ResponseController
	due     time.Time // when more of it must have come
	slack   time.Duration
	end     time.Time
}

func (b *body) Read(p []byte) (int, error) {
	if b.full {
		return 0, errManyBodies
	}
	if b.paced != nil {
		for _, latest := range []time.Time{time.Now().Add(b.slack), b.end} {
			if b.due.After(latest) {
				b.due = latest
			}
		}
		b.paced.SetReadDeadline(b.due) //nolint:errcheck // a writer without deadlines is fine
	}
	n, err := b.ReadCloser.Read(p)
	b.read += int64(n)
	b.due = b.due.Add(time.Duration(n) * time.Second / uploadPace)
	if more := b.read - freeBody - b.counted; more > 0 && b.paced == nil {
		b.counted += more
		if b.of.counted.Add(more) > maxBodies {
			b.release()
			b.full = true
			return 0, errManyBodies
		}
	}
	if err != nil && errors.Is(err, os.ErrDeadlineExceeded) {
		b.slow = true
		err = errSlow
	}
	return n, err
}

// release gives back what is counted.
func (b *body) release() {
	b.of.counted.Add(-b.counted)
	b.counted = 0
}
