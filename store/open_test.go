package store

import "testing"

// OpenTest opens a fresh database with Daybook's schema on the engine that is tested. engine_test.go sets it: engines
// import this package, so its own tests can't import them.
var OpenTest func(testing.TB) Engine

// open is a fresh store on the engine that is tested.
func open(t testing.TB) *Store {
	t.Helper()
	return New(OpenTest(t))
}
