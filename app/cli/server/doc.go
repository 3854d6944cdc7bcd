// package server has the commands serve and demo: their flags, how they open the database, and what the doors and loops
// of app/cli/wire.go are wired to. The HTTP server itself is app/serve.
package server
