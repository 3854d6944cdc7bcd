package own

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/counter"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/when"
)

// Item is a booking on the page of its contact, or a visit.
type Item struct {
	Booking  booking.Booking // of a visit, the one by which it stands in its place
	Visit    *booking.Visit  // nil where the booking is a part of none
	Receipts []counter.Receipt
}

// ListInput says which bookings are listed.
type ListInput struct {
	Past   bool // those that are over, the latest first; else those that aren't, by start
	Limit  int  // how many bookings are looked at, at most fault.MaxPage
	Cursor string
}

// OwnBookings lists the bookings of the contact whose page it is, in all states and under whatever address they were made,
// with the links by which their invitee moves and cancels them. Each visit is one item: among what is to come until all
// of it is over. A page may have fewer items than its limit. Errors: forbidden, not_found, bad_request (cursor).
func (s *Service) OwnBookings(ctx context.Context, a app.Actor, in ListInput) (page fault.Page[Item], err error) {
	if _, err := s.Contact(ctx, a); err != nil {
		return page, err
	}
	setup, err := s.Core.SetupFor(a)
	if err != nil {
		return page, err
	}
	now := when.At(s.Core.Now())
	list := booking.ListBookingsInput{Scope: "upcoming", Contact: a.Contact.String(), Cursor: in.Cursor}
	if in.Past {
		list.Scope = "past"
	}
	f, err := list.Filter(now, setup.Workspace.LongestBooking)
	if err != nil {
		return page, err
	}
	n, err := fault.PageLimit(&in.Limit, in.Limit)
	if err != nil {
		return page, err
	}
	f.Contact, f.Limit = a.Contact, n+1
	rows, err := s.Reader(ctx).Bookings(a.Workspace, f)
	if err != nil {
		return page, err
	}
	found := fault.PageOf(rows, n, list.CursorAt)
	page.HasMore, page.NextCursor = found.HasMore, found.NextCursor
	visits := map[booking.VisitID]*booking.Visit{}
	for i := range found.Data {
		b := &found.Data[i]
		if b.Invitee.Erased() {
			continue
		}
		s.Core.Present(setup, a, b)
		item := Item{Booking: *b}
		if b.Visit != nil {
			v, known := visits[b.Visit.ID]
			if !known {
				if v, err = s.visit(ctx, a, b); err != nil {
					return page, err
				}
				visits[b.Visit.ID] = v
			}
			if v != nil && place(v, in.Past, now) != b.ID {
				continue // of a visit one booking stands for all
			}
			item.Visit = v
		}
		page.Data = append(page.Data, item)
	}
	return page, s.receipts(ctx, a.Contact, page.Data)
}

// receipts fills in the receipts of what is listed, those of each booking by number.
func (s *Service) receipts(ctx context.Context, contact booking.ContactID, items []Item) error {
	var paid []booking.BookingID
	for i := range items {
		for _, b := range items[i].bookings() {
			if len(b.Payments) > 0 {
				paid = append(paid, b.ID)
			}
		}
	}
	found, err := s.Reader(ctx).ReceiptsOf(paid)
	if err != nil {
		return err
	}
	of := map[booking.BookingID][]counter.Receipt{}
	for _, r := range found {
		if theirs, err := s.isOf(ctx, contact, &r); err != nil || !theirs {
			if err != nil {
				return err
			}
			continue
		}
		for _, b := range r.Bookings() {
			of[b] = append(of[b], r)
		}
	}
	for i := range items {
		for _, b := range items[i].bookings() {
			for _, r := range of[b.ID] { // that of a sale is one for several
				if !slices.ContainsFunc(items[i].Receipts, func(x counter.Receipt) bool { return x.ID == r.ID }) {
					items[i].Receipts = append(items[i].Receipts, r)
				}
			}
		}
	}
	return nil
}

// bookings are those that the item stands for.
func (i *Item) bookings() []booking.Booking {
	if i.Visit != nil {
		return i.Visit.Items
	}
	return []booking.Booking{i.Booking}
}

// visit returns the visit that the booking is a part of, as its link shows it; nil where it isn't of the contact alone.
func (s *Service) visit(ctx context.Context, a app.Actor, b *booking.Booking) (*booking.Visit, error) {
	link := app.Actor{Kind: booking.ByInvitee, Workspace: a.Workspace, Booking: booking.FirstOf(b.Visit.ID), Visit: b.Visit}
	v, err := s.Core.Visit(ctx, link, b.Visit.ID.String())
	if fault.Is(err, fault.NotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if slices.ContainsFunc(v.Items, func(other booking.Booking) bool {
		return other.ContactID != a.Contact || other.Invitee.Erased()
	}) {
		return nil, nil
	}
	return &v, nil
}

// place returns the booking in whose place the visit is listed: the first that isn't over, among the past ones the last,
// if all are over; 0 for none.
func place(v *booking.Visit, past bool, now when.Instant) booking.BookingID {
	var to []booking.Booking
	for i := range v.Items {
		if v.Items[i].End > now {
			to = append(to, v.Items[i])
		}
	}
	order := func(a, b booking.Booking) int { return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.ID, b.ID)) }
	switch {
	case past && len(to) > 0:
		return 0
	case past:
		return slices.MaxFunc(v.Items, order).ID
	case len(to) == 0:
		return 0
	}
	return slices.MinFunc(to, order).ID
}

// OwnReceipt returns a receipt for a booking of the contact whose page it is. Errors: forbidden, not_found.
func (s *Service) OwnReceipt(ctx context.Context, a app.Actor, ref string) (counter.Receipt, error) {
	if _, err := s.Contact(ctx, a); err != nil {
		return counter.Receipt{}, err
	}
	missing := fault.Missing("receipt", ref)
	which, err := id.Parse[booking.ReceiptIDKind](ref)
	if err != nil {
		return counter.Receipt{}, missing
	}
	r, err := s.Reader(ctx).Receipt(a.Workspace, which)
	if err != nil {
		return counter.Receipt{}, fault.OrMissing(err, missing)
	}
	theirs, err := s.isOf(ctx, a.Contact, &r)
	if err == nil && !theirs {
		err = missing
	}
	if err != nil {
		return counter.Receipt{}, err
	}
	return r, nil
}

// isOf reports whether the receipt is the contact's: all of its bookings are. That of a sale in which somebody else's booking
// was paid, too, is shown to neither.
func (s *Service) isOf(ctx context.Context, contact booking.ContactID, r *counter.Receipt) (bool, error) {
	all := r.Bookings()
	for _, ref := range all {
		b, err := s.Reader(ctx).Booking(r.WorkspaceID, ref)
		if errors.Is(err, fault.ErrNotFound) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		if b.ContactID != contact || b.Invitee.Erased() {
			return false, nil
		}
	}
	return len(all) > 0, nil
}
