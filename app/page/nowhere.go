package page

import (
	"daybook/app/fault"
)

// nowhere is every address that leads to nothing.
func nowhere(*visit) error { return &fault.Error{Code: fault.NotFound} }
