// Package google reads and writes Google Calendar, version 3 of its API.
package google

import (
	"cmp"
	"context"
	"encoding/base32"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"time"

	"daybook/app/calsync"
	"daybook/app/calsync/oauth"
)

// Places are the addresses of Google.
type Places struct {
	Auth, Token, Revoke string
	API                 string // without a slash at its end
}

// Real are the addresses of Google: https://developers.google.com/identity/protocols/oauth2/web-server
var Real = Places{
	Auth:   "https://accounts.google.com/o/oauth2/v2/auth",
	Token:  "https://oauth2.googleapis.com/token",
	Revoke: "https://oauth2.googleapis.com/revoke",
	API:    "https://www.googleapis.com/calendar/v3",
}

// Scopes are the least that reading all calendars and writing bookings needs:
// https://developers.google.com/workspace/calendar/api/auth
var Scopes = []string{
	"https://www.googleapis.com/auth/calendar.calendarlist.readonly",
	"https://www.googleapis.com/auth/calendar.readonly",
	"https://www.googleapis.com/auth/calendar.events",
}

// Provider signs in at Google, and opens its calendars.
type Provider struct {
	oauth.Provider
	api string
}

// New returns a Provider at those addresses.
func New(at Places) *Provider {
	return &Provider{oauth.Provider{Auth: at.Auth, Token: at.Token, RevokeURL: at.Revoke, Scopes: Scopes,
		// Without consent a second sign-in of an account has no refresh token.
		Params: map[string]string{"access_type": "offline", "prompt": "consent"}}, at.API}
}

// Open returns a calsync.Opener. The Source is a calsync.Writer.
func (p *Provider) Open(o calsync.Opening) calsync.Source {
	return &source{oauth.Caller{Provider: &p.Provider, Opening: o}, p.api}
}

type source struct {
	oauth.Caller
	api string
}

// https://developers.google.com/workspace/calendar/api/v3/reference/calendarList
type calendarList struct {
	NextPageToken string
	Items         []struct {
		ID              string
		Summary         string
		SummaryOverride string // the name that the user gave it
		AccessRole      string
		Primary         bool
		Deleted         bool
	}
}

const maxPages = 1000 // of one reading

// Calendars implements calsync.Source. The id of the primary calendar is the account's e-mail address.
func (s *source) Calendars(ctx context.Context) (all []calsync.Remote, err error) {
	q := url.Values{"maxResults": {"250"},
		"fields": {"nextPageToken,items(id,summary,summaryOverride,accessRole,primary,deleted)"}}
	for range maxPages {
		var page calendarList
		if err := s.get(ctx, "/users/me/calendarList", q, &page); err != nil {
			return nil, reading(err)
		}
		for _, c := range page.Items {
			if c.Deleted {
				continue
			}
			r := calsync.Remote{ID: c.ID, Name: cmp.Or(c.SummaryOverride, c.Summary, c.ID), Primary: c.Primary,
				ReadOnly: c.AccessRole != "owner" && c.AccessRole != "writer"}
			if c.Primary {
				r.Owner = c.ID
			}
			if all = append(all, r); len(all) == calsync.MaxCalendars {
				return all, nil
			}
		}
		if page.NextPageToken == "" {
			return all, nil
		}
		q.Set("pageToken", page.NextPageToken)
	}
	return nil, calsync.ErrTooMuch
}

// https://developers.google.com/workspace/calendar/api/v3/reference/events/list
type events struct {
	NextPageToken string
	NextSyncToken string
	Items         []event
}

// https://developers.google.com/workspace/calendar/api/v3/reference/events
type event struct {
	ID           string
	ETag         string
	Status       string // confirmed, tentative, cancelled
	ICalUID      string
	Start, End   moment
	Transparency string // opaque, transparent
	EventType    string // default, birthday, focusTime, fromGmail, outOfOffice, workingLocation
	Attendees    []struct {
		Self           bool
		ResponseStatus string // needsAction, declined, tentative, accepted
	}
	ExtendedProperties struct{ Private map[string]string }
}

