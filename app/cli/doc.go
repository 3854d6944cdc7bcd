// package cli is the command daybook: it reads flags, environment and standard input, and is the only place that
// wires store, service, doors and loops together. wire.go lists all three: the commands, the doors and the loops; each is
// a file of its own.
//
// Its promises: exit 0 done, 1 failed, 2 wrong usage; errors are one line on standard error that says what to do; with
// --json standard output has one object or one array and nothing else; each flag has an environment twin DAYBOOK_…
// (flag before environment before default; an empty variable counts as unset); no secret is ever an argument.
//
// It holds no rule of booking: app does.
package cli
