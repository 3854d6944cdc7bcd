package own

import (
	"context"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/when"
)

// errDevice is what answers a device on which no page is open.
func errDevice() *fault.Error {
	return fault.New(fault.NotFound, "", "Your page isn't open on this device. Ask for a link.")
}

// Device returns the contact whose page is open on the device with that cookie, and until when. Errors: not_found.
func (s *Service) Device(ctx context.Context, ws catalog.WorkspaceID, cookie string) (booking.ContactID, when.Instant, error) {
	c, opened, err := s.Reader(ctx).OwnDevice(ws, hash(cookie))
	if err != nil {
		return 0, 0, fault.OrMissing(err, errDevice())
	}
	until := opened.Add(DeviceLife)
	if now := when.At(s.Core.Now()); until <= now {
		return 0, 0, errDevice()
	}
	return c, until, nil
}

// Contact returns the contact of an actor whose page is open. Errors: forbidden, not_found.
func (s *Service) Contact(ctx context.Context, a app.Actor) (booking.Contact, error) {
	if err := a.May(app.MaySeeOwn); err != nil {
		return booking.Contact{}, err
	}
	if a.Contact == 0 {
		return booking.Contact{}, errDevice()
	}
	c, err := s.Reader(ctx).Contact(a.Workspace, a.Contact)
	if err == nil && c.Gone() {
		err = fault.ErrNotFound
	}
	return c, fault.OrMissing(err, errDevice())
}

// Devices counts the devices on which the actor's page is open. Errors: forbidden, not_found.
func (s *Service) Devices(ctx context.Context, a app.Actor) (int, error) {
	if _, err := s.Contact(ctx, a); err != nil {
		return 0, err
	}
	return s.Reader(ctx).OwnDevices(a.Workspace, a.Contact)
}

// Leave closes the actor's page on the device with that cookie. It is no error if it was closed before. Errors: forbidden.
func (s *Service) Leave(ctx context.Context, a app.Actor, cookie string) error {
	if err := a.May(app.MaySeeOwn); err != nil {
		return err
	}
	return s.Write(ctx, func(tx Tx) error { return tx.EndOwnDevice(a.Workspace, hash(cookie)) })
}

// LeaveAll closes the actor's page on all devices, and ends the links to it. Errors: forbidden, not_found.
func (s *Service) LeaveAll(ctx context.Context, a app.Actor) error {
	if _, err := s.Contact(ctx, a); err != nil {
		return err
	}
	return s.Write(ctx, func(tx Tx) error {
		if err := tx.LockContact(a.Contact); err != nil {
			return err
		}
		if err := tx.EndOwnLinks(a.Workspace, a.Contact); err != nil {
			return err
		}
		return tx.EndOwnDevices(a.Workspace, a.Contact)
	})
}
