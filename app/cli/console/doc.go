// Package console has what all commands share at the terminal: flags and their environment variables, usage errors,
// tables and JSON on standard output, secrets from a prompt or standard input. It opens no database.
package console
