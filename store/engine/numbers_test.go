package engine_test

import (
	"math"
	"testing"

	"daybook/store/engine"
)

func TestNumbers(t *testing.T) {
	to := [4]int64{9, 9, 9, 9}
	nulls, err := engine.Numbers("-9223372036854775808,,9223372036854775807,0", to[:])
	if err != nil || nulls != 0b10 || to != [4]int64{math.MinInt64, 0, math.MaxInt64, 0} {
		t.Errorf("%b %v %v", nulls, to, err)
	}
	for _, wrong := range []string{"", "1", "1,2,3", "1,2,3,4,", "1,2,3,4,5", "1,2,3,x", "1,2,3,4.0", "1,2,3,9223372036854775808",
		"1,2,3, 4", "1;2;3;4"} {
		if _, err := engine.Numbers(wrong, to[:]); err == nil {
			t.Errorf("%q: %v", wrong, to)
		}
	}
}
