package rest

import (
	"cmp"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/field"
	"daybook/app/rest/openapi"
	"daybook/app/setup"
	"daybook/app/subjects"
)

func hostVersion(h *catalog.Host) string { return fault.ETag(setup.HostObject(h)) }

// objectList is a page of hosts or resources.
type objectList struct {
	Data       []setup.Object `json:"data"`
	HasMore    bool           `json:"hasMore"`
	NextCursor *string        `json:"nextCursor"`
}

var hostTaken = openapi.Error{Code: fault.Conflict, Text: "`details.reason` is `email_taken`: another host has it."}

var noSettings = openapi.Error{Code: fault.Forbidden, Text: "The key lacks the area `settings`."}

var listHosts = Route{openapi.Route{
	Method: http.MethodGet, Path: "/v1/hosts", ID: "listHosts", Tag: "Hosts",
	Summary:   "List hosts",
	Text:      "Lists the people and rooms that can be booked, the oldest first, with their hours and time off.",
	Params:    []openapi.Param{openapi.Limit(50), openapi.Cursor},
	Successes: []openapi.Success{{Status: 200, Text: "A page of hosts.", Body: zero(hostPage)}},
	Errors:    []openapi.Error{noSettings},
}, func(s *subjects.Set, c Call) (app.Response, error) {
	hosts, err := s.Shop.Hosts(c.Actor())
	if err != nil {
		return app.Response{}, err
	}
	page, err := pageBy(fault.List{"hosts"}, hosts, c, func(h *catalog.Host) []int64 { return []int64{int64(h.ID)} })
	shown := objectList{[]setup.Object{}, page.HasMore, page.NextCursor}
	for i := range page.Data {
		shown.Data = append(shown.Data, setup.HostObject(&page.Data[i]))
	}
	return respond(http.StatusOK, shown, err)
}}

var getHost = Route{openapi.Route{
	Method: http.MethodGet, Path: "/v1/hosts/{id}", ID: "getHost", Tag: "Hosts",
	Summary:   "Retrieve a host",
	Text:      "Answers one host with its hours and time off, in the shapes of a set-up file.",
	Successes: []openapi.Success{{Status: 200, Text: "The host.", Body: zero(hostDetails), ETag: true}},
	Errors:    []openapi.Error{missing("host"), noSettings},
}, func(s *subjects.Set, c Call) (app.Response, error) {
	return respondHost(s.Shop.Host(c.Actor(), c.Path("id")))
}}

// respondHost returns a 200 with a host, or the error without the rules' word for it.
func respondHost(h catalog.Host, err error) (app.Response, error) {
	if err != nil {
		return app.Response{}, bare(err, "host.")
	}
	return tagged(setup.HostObject(&h), hostVersion(&h), nil)
}

var createHost = Route{openapi.Route{
	Method: http.MethodPost, Path: "/v1/hosts", ID: "createHost", Tag: "Hosts",
	Summary: "Create a host",
	Text: "Adds a person or a room. The fields are those of a set-up file: the zone is the workspace's when it is left " +
		"out, and a host without `weekly` has no hours. Event types name whom they are served by: change their `hosts`.",
	Body:        zero(hostBody),
	BodyExample: map[string]any{"name": "Bea", "email": "bea@example.com", "about": "Colours and curls"},
	Successes: []openapi.Success{{Status: 201, Text: "The new host.", Body: zero(hostDetails), ETag: true,
		Location: "The new host."}},
	Errors: []openapi.Error{wrong, lacks("settings"), {Code: fault.Conflict,
		Text: hostTaken.Text + " Or `too_many_hosts`."}},
}, func(s *subjects.Set, c Call) (app.Response, error) {
	var in setup.HostChange
	if err := c.Decode(&in); err != nil {
		return app.Response{}, bare(err, "")
	}
	w, err := s.Setup(c.Actor().Workspace)
	if err != nil {
		return app.Response{}, err
	}
	h := catalog.Host{TimeZone: w.Workspace.TimeZone}
	if err := in.Apply(&w.Workspace, &h); err != nil {
		return app.Response{}, bare(err, "host.")
	}
	h, err = s.Shop.SaveHost(c.Context(), c.Actor(), h)
	a, err := respondHost(h, err)
	if err == nil {
		a.Status, a.Location = http.StatusCreated, c.Address("/v1/hosts/"+h.ID.String())
	}
	return a, err
}}

