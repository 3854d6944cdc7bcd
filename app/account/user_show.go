package account

import (
	"context"

	"daybook/app"
	"daybook/app/fault"
	"daybook/app/when"
)

// Shown is a member as the operator sees them.
type Shown struct {
	app.User
	SignsIn    bool         `json:"signsIn"`             // has a password: the invitation was taken
	Sessions   int          `json:"sessions"`            // browsers that are signed in, at most 50
	LastSeenAt when.Instant `json:"lastSeenAt,omitzero"` // in one of them; 0 if there is none
}

// ShowUser finds the member of any workspace who signs in with that address. Errors: forbidden, not_found.
func (s *Service) ShowUser(ctx context.Context, a app.Actor, email string) (shown Shown, err error) {
	if err := a.May(app.MayOperate); err != nil {
		return shown, err
	}
	r := s.Reader(ctx)
	u, err := r.UserByEmail(email)
	if err != nil {
		return shown, fault.OrMissing(err, fault.New(fault.NotFound, "", "There is no user %s; list them with: daybook user list", email))
	}
	shown.User, shown.SignsIn = u, u.PasswordHash != ""
	open, err := r.Sessions(u.ID, 50)
	for i := range open {
		shown.Sessions++
		shown.LastSeenAt = max(shown.LastSeenAt, open[i].SeenAt)
	}
	return shown, err
}
