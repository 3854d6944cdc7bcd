package guest

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"net/netip"
	"strings"
	"time"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/when"
)

// Request is a booking that a guest has asked for and has yet to confirm. It books nothing; a hold keeps its time.
type Request struct {
	ID          booking.GuestID
	WorkspaceID catalog.WorkspaceID
	Hold        string // the id of the hold
	Address     string // a hash of the network address that asked
	Email       string // of the guest, as fault.EmailKey has it
	EventType   catalog.EventTypeID
	Host        catalog.HostID
	Start, End  when.Instant
	Input       booking.BookInput // what is booked; empty once the request is over
	Texts       string            // the wording of the consent to texts that the guest has ticked; "" is none
	Attempts    int               // at its code, the one under way included
	MadeAt      when.Instant
	ExpiresAt   when.Instant
	Booking     booking.BookingID // what it became; 0 while it waits
}

const (
	mostAttempts = 5 // at a code
	// No more mails go out than these: to an address of a person, for a business, and from a network address, unless
	// many people's assistants call from there.
	mailPause       = 10 * time.Minute
	mailsPerPerson  = 3  // in a day
	mailsPerAddress = 10 // in a day, to whomever
	mailsPerHour    = 60 // of a workspace
	// KeptFor is how long requests are counted. Personal data in them is deleted as soon as they end.
	KeptFor = 24 * time.Hour
)

// Counted says how many mails went out recently.
type Counted struct {
	Person    int          // to this e-mail address in a day
	Last      when.Instant // the latest of these; 0 for none
	Oldest    when.Instant // the first of these
	Address   int          // asked for by this network address in a day
	Workspace int          // of the workspace in an hour
}

// Mails queues the mail with the link and the code, in the caller's transaction.
type Mails interface {
	PostToGuest(tx app.Tx, r *Request, byPage bool) error
	// MailsGuests reports whether that mail can be sent.
	MailsGuests(ctx context.Context, setup *catalog.Setup) (bool, error)
}

// Asked is the input of Ask.
type Asked struct {
	From netip.Addr
	// ByPage says that the person asked on the booking page, where they have agreed to a fee. The time is held for 30
	// minutes instead of ten, and the mail has no code, since there is no assistant to tell it to.
	ByPage bool
	// Texts is the wording of the consent to texts that they have ticked there; "" is none. It counts once they confirm.
	Texts string
	booking.BookInput
}

// visitor returns who asks at a workspace.
func visitor(setup *catalog.Setup) app.Actor {
	return app.Actor{Kind: booking.ByInvitee, Workspace: setup.Workspace.ID}
}

// Ask holds a time for a guest and mails them the link and the code that book it. Nothing is booked yet. Asking for the
// same again returns the same request, with the same end, and sends no mail. Errors: not_found and bad_request as for a
// booking; conflict slot_taken, too_many_holds, request_waits (the guest has another one), page_only (must be booked on
// the page); rate_limited too_many_mails.
func (s *Service) Ask(ctx context.Context, setup *catalog.Setup, in Asked) (r Request, err error) {
	e, err := s.bookable(ctx, setup, &in)
	if err != nil {
		return r, err
	}
	now, from := when.At(s.Core.Now()), s.sender(&in)
	waits, err := s.Reader(ctx).GuestWaits(setup.Workspace.ID, fault.EmailKey(in.Invitee.Email), now)
	switch {
	case err == nil && same(&waits, e, &in.BookInput):
		return waits, nil
	case err == nil:
		return r, fault.Conflictf("request_waits", "Another request of this person waits to be confirmed until %s. "+
			"Confirm "+
			"it, or ask again after that.", waits.ExpiresAt).With("retryAfter", seconds(waits.ExpiresAt, now))
	case !errors.Is(err, fault.ErrNotFound):
		return r, err
	}
	a := visitor(setup)
	if err := s.mayMail(s.Reader(ctx), setup, fault.EmailKey(in.Invitee.Email), from, now); err != nil {
		return r, err
	}
	minutes := app.DefaultHoldMinutes
	if in.ByPage {
		minutes = app.MailHoldMinutes
	}
	held, err := s.Core.Hold(ctx, a, app.HoldInput{EventType: in.EventType, Start: in.Start, Host: in.Host, AnyHost: in.AnyHost,
		AddOns: in.AddOns, Seats: in.Seats, Minutes: &minutes, Visitor: &app.HoldVisitor{Address: in.From,
			Listed: from.listed, Most: from.most(app.MostHoldsPerAddress), Email: in.Invitee.Email}})
	if err != nil {
		return r, err
	}
	if in.AnyHost { // the hold knows whose time it is
		in.Host, in.AnyHost = "", false
	}
	r = Request{ID: id.New[booking.GuestIDKind](s.Core.Now()), WorkspaceID: a.Workspace, Hold: held.ID.String(), Address: from.hash,
		Email: fault.EmailKey(in.Invitee.Email), EventType: e.ID, Host: held.Host.ID, Start: held.Start, End: held.End,
		Input: in.BookInput, Texts: in.Texts, MadeAt: now, ExpiresAt: held.ExpiresAt}
	err = s.Write(ctx, func(tx Tx) error {
		if err := tx.LockWorkspace(a.Workspace); err != nil {
			return err
		}
		if err := s.mayMail(tx, setup, r.Email, from, now); err != nil {
			return err
		}
		if err := tx.InsertGuestRequest(&r); err != nil {
			return err
		}
		return s.mails.PostToGuest(tx, &r, in.ByPage)
	})
	if err != nil {
		if _, waits := s.Reader(ctx).GuestWaits(a.Workspace, r.Email, now); errors.Is(waits, fault.ErrNotFound) {
			_ = s.Core.ReleaseHold(ctx, a, held.ID.String()) // else it ends by itself
		}
		return Request{}, err
	}
	return r, nil
}

