// Package rest is the REST API: it turns HTTP requests under /api/v1 into calls of app.Service and encodes the results.
// It has no rules and no state of its own, and imports neither store nor another door.
//
// Each route has a file with its description and its handler. routes.go lists the routes; door.go handles every
// request: key, rate, scope, body, idempotency, response. manage_*.go set a workspace up; public_*.go are for public
// keys, which stand in web pages and see less. The document is generated from the descriptions:
//
//	openapi/  the OpenAPI document
//	docs/     the reference page, generated from the document
//
// # Why net/http alone
//
// huma v2.37.2 was tried first. It accepts what the contract refuses (a body that is not UTF-8, a duplicate key, a key
// in different letter case: all 200), its 404 and 405 are the mux's plain text, and a POST of a booking takes 21 µs and
// 90 allocations with it, and 11 µs and 45 here. Bodies are decoded by go-json-experiment/json, from which
// encoding/json/v2 is made: it is strict, as fast, and reports the path of a mistake. The document is generated from
// the Go types that are encoded, so the two can't differ.
package rest
