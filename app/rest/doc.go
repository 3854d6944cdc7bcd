// package rest is the REST v1 door: it turns HTTP requests under /api/v1 into calls of app.Service and writes what
// that answers. It decides nothing, keeps nothing, and imports neither store nor another door.
//
// Each route stands in a file of its own: its description and its handler. routes.go lists them all; door.go is the way
// of every request: key, rate, scope, body, idempotency, answer. The document is made from the descriptions:
//
//	schema/   the shapes of bodies, and what each object and field is
//	openapi/  the OpenAPI document
//	docs/     the reference page made from the document
//
// # Why net/http alone
//
// huma v2.37.2 was tried first. Its decoding takes what the contract refuses (a body that is not UTF-8, a key given
// twice, a key in other letter case: all 200), its 404 and 405 are the mux's plain text, and a POST of a booking costs
// 21 µs and 90 allocations in it against 11 µs and 45 here. Bodies are read by go-json-experiment/json, which is what
// encoding/json/v2 is made from: strict, as fast, and it knows the path of what is wrong. The document is made from the
// Go types that are encoded, so that it can't drift from them.
package rest
