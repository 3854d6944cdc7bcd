// package agent is the door for AI agents: the ten MCP tools, over Streamable HTTP at /api/mcp and over SSE at
// /api/sse. A tool decodes its arguments, calls one method of app.Service and answers with the REST resource; it
// decides nothing. It never imports store or another door.
//
//	door.go        New, Routes, Close
//	gate.go        what a request passes before it reaches a transport: origin, method, key, size, rate
//	stream.go      streams that live as long as the client and its key, and end when the door closes
//	call.go        how every tool is run: time limit, panics, errors as results
//	tools.go       the ten tools, in the order of their files tool_*.go
//	args.go        arguments, with errors that read like a sentence
//	schema.go      the words that schemas are written in; resources.go: the schemas of what the tools answer
//
// # What counts against the key's rate
//
// A tools/call counts in the same window as a REST request. Everything else that a client says on its own accord
// (initialize, lists, pings, opening a stream) counts in a second window of the same length and at least 120, so that
// connecting never uses up the rate of the calls and is bounded nevertheless. Beyond either the answer is HTTP 429
// with Retry-After and the REST error body.
//
// # Sessions
//
// /api/mcp keeps no session: an Mcp-Session-Id that a client sends is dropped, and each of its GET streams stands
// alone. An SSE session ends with its stream; its id carries a MAC of the key's id, so that no other key may post to
// it.
package agent
