package booking

import (
	"strings"

	"daybook/app/id"
)

// The ids of this package's types, and the kinds that give each its prefix.
type (
	BookingID        = id.ID[BookingIDKind]
	ContactID        = id.ID[ContactIDKind]
	EventID          = id.ID[EventIDKind]
	DeliveryID       = id.ID[DeliveryIDKind]
	PaymentID        = id.ID[PaymentIDKind]
	ReceiptID        = id.ID[ReceiptIDKind]
	PassID           = id.ID[PassIDKind]
	SaleID           = id.ID[SaleIDKind]
	HoldID           = id.ID[HoldIDKind]
	InvitationID     = id.ID[InvitationIDKind]
	VisitID          = id.ID[VisitIDKind]
	SeriesID         = id.ID[SeriesIDKind]
	WaitID           = id.ID[WaitIDKind]
	WaitJobID        = id.ID[WaitJobIDKind]
	BookingIDKind    struct{ id.Many }
	ContactIDKind    struct{ id.Many }
	EventIDKind      struct{ id.Many }
	DeliveryIDKind   struct{ id.Many }
	PaymentIDKind    struct{ id.Many }
	ReceiptIDKind    struct{ id.Many }
	PassIDKind       struct{ id.Many }
	SaleIDKind       struct{ id.Many }
	HoldIDKind       struct{ id.Many }
	InvitationIDKind struct{ id.Many }
	VisitIDKind      struct{ id.Many }
	SeriesIDKind     struct{ id.Many }
	WaitIDKind       struct{ id.Many }
	WaitJobIDKind    struct{ id.Many }
)

// WholeID returns the booking id in text, which may lack its prefix; "" if text is none.
func WholeID(text string) string {
	prefix := BookingIDKind{}.Prefix()
	whole := prefix + strings.TrimPrefix(strings.TrimSpace(text), prefix)
	if _, err := id.Parse[BookingIDKind](whole); err != nil {
		return ""
	}
	return whole
}

func (BookingIDKind) Prefix() string    { return "bk_" }
func (ContactIDKind) Prefix() string    { return "ct_" }
func (EventIDKind) Prefix() string      { return "evt_" }
func (DeliveryIDKind) Prefix() string   { return "dl_" }
func (PaymentIDKind) Prefix() string    { return "pay_" }
func (ReceiptIDKind) Prefix() string    { return "rc_" }
func (PassIDKind) Prefix() string       { return "pass_" }
func (SaleIDKind) Prefix() string       { return "sa_" }
func (HoldIDKind) Prefix() string       { return "hd_" }
func (InvitationIDKind) Prefix() string { return "inv_" }
func (VisitIDKind) Prefix() string      { return "vi_" }
func (SeriesIDKind) Prefix() string     { return "sr_" }
func (WaitIDKind) Prefix() string       { return "wl_" }
func (WaitJobIDKind) Prefix() string    { return "wj_" }
