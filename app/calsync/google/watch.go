package google

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"daybook/app/calsync"
)

// channel is what calls an address when a calendar's events change:
// https://developers.google.com/workspace/calendar/api/v3/reference/events/watch
type channel struct {
	ID         string            `json:"id"`
	ResourceID string            `json:"resourceId,omitempty"`
	Token      string            `json:"token,omitempty"`
	Type       string            `json:"type,omitempty"`
	Address    string            `json:"address,omitempty"`
	Params     map[string]string `json:"params,omitempty"`
}

// Watch implements calsync.Watcher.
func (s *source) Watch(ctx context.Context, of calsync.Watching) (calsync.Watch, error) {
	ask := channel{ID: of.ID, Type: "web_hook", Address: of.Address, Token: of.Token,
		Params: map[string]string{"ttl": strconv.Itoa(max(1, int(of.Life/time.Second)))}}
	var made struct {
		ID, ResourceID string
		Expiration     json.Number // ms since 1970, as a text
	}
	err := s.call(ctx, "POST", "/calendars/"+url.PathEscape(of.Calendar)+"/events/watch",
		url.Values{"fields": {"id,resourceId,expiration"}}, nil, ask, &made)
	if err != nil {
		return calsync.Watch{}, writing(err)
	}
	until := of.Now.Add(of.Life)
	if ms, err := made.Expiration.Int64(); err == nil {
		until = time.UnixMilli(ms)
	}
	if made.ID != of.ID || made.ResourceID == "" {
		return calsync.Watch{}, calsync.ErrNotOne
	}
	return calsync.Watch{ID: made.ID, Resource: made.ResourceID, Until: until}, nil
}

// Renew implements calsync.Watcher: "there is no automatic way to renew a notification channel",
// https://developers.google.com/workspace/calendar/api/guides/push#renewing-notification-channels
func (s *source) Renew(context.Context, calsync.Watch, time.Time, time.Duration) (calsync.Watch, error) {
	return calsync.Watch{}, calsync.ErrGone
}

// Unwatch implements calsync.Watcher: https://developers.google.com/workspace/calendar/api/v3/reference/channels/stop
func (s *source) Unwatch(ctx context.Context, w calsync.Watch) error {
	err := s.call(ctx, "POST", "/channels/stop", nil, nil, channel{ID: w.ID, ResourceID: w.Resource}, nil)
	if status := statusOf(err); status == http.StatusNotFound || status == http.StatusGone {
		return nil
	}
	return writing(err)
}
