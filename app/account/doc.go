// Package account holds the rules of access: API keys and their rates, members, sessions, invitations, the set-up link, and
// the limits on passwords. It owns their rules and its part of the store.
//
//	key_manage.go  API keys made, changed, revoked; key_find.go: the key of a request
//	rate.go        how many requests a key may make; rate_share.go: over several servers
//	session.go     sign-in; attempts.go: how often a password may be tried
//	setup_link.go  the link that sets a new server up
//	member.go      members and their invitations
package account
