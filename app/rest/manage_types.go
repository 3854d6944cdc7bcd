package rest

import (
	"maps"
	"reflect"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/contact"
	"daybook/app/fault"
	"daybook/app/field"
	"daybook/app/payment"
	"daybook/app/report"
	"daybook/app/rest/openapi"
	"daybook/app/webhook"
	"daybook/app/when"
)

// NewEndpoint is an endpoint with its secret.
type NewEndpoint struct {
	ID        catalog.EndpointID  `json:"id"`
	URL       string              `json:"url"`
	Events    []catalog.EventKind `json:"events"`
	Secret    string              `json:"secret"`
	Enabled   bool                `json:"enabled"`
	CreatedAt when.Instant        `json:"createdAt"`
}

// NewEndpointOf returns the endpoint as it is answered.
func NewEndpointOf(e webhook.NewEndpoint) NewEndpoint {
	return NewEndpoint{e.ID, e.URL, e.Events, e.Secret, e.Enabled, e.CreatedAt}
}

// Types returns the types that several routes share, that are answered, or that are parts of others, with their names in
// the document and what it says of them. A body that one route takes is described beside it.
func Types() map[reflect.Type]openapi.Type {
	all := map[reflect.Type]openapi.Type{
		reflect.TypeFor[TimeOffEntry]():             {Name: "TimeOffEntry", Fields: &timeOffEntryFields},
		reflect.TypeFor[fault.Page[TimeOffEntry]](): {Name: "TimeOffList", Fields: PageOf("times off")},

		reflect.TypeFor[Me]():        {Name: "Me", Fields: &meFields},
		reflect.TypeFor[Workspace](): {Name: "Workspace", Fields: &workspaceFields},
		reflect.TypeFor[MyKey]():     {Name: "Key", Fields: &myKeyFields},
		reflect.TypeFor[Limits]():    {Name: "KeyLimits", Fields: &limitsFields},

		reflect.TypeFor[catalog.ContactField](): {Name: "ContactField", Fields: &catalog.ContactFieldFields},

		reflect.TypeFor[contactCard]():    {Name: "ContactCard", Fields: &contactCardFields},
		reflect.TypeFor[usualEventType](): {Name: "EventTypeRef", Fields: &usualEventTypeFields},
		reflect.TypeFor[contact.Entry]():  {Name: "ContactEntry", Fields: &contact.EntryFields},
		reflect.TypeFor[contact.Author](): {Name: "Author", Fields: &contact.AuthorFields},
		reflect.TypeFor[contact.File]():   {Name: "ContactFile", Fields: &contact.FileFields},

		reflect.TypeFor[contact.Consent]():     {Name: "ContactConsent", Fields: &contact.ConsentFields},
		reflect.TypeFor[contact.HealthEntry](): {Name: "ContactHealth", Fields: &contact.HealthFields},

		reflect.TypeFor[catalog.Product](): {Name: "Product", Fields: &catalog.ProductFields},

		reflect.TypeFor[catalog.Accounts]():       {Name: "Accounts", Fields: &catalog.AccountsFields},
		reflect.TypeFor[catalog.RevenueAccount](): {Name: "RevenueAccount", Fields: &catalog.RevenueAccountFields},

		reflect.TypeFor[NewEndpoint]():                  {Name: "NewWebhookEndpoint", Fields: &webhook.NewEndpointFields},
		reflect.TypeFor[payment.Record]():               {Name: "OnlinePayment", Fields: &paymentFields},
		reflect.TypeFor[fault.Page[webhook.Delivery]](): {Name: "DeliveryList", Fields: PageOf("deliveries")},
		reflect.TypeFor[Member]():                       {Name: "Member", Fields: &memberFields},
		reflect.TypeFor[NewMember]():                    {Name: "NewMember", Fields: &newMemberFields},
		reflect.TypeFor[report.Analytics]():             {Name: "Analytics", Fields: &analyticsFields},
		reflect.TypeFor[report.EventTypeFigures]():      {Name: "EventTypeFigures", Fields: &typeFiguresFields},
		reflect.TypeFor[report.DayFigures]():            {Name: "DayFigures", Fields: &dayFiguresFields},
		reflect.TypeFor[report.HostFigures]():           {Name: "HostFigures", Fields: &hostFiguresFields},
		reflect.TypeFor[report.HostDayFigures]():        {Name: "HostDayFigures", Fields: &hostDayFiguresFields},
		reflect.TypeFor[report.MethodRevenue]():         {Name: "MethodRevenue", Fields: &methodFields},
		reflect.TypeFor[report.Totals]():                {As: zero(totals)},
	}
	maps.Copy(all, bodies)
	return all
}

// PageOf describes a page of such things.
func PageOf(things string) *field.Resource {
	return &field.Resource{Text: "A page of " + things + ".", Fields: []field.Field{
		{Name: "data", Text: "The " + things + "."},
		{Name: "hasMore", Text: "Whether there is another page."},
		{Name: "nextCursor", Text: "The `cursor` of the next page; null on the last."},
		{Name: "hint", Text: "What to ask instead, where the list is empty for a reason that is easily missed."},
	}}
}

var paymentFields = field.Resource{
	Text: "A payment through the payment provider.",
	Fields: []field.Field{
		{Name: "id", Text: "Identifier of the payment.", Example: "pay_1p4s8ywa0g0m3"},
		{Name: "bookingId", Text: "Id of the booking that is paid."},
		{Name: "kind", Text: "What is paid: the price, a deposit on it, or a fee.", Enum: field.Values(payment.Kinds...)},
		{Name: "for", Text: "What the money is for, in the words of a booking's `payment`: the `price`, a `deposit` on it, or a `fee`.",
			Enum: field.Values(booking.Purposes...)},
		{Name: "attempt", Text: "The how many-th of its kind it is for the booking."},
		{Name: "status", Text: "Where it stands: what was paid stays `paid` when it goes back.",
			Enum: field.Values(booking.PaymentStatuses...)},
		{Name: "amount", Text: "In minor units."},
		{Name: "currency", Text: "ISO 4217 code."},
		{Name: "refundedAmount", Text: "How much went back, as the provider has confirmed, in minor units."},
		{Name: "refunding", Text: "How much is on its way back, in minor units."},
		{Name: "dispute", Text: "The provider's word for how a dispute stands."},
		{Name: "error", Text: "Why it, or its refund, failed."},
		{Name: "paidAt", Text: "When it was paid; null while it is not.", Null: true},
		{Name: "createdAt", Text: "When it was begun."},
	},
}
