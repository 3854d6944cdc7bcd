package busy

import (
	"daybook/app/slot"

	"errors"
	"fmt"
	"io"
	"strings"
	"time"
)

// The causes of Read's errors. Each is wrapped, with the UID of the event where there is one.
var (
	// ErrMalformed: the text is no calendar, or an event in it can't be understood.
	ErrMalformed = errors.New("the calendar can't be understood")
	// ErrTooMuch: a rule or the file needs more work or memory than is allowed.
	ErrTooMuch = errors.New("the calendar needs more work than is allowed")
)

// Span is a time in milliseconds since 1970; End isn't part of it.
type Span = slot.Span

// Event is all that a file says under one UID. Without UID, each component is an event of its own.
type Event struct {
	UID   string
	Spans []Span // busy times that reach into the window, whole, by start; none lies within another
	Seq   int    // SEQUENCE of the master
	Stamp int64  // when that was last changed, or else made into this text, in ms; 0 is unknown
	// The master itself, busy or not, in ms; of the first override in the file where there is no master. Both are 0 for
	// VFREEBUSY, and for free events that aren't understood.
	Start, End int64
}

// Options say whose calendar is read, and how much of it.
type Options struct {
	From, To int64          // the window in ms; To isn't part of it
	Zone     *time.Location // of floating times and all-day events, nil is UTC
	Self     []string       // the owner's e-mail addresses: invitations that one of them declined aren't busy
	Work     int            // what may be done for one file, in steps of about 20 ns; 0 is DefaultWork
}

// The bounds of a file. A single event may take an eighth of the work.
const (
	DefaultWork = 4_000_000
	maxEvents   = 50_000  // components
	maxSpans    = 100_000 // of all events: 126 a day in two years
	maxOwnSpans = 50_000  // of an event
	maxDates    = 500_000 // in EXDATE, RDATE and FREEBUSY
	maxZones    = 1_000   // TZIDs, and definitions
	maxOnsets   = 20_000  // parts of time zones
	maxDepth    = 16      // components within components
	maxProblems = 5       // that an error names
)

// Read returns the events of one file, in its order. When its error isn't nil, the events are those that could be read,
// and who needs to know all busy times must take the whole calendar as unknown: the error wraps ErrMalformed,
// ErrTooMuch or what r failed with. An event that fails is left out. The caller bounds the bytes of r; memory stays
// below a fixed multiple of them.
func Read(r io.Reader, o Options) ([]Event, error) {
	f := newFile(o)
	if err := f.read(newLines(r)); err != nil {
		return nil, err
	}
	return f.events()
}

// budget bounds the work of an event and of its file.
type budget struct{ file, event, spans, ownSpans int }

func (b *budget) spend(n int) error {
	b.file -= n
	b.event -= n
	if b.file < 0 || b.event < 0 {
		return ErrTooMuch
	}
	return nil
}

func (b *budget) span() error {
	b.spans--
	b.ownSpans--
	if b.spans < 0 || b.ownSpans < 0 {
		return fmt.Errorf("%w: too many busy times", ErrTooMuch)
	}
	return nil
}

// spent reports that nothing more of the file can be read.
func (b *budget) spent() bool { return b.file < 0 || b.spans < 0 }

// problems are the errors of a file's events, of which a few are kept.
type problems struct {
	first []error
	count int
}

func (p *problems) add(uid string, err error) {
	p.count++
	if len(p.first) < maxProblems {
		p.first = append(p.first, fmt.Errorf("event %q: %w", short(uid), err))
	}
}

func (p *problems) err() error {
	if p.count == 0 {
		return nil
	}
	return p
}

func (p *problems) Unwrap() []error { return p.first }

func (p *problems) Error() string {
	var texts []string
	for _, err := range p.first {
		texts = append(texts, err.Error())
	}
	if more := p.count - len(p.first); more > 0 {
		texts = append(texts, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(texts, "; ")
}
