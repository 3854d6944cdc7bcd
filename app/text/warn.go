package text

import (
	"daybook/app/catalog"
	"daybook/app/mail"
)

// warnOwners mails the owners how much of the month's segments is used.
func (s *Service) warnOwners(tx Tx, setup *catalog.Setup, percent, most int) error {
	return s.mail.TextsUsed(tx, setup.Workspace.ID, mail.TextsAlert{Percent: percent, Cap: most})
}
