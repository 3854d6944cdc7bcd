package etag_test

import (
	"strings"
	"testing"

	"daybook/app/etag"
	"daybook/app/fault"
)

func TestCheck(t *testing.T) {
	one, other := etag.Of(map[string]int{"a": 1}), etag.Of(map[string]int{"a": 2})
	if one == other || one != etag.Of(map[string]int{"a": 1}) {
		t.Fatal(one, other)
	}
	for header, ok := range map[string]bool{
		"": true, one: true, "*": true, other + ", " + one: true, other: false, "W/" + one: false, `""`: false,
		other + ", *": false, ",": false, " , ": false, "," + one: true,
	} {
		if err := etag.Check(header, one, "thing"); (err == nil) != ok || err != nil && !fault.Is(err, fault.PreconditionFailed) {
			t.Errorf("%s: %v", header, err)
		}
	}
}

// An empty header isn't none.
func TestHeader(t *testing.T) {
	for want, fields := range map[string][]string{"": nil, ",": {""}, `"a"`: {`"a"`}, `"a","b"`: {`"a"`, `"b"`}, `,"b"`: {"", `"b"`}} {
		if got := etag.Header(fields); got != want {
			t.Errorf("%q: %q, not %q", fields, got, want)
		}
	}
	if err := etag.Check(etag.Header([]string{""}), `"a"`, "thing"); err == nil || !strings.Contains(err.Error(), "If-Match is empty") {
		t.Error(err)
	}
}
