package calsync_test

import (
	"testing"

	"daybook/app/calsync"
)

// A reading that found no place is told of and tried again, and is no failure of its server.
func TestNoPlaceIsNoFailure(t *testing.T) {
	b := newBed(t)
	b.connect()
	read := func(fails error) calsync.Connection {
		t.Helper()
		b.server.with(func() { b.server.fails = fails })
		c, err := b.Calendars.ReadCalendars(t.Context(), b.Owner, b.connection.ID.String())
		b.Must(err)
		return c
	}
	c := read(calsync.ErrBusy)
	if c.State != calsync.OK || c.Problem != calsync.Crowded || c.Tries != 0 || c.FailedAt != 0 {
		t.Errorf("%s, problem %q, %d tries", c.State, c.Problem, c.Tries)
	}
	for _, k := range c.Calendars {
		if k.Problem != "" {
			t.Errorf("the calendar %s has the problem %q", k.Remote, k.Problem)
		}
	}
	failed := read(calsync.ErrNotFound)
	if again := read(calsync.ErrBusy); again.State != failed.State || again.Problem != failed.Problem || again.Tries != 1 {
		t.Errorf("after %s: %s, problem %q, %d tries", failed.Problem, again.State, again.Problem, again.Tries)
	}
	if c = read(nil); c.State != calsync.OK || c.Problem != "" {
		t.Errorf("in the end: %s, problem %q", c.State, c.Problem)
	}
}
