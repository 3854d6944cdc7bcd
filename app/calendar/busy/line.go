package busy

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"
)

// maxLine is how many bytes of an unfolded line are kept. Longer ones are attachments and descriptions as a rule; a
// line that matters and is longer isn't understood.
const maxLine = 256 << 10

// lines reads content lines and unfolds them (RFC 5545 §3.1).
type lines struct {
	r    *bufio.Reader
	line []byte // the last one, valid until the next is read
	cut  bool   // it was longer than maxLine
}

func newLines(r io.Reader) *lines {
	l := &lines{r: bufio.NewReaderSize(r, 32<<10)}
	if mark, err := l.r.Peek(3); err == nil && string(mark) == "\xef\xbb\xbf" {
		l.r.Discard(3)
	}
	return l
}

// next reads a line that isn't empty. io.EOF says that there is none; other errors are the reader's.
func (l *lines) next() error {
	for {
		l.line, l.cut = l.line[:0], false
		if err := l.physical(); err != nil && (!errors.Is(err, io.EOF) || len(l.line) == 0) {
			return err
		}
		for {
			first, err := l.r.Peek(1)
			if err != nil || first[0] != ' ' && first[0] != '\t' {
				break
			}
			l.r.Discard(1)
			if err := l.physical(); err != nil && !errors.Is(err, io.EOF) {
				return err
			}
		}
		if len(bytes.TrimSpace(l.line)) > 0 {
			return nil
		}
	}
}

// physical adds a line of the file, without its end.
func (l *lines) physical() error {
	for {
		part, err := l.r.ReadSlice('\n')
		whole := !errors.Is(err, bufio.ErrBufferFull)
		if whole {
			part = bytes.TrimSuffix(bytes.TrimSuffix(part, []byte("\n")), []byte("\r"))
		}
		if room := maxLine - len(l.line); len(part) > room {
			part, l.cut = part[:room], true
		}
		l.line = append(l.line, part...)
		if whole {
			return err
		}
	}
}

// property is a content line in its parts.
type property struct {
	name   string // in upper case, of those that are asked for; "" for others
	params []byte // with the semicolon before each
	value  []byte
}

// names are the properties that say anything about busy times.
var names = func() map[string]string {
	m := map[string]string{}
	for name := range strings.FieldsSeq(`BEGIN END METHOD UID DTSTART DTEND DURATION RRULE EXRULE RDATE EXDATE
		RECURRENCE-ID SEQUENCE DTSTAMP LAST-MODIFIED STATUS TRANSP ATTENDEE X-MICROSOFT-CDO-BUSYSTATUS FREEBUSY
		TZID TZOFFSETFROM TZOFFSETTO`) {
		m[name] = name
	}
	return m
}()

// property divides the line. Lines of other properties have no name, whatever they look like; it reports false for one
// of ours that can't be divided.
func (l *lines) property() (p property, ok bool) {
	end := 0
	for end < len(l.line) && isName(l.line[end]) {
		end++
	}
	var upper [32]byte
	if end == 0 || end > len(upper) {
		return p, true
	}
	for i, c := range l.line[:end] {
		if 'a' <= c && c <= 'z' {
			c -= 'a' - 'A'
		}
		upper[i] = c
	}
	p.name = names[string(upper[:end])]
	if p.name == "" {
		return p, true
	}
	if l.cut {
		return p, false
	}
	rest := l.line[end:]
	colon := -1
	switch p.name {
	case "DTSTART", "DTEND", "RDATE", "EXDATE", "RECURRENCE-ID", "FREEBUSY":
		// Their values have no colon, while some write TZID=(UTC+01:00) Berlin without quotes.
		colon = bytes.LastIndexByte(rest, ':')
	default:
		colon = firstOutside(rest, ':')
	}
	if colon < 0 || rest[0] != ':' && rest[0] != ';' {
		return p, false
	}
	p.params, p.value = rest[:colon], bytes.TrimSpace(rest[colon+1:])
	return p, true
}

func isName(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '-'
}

// firstOutside returns the place of the first c outside of double quotes, or -1.
func firstOutside(text []byte, c byte) int {
	quoted := false
	for i, b := range text {
		switch {
		case b == '"':
			quoted = !quoted
		case b == c && !quoted:
			return i
		}
	}
	return -1
}

// param returns the value of a parameter without its quotes, or "".
func (p property) param(name string) string {
	rest := p.params
	for len(rest) > 0 {
		rest = rest[1:] // the semicolon
		one := rest
		if end := firstOutside(rest, ';'); end >= 0 {
			one, rest = rest[:end], rest[end:]
		} else {
			rest = nil
		}
		if key, value, ok := bytes.Cut(one, []byte("=")); ok && strings.EqualFold(string(key), name) {
			return string(bytes.Trim(value, "\" "))
		}
	}
	return ""
}
