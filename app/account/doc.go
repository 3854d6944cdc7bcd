// Package account holds the rules of access: API keys and their rates, members, sessions, invitations, the set-up link, and
// the limits on passwords. It owns their rules and its part of the store.
package account
