package rest

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"

	"daybook/app"
	"daybook/app/account"
	"daybook/app/fault"
	"daybook/app/rest/openapi"
	"daybook/app/subjects"
)

// Call is a request that the door has admitted: its key is known and counted, its query and body are read.
type Call interface {
	Context() context.Context
	Actor() app.Actor
	Key() account.Key
	Path(name string) string    // a part of the path, such as id
	Text(name string) string    // a query parameter, or ""
	Number(name string) *int    // a query parameter, or nil
	Flag(name string) bool      // a query parameter
	Decode(into any) error      // the body; the error is bad_request
	Match() string              // the header If-Match, or ""
	Address(path string) string // of a resource of the API, for Location
}

// Route is one operation: its description and its handler.
type Route struct {
	openapi.Route
	Handle func(*subjects.Set, Call) (app.Response, error)
}

// Routes returns the operations, in the order of the document, by tag.
func Routes() []Route {
	return []Route{
		getMe,
		createEventType, changeEventType, retireEventType,
		listHosts, createHost, getHost, changeHost, retireHost,
		listOverrides, setOverride, deleteOverride, listTimeOff, giveTimeOff, endTimeOff,
		listResources, createResource, getResource, changeResource, retireResource,
		listProducts, createProduct, getProduct, changeProduct, deleteProduct,
		changeContact, deleteContact, mergeContacts, listContactFields, setContactFields,
		changeEndpoint, deleteEndpoint, testEndpoint, rotateSecret,
		listDeliveries, getDelivery, redeliver,
		listPayments, getPayment, getAccounts, changeAccounts,
		listMembers, inviteMember, getMember, changeMember, removeMember, inviteAgain,
		getAnalytics,
	}
}

// respond returns an answer with the JSON of v, or the error if there is one.
func respond(status int, v any, err error) (app.Response, error) {
	if err != nil {
		return app.Response{}, err
	}
	text, err := json.Marshal(v)
	return app.Response{Status: status, Body: text}, err
}

// tagged returns a 200 with the JSON of v and its version, or the error if there is one.
func tagged(v any, version string, err error) (app.Response, error) {
	a, err := respond(http.StatusOK, v, err)
	if err == nil {
		a.ETag = version
	}
	return a, err
}

// created returns a 201 with the JSON of v and where it is.
func created(v any, at, version string, err error) (app.Response, error) {
	a, err := tagged(v, version, err)
	if err == nil {
		a.Status, a.Location = http.StatusCreated, at
	}
	return a, err
}

var gone = app.Response{Status: http.StatusNoContent}

// bare takes what a rule calls the resource (such as "host.") from the fields of an error and from its messages: in a
// body they stand by themselves.
func bare(err error, resource string) error {
	e := fault.As(err)
	if e == nil || e.Field == "" && len(e.Parts) == 0 && len(e.Others) == 0 {
		return err
	}
	all := e.Parts
	if len(all) == 0 {
		all = append([]*fault.Error{e}, e.Others...)
	}
	var wrong fault.Problems
	for _, part := range all {
		own := *part
		own.Others, own.Parts = nil, nil
		own.Field = strings.TrimPrefix(own.Field, resource)
		wrong.Add(&own)
	}
	return wrong.Err()
}

const ifMatch = "The `ETag` of the resource as you know it: what was changed by somebody else since is left as it is."

// changed returns the error of a change whose If-Match names an older version.
func changed(what string) openapi.Error {
	return openapi.Error{Code: fault.PreconditionFailed,
		Text: "The " + what + " has changed since the version in `If-Match`, or that is empty."}
}

// lacks returns the error of a key without the area.
func lacks(area string) openapi.Error {
	return openapi.Error{Code: fault.Forbidden, Text: "The key is read-only, or it lacks the area `" + area + "`."}
}

func missing(what string) openapi.Error {
	return openapi.Error{Code: fault.NotFound, Text: "There is no such " + what + " in the workspace."}
}
