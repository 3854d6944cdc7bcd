package invitation

import (
	"context"
	"encoding/json"
	"io"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/when"
)

// Post queues the mail with the link of an invitation to its recipient, in the caller's transaction.
type Post interface {
	// PostLink queues a new mail.
	PostLink(tx app.Tx, l *Invitation) (Queued, error)
	// PostLinkAgain queues the mail l.Mail again, as a new message. Errors: not_found (the mail was deleted), conflict
	// in_progress, sent_lately, sent_often.
	PostLinkAgain(tx app.Tx, l *Invitation) (Queued, error)
}

// Service holds the rules of the subject.
type Service struct {
	app.Subject[Reader, Tx]
	post Post
}

// New returns the Service over a core, which asks it for the links of bookings from then on.
func New(core *app.Service, post Post) *Service {
	s := &Service{app.Subject[Reader, Tx]{Core: core}, post}
	core.SetLinks(links{})
	core.AddDuties(app.Duties{Prune: s.prune})
	return s
}

// In returns the Service within a transaction, see app.Service.In.
func (s *Service) In(tx app.Tx) *Service {
	return &Service{app.Subject[Reader, Tx]{Core: s.Core.In(tx)}, s.post}
}

// The most links of a workspace, and the most that it may mail in a day, so that nobody can misuse a shop's good name
// to write to strangers.
const (
	maxInvitations = 10_000
	maxMailed      = 100
	mailedSpan     = when.Day
)

// CreateInvitation makes a link. Its URL is in the result and is never shown again; one with a recipient is mailed, and
// shown to nobody else. Errors: forbidden, not_found (event type, host), bad_request, conflict too_many_invitations,
// rate_limited too_many_mails.
func (s *Service) CreateInvitation(ctx context.Context, a app.Actor, in Input) (l Invitation, err error) {
	if err := a.May(app.MayInvite); err != nil {
		return l, err
	}
	setup, err := s.Core.SetupFor(a)
	if err != nil {
		return l, err
	}
	if l, err = s.check(setup, a, in); err != nil {
		return l, err
	}
	token := newToken()
	if l.Email != "" {
		token = MailedToken(setup, l.ID)
	}
	err = s.Write(ctx, func(tx Tx) error {
		if err := tx.LockWorkspace(a.Workspace); err != nil {
			return err
		}
		if err := s.withinLimits(tx, &l); err != nil {
			return err
		}
		if l.Email != "" {
			queued, err := s.post.PostLink(tx, &l)
			if err != nil {
				return err
			}
			l.Mail = queued.Mail
		}
		return tx.InsertInvitationLink(&l, hashOf(token))
	})
	if err != nil {
		return Invitation{}, err
	}
	if l.Email == "" {
		l.URL = s.Core.BaseURL() + Path + token
	}
	return l, nil
}

// check makes the invitation that the input describes.
func (s *Service) check(setup *catalog.Setup, a app.Actor, in Input) (l Invitation, err error) {
	now := s.Core.Now()
	l = Invitation{ID: id.New[booking.InvitationIDKind](now), WorkspaceID: a.Workspace, Uses: 1}
	l.CreatedAt = when.At(l.ID.MadeAt())
	var p fault.Problems
	if in.EventType == "" {
		p.Add(fault.Invalid("eventType", "is required: the slug of an event type"))
	}
	in.EventType, err = fault.CheckLine("eventType", in.EventType, 0, booking.MaxRef)
	p.Add(err)
	in.Host, err = fault.CheckLine("host", in.Host, 0, booking.MaxRef)
	p.Add(err)
	if in.ExpiresAt != "" {
		if l.ExpiresAt, err = when.ParseISO(in.ExpiresAt); err != nil {
			p.Add(fault.Invalid("expiresAt", "%v", err))
		} else if l.ExpiresAt = l.ExpiresAt.Within(); l.ExpiresAt <= when.At(now) {
			p.Add(fault.Invalid("expiresAt", "must lie ahead"))
		} else {
			l.ForgetAt = l.ExpiresAt.Add(keptFor)
		}
	}
	if in.Uses != nil {
		if l.Uses = *in.Uses; l.Uses < 1 || l.Uses > MaxUses {
			p.Add(fault.Invalid("uses", "must lie between %d and %d", 1, MaxUses))
		}
	}
	if in.Email != "" {
		l.Email, err = fault.CheckEmail("email", in.Email)
		p.Add(err)
	}
	if err := p.Err(); err != nil {
		return l, err
	}
	e := setup.EventType(in.EventType)
	if e == nil {
		return l, fault.Missing("event type", in.EventType)
	}
	l.EventTypeID, l.EventType = e.ID, e.Slug
	if l.HostID, err = hostOf(setup, a, e, in.Host); err != nil {
		return l, err
	}
	present(setup, &l)
	return l, nil
}

