package page

import (
	"daybook/app/fault"
)

// nowhere handles every unknown path.
func nowhere(*call) error { return &fault.Error{Code: fault.NotFound} }
