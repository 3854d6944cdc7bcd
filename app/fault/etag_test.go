package fault_test

import (
	"strings"
	"testing"

	"daybook/app/fault"
)

func TestCheckETag(t *testing.T) {
	one, other := fault.ETag(map[string]int{"a": 1}), fault.ETag(map[string]int{"a": 2})
	if one == other || one != fault.ETag(map[string]int{"a": 1}) {
		t.Fatal(one, other)
	}
	for header, ok := range map[string]bool{
		"": true, one: true, "*": true, other + ", " + one: true, other: false, "W/" + one: true, "W/" + other: false, `""`: false,
		fault.AnswerETag(one, []byte("{}")): true, fault.AnswerETag(other, []byte("{}")): false, "W/" + fault.AnswerETag(one, nil): true,
		other + ", *": false, ",": false, " , ": false, "," + one: true,
	} {
		if err := fault.CheckETag(header, one, "thing"); (err == nil) != ok || err != nil && !fault.Is(err, fault.PreconditionFailed) {
			t.Errorf("%s: %v", header, err)
		}
	}
}

// An empty header isn't none.
func TestETagHeader(t *testing.T) {
	for want, fields := range map[string][]string{"": nil, ",": {""}, `"a"`: {`"a"`}, `"a","b"`: {`"a"`, `"b"`}, `,"b"`: {"", `"b"`}} {
		if got := fault.ETagHeader(fields); got != want {
			t.Errorf("%q: %q, not %q", fields, got, want)
		}
	}
	if err := fault.CheckETag(fault.ETagHeader([]string{""}), `"a"`, "thing"); err == nil || !strings.Contains(err.Error(), "If-Match is empty") {
		t.Error(err)
	}
}
