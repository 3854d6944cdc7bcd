package app

import (
	"daybook/app/id"
)

// The ids of what a business offers, and the kinds that give each its prefix.
type (
	WorkspaceID     = id.ID[WorkspaceIDKind]
	HostID          = id.ID[HostIDKind]
	EventTypeID     = id.ID[EventTypeIDKind]
	EndpointID      = id.ID[EndpointIDKind]
	WorkspaceIDKind struct{ id.Few }
	HostIDKind      struct{ id.Few }
	EventTypeIDKind struct{ id.Few }
	EndpointIDKind  struct{ id.Few }
)

func (WorkspaceIDKind) Prefix() string { return "ws_" }
func (HostIDKind) Prefix() string      { return "hs_" }
func (EventTypeIDKind) Prefix() string { return "et_" }
func (EndpointIDKind) Prefix() string  { return "wh_" }

// The ids of what is kept of bookings, and the kinds that give each its prefix.
type (
	BookingID      = id.ID[BookingIDKind]
	ContactID      = id.ID[ContactIDKind]
	EventID        = id.ID[EventIDKind]
	DeliveryID     = id.ID[DeliveryIDKind]
	PaymentID      = id.ID[PaymentIDKind]
	BookingIDKind  struct{ id.Many }
	ContactIDKind  struct{ id.Many }
	EventIDKind    struct{ id.Many }
	DeliveryIDKind struct{ id.Many }
	PaymentIDKind  struct{ id.Many }
)

func (BookingIDKind) Prefix() string  { return "bk_" }
func (ContactIDKind) Prefix() string  { return "ct_" }
func (EventIDKind) Prefix() string    { return "evt_" }
func (DeliveryIDKind) Prefix() string { return "dl_" }
func (PaymentIDKind) Prefix() string  { return "pay_" }

// The ids of who asks, and the kinds that give each its prefix.
type (
	KeyID      = id.ID[KeyIDKind]
	UserID     = id.ID[UserIDKind]
	KeyIDKind  struct{ id.Few }
	UserIDKind struct{ id.Few }
)

func (KeyIDKind) Prefix() string  { return "key_" }
func (UserIDKind) Prefix() string { return "us_" }

// MailID names a mail.
type MailID = id.ID[MailIDKind]

// MailIDKind gives ids of mails their prefix.
type MailIDKind struct{ id.Many }

func (MailIDKind) Prefix() string { return "ml_" }

// FeedID names a feed.
type FeedID = id.ID[FeedIDKind]

// FeedIDKind gives ids of feeds their prefix.
type FeedIDKind struct{ id.Many }

func (FeedIDKind) Prefix() string { return "fd_" }
