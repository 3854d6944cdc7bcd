package openapi

import (
	"daybook/app/availability"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/slot"
)

// ErrorDetails has the fields that `details` of an error may have.
type ErrorDetails struct {
	Reason       string                `json:"reason,omitempty"`
	Reasons      []slot.Reason         `json:"reasons,omitempty"`
	Field        string                `json:"field,omitempty"`
	Fields       []fault.Fault         `json:"fields,omitempty"`
	Alternatives []availability.Slot   `json:"alternatives,omitempty"`
	TimeZone     string                `json:"timeZone,omitempty"`
	OtherHosts   []catalog.HostRef     `json:"otherHosts,omitempty"`
	ReasonsOf    *catalog.HostRef      `json:"reasonsOf,omitempty"`
	Requires     []catalog.Requirement `json:"requires,omitempty"`
	BookingID    string                `json:"bookingId,omitempty"`
	SeriesID     string                `json:"seriesId,omitempty"`
	SaleID       string                `json:"saleId,omitempty"`
	PassID       string                `json:"passId,omitempty"`
	ContactID    string                `json:"contactId,omitempty"`
	EndsAt       string                `json:"endsAt,omitempty"`
	Left         int                   `json:"left,omitempty"`
	Dates        []booking.SeriesDate  `json:"dates,omitempty"`
	Status       booking.Status        `json:"status,omitempty"`
	RetryAfter   int                   `json:"retryAfter,omitempty"`
	MaxBytes     int                   `json:"maxBytes,omitempty"`
	Limit        int                   `json:"limit,omitempty"`
	Values       int                   `json:"values,omitempty"`
	URL          string                `json:"url,omitempty"`
	Key          string                `json:"key,omitempty"`
	Bits         int                   `json:"bits,omitempty"`
}
