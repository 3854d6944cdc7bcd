package serve

import "strings"

// redact is a path that may stand in a log. Of the paths that carry a token
// only the first segment stays; elsewhere long segments go unless they are
// resource ids, which open nothing by themselves.
func redact(path string) string {
	first, rest, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	if rest != "" && tokenRoots[first] {
		return "/" + first + "/…"
	}
	if len(path) > 200 {
		path = path[:200] + "…"
	}
	for segment := range strings.SplitSeq(path, "/") {
		if len(segment) >= longSegment && !isResourceID(segment) {
			path = strings.ReplaceAll(path, segment, "…")
		}
	}
	return path
}

// longSegment is shorter than any token worth guessing.
const longSegment = 20

var tokenRoots = map[string]bool{
	"booking": true, "bookings": true, "calendar": true, "calendars": true, "setup": true, "login": true,
	"reset": true, "password": true, "invite": true, "confirm": true, "verify": true,
	".well-known": true,
}

// isResourceID says whether s is <kind>_<lower-case letters and digits> of a
// kind that contract §2 lists.
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