// bookable finds the event type that a guest may ask for, and checks what they filled in as the page does.
func (s *Service) bookable(ctx context.Context, setup *catalog.Setup, in *Asked) (*catalog.EventType, error) {
	e := setup.EventType(in.EventType)
	if e == nil || !e.Active || e.Hidden {
		return nil, fault.Missing("event type", in.EventType)
	}
	var wrong fault.Problems
	email, err := fault.CheckEmail("invitee.email", in.Invitee.Email)
	wrong.Add(err)
	in.Invitee.Email, in.EventType = email, e.Slug
	for _, problem := range in.Problems(e, setup.Workspace.PhoneCountry()) {
		if problem.Field != "invitee.email" {
			wrong.Add(problem)
		}
	}
	if err := wrong.Err(); err != nil {
		return nil, err
	}
	page := ""
	if setup.AsksForFee(e) && !in.ByPage {
		page = "The person must agree to a fee, which only they can do on the page."
	} else if reaches, err := s.mails.MailsGuests(ctx, setup); err != nil {
		return nil, err
	} else if !reaches {
		page = "This business sends no mails at present."
	}
	if page != "" {
		return nil, fault.Conflictf("page_only", "%s It is booked at %s", page, e.BookingURL).With("url", e.BookingURL)
	}
	return e, nil
}

// same reports whether the request is for what is asked for.
func same(r *Request, e *catalog.EventType, in *booking.BookInput) bool {
	start, err := booking.ParseStart(in.Start)
	return err == nil && r.EventType == e.ID && r.Start == start && (in.Host == "" || in.Host == r.Host.String())
}

// mayMail refuses a mail too many.
func (s *Service) mayMail(r Reads, setup *catalog.Setup, email string, from sender, now when.Instant) error {
	n, err := r.CountGuestRequests(setup.Workspace.ID, email, from.hash, now.Add(-KeptFor), now.Add(-time.Hour))
	if err != nil {
		return err
	}
	wait := time.Duration(0)
	switch {
	case n.Last != 0 && n.Last.Add(mailPause) > now:
		wait = time.Duration(n.Last.Add(mailPause)-now) * time.Millisecond
	case n.Person >= mailsPerPerson:
		wait = time.Duration(n.Oldest.Add(KeptFor)-now) * time.Millisecond
	case n.Address >= from.most(mailsPerAddress) || n.Workspace >= mailsPerHour:
		wait = time.Hour
	default:
		return nil
	}
	return fault.New(fault.RateLimited, "too_many_mails",
		"This person was mailed lately, or too many mails went out. Nothing is held; try again later, or book on "+
			"the page.").
		With("retryAfter", int((wait+time.Second-1)/time.Second))
}

func seconds(until, now when.Instant) int { return int((until - now + 999) / 1000) }

// gone returns the error of a request that can't be confirmed any more.
func gone() *fault.Error {
	return fault.Conflictf("request_over", "This request is over: it was confirmed already, it has expired, or a "+
		"wrong code "+
		"was given too often. Nothing more is booked by it. Look for open times and ask again.")
}

func missing() *fault.Error {
	return fault.New(fault.NotFound, "", "There is no such request here. Ask for a booking first.")
}

