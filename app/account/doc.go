// package account is the room of those who come in: API keys and their rates, members, sessions, invitations, the set-up
// link, and the throttle of passwords. It owns their rules and its part of the store, and imports no other room.
package account
