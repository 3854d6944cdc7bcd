package engine

import (
	"errors"
	"log/slog"

	"daybook/app/fault"
)

// retryAfter is how many seconds who was told that the database is unavailable shall wait.
const retryAfter = 1

// Unavailable is cause for who asks: the database can't be reached or has too much to do, nothing was done, and trying
// again in a moment may go well. It is a *fault.Error too, so that callers learn that and no more. It must not be the
// error of a commit whose outcome nobody knows.
func Unavailable(cause error) error {
	e := fault.New(fault.Unavailable, "database",
		"The database can't be reached or is overloaded right now, so nothing was done. Try again in a moment.")
	return &unavailable{cause, e.With("retryAfter", retryAfter)}
}

// Uncertain is cause for who asks, where the connection was lost amid a commit: nobody knows whether it was done. It is a
// *fault.Error too, so that callers learn that. Who was given an Idempotency-Key can ask again, and gets the answer of
// the first time if it was.
func Uncertain(cause error) error {
	e := fault.New(fault.Unavailable, "uncertain", "The connection to the database was lost at the last moment, so this may "+
		"have been done or not. Look before you try again, or repeat it with the same Idempotency-Key.")
	return &unavailable{cause, e.With("retryAfter", retryAfter)}
}

type unavailable struct {
	cause error
	told  *fault.Error
}

func (u *unavailable) Error() string   { return u.cause.Error() }
func (u *unavailable) Unwrap() []error { return []error{u.cause, u.told} }

// Full tells the log and the callers of Write that the database has no room left. The zero value is ready.
type Full struct{ said fault.Seldom }

// Unavailable is the function of that name for a cause that is a lack of room, which it logs at most once a minute.
func (f *Full) Unavailable(cause error, log *slog.Logger) error {
	if repeated, say := f.said.Say(errNoSpace); say {
		log.Error("nothing can be saved: the database has no room left", "error", cause, "repeated", repeated, "action",
			"make room on its disk")
	}
	return Unavailable(fault.Logged(cause))
}

var errNoSpace = errors.New("no room left")