var changeHost = Route{openapi.Route{
	Method: http.MethodPatch, Path: "/v1/hosts/{id}", ID: "changeHost", Tag: "Hosts",
	Summary: "Change a host",
	Text: "Changes what the body names, and leaves the rest; null clears. The fields are those of a set-up file: a day " +
		"that `weekly` leaves out keeps its hours, null or an empty list closes it; `overrides`, `timeOff` and " +
		"`eventTypes` replace the lists before. Bookings that there are stay.",
	IfMatch: ifMatch,
	Body:    zero(hostPatch), BodyExample: map[string]any{"timeZone": "Europe/Berlin", "active": true},
	Successes: []openapi.Success{{Status: 200, Text: "The host as it is now.", Body: zero(hostDetails), ETag: true}},
	Errors:    []openapi.Error{wrong, missing("host"), lacks("settings"), changed("host"), hostTaken},
}, func(s *subjects.Set, c Call) (app.Response, error) {
	var in setup.HostChange
	if err := c.Decode(&in); err != nil {
		return app.Response{}, bare(err, "")
	}
	w, err := s.Setup(c.Actor().Workspace)
	if err != nil {
		return app.Response{}, err
	}
	return respondHost(s.Shop.ChangeHost(c.Context(), c.Actor(), c.Path("id"), func(h *catalog.Host) error {
		if err := fault.CheckETag(c.Match(), hostVersion(h), "host"); err != nil {
			return err
		}
		return in.Apply(&w.Workspace, h)
	}))
}}

var retireHost = Route{openapi.Route{
	Method: http.MethodDelete, Path: "/v1/hosts/{id}", ID: "retireHost", Tag: "Hosts",
	Summary: "Retire a host",
	Text: "Switches the host off: nobody can be booked with it any more, and its bookings stay. It is still listed, " +
		"with `active: false`, and changing that brings it back.",
	IfMatch:   ifMatch,
	Successes: []openapi.Success{{Status: 204, Text: "The host can't be booked any more."}},
	Errors:    []openapi.Error{missing("host"), lacks("settings"), changed("host")},
}, func(s *subjects.Set, c Call) (app.Response, error) {
	_, err := s.Shop.SwitchHost(c.Context(), c.Actor(), c.Path("id"), false, func(h *catalog.Host) error {
		return fault.CheckETag(c.Match(), hostVersion(h), "host")
	})
	return gone, err
}}

var listOverrides = Route{openapi.Route{
	Method: http.MethodGet, Path: "/v1/hosts/{id}/overrides", ID: "listOverrides", Tag: "Hosts",
	Summary:   "List the overrides of a host",
	Text:      "Lists the days on which a host has other hours than the weekly ones, the earliest first.",
	Params:    []openapi.Param{openapi.Limit(50), openapi.Cursor},
	Successes: []openapi.Success{{Status: 200, Text: "A page of overrides.", Body: fault.Page[catalog.Override]{}, Lists: "days with own hours"}},
	Errors:    []openapi.Error{missing("host"), noSettings},
}, func(s *subjects.Set, c Call) (app.Response, error) {
	h, err := s.Shop.Host(c.Actor(), c.Path("id"))
	if err != nil {
		return app.Response{}, err
	}
	all := slices.Clone(h.Overrides)
	slices.SortFunc(all, func(a, b catalog.Override) int { return cmp.Compare(a.Date, b.Date) })
	page, err := pageBy(fault.List{"special days", c.Path("id")}, all, c, func(o *catalog.Override) []int64 {
		day, _ := strconv.ParseInt(strings.ReplaceAll(o.Date, "-", ""), 10, 64) // it was checked when it was saved
		return []int64{day}
	})
	for i := range page.Data {
		page.Data[i].Hours = append([]string{}, page.Data[i].Hours...)
	}
	return respond(http.StatusOK, page, err)
}}

