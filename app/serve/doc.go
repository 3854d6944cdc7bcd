// package serve is Daybook's HTTP server: it mounts the doors it is given,
// puts the middleware around them in one visible order (chain.go), keeps the
// background loops running, gets certificates, and stops within ten seconds,
// open streams included.
//
// It owns the listeners, /healthz, /readyz, /metrics, the access log, the
// request metrics and what a handler may ask about its request (RequestID,
// ClientIP, Secure). Of Daybook it imports leaves only: no door, no store and no domain: doors may
// import it, never the other way round.
//
// One request costs two allocations here: the exchange (the writer, the
// context and what is known of the request, in one struct that is never
// reused, because detached tool calls keep its context) and the request's
// copy that carries it. The access log notes a fixed-size entry and formats it
// later (accesslog.go).
//
// Under /api no answer is an HTML or an empty error: what a handler or the
// mux writes as an error in anything but JSON leaves as the contract's error
// body (apierror.go), and a path that the mux would redirect is 404. Which other
// paths and methods there are (404, 405, OPTIONS) package rest says, which is
// mounted at /api/.
//
// Pages and assets leave with gzip for those who take it (gzip.go); doors write
// them plain.
package serve
