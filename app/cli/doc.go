// Package cli is the command daybook. wire.go lists the commands, and the doors and loops that the server is made of.
// Each door and each loop is a file of its own here, as is each command that works on what a workspace has or is connected
// to. The others are in the packages below, by area:
//
//	console/      what all commands share at the terminal: flags, usage errors, output, prompts
//	database/     opening the database; migrate, backup, restore
//	server/       serve, demo
//	doctor/       doctor
//	install/      install, uninstall
//
// Its promises: exit 0 done, 1 failed, 2 wrong usage; errors are one line on standard error that says what to do; with
// --json standard output has one object or one array and nothing else; each flag can be set by an environment variable
// DAYBOOK_… (flag before environment before default; an empty variable counts as unset); no secret is ever an argument.
//
// It holds no rule of booking: app does.
package cli
