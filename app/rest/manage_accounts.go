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

func accountsVersion(x *catalog.Accounts) string { return fault.ETag(*x) }

var getAccounts = Route{openapi.Route{
	Method: http.MethodGet, Path: "/v1/accounts", ID: "getAccounts", Tag: "Payments",
	Summary: "Retrieve the accountant's accounts",
	Text: "Answers the numbers by which the accountant books what was taken. What is empty is not known; the dashboard's files for " +
		"an accountant name what they miss.",
	Successes: []openapi.Success{{Status: 200, Text: "The accounts.", Body: catalog.Accounts{}, ETag: true}},
	Errors:    []openapi.Error{noSettings},
}, func(s *subjects.Set, c Call) (app.Response, error) {
	x, err := s.Shop.Accounts(c.Actor())
	return tagged(x, accountsVersion(&x), err)
}}

var changeAccounts = Route{openapi.Route{
	Method: http.MethodPatch, Path: "/v1/accounts", ID: "changeAccounts", Tag: "Payments",
	Summary: "Change the accountant's accounts",
	Text:    "Changes what the body names, and leaves the rest; null clears. `revenue` replaces the list before.",
	IfMatch: ifMatch,
	Body:    zero(accountsBody), BodyExample: map[string]any{"cash": "1000", "revenue": []any{map[string]any{"rate": 19, "account": "8400"}}},
	Successes: []openapi.Success{{Status: 200, Text: "The accounts as they are now.", Body: catalog.Accounts{}, ETag: true}},
	Errors:    []openapi.Error{wrong, lacks("settings"), changed("list of accounts")},
}, func(s *subjects.Set, c Call) (app.Response, error) {
	var in setup.AccountsChange
	if err := c.Decode(&in); err != nil {
		return app.Response{}, bare(err, "")
	}
	x, err := s.Shop.ChangeAccounts(c.Context(), c.Actor(), func(x *catalog.Accounts) error {
		if err := fault.CheckETag(c.Match(), accountsVersion(x), "list of accounts"); err != nil {
			return err
		}
		return in.Apply(x)
	})
	return tagged(x, accountsVersion(&x), bare(err, "settings.accounts."))
}}
