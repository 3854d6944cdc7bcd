package app

import _ "embed"

// Contract is contract.md, in Markdown.
//
//go:embed contract.md
var Contract string
