package app

import (
	"context"
	"errors"
	"strings"
	"time"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/when"
)

// longestEdited is what a booking may last at most, as an event type may.
const longestEdited = 7 * when.Day

// Edit corrects a booking; fields that in leaves out stay. match is the value of an If-Match header, or "" for none:
// the booking must still have the version that it names. Another event type, host or end is checked as a move is,
// except for the rules about the start, which stays; it counts as rescheduling, with that event and its mails.
// Corrections of texts send nothing, and are allowed in every status. An edit that changes nothing is no error.
//
// Another event type brings its length, unless an end is given, and its buffers, location and price; the fee of a
// no-show stays as it was agreed to. The price must be in the currency of that fee, and of what was paid and not given
// back. The host stays unless one is named.
//
// Errors: bad_request, not_found (booking, event type, host), forbidden, precondition_failed, conflict slot_taken,
// already_booked, wrong_state, payment_due.
func (s *Service) Edit(ctx context.Context, a Actor, ref string, in booking.EditInput,
	match string) (b booking.Booking, err error) {
	if err := a.May(MayEdit); err != nil {
		return b, err
	}
	end, err := in.Check()
	if err != nil {
		return b, err
	}
	var also catalog.Locks
	if in.Host != nil {
		setup, err := s.SetupFor(a)
		if err != nil {
			return b, err
		}
		host, err := id.Parse[catalog.HostIDKind](*in.Host)
		if err != nil || !a.Sees(host) || !a.Limits.Knows(setup, host) {
			return b, fault.Missing("host", *in.Host)
		}
		also = append(also, catalog.OfHost(host))
	}
	if in.EventType != nil { // its hosts too, so that its limits hold
		setup, err := s.SetupFor(a)
		if err != nil {
			return b, err
		}
		if e := setup.EventType(*in.EventType); e != nil {
			also = also.And(setup.Locks(e))
		}
	}
	for longer, again := tooLong(0), true; again; again = errors.As(err, &longer) {
		err = s.Write(ctx, func(tx Tx) error {
			// Whoever locks both a workspace and its hosts locks the workspace first.
			if longer > 0 {
				if err := tx.SetLongestBooking(a.Workspace, time.Duration(longer)); err != nil {
					return err
				}
			}
			b, err = s.In(tx).Change(ctx, a, ref, func(ch *Change) error {
				if err := fault.CheckETag(match, ch.Booking.ETag(), "booking"); err != nil {
					return err
				}
				if in.EventType != nil { // which may need others since its hosts were read
					if e := ch.Setup.EventType(*in.EventType); e != nil {
						if err := lockMore(ch.Tx, a, ch.Setup.Locks(e), also); err != nil {
							return err
						}
					}
				}
				in := in
				if in.Host != nil {
					lead, err := ch.leadNamed(*in.Host)
					if err != nil {
						return err
					}
					if in.Host = &lead; lead == ch.Booking.Host.ID.String() {
						in.Host = nil // the host stays
					}
				}
				return (&correction{ch, in, end, s.settleReceipt}).make()
			}, also)
			return err
		})
	}
	return b, err
}

// tooLong is the error of a booking that is to last longer than all others of its workspace.
type tooLong time.Duration

func (l tooLong) Error() string {
	return "edit: no booking has taken " + time.Duration(l).String() + " before"
}

// correction is one Edit, behind the lock.
type correction struct {
	*Change
	in  booking.EditInput
	end when.Instant // 0: not given

	settle func(*Change) error
}

func (c *correction) make() error {
	if c.Booking.Invitee.Erased() {
		return fault.Conflictf("wrong_state", "The customer's data was deleted: this booking can't be edited any more.").
			With("status", c.Booking.Status)
	}
	texts, err := c.texts()
	if err != nil {
		return err
	}
	if err := c.place(); err != nil {
		return err
	}
	named, err := c.participants()
	if err != nil {
		return err
	}
	if named {
		texts = append(texts, "participants")
	}
	if len(texts) > 0 {
		c.Note(booking.ActUpdated, strings.Join(texts, ", "))
	}
	return c.tellOfContact()
}

// texts changes what is only text and returns the names of the fields that changed.
func (c *correction) texts() (changed []string, err error) {
	b := c.Booking
	set := func(name string, field *string, to *string) {
		if to != nil && *to != *field {
			*field = *to
			changed = append(changed, name)
		}
	}
	if c.in.Invitee != nil {
		set("invitee.name", &b.Invitee.Name, c.in.Invitee.Name)
		named, err := c.person()
		if err != nil {
			return nil, err
		}
		changed = append(changed, named...)
	}
	set("notes", &b.Notes, c.in.Notes)
	set("internalNote", &b.InternalNote, c.in.InternalNote)
	metadata := c.in.MergedMetadata(b.Metadata)
	if len(metadata) > booking.MaxMetadata {
		return nil, fault.Invalid("metadata", "a booking has at most %d entries", booking.MaxMetadata)
	}
	if !booking.SameMetadata(metadata, b.Metadata) {
		b.Metadata = metadata
		changed = append(changed, "metadata")
	}
	return changed, nil
}
