package booking

import (
	"reflect"

	"daybook/app/catalog"
	"daybook/app/field"
	"daybook/app/money"
)

// Described holds the description of each resource of this package and of catalog that callers see, by its type.
var Described = map[reflect.Type]*field.Resource{
	reflect.TypeFor[catalog.EventType]():   &catalog.EventTypeFields,
	reflect.TypeFor[catalog.Question]():    &catalog.QuestionFields,
	reflect.TypeFor[catalog.HostRef]():     &catalog.HostRefFields,
	reflect.TypeFor[catalog.ResourceRef](): &catalog.ResourceRefFields,
	reflect.TypeFor[catalog.Need]():        &catalog.NeedFields,
	reflect.TypeFor[catalog.Part]():        &catalog.PartFields,
	reflect.TypeFor[catalog.Requirement](): &catalog.RequirementFields,
	reflect.TypeFor[BookedPart]():          &BookedPartFields,
	reflect.TypeFor[catalog.AddOn]():       &catalog.AddOnFields,
	reflect.TypeFor[catalog.AddOnGroup]():  &catalog.AddOnGroupFields,
	reflect.TypeFor[catalog.Deposit]():     &catalog.DepositFields,
	reflect.TypeFor[catalog.Where]():       &catalog.WhereFields,
	reflect.TypeFor[catalog.MailWords]():   &catalog.MailWordsFields,
	reflect.TypeFor[catalog.TextWords]():   &catalog.TextWordsFields,
	reflect.TypeFor[Texts]():               &TextsFields,
	reflect.TypeFor[TextsInput]():          &TextsInputFields,
	reflect.TypeFor[catalog.Limits]():      &catalog.LimitsFields,
	reflect.TypeFor[BookedAddOn]():         &BookedAddOnFields,
	reflect.TypeFor[BookedWhere]():         &BookedWhereFields,
	reflect.TypeFor[money.Money]():         &money.MoneyFields,
	reflect.TypeFor[Booking]():             &BookingFields,
	reflect.TypeFor[VisitRef]():            &VisitRefFields,
	reflect.TypeFor[ImportedRef]():         &ImportedRefFields,
	reflect.TypeFor[ContactRef]():          &ContactRefFields,
	reflect.TypeFor[Invitee]():             &InviteeFields,
	reflect.TypeFor[Payment]():             &PaymentFields,
	reflect.TypeFor[CounterPayment]():      &CounterPaymentFields,
	reflect.TypeFor[PassUse]():             &PassUseFields,
	reflect.TypeFor[Cancellation]():        &CancellationFields,
	reflect.TypeFor[NoShowRecord]():        &NoShowFields,
	reflect.TypeFor[Fee]():                 &FeeFields,
	reflect.TypeFor[Contact]():             &ContactFields,
}
