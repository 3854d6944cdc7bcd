package serve

import "strings"

// shownPath returns the path of a request as it may be logged, by the pattern that it matched: a segment that is a
// token or a file's name is left out.
func shownPath(pattern, path string) string {
	route := pattern[strings.IndexByte(pattern, ' ')+1:]
	if !strings.Contains(route, "{") {
		return redact(path)
	}
	if first, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/"); strings.HasPrefix(route, "/{") && tokenRoots[first] {
		return redact(path) // such as /t/code/, which no route with a {token} has
	}
	if strings.Count(route, "/") != strings.Count(path, "/") {
		return redact(path) // the pattern ends in {$} or {rest...}
	}
	shown := make([]byte, 0, 64)
	for more := true; more; {
		var name, segment string
		name, route, more = strings.Cut(route, "/")
		segment, path, _ = strings.Cut(path, "/")
		switch {
		case name == "{token}", name == "{file}":
			segment = "…"
		case strings.HasPrefix(name, "{"):
			segment = shownSegment(segment)
		}
		shown = append(shown, segment...)
		if more {
			shown = append(shown, '/')
		}
	}
	return cutPath(string(shown))
}

// redact returns the path of a request that matched no pattern, as it may be logged. Of paths that may hold a token
// only the first segment is kept; in others long segments are left out.
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
	if len(segment) >= longSegment {
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

// longSegment is shorter than any token worth guessing, and longer than any id of a resource (at most 17 characters).
const longSegment = 20

var tokenRoots = map[string]bool{
	"_i": true, "booking": true, "bookings": true, "calendar": true, "calendars": true, "setup": true, "login": true,
	"reset": true, "password": true, "invite": true, "confirm": true, "verify": true, "mail": true, "mails": true,
	".well-known": true, "t": true,
}