// overrideBody is other hours of one day, or of several.
type overrideBody struct {
	Date  string   `json:"date"`
	Until string   `json:"until"`
	Hours []string `json:"hours"`
}

var overrideBodyFields = field.Resource{
	Text: "Other hours on one day, or on several.",
	Fields: []field.Field{
		overrideFields.Fields[0],
		{Name: "until", Text: "The last of several days; left out it is the one.", Format: "date", Example: "2026-12-26"},
		overrideFields.Fields[1],
	},
}

var setOverride = Route{openapi.Route{
	Method: http.MethodPost, Path: "/v1/hosts/{id}/overrides", ID: "setOverride", Tag: "Hosts",
	Summary: "Give a host other hours on single days",
	Text: "Replaces the weekly hours from `date` to `until`, at most 366 days; what was set for these days before is " +
		"overwritten. Bookings that there are stay.",
	Body:        overrideBody{},
	BodyType:    openapi.Type{Name: "OverridesRequest", Fields: &overrideBodyFields},
	BodyExample: map[string]any{"date": "2026-12-24", "hours": []string{"09:00-12:00"}},
	Successes:   []openapi.Success{{Status: 200, Text: "The host as it is now.", Body: zero(hostDetails), ETag: true}},
	Errors:      []openapi.Error{wrong, missing("host"), lacks("settings")},
}, func(s *subjects.Set, c Call) (app.Response, error) {
	var in overrideBody
	if err := c.Decode(&in); err != nil {
		return app.Response{}, err
	}
	if in.Hours == nil {
		return app.Response{}, fault.Invalid("hours", "is required; an empty list closes the day")
	}
	return respondHost(s.Shop.SetOverride(c.Context(), c.Actor(), c.Path("id"), in.Date, in.Until, in.Hours))
}}

var deleteOverride = Route{openapi.Route{
	Method: http.MethodDelete, Path: "/v1/hosts/{id}/overrides/{date}", ID: "deleteOverride", Tag: "Hosts",
	Summary:   "Give a day its weekly hours back",
	Text:      "Takes away the hours that were set for the day. Nothing happens where none were.",
	Successes: []openapi.Success{{Status: 204, Text: "The day has the weekly hours."}},
	Errors:    []openapi.Error{missing("host"), lacks("settings")},
}, func(s *subjects.Set, c Call) (app.Response, error) {
	_, err := s.Shop.SetOverride(c.Context(), c.Actor(), c.Path("id"), c.Path("date"), "", nil)
	return gone, bare(err, "host.")
}}

// TimeOffEntry is a time off in a list.
type TimeOffEntry struct {
	ID     string          `json:"id"`
	Start  string          `json:"start"`
	End    string          `json:"end"`
	Reason string          `json:"reason,omitempty"`
	Repeat *catalog.Repeat `json:"repeat,omitempty"`
}

var timeOffEntryFields = field.Resource{
	Text: "A time off in a list.",
	Fields: append([]field.Field{{Name: "id", Text: "Names it within the list; another one when it is changed."}},
		timeOffFields.Fields...),
}

// entryOf returns a time off as it is answered. Its id is made of what tells it apart.
func entryOf(t *catalog.TimeOff, zone string) TimeOffEntry {
	d := setup.TimeOffOf(*t, zone)
	return TimeOffEntry{entryID(t), d.Start, d.End, d.Reason, d.Repeat}
}

func entryID(t *catalog.TimeOff) string {
	return strconv.FormatInt(int64(t.Start), 36) + "-" + strconv.FormatInt(int64(t.End), 36) + "-" + t.Tag()
}

const everybody = "`all` in place of the id is everybody's: days on which the business is closed, for all hosts."

