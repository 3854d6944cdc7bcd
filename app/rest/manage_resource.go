package rest

import (
	"net/http"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/rest/openapi"
	"daybook/app/setup"
	"daybook/app/subjects"
)

func resourceVersion(r *catalog.Resource) string { return fault.ETag(setup.ResourceObject(r)) }

var resourceTaken = openapi.Error{Code: fault.Conflict,
	Text: "`details.reason` is `name_taken`: another resource has it, in upper or lower case."}

var listResources = Route{openapi.Route{
	Method: http.MethodGet, Path: "/v1/resources", ID: "listResources", Tag: "Resources",
	Summary: "List resources",
	Text: "Lists the rooms, chairs and equipment that bookings take besides their host, the oldest first, with their " +
		"hours and time off.",
	Params:    []openapi.Param{openapi.Limit(50), openapi.Cursor},
	Successes: []openapi.Success{{Status: 200, Text: "A page of resources.", Body: zero(resourcePage)}},
	Errors:    []openapi.Error{noSettings},
}, func(s *subjects.Set, c Call) (app.Response, error) {
	resources, err := s.Shop.Resources(c.Actor())
	if err != nil {
		return app.Response{}, err
	}
	page, err := pageBy(fault.List{"resources"}, resources, c, func(r *catalog.Resource) []int64 { return []int64{int64(r.ID)} })
	shown := objectList{[]setup.Object{}, page.HasMore, page.NextCursor}
	for i := range page.Data {
		shown.Data = append(shown.Data, setup.ResourceObject(&page.Data[i]))
	}
	return respond(http.StatusOK, shown, err)
}}

var getResource = Route{openapi.Route{
	Method: http.MethodGet, Path: "/v1/resources/{id}", ID: "getResource", Tag: "Resources",
	Summary:   "Retrieve a resource",
	Text:      "Answers one resource with its hours and time off, in the shapes of a set-up file.",
	Successes: []openapi.Success{{Status: 200, Text: "The resource.", Body: zero(resourceDetails), ETag: true}},
	Errors:    []openapi.Error{missing("resource"), noSettings},
}, func(s *subjects.Set, c Call) (app.Response, error) {
	return respondResource(s.Shop.Resource(c.Actor(), c.Path("id")))
}}

// respondResource returns a 200 with a resource, or the error without the rules' word for it.
func respondResource(r catalog.Resource, err error) (app.Response, error) {
	if err != nil {
		return app.Response{}, bare(err, "resource.")
	}
	return tagged(setup.ResourceObject(&r), resourceVersion(&r), nil)
}

var createResource = Route{openapi.Route{
	Method: http.MethodPost, Path: "/v1/resources", ID: "createResource", Tag: "Resources",
	Summary: "Create a resource",
	Text: "Adds a room, a chair or a piece of equipment, switched on. It is one thing: six chairs are six resources. The " +
		"fields are those of a set-up file: `kind` is `room` and the zone is the workspace's when they are left out, and " +
		"a resource without `weekly` and `overrides` can be used at any time. Event types name what they need: change " +
		"their `needs`.",
	Body:        zero(resourceBody),
	BodyExample: map[string]any{"name": "Basin 1", "kind": "equipment"},
	Successes: []openapi.Success{{Status: 201, Text: "The new resource.", Body: zero(resourceDetails), ETag: true,
		Location: "The new resource."}},
	Errors: []openapi.Error{wrong, lacks("settings"), {Code: fault.Conflict,
		Text: resourceTaken.Text + " Or `too_many_resources`."}},
}, func(s *subjects.Set, c Call) (app.Response, error) {
	var in setup.ResourceChange
	if err := c.Decode(&in); err != nil {
		return app.Response{}, bare(err, "")
	}
	w, err := s.Setup(c.Actor().Workspace)
	if err != nil {
		return app.Response{}, err
	}
	r := catalog.Resource{TimeZone: w.Workspace.TimeZone}
	if err := in.Apply(&r); err != nil {
		return app.Response{}, bare(err, "resource.")
	}
	r, err = s.Shop.AddResource(c.Context(), c.Actor(), r)
	a, err := respondResource(r, err)
	if err == nil {
		a.Status, a.Location = http.StatusCreated, c.Address("/v1/resources/"+r.ID.String())
	}
	return a, err
}}

var changeResource = Route{openapi.Route{
	Method: http.MethodPatch, Path: "/v1/resources/{id}", ID: "changeResource", Tag: "Resources",
	Summary: "Change a resource",
	Text: "Changes what the body names, and leaves the rest; null clears. The fields are those of a set-up file: a day " +
		"that `weekly` leaves out keeps its hours, null or an empty list closes it, and where no day has any, it can always be used; `overrides` and " +
		"`timeOff` replace the lists before. Bookings that there are keep what they have taken.",
	IfMatch: ifMatch,
	Body:    zero(resourcePatch), BodyExample: map[string]any{"name": "Basin by the window", "shown": true},
	Successes: []openapi.Success{{Status: 200, Text: "The resource as it is now.", Body: zero(resourceDetails), ETag: true}},
	Errors:    []openapi.Error{wrong, missing("resource"), lacks("settings"), changed("resource"), resourceTaken},
}, func(s *subjects.Set, c Call) (app.Response, error) {
	var in setup.ResourceChange
	if err := c.Decode(&in); err != nil {
		return app.Response{}, bare(err, "")
	}
	return respondResource(s.Shop.ChangeResource(c.Context(), c.Actor(), c.Path("id"), func(r *catalog.Resource) error {
		if err := fault.CheckETag(c.Match(), resourceVersion(r), "resource"); err != nil {
			return err
		}
		return in.Apply(r)
	}))
}}

var retireResource = Route{openapi.Route{
	Method: http.MethodDelete, Path: "/v1/resources/{id}", ID: "retireResource", Tag: "Resources",
	Summary: "Retire a resource",
	Text: "Switches the resource off: no new booking takes it, and those that there are keep it. It is still listed, " +
		"with `active: false`, and changing that brings it back.",
	IfMatch:   ifMatch,
	Successes: []openapi.Success{{Status: 204, Text: "No new booking takes it."}},
	Errors:    []openapi.Error{missing("resource"), lacks("settings"), changed("resource")},
}, func(s *subjects.Set, c Call) (app.Response, error) {
	_, err := s.Shop.SwitchResource(c.Context(), c.Actor(), c.Path("id"), false, func(r *catalog.Resource) error {
		return fault.CheckETag(c.Match(), resourceVersion(r), "resource")
	})
	return gone, err
}}
