package rest

import (
	"encoding/json"
	"maps"
	"net/http"
	"reflect"
	"strconv"
	"sync"
	"time"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/counter"
	"daybook/app/fault"
	"daybook/app/invitation"
	"daybook/app/pass"
	"daybook/app/picture"
	"daybook/app/rest/openapi"
	"daybook/app/subjects"
	"daybook/app/waitlist"
	"daybook/app/webhook"
)

// serveDocument answers GET /v1/openapi.json, which needs no key. Pages of other sites may read it, such as viewers. The
// times of its examples lie ahead.
func serveDocument(d *openapi.Document, now func() time.Time) http.HandlerFunc {
	written := d.JSON()
	var mu sync.Mutex
	weeks, text, version := -1, written, ""
	shown := func() ([]byte, string) {
		mu.Lock()
		defer mu.Unlock()
		if n := openapi.Weeks(now()); n != weeks {
			weeks, text = n, openapi.Ahead(written, n)
			version = fault.ETag(json.RawMessage(text))
		}
		return text, version
	}
	return func(w http.ResponseWriter, r *http.Request) {
		text, version := shown()
		h := w.Header()
		h.Set("Access-Control-Allow-Origin", "*")
		h.Set("Cache-Control", "public, max-age=300")
		h.Set("Etag", version)
		if unchanged(r.Header.Values("If-None-Match"), version) {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		h["Content-Type"] = jsonType
		h.Set("Content-Length", strconv.Itoa(len(text)))
		w.Write(text) // the client may be gone
	}
}

// describeRoutes makes the document of the routes.
func describeRoutes(base, version string) *openapi.Document {
	types := Types()
	maps.Copy(types, documentTypes)
	maps.Copy(types, PublicTypes())
	described := make([]*openapi.Route, len(routes))
	for i := range routes {
		r := &routes[i].Route
		if described[i] = r; r.BodyType.Name != "" {
			types[reflect.TypeOf(r.Body)] = r.BodyType
		}
		for _, s := range r.Successes {
			if s.Lists != "" {
				types[reflect.TypeOf(s.Body)] = openapi.Type{Fields: PageOf(s.Lists)}
			}
		}
	}
	return openapi.Describe(openapi.API{
		Base: base, Prefix: prefix, Version: version, Routes: described, Types: types,
		DryRun: subjects.DryRun{},
		Errors: map[fault.Code]*fault.Error{errTooLarge.Code: errTooLarge, errNotJSON.Code: errNotJSON},
	})
}

// documentTypes are the types of bodies whose name in the document differs from their Go name, with the descriptions
// of those that booking.Described lacks.
var documentTypes = map[reflect.Type]openapi.Type{
	reflect.TypeFor[openSlots]():                 {Name: "SlotList"},
	reflect.TypeFor[eventList]():                 {Name: "EventList"},
	reflect.TypeFor[webhook.Endpoint]():          {Name: "WebhookEndpoint", Fields: &webhook.EndpointFields},
	reflect.TypeFor[webhook.Delivery]():          {Name: "WebhookDelivery", Fields: &webhook.DeliveryFields},
	reflect.TypeFor[invitee]():                   {Name: "InviteeRequest", Fields: &booking.InviteeInputFields},
	reflect.TypeFor[booking.CancelInput]():       {Name: "CancelRequest", Fields: &booking.CancelInputFields},
	reflect.TypeFor[booking.EditInvitee]():       {Name: "InviteePatchRequest", Fields: &booking.EditInviteeFields},
	reflect.TypeFor[picture.Picture]():           {Name: "Picture", Fields: &catalog.PictureFields},
	reflect.TypeFor[app.Hold]():                  {Name: "Hold", Fields: &app.HoldFields},
	reflect.TypeFor[booking.VisitItem]():         {Name: "VisitItemRequest", Fields: &booking.VisitItemFields},
	reflect.TypeFor[booking.Visit]():             {Name: "Visit", Fields: &booking.VisitFields},
	reflect.TypeFor[booking.VisitRef]():          {Name: "VisitRef", Fields: &booking.VisitRefFields},
	reflect.TypeFor[booking.SeriesRepeat]():      {Name: "SeriesRepeat", Fields: &booking.SeriesRepeatFields},
	reflect.TypeFor[booking.SeriesPlace]():       {Name: "SeriesDateRequest", Fields: &booking.SeriesPlaceFields},
	reflect.TypeFor[booking.Series]():            {Name: "Series", Fields: &booking.SeriesFields},
	reflect.TypeFor[booking.SeriesDate]():        {Name: "SeriesDate", Fields: &booking.SeriesDateFields},
	reflect.TypeFor[booking.SeriesKept]():        {Name: "SeriesKept", Fields: &booking.SeriesKeptFields},
	reflect.TypeFor[booking.SeriesRef]():         {Name: "SeriesRef", Fields: &booking.SeriesRefFields},
	reflect.TypeFor[booking.PayLink]():           {Name: "PayLink", Fields: &booking.PayLinkFields},
	reflect.TypeFor[booking.Coming]():            {Name: "Coming", Fields: &booking.ComingFields},
	reflect.TypeFor[waitlist.Entry]():            {Name: "WaitlistEntry", Fields: &waitlist.Fields},
	reflect.TypeFor[waitlist.Offer]():            {Name: "WaitlistOffer", Fields: &waitlist.OfferFields},
	reflect.TypeFor[waitlist.Item]():             {Name: "WaitlistItem", Fields: &waitlist.ItemFields},
	reflect.TypeFor[waitlist.Wish]():             {Name: "WaitlistWish", Fields: &waitlist.WishFields},
	reflect.TypeFor[booking.ImportedRef]():       {Name: "ImportedRef", Fields: &booking.ImportedRefFields},
	reflect.TypeFor[booking.ContactRef]():        {Name: "ContactRef", Fields: &booking.ContactRefFields},
	reflect.TypeFor[invitation.Invitation]():     {Name: "Invitation", Fields: &invitation.Fields},
	reflect.TypeFor[invitation.Queued]():         {Name: "QueuedInvitation", Fields: &invitation.QueuedFields},
	reflect.TypeFor[queuedMail]():                {Name: "QueuedMail", Fields: &queuedMailFields},
	reflect.TypeFor[counter.SaleInput]():         {Name: "SaleRequest", Fields: &counter.SaleInputFields},
	reflect.TypeFor[counter.SaleLineInput]():     {Name: "SaleLineRequest", Fields: &counter.SaleLineInputFields},
	reflect.TypeFor[counter.SalePaymentInput]():  {Name: "SalePaymentRequest", Fields: &counter.SalePaymentInputFields},
	reflect.TypeFor[counter.SaleRefundPayment](): {Name: "SaleRefundPayment", Fields: &counter.SaleRefundPaymentFields},
	reflect.TypeFor[counter.Discount]():          {Name: "Discount", Fields: &counter.DiscountFields},
	reflect.TypeFor[counter.Sale]():              {Name: "Sale", Fields: &counter.SaleFields},
	reflect.TypeFor[counter.SaleLine]():          {Name: "SaleLine", Fields: &counter.SaleLineFields},
	reflect.TypeFor[counter.SalePayment]():       {Name: "SalePayment", Fields: &counter.SalePaymentFields},
	reflect.TypeFor[counter.SalePart]():          {Name: "SalePart", Fields: &counter.SalePartFields},
	reflect.TypeFor[counter.Receipt]():           {Name: "Receipt", Fields: &counter.ReceiptFields},
	reflect.TypeFor[counter.Ref]():               {Name: "ReceiptRef", Fields: &counter.RefFields},
	reflect.TypeFor[counter.Business]():          {Name: "ReceiptBusiness", Fields: &counter.BusinessFields},
	reflect.TypeFor[counter.Line]():              {Name: "ReceiptLine", Fields: &counter.LineFields},
	reflect.TypeFor[counter.TaxLine]():           {Name: "ReceiptTax", Fields: &counter.TaxLineFields},
	reflect.TypeFor[counter.Payment]():           {Name: "ReceiptPayment", Fields: &counter.PaymentFields},
	reflect.TypeFor[counter.Day]():               {Name: "Till", Fields: &counter.DayFields},
	reflect.TypeFor[counter.Taking]():            {Name: "TillTaking", Fields: &counter.TakingFields},
	reflect.TypeFor[counter.DayClose]():          {Name: "TillClose", Fields: &counter.CloseFields},
	reflect.TypeFor[subjects.DryRun]():           {Name: "DryRun", Fields: &subjects.DryRunFields},
	reflect.TypeFor[subjects.Told]():             {Name: "DryRunTold", Fields: &subjects.ToldFields},
	reflect.TypeFor[subjects.DryMoney]():         {Name: "DryRunMoney", Fields: &subjects.DryMoneyFields},

	reflect.TypeFor[pass.Pass]():         {Name: "Pass", Fields: &pass.Fields},
	reflect.TypeFor[pass.Entry]():        {Name: "PassEntry", Fields: &pass.EntryFields},
	reflect.TypeFor[booking.PassUse]():   {Name: "PassUse", Fields: &booking.PassUseFields},
	reflect.TypeFor[booking.PayWith]():   {Name: "PayWith", Fields: &booking.PayWithFields},
	reflect.TypeFor[catalog.PassTerms](): {Name: "PassTerms", Fields: &catalog.PassTermsFields},
	reflect.TypeFor[passCode]():          {Name: "ShownCode", Fields: &passCodeFields},
	reflect.TypeFor[receiptList]():       {Name: "ReceiptList"},
	reflect.TypeFor[bookingList]():       {Name: "BookingList"},
}
