// Package audit keeps a workspace's log of who changed what is set up, and who came in: settings, keys, members,
// sign-ins, exports, accounts at other services, deletions of contacts. It owns the list of actions, and it is what the
// subjects share to write an entry: one call of Note, in the transaction of the change that the entry tells of. So an
// entry is there exactly when the change is.
//
//	return audit.Note(tx, s.Now(), a, audit.Entry{Action: audit.KeyCreated, Subject: k.ID.String()})
//
// The log is append-only: the database refuses to change an entry. Entries are deleted when they are a year old, and
// with their workspace. They hold ids, names of fields and words of fixed lists, and nothing that tells of a person by
// itself: no name, e-mail address, telephone number, network address, text that somebody wrote, or secret. Note refuses
// what looks like that.
//
// It stands between the core and the subjects: it imports the core and no subject.
package audit
