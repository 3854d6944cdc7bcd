// Package cli is the command daybook. wire.go lists the commands, and the doors and loops that the server is made of.
// Each door and each loop is a file of its own, as is each command; open.go opens the database that the flags name, with
// everything over it. Two parts are packages below:
//
//	console/      what all commands share at the terminal: flags, usage errors, output, prompts
//	install/      install, uninstall
//
// Its promises: exit 0 done, 1 failed, 2 wrong usage; errors are one line on standard error that says what to do; with
// --json standard output has one object or one array and nothing else; each flag can be set by an environment variable
// DAYBOOK_… (flag before environment before default; an empty variable counts as unset); no secret is ever an argument.
//
// It holds no rule of booking: app does.
package cli
