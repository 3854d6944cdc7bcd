package catalog

import (
	"daybook/app/id"
)

// The ids of this package's types, and the kinds that give each its prefix.
type (
	WorkspaceID     = id.ID[WorkspaceIDKind]
	HostID          = id.ID[HostIDKind]
	EventTypeID     = id.ID[EventTypeIDKind]
	EndpointID      = id.ID[EndpointIDKind]
	PictureID       = id.ID[PictureIDKind]
	ResourceID      = id.ID[ResourceIDKind]
	ProductID       = id.ID[ProductIDKind]
	WorkspaceIDKind struct{ id.Few }
	HostIDKind      struct{ id.Few }
	EventTypeIDKind struct{ id.Few }
	EndpointIDKind  struct{ id.Few }
	PictureIDKind   struct{ id.Few }
	ResourceIDKind  struct{ id.Few }
	ProductIDKind   struct{ id.Few }
)

func (WorkspaceIDKind) Prefix() string { return "ws_" }
func (HostIDKind) Prefix() string      { return "hs_" }
func (EventTypeIDKind) Prefix() string { return "et_" }
func (EndpointIDKind) Prefix() string  { return "wh_" }
func (PictureIDKind) Prefix() string   { return "pic_" }
func (ResourceIDKind) Prefix() string  { return "rs_" }
func (ProductIDKind) Prefix() string   { return "pd_" }
