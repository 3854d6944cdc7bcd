// Package apptest is what the tests of the core, the subjects and the doors share: a salon in a database of its own, on
// the engine that is tested, with a clock that the test sets. Only tests import it.
//
// What a package needs besides goes into its world_test.go, around a *Salon. A browser is in apptest/browser, and what
// else isn't written in Go in apptest/outside.
package apptest
