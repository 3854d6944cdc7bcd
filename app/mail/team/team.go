// Package team queues the mails to the team that are about no booking: of something that has stopped, and that somebody
// must set right. Each is queued in the transaction that notices it. What they say is in app/mail/alert.
package team

import (
	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/mail"
	"daybook/app/mail/alert"
	"daybook/app/notice"
	"daybook/views/finding"
)

// EndpointDisabled tells the owners, in the transaction that disabled a webhook endpoint, its address and why it was
// disabled: gone or failing.
func EndpointDisabled(s *mail.Service) func(in app.Tx, ws catalog.WorkspaceID, url, why string) error {
	return func(in app.Tx, ws catalog.WorkspaceID, url, why string) error {
		_, err := toOwners(s, in, ws, notice.MailTeamEndpoint, mail.Facts{URL: url, Reason: why})
		return err
	}
}

// CalendarRefused tells the host, in the transaction that noticed it, that the sign-in to another calendar of theirs is
// refused or revoked. A host without an address is told by way of the owners. It reports whether anybody is told.
func CalendarRefused(s *mail.Service, in app.Tx, ws catalog.WorkspaceID, host catalog.HostID,
	c alert.Calendar) (bool, error) {
	setup, err := s.Core.Setup(ws)
	if err != nil {
		return false, err
	}
	f := mail.Facts{Host: host, Calendar: &c}
	if h := setup.Host(host); h != nil && h.Email != "" {
		f.For = mail.ToHost
		return s.Alert(in.(mail.Tx), ws, notice.MailTeamCalendar, f, app.User{Email: h.Email})
	}
	return toOwners(s, in, ws, notice.MailTeamCalendar, f)
}

// ServerTrouble tells the owners of the workspace that looks after the server what is wrong with it.
func ServerTrouble(s *mail.Service, in app.Tx, ws catalog.WorkspaceID, all []finding.Finding) error {
	_, err := toOwners(s, in, ws, notice.MailTeamServer, mail.Facts{Server: all})
	return err
}

// FactorChanged tells a member what has changed of what they sign in by.
func FactorChanged(s *mail.Service, in app.Tx, u *app.User, f alert.Factor) error {
	_, err := s.Alert(in.(mail.Tx), u.WorkspaceID, notice.MailSecurity, mail.Facts{For: mail.ToOwner, Factor: &f}, *u)
	return err
}

func toOwners(s *mail.Service, in app.Tx, ws catalog.WorkspaceID, k notice.MailKind, f mail.Facts) (bool, error) {
	owners, err := mail.OwnersOf(in.(mail.Tx), ws)
	if err != nil {
		return false, err
	}
	f.For = mail.ToOwner
	return s.Alert(in.(mail.Tx), ws, k, f, owners...)
}
