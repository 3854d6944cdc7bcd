package serve

import "strings"

// shownPath is the path of a request that the pattern matched, as it may stand in a log: what is in the place of a
// token or a file's name is left out, whatever it looks like.
func shownPath(pattern, path string) string {
	route := pattern[strings.IndexByte(pattern, ' ')+1:]
	if !strings.Contains(route, "{") {
		return redact(path)
	}
	names, segments := strings.Split(route, "/"), strings.Split(path, "/")
	if len(names) != len(segments) {
		return redact(path) // the pattern ends in {$} or {rest...}
	}
	for i, name := range names {
		switch {
		case name == "{token}", name == "{file}":
			segments[i] = "…"
		case strings.HasPrefix(name, "{"):
			segments[i] = shownSegment(segments[i])
		}
	}
	return cutPath(strings.Join(segments, "/"))
}

// redact is a path that nothing is known of, as it may stand in a log. Of the paths that carry a token
// only the first segment stays; elsewhere long segments go unless they are
// resource ids, which open nothing by themselves.
func redact(path string) string {
	first, rest, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	if rest != "" && tokenRoots[first] {
		return "/" + first + "/…"
	}
	segments := strings.Split(path, "/")
	for i, segment := range segments {
		segments[i] = shownSegment(segment)
	}
	return cutPath(strings.Join(segments, "/"))
}

func shownSegment(segment string) string {
	if len(segment) >= longSegment && !isResourceID(segment) {
		return "…"
	}
	return segment
}

func cutPath(path string) string {
	if len(path) > 200 {
		return path[:200] + "…"
	}
	return path
}

// longSegment is shorter than any token worth guessing.
const longSegment = 20

var tokenRoots = map[string]bool{
	"booking": true, "bookings": true, "calendar": true, "calendars": true, "setup": true, "login": true,
	"reset": true, "password": true, "invite": true, "confirm": true, "verify": true, "mail": true, "mails": true,
	".well-known": true,
}

// isResourceID says whether s is <kind>_<lower-case letters and digits> of a
// kind that ids have.
func isResourceID(s string) bool {
	kind, rest, ok := strings.Cut(s, "_")
	switch kind {
	case "bk", "et", "ct", "hs", "key", "wh", "evt", "dl", "pay", "ws":
	default:
		return false
	}
	for i := range len(rest) {
		if c := rest[i]; (c < 'a' || c > 'z') && (c < '0' || c > '9') {
			return false
		}
	}
	return ok && len(rest) <= 40
}
