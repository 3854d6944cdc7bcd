package console

import (
	"errors"
	"fmt"
	"strings"

	"daybook/app/fault"
)

// usageError is wrong usage: a mistake on the command line, or in an environment variable that stands for a flag.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// Usagef is an error about wrong usage, after which the program exits with 2.
func Usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// IsUsage reports whether the error is about wrong usage. Cobra's own errors are: it makes them before a command runs.
func IsUsage(err error) bool {
	var u usageError
	var c commandError
	return errors.As(err, &u) || !errors.As(err, &c)
}

// commandError marks an error that a command returned.
type commandError struct{ error }

func (e commandError) Unwrap() error { return e.error }

// OneLine returns an error's text without line breaks.
func OneLine(err error) string { return strings.Join(strings.Fields(err.Error()), " ") }

// NameFlags makes wrong usage of an error about a field, and names the flag or argument that the field came from; pairs
// are field and flag in turn. It returns any other error unchanged.
func NameFlags(err error, pairs ...string) error {
	e := fault.As(err)
	if e == nil || e.Code != fault.BadRequest {
		return err
	}
	for i := 0; i+1 < len(pairs); i += 2 {
		if e.Field == pairs[i] {
			return Usagef("%s %s", pairs[i+1], e.Text())
		}
	}
	return err
}