// Confirm books what was asked for, with the code in the mail. An attempt is counted before the code is checked; the
// fifth wrong code ends the request. from is where it comes from. Errors: not_found; conflict request_over, bad_request wrong_mail_code; those of a
// booking.
func (s *Service) Confirm(ctx context.Context, setup *catalog.Setup, ref, code string, from netip.Addr) (booking.Booking, error) {
	id, err := id.Parse[booking.GuestIDKind](strings.TrimSpace(ref))
	if err != nil {
		return booking.Booking{}, missing()
	}
	now := when.At(s.Core.Now())
	var r Request
	err = s.Write(ctx, func(tx Tx) error {
		counted, err := tx.TryGuestRequest(setup.Workspace.ID, id, mostAttempts, now)
		if err != nil {
			return err
		}
		if r, err = tx.GuestRequest(setup.Workspace.ID, id); err == nil && !counted {
			err = gone()
		}
		return err
	})
	if err != nil {
		return booking.Booking{}, fault.OrMissing(err, missing())
	}
	code = strings.Map(func(c rune) rune {
		if c >= '0' && c <= '9' {
			return c
		}
		return -1
	}, code)
	if subtle.ConstantTimeCompare([]byte(code), []byte(booking.GuestCode(setup, id))) == 1 {
		return s.book(ctx, setup, &r, from)
	}
	if r.Attempts >= mostAttempts {
		_ = s.Core.ReleaseHold(ctx, visitor(setup), r.Hold) // else it ends by itself
	}
	return booking.Booking{}, fault.New(fault.BadRequest, "wrong_mail_code",
		"This is not the code of the mail. Ask the person to read it again; they can also open the mail's link.").
		At("code").With("attemptsLeft", mostAttempts-r.Attempts)
}

// ByToken returns the request of the link in a mail, with the set-up of its workspace. Errors: not_found, forbidden while
// the workspace is suspended.
func (s *Service) ByToken(ctx context.Context, token string) (r Request, setup *catalog.Setup, err error) {
	id, ok := catalog.Unsigned[booking.GuestIDKind](token)
	if !ok {
		return r, nil, missing()
	}
	if r, err = s.Reader(ctx).GuestRequest(0, id); err != nil {
		return r, nil, fault.OrMissing(err, missing())
	}
	if setup, err = s.Core.Setup(r.WorkspaceID); err != nil {
		return r, nil, fault.OrMissing(err, missing())
	}
	if subtle.ConstantTimeCompare([]byte(booking.GuestToken(setup, id)), []byte(token)) != 1 {
		return Request{}, nil, missing()
	}
	return r, setup, setup.Workspace.Open()
}

// ConfirmByLink books what was asked for, by the link in the mail. from is where it was opened. Errors: not_found, conflict request_over, those
// of a booking.
func (s *Service) ConfirmByLink(ctx context.Context, token string, from netip.Addr) (b booking.Booking, err error) {
	r, setup, err := s.ByToken(ctx, token)
	if err != nil {
		return b, err
	}
	return s.book(ctx, setup, &r, from)
}

// Waits reports whether the request can be confirmed.
func (r *Request) Waits(now when.Instant) bool {
	return r.Booking == 0 && r.ExpiresAt > now && r.Attempts < mostAttempts
}

// book turns a request into the booking, once.
func (s *Service) book(ctx context.Context, setup *catalog.Setup, r *Request, from netip.Addr) (b booking.Booking, err error) {
	a, now := visitor(setup), when.At(s.Core.Now())
	a.From = from
	var refused *fault.Error
	err = s.Write(ctx, func(tx Tx) (err error) {
		refused = nil
		mine, err := tx.TakeGuestRequest(r.WorkspaceID, r.ID, now)
		if err != nil {
			return err
		}
		if !mine {
			return gone()
		}
		in := r.Input
		in.Hold, in.Proven = r.Hold, true // by the code or the link, which were mailed there
		if b, err = s.Core.In(tx).Book(ctx, a, in); err != nil {
			refused = fault.Refusal(err)
			return err
		}
		if r.Texts != "" && setup.Workspace.Texts {
			if err := s.ticked(tx, &b, r.Texts); err != nil {
				return err
			}
		}
		return tx.SetGuestBooking(r.WorkspaceID, r.ID, b.ID)
	})
	if refused != nil && refused.Later != nil {
		if later := refused.Later(ctx); later != nil {
			return booking.Booking{}, later
		}
	}
	if err != nil {
		return booking.Booking{}, err
	}
	s.Core.Present(setup, a, &b)
	return b, nil
}

// sender is who asks, as the limits by address count them: an assistant that calls from a network of many people's is
// counted apart from the people who come from there themselves.
type sender struct {
	hash   string
	listed bool
	most   func(int) int
}

func (s *Service) sender(in *Asked) sender {
	one := sender{hash: hashOf(in.From), most: func(n int) int { return n }}
	if !in.ByPage && s.gate.Listed(in.From) {
		one = sender{digest("assistant " + one.hash), true, func(n int) int { return s.gate.Most(in.From, n) }}
	}
	return one
}

// hashOf returns what is kept of a network address: an IPv6 address stands for its /64.
func hashOf(from netip.Addr) string {
	bits := from.BitLen()
	if from.Is6() {
		bits = 64
	}
	network, _ := from.Prefix(bits)
	return digest(network.String())
}

// forget deletes what is old, and what the requests that are over say of a person.
func (s *Service) forget(ctx context.Context) error {
	const step = 200
	for n := step; n == step; {
		err := s.Quietly(ctx, func(tx Tx) (err error) {
			now := when.At(s.Core.Now())
			n, err = tx.ForgetGuestRequests(now, now.Add(-KeptFor), step)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:16])
}
