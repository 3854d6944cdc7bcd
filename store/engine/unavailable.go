package engine

import "daybook/app/fault"

// retryAfter is how many seconds who was told that the database is unavailable shall wait.
const retryAfter = 1

// Unavailable is cause for who asks: the database can't be reached or has too much to do, nothing was done, and trying
// again in a moment may go well. It is a *fault.Error too, so that callers learn that and no more. It must not be the
// error of a commit whose outcome nobody knows.
func Unavailable(cause error) error {
	e := &fault.Error{Code: fault.Unavailable, Reason: "database",
		Message: "The database can't be reached or is overloaded right now, so nothing was done. Try again in a moment."}
	return &unavailable{cause, e.With("retryAfter", retryAfter)}
}

type unavailable struct {
	cause error
	told  *fault.Error
}

func (u *unavailable) Error() string   { return u.cause.Error() }
func (u *unavailable) Unwrap() []error { return []error{u.cause, u.told} }
