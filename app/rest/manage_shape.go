package rest

import (
	"reflect"
	"slices"
	"strings"

	"daybook/app/catalog"
	"daybook/app/field"
	"daybook/app/money"
	"daybook/app/rest/openapi"
	"daybook/app/setup"
)

// shapes makes the types of bodies that are read and written by package setup from the descriptions that it goes by:
// what a set-up file may say of a thing, the API's document says.
type shapes map[reflect.Type]openapi.Type

var (
	bodies = shapes{
		reflect.TypeFor[catalog.Terms]():         {Name: "HostTerms", Fields: &catalog.TermsFields},
		reflect.TypeFor[catalog.Override]():      {Name: "Override", Fields: &overrideFields},
		reflect.TypeFor[setup.TimeOffDocument](): {Name: "TimeOff", Fields: &timeOffFields},
		reflect.TypeFor[catalog.Repeat]():        {Name: "Repeat", Fields: &repeatFields},
	}
	eventTypePatch = bodies.request("EventTypePatchRequest", reflect.TypeFor[catalog.EventType](), setup.OwnEventType,
		false)
	eventTypeBody = bodies.request("EventTypeRequest", reflect.TypeFor[catalog.EventType](), setup.OwnEventType, true)
	hostPatch     = bodies.request("HostPatchRequest", reflect.TypeFor[catalog.Host](), setup.OwnHost, false)
	hostBody      = bodies.request("HostRequest", reflect.TypeFor[catalog.Host](), setup.OwnHost, true)
	hostDetails   = bodies.details("HostDetails", reflect.TypeFor[catalog.Host](), &catalog.HostFields)
	hostPage      = bodies.pageOf("HostList", hostDetails, "hosts")
	resourcePatch = bodies.request("ResourcePatchRequest", reflect.TypeFor[catalog.Resource](), setup.OwnResource, false)
	resourceBody  = bodies.request("ResourceRequest", reflect.TypeFor[catalog.Resource](), setup.OwnResource, true)
	// A resource within a booking is a Resource, as a host there is a Host.
	resourceDetails = bodies.details("ResourceDetails", reflect.TypeFor[catalog.Resource](), &catalog.ResourceFields)
	resourcePage    = bodies.pageOf("ResourceList", resourceDetails, "resources")
	productPatch    = bodies.request("ProductPatchRequest", reflect.TypeFor[catalog.Product](), setup.OwnProduct, false)
	productBody     = bodies.request("ProductRequest", reflect.TypeFor[catalog.Product](), setup.OwnProduct, true)
	accountsBody    = bodies.request("AccountsRequest", reflect.TypeFor[catalog.Accounts](), &catalog.AccountsFields, false)
	timeOffBody     = bodies.part(reflect.TypeFor[setup.TimeOffDocument]())
)

var overrideFields = field.Resource{
	Text: "The hours of a single day, in place of the weekly ones.",
	Fields: []field.Field{
		{Name: "date", Text: "The day, in the host's zone.", Format: "date", Required: true, Example: "2026-12-24"},
		{Name: "hours", Text: "Ranges such as `09:00-12:00`; an empty list closes the day.", Required: true},
	},
}

var timeOffFields = field.Resource{
	Text: "When a host, or everybody, is away.",
	Fields: []field.Field{
		{Name: "start", Text: "The first day, such as `2026-12-24`, or a time, such as `2026-12-24T12:00` of the zone's " +
			"clock or one that ends in `Z`.", Required: true, Example: "2026-12-24"},
		{Name: "end", Text: "The last day, or a time as for the start; left out after a day, that day.",
			Example: "2026-12-26"},
		{Name: "reason", Text: "Why, for the business."},
		{Name: "repeat", Text: "When it comes again."},
	},
}

var repeatFields = field.Resource{
	Text: "When a time off comes again.",
	Fields: []field.Field{
		{Name: "every", Text: "Every so many weeks or months, from 1 to 52; 1 when it is left out.", Example: 1},
		{Name: "unit", Text: "`week`, or `month`: on the day of the month of the first one; `week` when it is left out.",
			Enum: []any{catalog.Weekly, catalog.Monthly}},
		{Name: "days", Text: "Days of a week, `mon` to `sun`; that of the first one when it is left out."},
		{Name: "until", Text: "The last day on which one may begin; without it there is no end."},
		{Name: "except", Text: "Days on which none begins."},
	},
}

