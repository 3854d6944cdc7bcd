package shop

import (
	"context"
	"slices"

	"daybook/app"
	"daybook/app/account"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/id"
)

// Person is somebody who joins the team.
type Person struct {
	Host     catalog.Host // without an id; its terms are those of the services
	Services []catalog.EventTypeID
	SignsIn  app.Role // as which role, with the host's e-mail address; "" is not at all
	Mail     bool     // the invitation to sign in is mailed
}

// AddPerson creates a host who does the services, and invites them as a member if they are to sign in: all or nothing.
// link is that of the invitation. Errors: those of SaveHost, SetServices and InviteHost.
func (s *Service) AddPerson(ctx context.Context, a app.Actor, in Person) (h catalog.Host, link string, err error) {
	if err := a.May(app.MayManageHosts); err != nil {
		return h, "", err
	}
	err = s.Write(ctx, func(tx Tx) error {
		bound, terms := s.In(tx), in.Host.EventTypes
		h, link = in.Host, "" // it may run again
		h.EventTypes = nil
		if h, err = bound.SaveHost(ctx, a, h); err != nil {
			return err
		}
		does := map[catalog.EventTypeID]bool{}
		for _, e := range in.Services {
			does[e] = true
		}
		if len(does) > 0 {
			if h, err = bound.SetServices(ctx, a, h.ID.String(), does, terms); err != nil {
				return err
			}
		}
		if in.SignsIn == "" {
			return nil
		}
		link, err = bound.InviteHost(ctx, a, account.MemberInput{Email: h.Email, Role: in.SignsIn, Host: h.ID, Mail: in.Mail})
		return err
	})
	return h, link, err
}

// InviteHost invites a host to sign in, and returns the link. A member with the address who is no host yet becomes this
// one, with the role that they have: who waits for a password gets a new link, and for who has one link is "". Errors:
// those of account.Invite.
func (s *Service) InviteHost(ctx context.Context, a app.Actor, in account.MemberInput) (link string, err error) {
	if err := a.May(app.MayManageMembers); err != nil {
		return "", err
	}
	err = s.Write(ctx, func(tx Tx) error {
		if _, err := lockedSetup(tx, a); err != nil {
			return err
		}
		members := s.account.In(tx)
		all, err := members.Members(ctx, a)
		if err != nil {
			return err
		}
		for _, u := range all {
			if u.HostID == 0 && fault.EmailKey(u.Email) == fault.EmailKey(in.Email) {
				link = ""
				_, err = members.EditMember(ctx, a, u.ID.String(), func(m account.Membership) (account.MemberInput, error) {
					return account.MemberInput{Role: m.Role, Host: in.Host}, nil
				})
				if err == nil && u.PasswordHash == "" {
					_, link, err = members.InviteAgain(ctx, a, u.ID.String(), in.Mail)
				}
				return err
			}
		}
		_, link, err = members.Invite(ctx, a, in)
		return err
	})
	return link, err
}

// SetServices says which services a host does, with the lengths and prices in terms where they have their own: all or
// nothing. What does doesn't name stays as it is, with its terms. Errors: forbidden, not_found, and bad_request such as
// those of ChangeEventType, about host.services[id], and of ChangeHost.
func (s *Service) SetServices(ctx context.Context, a app.Actor, ref string, does map[catalog.EventTypeID]bool,
	terms []catalog.Terms) (h catalog.Host, err error) {
	if err := a.May(app.MayManageEventTypes); err != nil {
		return h, err
	}
	host, err := id.Parse[catalog.HostIDKind](ref)
	if err != nil {
		return h, fault.Missing("host", ref)
	}
	err = s.Write(ctx, func(tx Tx) error {
		setup, err := lockedSetup(tx, a)
		if err != nil {
			return err
		}
		if setup.Host(host) == nil {
			return fault.Missing("host", ref)
		}
		for e := range does {
			if setup.EventTypeByID(e) == nil {
				return fault.Missing("event type", e.String())
			}
		}
		bound := s.In(tx)
		for i := range setup.EventTypes { // in their order, so that errors are
			e := &setup.EventTypes[i]
			if does, said := does[e.ID]; said && does != e.ServedBy(host) {
				if err := bound.serve(ctx, a, e, host, does); err != nil {
					return err
				}
			}
		}
		h, err = bound.ChangeHost(ctx, a, ref, func(h *catalog.Host) error {
			kept := slices.DeleteFunc(slices.Clone(h.EventTypes), func(t catalog.Terms) bool {
				_, said := does[t.EventType]
				return said
			})
			h.EventTypes = append(slices.Clone(terms), kept...)
			return nil
		})
		return err
	})
	return h, err
}

// serve makes a host one of those who do the event type, or ends that.
func (s *Service) serve(ctx context.Context, a app.Actor, e *catalog.EventType, host catalog.HostID, does bool) error {
	_, err := s.ChangeEventType(ctx, a, e.ID.String(), func(setup *catalog.Setup, e *catalog.EventType) error {
		if does {
			e.Hosts = append(slices.Clone(e.Hosts), catalog.HostRef{ID: host})
			return nil
		}
		active := func(h catalog.HostRef) bool { return setup.Host(h.ID) != nil && setup.Host(h.ID).Active }
		bookable := e.Active && slices.ContainsFunc(e.Hosts, active)
		e.Hosts = slices.DeleteFunc(slices.Clone(e.Hosts), func(h catalog.HostRef) bool { return h.ID == host })
		if len(e.Hosts) == 0 || bookable && !slices.ContainsFunc(e.Hosts, active) {
			return fault.Invalid("hosts", "nobody else does %s: give it to somebody else first", e.Title)
		}
		return nil
	})
	wrong := fault.As(err)
	if wrong == nil || wrong.Code != fault.BadRequest && wrong.Code != fault.Conflict {
		return err
	}
	named := *wrong
	named.Others = nil
	return named.About("host.services[" + e.ID.String() + "]")
}
