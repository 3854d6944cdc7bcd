package setup

import (
	_ "embed"
)

// Example is the reference of set-up files: one with every field, explained.
//
//go:embed setup_example.yaml
var Example string
