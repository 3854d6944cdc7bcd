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
func (c *call) enterInvitation() (*catalog.EventType, error) {
	token := c.r.PathValue("token")
	l, actor, err := c.service.Invitation.Open(c.r.Context(), token)
	if actor.Workspace != 0 {
		var failed error
		if c.setup, failed = c.service.Setup(actor.Workspace); failed != nil {
			return nil, failed
		}
		c.is(actor)
		c.readZone("")
	}
	if err != nil {
		return nil, c.notInvited(err)
	}
	c.invited, c.link = l, token
	e := c.setup.EventTypeByID(l.EventTypeID)
	if e == nil || !e.Active {
		return nil, c.closed()
	}
	if l.HostID == 0 {
		c.pickHost(e)
		return e, nil
	}
	if c.host = c.setup.Host(l.HostID); !c.host.Active || !e.ServedBy(l.HostID) {
		return nil, c.closed()
	}
	c.query.Host = l.HostID.String()
	return e, nil
}

// byLink is the prefix of the reasons for which an invitation link can't be used.
const byLink = "invitation_"

// notInvited says why a link can't be used, or returns another error.
func (c *call) notInvited(err error) error {
	refused := fault.Refusal(err)
	if refused == nil || !strings.HasPrefix(refused.Reason, byLink) {
		return err
	}
	return c.showMessage(http.StatusNotFound, views.NotInvited(c.page(), refused.Reason))
}

// eventPath returns the address of the event type's page: that of the link by which the visitor came, if there is one.
func (c *call) eventPath(e *catalog.EventType, q views.Query) string {
	if c.link != "" {
		return views.InvitationPath(c.link, q)
	}
	return views.EventPath(c.slug(), e.Slug, q)
}
