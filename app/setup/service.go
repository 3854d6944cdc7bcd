// Package setup reads, compares, applies and writes set-up files: a workspace's hosts, hours, resources, event types and
// products as one YAML or JSON document. Errors name the line of the file.
//
//	setup.go     Parse; patch.go: what a file says about one thing; *_read.go: the values of its fields
//	yaml_*.go    the text, YAML or JSON, as a tree with lines, and back; value.go: reading its values; position.go: the
//	             line of a path
//	apply.go     ApplySetup, with *_apply.go for hosts, resources, event types and products; report.go: what it changed
//	calendars.go other calendars of hosts and resources, whose secrets the file says where to find
//	text_sender.go through what texts are sent, likewise
//	export.go    ExportSetup
package setup

import (
	"daybook/app"
	"daybook/app/calsync"
	"daybook/app/shop"
	"daybook/app/text"
)

type (
	// Reader is what the Service reads from the store: the same as the subject of what is set up.
	Reader = shop.Reader
	// Tx is what the Service uses of a transaction: the same as that subject.
	Tx = shop.Tx
)

// Service holds the rules of the subject.
type Service struct {
	app.Subject[Reader, Tx]
	calendars *calsync.Service
	texts     *text.Service
}

// New returns the Service over a core.
func New(core *app.Service, c *calsync.Service, t *text.Service) *Service {
	return &Service{app.Subject[Reader, Tx]{Core: core}, c, t}
}

// In returns the Service within a transaction, see app.Service.In.
func (s *Service) In(tx app.Tx) *Service { return New(s.Core.In(tx), s.calendars, s.texts) }
