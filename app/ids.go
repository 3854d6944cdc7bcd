package app

import (
	"daybook/app/id"
)

// The ids of Daybook's resources, and the kinds that give each its prefix.
type (
	WorkspaceID     = id.ID[WorkspaceIDKind]
	HostID          = id.ID[HostIDKind]
	EventTypeID     = id.ID[EventTypeIDKind]
	BookingID       = id.ID[BookingIDKind]
	ContactID       = id.ID[ContactIDKind]
	KeyID           = id.ID[KeyIDKind]
	UserID          = id.ID[UserIDKind]
	EventID         = id.ID[EventIDKind]
	EndpointID      = id.ID[EndpointIDKind]
	DeliveryID      = id.ID[DeliveryIDKind]
	PaymentID       = id.ID[PaymentIDKind]
	MailID          = id.ID[MailIDKind]
	FeedID          = id.ID[FeedIDKind]
	WorkspaceIDKind struct{ id.Few }
	HostIDKind      struct{ id.Few }
	EventTypeIDKind struct{ id.Few }
	KeyIDKind       struct{ id.Few }
	UserIDKind      struct{ id.Few }
	EndpointIDKind  struct{ id.Few }
	BookingIDKind   struct{ id.Many }
	ContactIDKind   struct{ id.Many }
	EventIDKind     struct{ id.Many }
	DeliveryIDKind  struct{ id.Many }
	PaymentIDKind   struct{ id.Many }
	MailIDKind      struct{ id.Many }
	FeedIDKind      struct{ id.Many }
)

func (WorkspaceIDKind) Prefix() string { return "ws_" }
func (HostIDKind) Prefix() string      { return "hs_" }
func (EventTypeIDKind) Prefix() string { return "et_" }
func (BookingIDKind) Prefix() string   { return "bk_" }
func (ContactIDKind) Prefix() string   { return "ct_" }
func (KeyIDKind) Prefix() string       { return "key_" }
func (UserIDKind) Prefix() string      { return "us_" }
func (EventIDKind) Prefix() string     { return "evt_" }
func (EndpointIDKind) Prefix() string  { return "wh_" }
func (DeliveryIDKind) Prefix() string  { return "dl_" }
func (PaymentIDKind) Prefix() string   { return "pay_" }
func (MailIDKind) Prefix() string      { return "ml_" }
func (FeedIDKind) Prefix() string      { return "fd_" }
