// Package agent is the door for AI agents: MCP tools, over Streamable HTTP at /api/mcp and over SSE at /api/sse. A
// tool decodes its arguments, calls one method of app.Service and returns the same resource as REST; it has no rules of
// its own. The package imports neither store nor another door.
//
//	door.go        New, Routes, Close
//	gate.go        the checks before a request reaches a transport: origin, method, key, size, rate
//	stream.go      streams, which last as long as the client and its key, and end when the door closes
//	call.go        how every tool is run: time limit, panics, errors as results
//	tools.go       the list of the tools, each of which has a file tool_*.go
//	ask.go         forms that a client shows the person: a missing number, whether to do what a dry run has shown
//	prompts.go     what people pick in their client: Morning, A stylist is ill, Close the day
//	row.go         what a list says of a booking, and how long its pages are
//	args.go        decoding of arguments, with errors that agents can act on
//	view.go        what programs can show people of an answer
//	describe.go    schemas generated from the descriptions beside the types; schema.go: helpers to write the others
//
// desk_tasks_test.go has 27 tasks of a front desk with a script that does them, and what they may cost;
// desk_judge_test.go judges each by the database, desk_model_test.go has any model do them by hand.
//
// # What counts against the key's rate
//
// A tools/call counts in the same window as a REST request. All other requests (initialize, lists, pings, opening a
// stream) count in a second window of the same length that allows at least 120, so that connecting is limited, too, but
// does not use up the rate of calls. A request over either limit gets HTTP 429 with Retry-After and the error body of
// REST.
//
// # Sessions
//
// /api/mcp has no sessions: the Mcp-Session-Id that a client sends is ignored, and its GET streams are independent. An
// SSE session ends with its stream; its id contains a MAC of the key's id, so that no other key can post to it.
package agent
