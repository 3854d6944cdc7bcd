// Package serve is Daybook's HTTP server: it mounts the doors it is given, puts the middleware around them in one
// visible order (chain.go), keeps the background loops running, gets certificates, and stops within ten seconds, open
// streams included.
//
// It owns the listeners, /healthz, /readyz, /metrics, /debug/pprof/ (at an address of its own), the access log,
// the request metrics and what a handler may ask about its request (RequestID, ClientIP). Of Daybook it imports leaves
// only. Doors may import it.
//
// A request costs two allocations here: its state (the writer, the context and what the middleware has found out, in
// one struct that is never reused, because detached tool calls keep its context) and the copy of the request that
// carries it. The access log notes an entry of fixed size and formats it later (accesslog.go).
//
// Under /api every error is JSON: an error that a handler or the mux writes in another form is replaced by the
// contract's error body (apierror.go), and a path that the mux would redirect is 404. Package rest, which is mounted at
// /api/, answers unknown paths and methods there (404, 405, OPTIONS).
//
// Pages, assets and answers of the API are sent with gzip to clients that accept it (gzip.go); doors write them uncompressed.
package serve
