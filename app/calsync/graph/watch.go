package graph

import (
	"context"
	"net/http"
	"net/url"
	"time"

	"daybook/app/calsync"
)

// subscription calls an address when a calendar's events change:
// https://learn.microsoft.com/en-us/graph/api/resources/subscription
type subscription struct {
	ID          string `json:"id,omitempty"`
	ChangeType  string `json:"changeType,omitempty"`
	Address     string `json:"notificationUrl,omitempty"`
	AboutItself string `json:"lifecycleNotificationUrl,omitempty"`
	Resource    string `json:"resource,omitempty"`
	Ends        string `json:"expirationDateTime"`
	ClientState string `json:"clientState,omitempty"` // at most 128 characters
}

// longestWatch is a little less than the longest that there may be for events, 4230 minutes:
// https://learn.microsoft.com/en-us/graph/api/resources/subscription#subscription-lifetime
const longestWatch = 4200 * time.Minute

// ends returns when a subscription ends that is to last that long.
func ends(now time.Time, life time.Duration) string {
	return now.Add(min(life, longestWatch)).UTC().Format("2006-01-02T15:04:05.0000000Z")
}

// Watch implements calsync.Watcher. Microsoft calls the address before it answers. That a subscription may be of one
// calendar's events isn't documented, but so: https://github.com/microsoftgraph/microsoft-graph-docs/issues/21978
func (s *source) Watch(ctx context.Context, of calsync.Watching) (calsync.Watch, error) {
	ask := subscription{ChangeType: "created,updated,deleted", Address: of.Address, AboutItself: of.Address,
		Resource: "me/calendars/" + url.PathEscape(of.Calendar) + "/events", ClientState: of.Token,
		Ends: ends(of.Now, of.Life)}
	var made subscription
	if err := s.Do(ctx, "POST", s.api+"/subscriptions", nil, ask, &made); err != nil {
		return calsync.Watch{}, writing(err)
	}
	return made.watch()
}

// watch returns the subscription in the words of calsync.
func (s *subscription) watch() (calsync.Watch, error) {
	until, err := time.Parse(time.RFC3339, s.Ends)
	if err != nil || s.ID == "" {
		return calsync.Watch{}, calsync.ErrNotOne
	}
	return calsync.Watch{ID: s.ID, Until: until}, nil
}

// Renew implements calsync.Watcher. It also says that the account may still be watched, which Microsoft asks for now
// and then: https://learn.microsoft.com/en-us/graph/change-notifications-lifecycle-events
func (s *source) Renew(ctx context.Context, w calsync.Watch, now time.Time, life time.Duration) (calsync.Watch,
	error) {
	var made subscription
	err := s.Do(ctx, "PATCH", s.api+"/subscriptions/"+url.PathEscape(w.ID), nil,
		subscription{Ends: ends(now, life)}, &made)
	if status := statusOf(err); status == http.StatusNotFound || status == http.StatusGone {
		return calsync.Watch{}, calsync.ErrGone
	}
	if err != nil {
		return calsync.Watch{}, writing(err)
	}
	if made.ID == "" {
		made.ID = w.ID
	}
	return made.watch()
}

// Unwatch implements calsync.Watcher.
func (s *source) Unwatch(ctx context.Context, w calsync.Watch) error {
	err := s.Do(ctx, "DELETE", s.api+"/subscriptions/"+url.PathEscape(w.ID), nil, nil, nil)
	if status := statusOf(err); status == http.StatusNotFound || status == http.StatusGone {
		return nil
	}
	return writing(err)
}