// parts are the things within others, with the names of what is sent of them.
var parts = map[reflect.Type]struct {
	name string
	of   *field.Resource
}{
	reflect.TypeFor[money.Money]():           {"MoneyRequest", moneyField()},
	reflect.TypeFor[catalog.Question]():      {"QuestionRequest", &catalog.QuestionFields},
	reflect.TypeFor[catalog.AddOn]():         {"AddOnRequest", &catalog.AddOnFields},
	reflect.TypeFor[catalog.AddOnGroup]():    {"AddOnGroupRequest", &catalog.AddOnGroupFields},
	reflect.TypeFor[catalog.Where]():         {"WhereRequest", &catalog.WhereFields},
	reflect.TypeFor[catalog.Limits]():        {"LimitsRequest", &catalog.LimitsFields},
	reflect.TypeFor[catalog.Deposit]():       {"DepositRequest", &catalog.DepositFields},
	reflect.TypeFor[catalog.MailWords]():     {"WordsRequest", &catalog.MailWordsFields},
	reflect.TypeFor[catalog.TextWords]():     {"TextWordsRequest", &catalog.TextWordsFields},
	reflect.TypeFor[catalog.Terms]():         {"HostTermsRequest", &catalog.TermsFields},
	reflect.TypeFor[catalog.Override]():      {"OverrideRequest", &overrideFields},
	reflect.TypeFor[catalog.Need]():          {"NeedRequest", needFields()},
	reflect.TypeFor[catalog.Part]():          {"PartRequest", &catalog.PartFields},
	reflect.TypeFor[catalog.Requirement]():   {"RequirementRequest", &catalog.RequirementFields},
	reflect.TypeFor[setup.TimeOffDocument](): {"TimeOffRequest", &timeOffFields},
	reflect.TypeFor[catalog.Repeat]():        {"RepeatRequest", &repeatFields},

	reflect.TypeFor[catalog.RevenueAccount](): {"RevenueAccountRequest", &catalog.RevenueAccountFields},
}

// moneyField describes an amount that is sent: its currency may be left out.
func moneyField() *field.Resource {
	r := &field.Resource{Text: money.MoneyFields.Text, Fields: slices.Clone(money.MoneyFields.Fields)}
	r.Fields[0].Required = true
	r.Fields[1].Text += " Left out it is the workspace's, or that of the amount before."
	return r
}

// needFields describes a need that is sent: resources and hosts may be named otherwise than by their ids.
func needFields() *field.Resource {
	r := &field.Resource{Text: catalog.NeedFields.Text, Fields: slices.Clone(catalog.NeedFields.Fields)}
	r.Fields[0].Text = "Ids or names of the resources of which one that is free is taken."
	r.Fields[1].Text += " `all` when it is left out."
	r.Fields[3].Text = "Ids or e-mail addresses of the hosts who may be taken beside the one who leads, the first who are " +
		"free; left out, all who serve the event type."
	return r
}

// request returns the type of what may be sent of the type of, and tells the shapes its name. Nothing of a patch is
// required.
func (s shapes) request(name string, of reflect.Type, r *field.Resource, isNew bool) reflect.Type {
	own := &field.Resource{Text: "What to change; what is left out stays, null clears."}
	if isNew {
		own.Text = r.Text
	}
	var fields []reflect.StructField
	for _, f := range r.Fields {
		t := s.sent(field.In(reflect.New(of).Interface(), f.Name).Type())
		f.Required = f.Required && isNew
		switch t.Kind() {
		case reflect.Pointer, reflect.Slice, reflect.Map:
			f.Null = true
		default:
			f.Null = f.Clears
		}
		own.Fields = append(own.Fields, f)
		fields = append(fields, structField(f.Name, t, name))
	}
	t := reflect.StructOf(fields)
	s[t] = openapi.Type{Name: name, Fields: own}
	return t
}

// structField returns a field of that name in JSON; of tells types apart that have the same fields.
func structField(name string, t reflect.Type, of string) reflect.StructField {
	return reflect.StructField{Name: strings.ToUpper(name[:1]) + name[1:], Type: t,
		Tag: reflect.StructTag(`json:"` + name + `" of:"` + of + `"`)}
}

// sent returns the type of what is sent where a thing has the type t.
func (s shapes) sent(t reflect.Type) reflect.Type {
	switch t {
	case reflect.TypeFor[catalog.HostRef]():
		return reflect.TypeFor[string]()
	case reflect.TypeFor[catalog.TimeOff]():
		t = reflect.TypeFor[setup.TimeOffDocument]()
	}
	switch t.Kind() {
	case reflect.Pointer:
		return reflect.PointerTo(s.sent(t.Elem()))
	case reflect.Slice:
		return reflect.SliceOf(s.sent(t.Elem()))
	}
	return s.part(t)
}

// part returns the type of what is sent of a thing within another.
func (s shapes) part(t reflect.Type) reflect.Type {
	if of, ok := parts[t]; ok {
		return s.request(of.name, t, of.of, true)
	}
	return t
}

// details returns the type of the whole thing as it is answered.
func (s shapes) details(name string, of reflect.Type, r *field.Resource) reflect.Type {
	own := &field.Resource{Text: r.Text, Fields: slices.Clone(r.Fields)}
	own.Field("createdAt").Null = true // of old ones
	var fields []reflect.StructField
	for _, f := range r.Fields {
		t := field.In(reflect.New(of).Interface(), f.Name).Type()
		if t == reflect.TypeFor[[]catalog.TimeOff]() {
			t = reflect.TypeFor[[]setup.TimeOffDocument]()
		}
		fields = append(fields, structField(f.Name, t, name))
	}
	t := reflect.StructOf(fields)
	s[t] = openapi.Type{Name: name, Fields: own}
	return t
}

// pageOf returns the type of a page of them.
func (s shapes) pageOf(name string, of reflect.Type, things string) reflect.Type {
	t := reflect.StructOf([]reflect.StructField{structField("data", reflect.SliceOf(of), name),
		structField("hasMore", reflect.TypeFor[bool](), name), structField("nextCursor", reflect.TypeFor[*string](), name)})
	s[t] = openapi.Type{Name: name, Fields: PageOf(things)}
	return t
}

// zero returns a value of the type, for a description.
func zero(t reflect.Type) any { return reflect.New(t).Elem().Interface() }
