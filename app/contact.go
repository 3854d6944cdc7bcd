package app

import (
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/record"
)

// FindContact is the contact of that id. The error is not_found.
func FindContact(r Reader, a Actor, ref string) (record.Contact, error) {
	id, err := id.Parse[record.ContactIDKind](ref)
	if err != nil {
		return record.Contact{}, fault.Missing("contact", ref)
	}
	c, err := r.Contact(a.Workspace, id)
	if err == nil && c.Gone() {
		err = fault.ErrNotFound
	}
	return c, fault.OrMissing(err, fault.Missing("contact", ref))
}
