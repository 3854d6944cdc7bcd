package record

import (
	"reflect"

	"daybook/app/catalog"
	"daybook/app/cost"
	"daybook/app/field"
	"daybook/app/notice"
	"daybook/app/offer"
)

// Described holds the description of each resource of this package and of catalog that callers see, by its type.
var Described = map[reflect.Type]*field.Resource{
	reflect.TypeFor[catalog.EventType](): &catalog.EventTypeFields,
	reflect.TypeFor[offer.Question]():    &offer.QuestionFields,
	reflect.TypeFor[catalog.HostRef]():   &catalog.HostRefFields,
	reflect.TypeFor[offer.AddOn]():       &offer.AddOnFields,
	reflect.TypeFor[offer.AddOnGroup]():  &offer.AddOnGroupFields,
	reflect.TypeFor[catalog.Deposit]():   &catalog.DepositFields,
	reflect.TypeFor[offer.Where]():       &offer.WhereFields,
	reflect.TypeFor[notice.Words]():      &notice.WordsFields,
	reflect.TypeFor[offer.Limits]():      &offer.LimitsFields,
	reflect.TypeFor[BookedAddOn]():       &BookedAddOnFields,
	reflect.TypeFor[BookedWhere]():       &BookedWhereFields,
	reflect.TypeFor[cost.Money]():        &cost.MoneyFields,
	reflect.TypeFor[Booking]():           &BookingFields,
	reflect.TypeFor[Invitee]():           &InviteeFields,
	reflect.TypeFor[Payment]():           &PaymentFields,
	reflect.TypeFor[CounterPayment]():    &CounterPaymentFields,
	reflect.TypeFor[Cancellation]():      &CancellationFields,
	reflect.TypeFor[NoShowRecord]():      &NoShowFields,
	reflect.TypeFor[Fee]():               &FeeFields,
	reflect.TypeFor[Contact]():           &ContactFields,
}
