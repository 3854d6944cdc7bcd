package app

import (
	"daybook/app/id"
)

// The ids of Daybook's resources, and the kinds that give each its prefix.
type (
	WorkspaceID   = id.ID[workspaceKind]
	HostID        = id.ID[hostKind]
	EventTypeID   = id.ID[eventTypeKind]
	BookingID     = id.ID[bookingKind]
	ContactID     = id.ID[contactKind]
	KeyID         = id.ID[keyKind]
	UserID        = id.ID[userKind]
	EventID       = id.ID[eventKind]
	EndpointID    = id.ID[endpointKind]
	DeliveryID    = id.ID[deliveryKind]
	PaymentID     = id.ID[paymentKind]
	MailID        = id.ID[mailKind]
	FeedID        = id.ID[feedKind]
	workspaceKind struct{ id.Few }
	hostKind      struct{ id.Few }
	eventTypeKind struct{ id.Few }
	keyKind       struct{ id.Few }
	userKind      struct{ id.Few }
	endpointKind  struct{ id.Few }
	bookingKind   struct{ id.Many }
	contactKind   struct{ id.Many }
	eventKind     struct{ id.Many }
	deliveryKind  struct{ id.Many }
	paymentKind   struct{ id.Many }
	mailKind      struct{ id.Many }
	feedKind      struct{ id.Many }
)

func (workspaceKind) Prefix() string { return "ws_" }
func (hostKind) Prefix() string      { return "hs_" }
func (eventTypeKind) Prefix() string { return "et_" }
func (bookingKind) Prefix() string   { return "bk_" }
func (contactKind) Prefix() string   { return "ct_" }
func (keyKind) Prefix() string       { return "key_" }
func (userKind) Prefix() string      { return "us_" }
func (eventKind) Prefix() string     { return "evt_" }
func (endpointKind) Prefix() string  { return "wh_" }
func (deliveryKind) Prefix() string  { return "dl_" }
func (paymentKind) Prefix() string   { return "pay_" }
func (mailKind) Prefix() string      { return "ml_" }
func (feedKind) Prefix() string      { return "fd_" }
