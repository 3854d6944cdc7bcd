package page

import "daybook/app"

// nowhere is every address that leads to nothing.
func nowhere(*visit) error { return &app.Error{Code: app.NotFound} }
