package feed

import (
	"context"
	"crypto/hmac"
	"errors"

	"daybook/app"
	"daybook/app/audit"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/when"
)

// Feed is the private address of a calendar: of one host, or of a whole workspace.
type Feed struct {
	ID          FeedID
	WorkspaceID catalog.WorkspaceID
	HostID      catalog.HostID // 0: every host
	CreatedAt   when.Instant
}

// FeedURL returns the address of a host's calendar, or of the whole workspace's for host "". It makes an address if
// there is none yet; with anew it replaces the old one. Errors: forbidden, not_found (the host).
func (s *Service) FeedURL(ctx context.Context, a app.Actor, host string, anew bool) (string, error) {
	if err := a.May(app.MayManageFeeds); err != nil {
		return "", err
	}
	setup, err := s.Core.SetupFor(a)
	if err != nil {
		return "", err
	}
	of, err := setup.HostRef(host)
	if err != nil {
		return "", err
	}
	var f Feed
	err = s.Write(ctx, func(tx Tx) error {
		if err := tx.LockWorkspace(a.Workspace); err != nil {
			return err
		}
		f, err = tx.FeedOf(a.Workspace, of)
		if err == nil && !anew || err != nil && !errors.Is(err, fault.ErrNotFound) {
			return err
		}
		f = Feed{ID: id.New[FeedIDKind](s.Core.Now()), WorkspaceID: a.Workspace, HostID: of, CreatedAt: when.At(s.Core.Now())}
		if err := tx.ReplaceFeed(&f); err != nil {
			return err
		}
		return audit.Note(tx, s.Now(), a, audit.Entry{Action: audit.FeedCreated, Subject: of.String()})
	})
	if err != nil {
		return "", err
	}
	return s.Core.BaseURL() + "/calendar/" + catalog.Signed(setup, catalog.FeedPurpose, f.ID) + ".ics", nil
}

// RevokeFeed ends a calendar's address. It is no error when there is none. Errors: forbidden, not_found (the host).
func (s *Service) RevokeFeed(ctx context.Context, a app.Actor, host string) error {
	if err := a.May(app.MayManageFeeds); err != nil {
		return err
	}
	setup, err := s.Core.SetupFor(a)
	if err != nil {
		return err
	}
	id, err := setup.HostRef(host)
	if err != nil {
		return err
	}
	return s.Write(ctx, func(tx Tx) error {
		if _, err := tx.FeedOf(a.Workspace, id); errors.Is(err, fault.ErrNotFound) {
			return nil
		} else if err != nil {
			return err
		}
		if err := tx.DeleteFeed(a.Workspace, id); err != nil {
			return err
		}
		return audit.Note(tx, s.Now(), a, audit.Entry{Action: audit.FeedRevoked, Subject: id.String()})
	})
}

// Calendar is what a feed shows: the bookings that take place, by start.
type Calendar struct {
	Setup    *catalog.Setup
	Host     *catalog.Host // nil: every host
	Bookings []booking.Booking
}

// The bounds of a feed.
const (
	feedPast   = 30 * when.Day
	feedFuture = 365 * when.Day
	feedMost   = 5000
)

// CalendarByToken returns the calendar of a private address. Errors: not_found for one that was altered or has
// ended, forbidden while the workspace is suspended.
func (s *Service) CalendarByToken(ctx context.Context, token string) (c Calendar, err error) {
	missing := fault.New(fault.NotFound, "", "This calendar address has ended. Ask for the present one.")
	id, ok := catalog.Unsigned[FeedIDKind](token)
	if !ok {
		return c, missing
	}
	f, err := s.Reader(ctx).Feed(id)
	if err != nil {
		return c, fault.OrMissing(err, missing)
	}
	if c.Setup, err = s.Core.Setup(f.WorkspaceID); err != nil {
		return c, err
	}
	if !hmac.Equal([]byte(catalog.Signed(c.Setup, catalog.FeedPurpose, id)), []byte(token)) {
		return c, missing
	}
	if err := c.Setup.Workspace.Open(); err != nil {
		return c, err
	}
	if f.HostID != 0 {
		if c.Host = c.Setup.Host(f.HostID); c.Host == nil {
			return c, missing
		}
	}
	now := when.At(s.Core.Now())
	c.Bookings, err = s.Reader(ctx).Bookings(f.WorkspaceID, booking.BookingFilter{
		Host: f.HostID, From: now.Add(-feedPast), To: now.Add(feedFuture),
		Statuses: booking.ShownStatuses, Limit: feedMost, HasOthers: c.Setup.Workspace.HasOthers,
	})
	for i := range c.Bookings {
		s.Core.Present(c.Setup, app.Actor{Kind: booking.BySystem, ReadOnly: true}, &c.Bookings[i])
	}
	return c, err
}

// FeedID identifies a feed.
type FeedID = id.ID[FeedIDKind]

// FeedIDKind gives ids of feeds their prefix.
type FeedIDKind struct{ id.Many }

func (FeedIDKind) Prefix() string { return "fd_" }
