package etag_test

import (
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
	} {
		if err := etag.Check(header, one, "thing"); (err == nil) != ok || err != nil && !fault.Is(err, fault.PreconditionFailed) {
			t.Errorf("%s: %v", header, err)
		}
	}
}
