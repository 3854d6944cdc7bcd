// package setup reads, compares, applies and writes set-up files: a workspace's hosts, hours and event types as one
// YAML or JSON document. Errors name the line of the file. The package is a room and imports no other room.
//
//	setup.go     Parse; patch.go: what a file says about one thing; *_read.go: the values of its fields
//	node.go      YAML and JSON as a tree with lines; value.go: reading its values; position.go: the line of a path
//	apply.go     ApplySetup, with *_apply.go for hosts and event types; report.go: what it changed
//	calendars.go hosts' other calendars, whose secrets the file says where to find
//	export.go    ExportSetup; yaml.go: its text
package setup

import (
	"daybook/app"
	"daybook/app/catalog"
)

type (
	// Reader is the room's view of the store: the same as the core's.
	Reader = app.Reader
	// Tx is the room's view of a transaction: the same as the core's.
	Tx = app.Tx
)

// Calendars are the connections to hosts' other calendars that files list.
type Calendars interface {
	// Listed are those of a host, by name.
	Listed(r app.Reader, ws catalog.WorkspaceID, host catalog.HostID) ([]catalog.LinkedCalendar, error)
	// SetListed makes them those, which are checked; at is the place of a field of the ith in the file. The error is
	// bad_request.
	SetListed(tx app.Tx, ws catalog.WorkspaceID, host catalog.HostID, all []catalog.LinkedCalendar, look catalog.LinkedCalendarLook,
		at func(i int, field string) string) (catalog.LinkedCalendarOutcome, error)
}

// Service holds the room's rules.
type Service struct {
	app.Room[Reader, Tx]
	calendars Calendars
}

// New makes the room beside its core.
func New(core *app.Service, c Calendars) *Service {
	return &Service{app.Room[Reader, Tx]{Core: core}, c}
}

// In is the room within a transaction, see app.Service.In.
func (s *Service) In(tx app.Tx) *Service { return New(s.Core.In(tx), s.calendars) }
