package app

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"

	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/when"
)

// Feed is the private address of a calendar: of one host, or of a whole workspace.
type Feed struct {
	ID          FeedID
	WorkspaceID WorkspaceID
	HostID      HostID // 0: every host
	CreatedAt   when.Instant
}

// sign is the MAC, in 128 bits of text, of what a link of one purpose is about.
func (s *Setup) sign(purpose, text string) string {
	mac := hmac.New(sha256.New, s.linkKey)
	mac.Write([]byte(purpose + "\x00" + text))
	return tokenText.EncodeToString(mac.Sum(nil)[:16])
}

// signed is the id's text and its MAC for a purpose.
func signed[K id.Kind](s *Setup, purpose string, id id.ID[K]) string {
	var k K
	text := id.String()[len(k.Prefix()):]
	return text + s.sign(purpose, text)
}

// unsigned is the id that a token of signed begins with; who uses it must compare signed of it with the token.
func unsigned[K id.Kind](token string) (id.ID[K], bool) {
	var k K
	if len(token) <= id.Digits(k) {
		return 0, false
	}
	id, err := id.Parse[K](k.Prefix() + token[:id.Digits(k)])
	return id, err == nil
}

const (
	feedPurpose   = "calendar"
	decidePurpose = "decide"
	sparePurpose  = "spare"
)

// FeedURL is the calendar's address; it makes one when there is none yet, or when asked for a new one, which ends the
// old one. host "" is the whole workspace. The error is not_found.
func (s *Service) FeedURL(ctx context.Context, ws WorkspaceID, host string, anew bool) (string, error) {
	setup, err := s.Setup(ws)
	if err != nil {
		return "", err
	}
	of, err := setup.hostRef(host)
	if err != nil {
		return "", err
	}
	var f Feed
	err = s.write(ctx, func(tx Tx) error {
		f, err = tx.FeedOf(ws, of)
		if err == nil && !anew || err != nil && err != fault.ErrNotFound {
			return err
		}
		f = Feed{ID: id.New[feedKind](s.clock()), WorkspaceID: ws, HostID: of, CreatedAt: when.At(s.clock())}
		return tx.ReplaceFeed(&f)
	})
	if err != nil {
		return "", err
	}
	return s.baseURL + "/calendar/" + signed(setup, feedPurpose, f.ID) + ".ics", nil
}

// RevokeFeed ends a calendar's address; it is no error when there is none. The error is not_found (host).
func (s *Service) RevokeFeed(ctx context.Context, ws WorkspaceID, host string) error {
	setup, err := s.Setup(ws)
	if err != nil {
		return err
	}
	id, err := setup.hostRef(host)
	if err != nil {
		return err
	}
	return s.write(ctx, func(tx Tx) error { return tx.DeleteFeed(ws, id) })
}

// hostRef is the host of an id or an e-mail; 0 for "".
func (s *Setup) hostRef(ref string) (HostID, error) {
	if ref == "" {
		return 0, nil
	}
	if id, err := id.Parse[hostKind](ref); err == nil && s.Host(id) != nil {
		return id, nil
	}
	if h := s.HostByEmail(ref); h != nil {
		return h.ID, nil
	}
	return 0, fault.Missing("host", ref)
}

// Calendar is what a feed shows: the bookings that take place, by start.
type Calendar struct {
	Setup    *Setup
	Host     *Host // nil: every host
	Bookings []Booking
}

// The bounds of a feed.
const (
	feedPast   = 30 * day
	feedFuture = 365 * day
	feedMost   = 5000
)

// CalendarByToken is the calendar of a private address. The error is not_found for one that was altered or has ended.
func (s *Service) CalendarByToken(token string) (c Calendar, err error) {
	missing := &fault.Error{Code: fault.NotFound, Message: "This calendar address has ended. Ask for the present one."}
	id, ok := unsigned[feedKind](token)
	if !ok {
		return c, missing
	}
	f, err := s.store.Feed(id)
	if err != nil {
		return c, orMissing(err, missing)
	}
	if c.Setup, err = s.Setup(f.WorkspaceID); err != nil {
		return c, err
	}
	if !hmac.Equal([]byte(signed(c.Setup, feedPurpose, id)), []byte(token)) {
		return c, missing
	}
	if f.HostID != 0 {
		if c.Host = c.Setup.Host(f.HostID); c.Host == nil {
			return c, missing
		}
	}
	now := when.At(s.clock())
	c.Bookings, err = s.store.Bookings(f.WorkspaceID, BookingFilter{
		Host: f.HostID, From: now.Add(-feedPast), To: now.Add(feedFuture),
		Statuses: []Status{Pending, Confirmed, Rescheduled, NoShow}, Limit: feedMost,
	})
	for i := range c.Bookings {
		s.present(c.Setup, Actor{Kind: BySystem, ReadOnly: true}, &c.Bookings[i])
	}
	return c, err
}
