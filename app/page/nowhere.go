package page

import (
	"daybook/app/fault"
)

// nowhere handles every unknown path.
func nowhere(*visit) error { return &fault.Error{Code: fault.NotFound} }
