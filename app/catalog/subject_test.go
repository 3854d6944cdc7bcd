package catalog

import (
	"slices"
	"testing"
)

// What two transactions both lock they lock in one order, once: hosts first, each kind by its ids.
func TestLocksHaveOneOrder(t *testing.T) {
	l := Locks{OfResource(2), OfHost(9), OfResource(1)}.And(Locks{OfHost(3), OfResource(2), OfHost(4)})
	given := slices.Clone(l)
	got, want := l.Without(Locks{OfHost(4)}), Locks{OfHost(3), OfHost(9), OfResource(1), OfResource(2)}
	if !slices.Equal(got, want) {
		t.Errorf("locked in the order %v, not %v", got, want)
	}
	if !slices.Equal(l, given) {
		t.Errorf("the locks given have become %v", l)
	}
	if !l.Without(l).None() {
		t.Error("what is locked is locked again")
	}
}
