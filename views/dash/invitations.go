package dash

// InvitationsPage lists the invitation links.
type InvitationsPage struct {
	Frame
	BackURL, BackLabel string
	NewURL             string
	Problem            string
	List               SettingsList
}

// Invitation links.
const (
	InvitationsPath   = TodayPath + "/invitations"
	NewInvitationPath = InvitationsPath + "/new"
)

// InvitationRevokePath ends a link.
func InvitationRevokePath(id string) string { return InvitationsPath + "/" + id + "/revoke" }

// InvitationResendPath mails a link again.
func InvitationResendPath(id string) string { return InvitationsPath + "/" + id + "/resend" }
