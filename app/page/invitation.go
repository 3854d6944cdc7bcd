package page

import (
	"net/http"
	"strings"

	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/views"
)

// enterInvitation finds the event type of the link in the path. If it can't be booked by the link, this shows the page
// for that and returns nil. The address keeps the token, so that it works without cookies, in frames of other sites and
// in several tabs; no page or request gets it as a referrer (see headers).
func (v *visit) enterInvitation() (*catalog.EventType, error) {
	token := v.r.PathValue("token")
	l, actor, err := v.service.Invitation.Open(v.r.Context(), token)
	if actor.Workspace != 0 {
		var failed error
		if v.setup, failed = v.service.Setup(actor.Workspace); failed != nil {
			return nil, failed
		}
		v.actor = actor
		v.readZone("")
	}
	if err != nil {
		return nil, v.notInvited(err)
	}
	v.invited, v.link = l, token
	e := v.setup.EventTypeByID(l.EventTypeID)
	if e == nil || !e.Active {
		return nil, v.closed()
	}
	if l.HostID == 0 {
		v.pickHost(e)
		return e, nil
	}
	if v.host = v.setup.Host(l.HostID); !v.host.Active || !e.ServedBy(l.HostID) {
		return nil, v.closed()
	}
	v.query.Host = l.HostID.String()
	return e, nil
}

// byLink is the prefix of the reasons for which an invitation link can't be used.
const byLink = "invitation_"

// notInvited says why a link can't be used, or returns another error.
func (v *visit) notInvited(err error) error {
	refused := fault.Refusal(err)
	if refused == nil || !strings.HasPrefix(refused.Reason, byLink) {
		return err
	}
	return v.show(http.StatusNotFound, views.MessageView(views.NotInvited(v.page(), refused.Reason)))
}

// eventPath is the address of the event type's page: that of the link by which the visitor came, if there is one.
func (v *visit) eventPath(e *catalog.EventType, q views.Query) string {
	if v.link != "" {
		return views.InvitationPath(v.link, q)
	}
	return views.EventPath(v.slug(), e.Slug, q)
}
