package store

import (
	"testing"

	"daybook/store/enginetest"
)

// open is a fresh store on the engine that is tested.
func open(t testing.TB) *Store {
	t.Helper()
	return New(enginetest.Open(t))
}

// plan is SQLite's plan of a query, a step a line.
func plan(t *testing.T, s *Store, query string, args []any) string {
	t.Helper()
	return enginetest.Plan(t, s.Engine, query, args...)
}
