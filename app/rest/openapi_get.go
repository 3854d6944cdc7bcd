package rest

import (
	"net/http"
	"reflect"
	"strconv"

	"daybook/app/fault"
	"daybook/app/rest/openapi"
)

// serveDocument answers GET /v1/openapi.json, to anybody.
func serveDocument(d *openapi.Document) http.HandlerFunc {
	text := d.JSON()
	length := strconv.Itoa(len(text))
	return func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h["Content-Type"] = jsonType
		h.Set("Cache-Control", "public, max-age=300")
		h.Set("Content-Length", length)
		w.Write(text) // the client may be gone
	}
}

// describeRoutes makes the document of the routes.
func describeRoutes(base, version string) *openapi.Document {
	described := make([]*openapi.Route, len(routes))
	for i := range routes {
		described[i] = &routes[i].Route
	}
	return openapi.Describe(openapi.API{
		Base: base, Prefix: prefix, Version: version, Routes: described, Names: documentNames,
		Errors: map[fault.Code]*fault.Error{errTooLarge.Code: errTooLarge, errNotJSON.Code: errNotJSON},
	})
}

// documentNames are the names of body types in the document, where those differ from their Go names.
var documentNames = map[reflect.Type]string{
	reflect.TypeFor[openSlots]():    "SlotList",
	reflect.TypeFor[bookBody]():     "BookingRequest",
	reflect.TypeFor[invitee]():      "InviteeRequest",
	reflect.TypeFor[cancelBody]():   "CancelRequest",
	reflect.TypeFor[moveBody]():     "RescheduleRequest",
	reflect.TypeFor[declineBody]():  "DeclineRequest",
	reflect.TypeFor[contactBody]():  "ContactRequest",
	reflect.TypeFor[newEndpoint]():  "NewWebhookEndpoint",
	reflect.TypeFor[endpointBody](): "WebhookEndpointRequest",
	reflect.TypeFor[eventList]():    "EventList",
}
