package serve

import "math/rand/v2"

// requestID gives the request its id, in X-Request-Id and for RequestID. An id
// from a trusted proxy is kept, if it has up to 128 letters, digits and ._:-;
// any other is replaced.
func (s *server) requestID(next step) step {
	return func(e *requestState) {
		if e.trusted {
			e.id = safeID(e.r.Header.Get("X-Request-Id"))
		}
		if e.id == "" {
			e.id = newID()
		}
		e.idValue[0] = e.id
		e.answer.Header()["X-Request-Id"] = e.idValue[:]
		next(e)
	}
}

func safeID(id string) string {
	if len(id) > 128 {
		return ""
	}
	for i := range len(id) {
		switch c := id[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9':
		case c == '.', c == '_', c == '-', c == ':':
		default:
			return ""
		}
	}
	return id
}

// newID is req_ and 64 bits at random in thirteen characters.
func newID() string {
	const digits = "0123456789abcdefghjkmnpqrstvwxyz"
	var b [4 + 13]byte
	copy(b[:], "req_")
	r := rand.Uint64()
	for i := 4; i < len(b); i++ {
		b[i], r = digits[r&31], r>>5
	}
	return string(b[:])
}
