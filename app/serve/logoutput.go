package serve

import (
	"io"
	"sync"
)

// LogOutput is the writer to put under a slog handler. It writes each line at
// once, but the access lines of a batch in one write.
type LogOutput struct {
	mu        sync.Mutex
	w         io.Writer
	gathering bool
	buf       []byte
}

// NewLogOutput writes to w, one writer at a time.
func NewLogOutput(w io.Writer) *LogOutput { return &LogOutput{w: w} }

func (o *LogOutput) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.gathering {
		return o.w.Write(p)
	}
	if o.buf = append(o.buf, p...); len(o.buf) >= 64<<10 {
		o.empty()
	}
	return len(p), nil
}

func (o *LogOutput) gather() {
	o.mu.Lock()
	o.gathering = true
	o.mu.Unlock()
}

func (o *LogOutput) release() {
	o.mu.Lock()
	o.gathering = false
	o.empty()
	o.mu.Unlock()
}

func (o *LogOutput) empty() {
	if len(o.buf) > 0 {
		o.w.Write(o.buf) //nolint:errcheck // nowhere to report it
		o.buf = o.buf[:0]
	}
}