// moment has a date, or a time with its offset.
type moment struct{ Date, DateTime string }

func (m moment) in(zone *time.Location) (time.Time, error) {
	if m.Date != "" {
		return time.ParseInLocation(time.DateOnly, m.Date, zone)
	}
	return time.Parse(time.RFC3339, m.DateTime)
}

const (
	// fields are all that is asked for of an event: nothing of what it says.
	fields = "id,etag,status,iCalUID,start(date,dateTime),end(date,dateTime),transparency,eventType," +
		"attendees(self,responseStatus),extendedProperties/private"
	property = "daybook" // holds the UID of a booking's copy
)

// Changes implements calsync.Source. Events are single: Google expands those that recur.
func (s *source) Changes(ctx context.Context, of calsync.Asked) (got calsync.Changes, err error) {
	q := url.Values{"singleEvents": {"true"}, "maxResults": {"2500"}, "maxAttendees": {"1"},
		"fields": {"nextPageToken,nextSyncToken,items(" + fields + ")"}}
	if got.All = of.Cursor == ""; got.All {
		q.Set("timeMin", time.UnixMilli(of.From).UTC().Format(time.RFC3339))
		q.Set("timeMax", time.UnixMilli(of.To).UTC().Format(time.RFC3339))
	} else {
		q.Set("syncToken", of.Cursor)
	}
	for range maxPages {
		var page events
		if err := s.get(ctx, "/calendars/"+url.PathEscape(of.Calendar)+"/events", q, &page); err != nil {
			return got, reading(err)
		}
		for i := range page.Items {
			e := &page.Items[i]
			if e.Status == "cancelled" {
				got.Gone = append(got.Gone, e.ID)
				continue
			}
			item, err := e.item(of)
			if err != nil {
				return got, err
			}
			got.Items = append(got.Items, item)
		}
		if len(got.Items)+len(got.Gone) > calsync.MaxItems {
			return got, calsync.ErrTooMuch
		}
		if page.NextPageToken == "" {
			got.Cursor = page.NextSyncToken
			return got, nil
		}
		q.Set("pageToken", page.NextPageToken)
	}
	return got, calsync.ErrTooMuch
}

func (e *event) item(of calsync.Asked) (calsync.Item, error) {
	item := calsync.Item{Key: e.ID, ETag: e.ETag, UID: cmp.Or(e.ExtendedProperties.Private[property], e.ICalUID)}
	start, err := e.Start.in(of.Zone)
	end, wrong := e.End.in(of.Zone)
	if err := errors.Join(err, wrong); err != nil {
		if !e.busy() {
			return item, nil
		}
		return item, errors.Join(calsync.ErrUnclear, err)
	}
	item.Start, item.End = start.UnixMilli(), end.UnixMilli()
	if e.busy() && item.Start < item.End && item.Start < of.To && item.End > of.From {
		item.Spans = []calsync.Span{{Start: item.Start, End: item.End}}
	}
	return item, nil
}

func (e *event) busy() bool {
	if e.Transparency == "transparent" || e.EventType == "workingLocation" {
		return false
	}
	for _, a := range e.Attendees {
		if a.Self && a.ResponseStatus == "declined" {
			return false
		}
	}
	return true
}

// written is an event as it is sent.
type written struct {
	ID                 string     `json:"id,omitempty"`
	Status             string     `json:"status"`
	Summary            string     `json:"summary"`
	Description        string     `json:"description"`
	Location           string     `json:"location"`
	Source             *link      `json:"source,omitempty"`
	Start              at         `json:"start"`
	End                at         `json:"end"`
	ExtendedProperties properties `json:"extendedProperties"`
}

type at struct {
	DateTime string `json:"dateTime"`
	TimeZone string `json:"timeZone,omitempty"`
}

type link struct {
	Title string `json:"title"`
	URL   string `json:"url"`
}

