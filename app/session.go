package app

import (
	"daybook/app/record"
)

// Actor is who the member is in the dashboard.
func (u User) Actor() Actor {
	return Actor{Kind: record.ByOwner, Workspace: u.WorkspaceID, User: u.ID, Role: u.Role, Host: u.HostID}
}
