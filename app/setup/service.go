// package setup reads, compares, applies and writes set-up files: a workspace's hosts, hours and event types as one
// YAML or JSON document. Errors name the line of the file.
//
//	setup.go     Parse; patch.go: what a file says about one thing; *_read.go: the values of its fields
//	node.go      YAML and JSON as a tree with lines; value.go: reading its values; position.go: the line of a path
//	apply.go     ApplySetup, with *_apply.go for hosts and event types; report.go: what it changed
//	calendars.go hosts' other calendars, whose secrets the file says where to find
//	export.go    ExportSetup; yaml.go: its text
package setup

import (
	"daybook/app"
	"daybook/app/calsync"
)

type (
	// Reader is the room's view of the store: the same as the core's.
	Reader = app.Reader
	// Tx is the room's view of a transaction: the same as the core's.
	Tx = app.Tx
)

// Service holds the room's rules.
type Service struct {
	app.Room[Reader, Tx]
	calendars *calsync.Service
}

// New makes the room beside its core.
func New(core *app.Service, c *calsync.Service) *Service {
	return &Service{app.Room[Reader, Tx]{Core: core}, c}
}

// In is the room within a transaction, see app.Service.In.
func (s *Service) In(tx app.Tx) *Service { return New(s.Core.In(tx), s.calendars) }