// hostOf returns the host whom the link is to fix: staff invite to themselves.
func hostOf(setup *catalog.Setup, a app.Actor, e *catalog.EventType, ref string) (catalog.HostID, error) {
	var host catalog.HostID
	if ref != "" {
		var err error
		if host, err = id.Parse[catalog.HostIDKind](ref); err != nil || setup.Host(host) == nil {
			return 0, fault.Missing("host", ref)
		}
	}
	if host != 0 && !a.Limits.Knows(setup, host) {
		return 0, fault.Missing("host", ref)
	}
	if a.Own() {
		if a.Host == 0 || host != 0 && host != a.Host {
			return 0, fault.Missing("host", ref)
		}
		host = a.Host
	}
	if host == 0 {
		return 0, nil
	}
	if !setup.Host(host).Active || !e.ServedBy(host) {
		return 0, fault.Invalid("host", "%s does not serve %s", setup.Host(host).Name, e.Title)
	}
	return host, nil
}

// withinLimits refuses one link or one mail too many, in a transaction that has locked the workspace.
func (s *Service) withinLimits(tx Tx, l *Invitation) error {
	n, err := tx.CountInvitationLinks(l.WorkspaceID, 0, false, maxInvitations)
	if err != nil {
		return err
	}
	if n >= maxInvitations {
		return fault.Conflictf("too_many_invitations", "This workspace has %d invitation links, the most there may be. "+
			"Those that were used, have expired or were revoked are forgotten after a while.", n)
	}
	if l.Email == "" {
		return nil
	}
	since := id.First[booking.InvitationIDKind](s.Core.Now().Add(-mailedSpan))
	if n, err = tx.CountInvitationLinks(l.WorkspaceID, since, true, maxMailed); err != nil {
		return err
	}
	if n >= maxMailed {
		return fault.New(fault.RateLimited, "too_many_mails", "%d invitations were mailed within a day, the most there may be. "+
			"Make a link without a recipient, or try again tomorrow.", n).With("retryAfter", int(mailedSpan.Seconds()))
	}
	return nil
}

// present fills in the names that are not stored.
func present(setup *catalog.Setup, l *Invitation) {
	if e := setup.EventTypeByID(l.EventTypeID); e != nil {
		l.EventType = e.Slug
	}
	if h := setup.Host(l.HostID); h != nil {
		l.Host = &catalog.HostRef{ID: h.ID, Name: h.Name}
	}
}

// Invitation returns one link, without its URL. Errors: forbidden, not_found.
func (s *Service) Invitation(ctx context.Context, a app.Actor, ref string) (l Invitation, err error) {
	if err := a.May(app.MaySeeInvitations); err != nil {
		return l, err
	}
	setup, err := s.Core.SetupFor(a)
	if err != nil {
		return l, err
	}
	if l, err = find(s.Reader(ctx), a, ref); err == nil {
		present(setup, &l)
	}
	return l, err
}