type properties struct {
	Private map[string]string `json:"private"`
}

func writtenOf(e *calsync.Entry) written {
	moment := func(t time.Time) at {
		m := at{DateTime: t.Format(time.RFC3339)}
		if name := t.Location().String(); name != "Local" {
			m.TimeZone = name
		}
		return m
	}
	w := written{Status: "confirmed", Summary: e.Title, Description: e.Description, Location: e.Location,
		Start: moment(e.Start), End: moment(e.End),
		ExtendedProperties: properties{map[string]string{property: e.UID}}}
	if e.URL != "" {
		w.Source = &link{Title: "Daybook", URL: e.URL}
	}
	return w
}

// EventID returns the id of a booking's copy. Ids are in base 32 with the digits of hex, in lower case, of 5 to 1024
// characters: https://developers.google.com/workspace/calendar/api/v3/reference/events/insert
func EventID(uid string) string { return eventID.EncodeToString([]byte(uid)) }

var eventID = base32.NewEncoding("0123456789abcdefghijklmnopqrstuv").WithPadding(base32.NoPadding)

// quietly has nobody be told.
var quietly = url.Values{"sendUpdates": {"none"}, "fields": {fields}}

// Revoke implements calsync.Revoker: the account's owner no longer sees Daybook among the apps with access.
func (s *source) Revoke(ctx context.Context) error {
	return s.Provider.Revoke(ctx, s.Opening.HTTP, s.Opening.Credentials)
}

// Put implements calsync.Writer. A new entry whose key is taken by one of the same time has been made before: its
// answer was lost.
func (s *source) Put(ctx context.Context, calendar, key, etag string, e calsync.Entry) (string, string, error) {
	body := writtenOf(&e)
	var made event
	if key != "" {
		err := s.change(ctx, calendar, key, etag, body, &made)
		return key, made.ETag, err
	}
	body.ID = EventID(e.UID)
	err := s.call(ctx, "POST", "/calendars/"+url.PathEscape(calendar)+"/events", quietly, nil, body, &made)
	if statusOf(err) != http.StatusConflict {
		return made.ID, made.ETag, writing(err)
	}
	there, err := s.one(ctx, calendar, body.ID)
	switch {
	case err != nil:
		return "", "", writing(err)
	case there.Status == "cancelled": // an id stays taken after its event was deleted
		body.ID = ""
		err = s.change(ctx, calendar, there.ID, there.ETag, body, &made)
		return there.ID, made.ETag, err
	}
	start, err := there.Start.in(time.UTC)
	end, wrong := there.End.in(time.UTC)
	if err = errors.Join(err, wrong); err == nil && !(start.Equal(e.Start) && end.Equal(e.End)) {
		err = calsync.ErrConflict
	}
	if err != nil {
		return "", "", err
	}
	body.ID = "" // of what it says something may have changed since
	err = s.change(ctx, calendar, there.ID, there.ETag, body, &made)
	return there.ID, made.ETag, err
}

// Find implements calsync.Writer.
func (s *source) Find(ctx context.Context, calendar, uid string) (key, etag string, err error) {
	there, err := s.one(ctx, calendar, EventID(uid))
	switch status := statusOf(err); {
	case status == http.StatusNotFound, status == http.StatusGone, err == nil && there.Status == "cancelled":
		return "", "", nil
	case err != nil:
		return "", "", writing(err)
	}
	return there.ID, there.ETag, nil
}

// change makes an event what body says, if it still has the ETag.
func (s *source) change(ctx context.Context, calendar, key, etag string, body written, made *event) error {
	err := s.call(ctx, "PATCH", path(calendar, key), quietly, ifMatch(etag), body, made)
	switch statusOf(err) {
	case http.StatusNotFound, http.StatusGone:
		return calsync.ErrGone
	case http.StatusPreconditionFailed:
		there, err := s.one(ctx, calendar, key)
		if status := statusOf(err); status == http.StatusNotFound || status == http.StatusGone ||
			err == nil && there.Status == "cancelled" {
			return calsync.ErrGone
		}
		if err != nil {
			return writing(err)
		}
		return calsync.ErrConflict
	}
	return writing(err)
}

