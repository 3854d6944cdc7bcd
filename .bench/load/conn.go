// package load puts requests to a server over real sockets: what the benchmarks of this folder share.
package load

import "daybook/app/bench/wire"

// Conn is a connection to a server.
type Conn = wire.Conn

// Dial opens a connection. All its requests have the header, lines that end in CRLF.
func Dial(address, header string) (*Conn, error) { return wire.Dial(address, header) }

// Get is a request, as Wire takes it.
func Get(path string) string { return wire.Get(path) }

// Post is a request with a body of JSON.
func Post(path, body string) string { return wire.Post(path, body) }

// Tool is a call of an agent's tool.
func Tool(name, arguments string) string { return wire.Tool(name, arguments) }
