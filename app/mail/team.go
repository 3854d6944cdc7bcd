package mail

import (
	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/factor"
	"daybook/views/finding"
)

// EndpointDisabled tells the owners, in the transaction that disabled a webhook endpoint, its address and why it was
// disabled: gone or failing.
func (s *Service) EndpointDisabled(in app.Tx, ws catalog.WorkspaceID, url, why string) error {
	_, err := s.toOwners(in, ws, catalog.MailTeamEndpoint, Facts{URL: url, Reason: why})
	return err
}

// CalendarRefused tells the host, in the transaction that noticed it, that the sign-in to another calendar of theirs is
// refused or revoked. A host without an address is told by way of the owners, as are calendars of resources, with host 0. It reports whether anybody is told.
func (s *Service) CalendarRefused(in app.Tx, ws catalog.WorkspaceID, host catalog.HostID,
	c CalendarAlert) (bool, error) {
	setup, err := s.Core.Setup(ws)
	if err != nil {
		return false, err
	}
	f := Facts{Host: host, Calendar: &c}
	if h := setup.Host(host); h != nil && h.Email != "" {
		f.For = ToHost
		return s.Alert(in.(Tx), ws, catalog.MailTeamCalendar, f, app.User{Email: h.Email})
	}
	return s.toOwners(in, ws, catalog.MailTeamCalendar, f)
}

// ServerTrouble tells the owners of the workspace that looks after the server what is wrong with it.
func (s *Service) ServerTrouble(in app.Tx, ws catalog.WorkspaceID, all []finding.Finding) error {
	_, err := s.toOwners(in, ws, catalog.MailTeamServer, Facts{Server: all})
	return err
}

// FactorChanged tells a member what has changed of what they sign in by.
func (s *Service) FactorChanged(in app.Tx, u *app.User, what factor.Change, name string) error {
	f := FactorAlert{What: string(what), Name: name}
	_, err := s.Alert(in.(Tx), u.WorkspaceID, catalog.MailSecurity, Facts{For: ToOwner, Factor: &f}, *u)
	return err
}

func (s *Service) toOwners(in app.Tx, ws catalog.WorkspaceID, k catalog.MailKind, f Facts) (bool, error) {
	owners, err := OwnersOf(in.(Tx), ws)
	if err != nil {
		return false, err
	}
	f.For = ToOwner
	return s.Alert(in.(Tx), ws, k, f, owners...)
}
