// Package audit keeps a workspace's log of changes to its set-up and of sign-ins: settings, keys, members, exports,
// accounts at other services, deletions of contacts. It owns the list of actions. The subjects write an entry by one
// call of Note, in the transaction of the change that the entry describes, so that an entry exists exactly if the
// change does.
//
//	return audit.Note(tx, s.Now(), a, audit.Entry{Action: audit.KeyCreated, Subject: k.ID.String()})
//
// The log is append-only: the database refuses to change an entry. Entries are deleted when they are a year old, and
// with their workspace. They hold ids, names of fields and words of fixed lists, and nothing that identifies a person
// by itself: no name, e-mail address, telephone number, network address, text that somebody wrote, or secret. Note
// refuses what looks like that. It imports the core and no subject.
package audit