var listTimeOff = Route{openapi.Route{
	Method: http.MethodGet, Path: "/v1/hosts/{id}/time-off", ID: "listTimeOff", Tag: "Hosts",
	Summary:   "List the time off of a host",
	Text:      "Lists when a host is away, the earliest first. " + everybody,
	Params:    []openapi.Param{openapi.Limit(50), openapi.Cursor},
	Successes: []openapi.Success{{Status: 200, Text: "A page of times off.", Body: fault.Page[TimeOffEntry]{}}},
	Errors:    []openapi.Error{missing("host"), noSettings},
}, func(s *subjects.Set, c Call) (app.Response, error) {
	all, zone, err := s.Shop.TimeOff(c.Actor(), c.Path("id"))
	if err != nil {
		return app.Response{}, err
	}
	position := func(t *catalog.TimeOff) []int64 {
		tag, _ := strconv.ParseUint(t.Tag(), 36, 64) // it is made so
		return []int64{int64(t.Start), int64(t.End), int64(tag >> 1)}
	}
	all = slices.Clone(all)
	slices.SortFunc(all, func(a, b catalog.TimeOff) int { return slices.Compare(position(&a), position(&b)) })
	page, err := pageBy(fault.List{"time-off", c.Path("id")}, all, c, position)
	shown := fault.Page[TimeOffEntry]{Data: []TimeOffEntry{}, HasMore: page.HasMore, NextCursor: page.NextCursor}
	for i := range page.Data {
		shown.Data = append(shown.Data, entryOf(&page.Data[i], zone))
	}
	return respond(http.StatusOK, shown, err)
}}

// inList is the place of a time off in the host's list, in an error.
var inList = regexp.MustCompile(`^timeOff\[\d+\]\.?`)

var giveTimeOff = Route{openapi.Route{
	Method: http.MethodPost, Path: "/v1/hosts/{id}/time-off", ID: "giveTimeOff", Tag: "Hosts",
	Summary: "Give a host time off",
	Text: "Adds a time in which the host is away, once or again and again. What is there already is not added twice. " +
		"Bookings that there are stay. " + everybody,
	Body:        zero(timeOffBody),
	BodyExample: map[string]any{"start": "2026-12-24", "end": "2026-12-26", "reason": "Christmas"},
	Successes:   []openapi.Success{{Status: 201, Text: "The time off.", Body: TimeOffEntry{}}},
	Errors:      []openapi.Error{wrong, missing("host"), lacks("settings")},
}, func(s *subjects.Set, c Call) (app.Response, error) {
	var in setup.TimeOffChange
	if err := c.Decode(&in); err != nil {
		return app.Response{}, bare(err, "")
	}
	var zone string
	off, err := s.Shop.GiveLeave(c.Context(), c.Actor(), c.Path("id"), func(of *time.Location) (catalog.TimeOff, error) {
		zone = of.String()
		return in.In(zone)
	})
	if e := fault.As(bare(bare(err, "host."), "workspace.")); e != nil {
		e.Field = inList.ReplaceAllString(e.Field, "")
		if e.Code == fault.BadRequest && e.Field == "" {
			e.Field = "end"
		}
		return app.Response{}, e
	}
	return respond(http.StatusCreated, entryOf(&off, zone), err)
}}

var endTimeOff = Route{openapi.Route{
	Method: http.MethodDelete, Path: "/v1/hosts/{id}/time-off/{entry}", ID: "endTimeOff", Tag: "Hosts",
	Summary:   "Take a time off back",
	Text:      "Removes a time off, by its `id` in the list, with all its repetitions. " + everybody,
	Successes: []openapi.Success{{Status: 204, Text: "It is gone."}},
	Errors:    []openapi.Error{missing("host or time off"), lacks("settings")},
}, func(s *subjects.Set, c Call) (app.Response, error) {
	all, _, err := s.Shop.TimeOff(c.Actor(), c.Path("id"))
	if err != nil {
		return app.Response{}, err
	}
	i := slices.IndexFunc(all, func(t catalog.TimeOff) bool { return entryID(&t) == c.Path("entry") })
	if i < 0 {
		return app.Response{}, fault.Missing("time off", c.Path("entry"))
	}
	return gone, s.Shop.RemoveTimeOff(c.Context(), c.Actor(), c.Path("id"), all[i])
}}
