package cli

import (
	"strings"

	"daybook/app/fault"
)

// blame turns the Service's refusal of a field into wrong usage of the flag or argument that the field came from;
// pairs are field and flag in turn. Any other error stays what it is.
func blame(err error, pairs ...string) error {
	e := fault.As(err)
	if e == nil || e.Code != fault.BadRequest {
		return err
	}
	for i := 0; i+1 < len(pairs); i += 2 {
		if e.Field == pairs[i] {
			return usage("%s %s", pairs[i+1], strings.TrimPrefix(e.Message, e.Field+": "))
		}
	}
	return err
}
