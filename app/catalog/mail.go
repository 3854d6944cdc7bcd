package catalog

import (
	"slices"
)

// Wants reports whether mails of the kind are sent: neither the workspace nor the event type, which may be nil, has
// switched them off.
func (s *Setup) Wants(k MailKind, e *EventType) bool {
	return !slices.Contains(s.Workspace.Settings.MailsOff, k) && (e == nil || !slices.Contains(e.MailsOff, k))
}
