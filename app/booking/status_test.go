package booking

import (
	"cmp"
	"maps"
	"slices"
	"testing"

	"daybook/app/contracttest"
)

// The contract's table of states is the state machine.
func TestContractStates(t *testing.T) {
	listed := contracttest.Map(t, "States", 1)
	var from []string
	for _, was := range append(slices.Clone(Statuses), "") {
		name := cmp.Or(string(was), "none")
		from = append(from, name)
		var next []string
		for _, s := range was.Next() {
			next = append(next, string(s))
		}
		contracttest.Same(t, "after "+name, listed[name], next)
	}
	contracttest.Same(t, "states", slices.Collect(maps.Keys(listed)), from)
}