// Remove implements calsync.Writer.
func (s *source) Remove(ctx context.Context, calendar, key, etag string) error {
	err := s.call(ctx, "DELETE", path(calendar, key), url.Values{"sendUpdates": {"none"}}, ifMatch(etag), nil, nil)
	switch statusOf(err) {
	case http.StatusNotFound, http.StatusGone:
		return nil
	case http.StatusPreconditionFailed:
		there, err := s.one(ctx, calendar, key)
		if status := statusOf(err); status == http.StatusNotFound || status == http.StatusGone ||
			err == nil && there.Status == "cancelled" {
			return nil
		}
		if err != nil {
			return writing(err)
		}
		return calsync.ErrConflict
	}
	return writing(err)
}

func (s *source) one(ctx context.Context, calendar, key string) (e event, err error) {
	return e, s.get(ctx, path(calendar, key), url.Values{"fields": {fields}, "maxAttendees": {"1"}}, &e)
}

func path(calendar, key string) string {
	return "/calendars/" + url.PathEscape(calendar) + "/events/" + url.PathEscape(key)
}

func ifMatch(etag string) http.Header {
	if etag == "" {
		return nil
	}
	return http.Header{"If-Match": {etag}}
}

func (s *source) get(ctx context.Context, path string, q url.Values, answer any) error {
	return s.call(ctx, "GET", path, q, nil, nil, answer)
}

func (s *source) call(ctx context.Context, method, path string, q url.Values, header http.Header,
	body, answer any) error {
	return s.Do(ctx, method, s.api+path+"?"+q.Encode(), header, body, answer)
}

func statusOf(err error) int {
	var r *oauth.Refusal
	if errors.As(err, &r) {
		return r.Status
	}
	return 0
}

// reasons of a refusal: https://developers.google.com/workspace/calendar/api/guides/errors
func reasons(err error) (all []string) {
	var r *oauth.Refusal
	if !errors.As(err, &r) {
		return nil
	}
	var body struct {
		Error struct {
			Errors []struct{ Reason string }
		}
	}
	if json.Unmarshal(r.Body, &body) != nil {
		return nil
	}
	for _, e := range body.Error.Errors {
		all = append(all, e.Reason)
	}
	return all
}

// Pauses of a client whose quota is used up.
const (
	ratePause  = time.Minute
	quotaPause = 15 * time.Minute
)

// reading is the error of a reading in the words of calsync.
func reading(err error) error {
	if err == nil {
		return nil
	}
	all := reasons(err)
	is := func(names ...string) bool {
		return slices.ContainsFunc(all, func(reason string) bool { return slices.Contains(names, reason) })
	}
	var later *calsync.Later
	switch status := statusOf(err); {
	case errors.As(err, &later):
		return later
	case status == http.StatusForbidden && is("rateLimitExceeded", "userRateLimitExceeded"):
		return &calsync.Later{After: ratePause}
	case status == http.StatusForbidden && is("quotaExceeded", "dailyLimitExceeded"):
		return &calsync.Later{After: quotaPause}
	case status == http.StatusForbidden && is("insufficientPermissions", "ACCESS_TOKEN_SCOPE_INSUFFICIENT"):
		return calsync.ErrSignIn // somebody left a box of the sign-in empty
	case status == http.StatusGone:
		return calsync.ErrCursor
	case status == http.StatusNotFound:
		return calsync.ErrNotFound
	}
	return err
}

// writing is the error of a change in the words of calsync.
func writing(err error) error {
	if statusOf(err) == http.StatusForbidden {
		if known := reading(err); known != err {
			return known
		}
		return calsync.ErrReadOnly
	}
	return reading(err)
}