// find returns a link that the actor may see.
func find(r Reader, a app.Actor, ref string) (Invitation, error) {
	missing := fault.Missing("invitation", ref)
	id, err := id.Parse[booking.InvitationIDKind](ref)
	if err != nil {
		return Invitation{}, missing
	}
	l, err := r.InvitationLink(a.Workspace, id)
	if err == nil && !a.Sees(l.HostID) {
		err = fault.ErrNotFound
	}
	return l, fault.OrMissing(err, missing)
}

// ListInput says which links are listed.
type ListInput struct {
	EventType string // slug or id; "" is all
	Limit     *int
	Cursor    string
}

// Invitations lists links, the newest first; staff see those that fix them as the host. An event type that doesn't
// exist gives an empty list. Errors: forbidden, bad_request.
func (s *Service) Invitations(ctx context.Context, a app.Actor, in ListInput) (page fault.Page[Invitation], err error) {
	page.Data = []Invitation{}
	if err := a.May(app.MaySeeInvitations); err != nil {
		return page, err
	}
	setup, err := s.Core.SetupFor(a)
	if err != nil {
		return page, err
	}
	limit, err := fault.PageLimit(in.Limit, 50)
	if err != nil {
		return page, err
	}
	f := Filter{Limit: limit + 1}
	list := fault.List{"invitations", in.EventType}
	if in.Cursor != "" {
		var last int64
		if err := list.Read(in.Cursor, &last); err != nil {
			return page, err
		}
		f.Before = booking.InvitationID(last)
	}
	if in.EventType != "" {
		e := setup.EventType(in.EventType)
		if e == nil {
			page.Hint = setup.NoEventType(in.EventType, a.SeesEventType)
			return page, nil
		}
		f.EventType = e.ID
	}
	if a.Own() {
		if f.Host = a.Host; f.Host == 0 {
			return page, nil
		}
	}
	rows, err := s.Reader(ctx).InvitationLinks(a.Workspace, f)
	if err != nil {
		return page, err
	}
	for i := range rows {
		present(setup, &rows[i])
	}
	return fault.PageOf(rows, limit, func(l *Invitation) string { return list.Cursor(int64(l.ID)) }), nil
}

// RevokeInvitation ends a link; bookings made by it stay. Revoking again changes nothing. Errors: forbidden,
// not_found.
func (s *Service) RevokeInvitation(ctx context.Context, a app.Actor, ref string) error {
	if err := a.May(app.MayInvite); err != nil {
		return err
	}
	return s.Write(ctx, func(tx Tx) error {
		l, err := find(tx, a, ref)
		if err != nil {
			return err
		}
		now := when.At(s.Core.Now())
		return tx.RevokeInvitationLink(l.WorkspaceID, l.ID, now, now.Add(keptFor))
	})
}

// ExportInvitations writes all links as lines of JSON, the oldest first. Errors: forbidden.
func (s *Service) ExportInvitations(ctx context.Context, a app.Actor, to io.Writer) error {
	if err := a.May(app.MayExportAll); err != nil {
		return err
	}
	setup, err := s.Core.SetupFor(a)
	if err != nil {
		return err
	}
	out := json.NewEncoder(to)
	f := Filter{OldestFirst: true, Limit: app.ExportStep}
	for {
		rows, err := s.Reader(ctx).InvitationLinks(a.Workspace, f)
		if err != nil || len(rows) == 0 {
			return err
		}
		for i := range rows {
			present(setup, &rows[i])
			if err := out.Encode(&rows[i]); err != nil {
				return err
			}
			f.After = rows[i].ID
		}
	}
}

// prune deletes the links that can't be used any more and have been listed for long enough.
func (s *Service) prune(ctx context.Context) error {
	const step = 200
	for n := step; n == step; {
		err := s.Quietly(ctx, func(tx Tx) (err error) {
			n, err = tx.PruneInvitationLinks(when.At(s.Core.Now()), step)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}
