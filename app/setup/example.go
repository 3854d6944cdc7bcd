package setup

import (
	_ "embed"
)

// Example is a set-up file with every field that there is, explained: its reference.
//
//go:embed setup_example.yaml
var Example string
