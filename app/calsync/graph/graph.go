// Package graph reads and writes the calendars of Microsoft 365 and Outlook, by version 1.0 of Microsoft Graph.
package graph

import (
	"bytes"
	"cmp"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	"daybook/app/booking"
	"daybook/app/calsync"
	"daybook/app/calsync/oauth"
)

// Places are the addresses of Microsoft; {tenant} stands for the client's tenant.
type Places struct {
	Auth, Token string
	API         string // without a slash at its end
}

// Real are the addresses of Microsoft:
// https://learn.microsoft.com/en-us/entra/identity-platform/v2-oauth2-auth-code-flow
var Real = Places{
	Auth:  "https://login.microsoftonline.com/{tenant}/oauth2/v2.0/authorize",
	Token: "https://login.microsoftonline.com/{tenant}/oauth2/v2.0/token",
	API:   "https://graph.microsoft.com/v1.0",
}

// Scopes are the least that reading calendars and writing bookings needs:
// https://learn.microsoft.com/en-us/graph/permissions-reference
var Scopes = []string{"offline_access", "Calendars.ReadWrite"}

// Provider signs in at Microsoft, and opens its calendars. Microsoft has no address that takes a sign-in back: its
// owner does so at https://myapps.microsoft.com or https://account.live.com/consent/Manage.
type Provider struct {
	oauth.Provider
	api string
}

// New returns a Provider at those addresses.
func New(at Places) *Provider {
	return &Provider{oauth.Provider{Auth: at.Auth, Token: at.Token, Scopes: Scopes,
		Params: map[string]string{"prompt": "select_account"}}, at.API}
}

// Open returns a calsync.Opener. The Source is a calsync.Writer.
func (p *Provider) Open(o calsync.Opening) calsync.Source {
	return &source{oauth.Caller{Provider: &p.Provider, Opening: o}, p.api}
}

type source struct {
	oauth.Caller
	api string
}

// https://learn.microsoft.com/en-us/graph/api/resources/calendar
type calendars struct {
	NextLink string `json:"@odata.nextLink"`
	Value    []struct {
		ID                string
		Name              string
		CanEdit           bool
		IsDefaultCalendar bool
		Owner             struct{ Address string }
	}
}

const maxPages = 1000 // of one reading

// Calendars implements calsync.Source.
func (s *source) Calendars(ctx context.Context) (all []calsync.Remote, err error) {
	q := url.Values{"$select": {"id,name,canEdit,isDefaultCalendar,owner"}, "$top": {"100"}}
	address := s.api + "/me/calendars?" + query(q)
	for range maxPages {
		var page calendars
		if err := s.Do(ctx, "GET", address, nil, nil, &page); err != nil {
			return nil, reading(err)
		}
		for _, c := range page.Value {
			r := calsync.Remote{ID: c.ID, Name: cmp.Or(c.Name, c.ID), ReadOnly: !c.CanEdit, Primary: c.IsDefaultCalendar}
			if r.Primary {
				r.Owner = c.Owner.Address
			}
			if all = append(all, r); len(all) == calsync.MaxCalendars {
				return all, nil
			}
		}
		if page.NextLink == "" {
			return all, nil
		}
		if address, err = s.own(page.NextLink); err != nil {
			return nil, err
		}
	}
	return nil, calsync.ErrTooMuch
}

// query is q with blanks as %20, since Graph takes + for itself in filters.
func query(q url.Values) string { return strings.ReplaceAll(q.Encode(), "+", "%20") }

// own returns a link of an answer if it leads to the API itself: a link elsewhere would get the access.
func (s *source) own(link string) (string, error) {
	u, err := url.Parse(link)
	if err != nil {
		return "", calsync.ErrNotOne
	}
	api, err := url.Parse(s.api)
	if err != nil {
		return "", err
	}
	if u.Scheme != api.Scheme || u.Host != api.Host || u.User != nil ||
		!strings.HasPrefix(u.EscapedPath(), api.EscapedPath()+"/") {
		return "", calsync.ErrForbidden
	}
	return u.String(), nil
}

// https://learn.microsoft.com/en-us/graph/api/event-delta
type delta struct {
	NextLink  string `json:"@odata.nextLink"`
	DeltaLink string `json:"@odata.deltaLink"`
	Value     []event
}

// https://learn.microsoft.com/en-us/graph/api/resources/event; nothing of what an event says is read. An occurrence has
// no more than its id, its series and its times: https://github.com/microsoftgraph/microsoft-graph-docs/issues/7632
type event struct {
	ID             string
	ETag           string                   `json:"@odata.etag"`
	Removed        *struct{ Reason string } `json:"@removed"`
	ICalUID        string
	TransactionID  string
	Type           string // singleInstance, occurrence, exception, seriesMaster
	SeriesMasterID string
	Start, End     moment
	IsAllDay       *bool
	IsCancelled    *bool
	ShowAs         string // free, tentative, busy, oof, workingElsewhere, unknown
	ResponseStatus *struct {
		Response string // none, organizer, tentativelyAccepted, accepted, declined, notResponded
	}
}

type moment struct {
	DateTime string `json:"dateTime"`
	TimeZone string `json:"timeZone"`
}

// utc returns a time of ms since 1970 as a parameter.
func utc(ms int64) string { return time.UnixMilli(ms).UTC().Format("2006-01-02T15:04:05Z") }

// prefer has times in UTC, and pages that are not too large: they have the texts of events, which can't be left out.
var prefer = http.Header{"Prefer": {`outlook.timezone="UTC"`, "odata.maxpagesize=100"}}

// Changes implements calsync.Source. The occurrences of a series are one item, that of the series: when one of them is
// deleted, Graph sends the series with all that are left and doesn't say which one is gone
// (https://github.com/microsoftgraph/microsoft-graph-docs/pull/4501). The cursor is the deltaLink.
func (s *source) Changes(ctx context.Context, of calsync.Asked) (got calsync.Changes, err error) {
	got.All = of.Cursor == ""
	address := s.api + "/me/calendars/" + url.PathEscape(of.Calendar) + "/calendarView/delta?" +
		query(url.Values{"startDateTime": {utc(of.From)}, "endDateTime": {utc(of.To)}})
	if !got.All {
		if address, err = s.own(of.Cursor); err != nil {
			return got, calsync.ErrCursor
		}
	}
	all := gather(of)
	for range maxPages {
		var page delta
		if err := s.Do(ctx, "GET", address, prefer, nil, &page); err != nil {
			return got, reading(err)
		}
		if len(page.Value) > 0 {
			all.add(page.Value)
		}
		switch {
		case all.count > calsync.MaxItems:
			return got, calsync.ErrTooMuch
		case page.NextLink != "":
			if address, err = s.own(page.NextLink); err != nil {
				return got, err
			}
			continue
		case page.DeltaLink == "":
			return got, calsync.ErrNotOne
		}
		if got.Cursor, err = s.own(page.DeltaLink); err != nil {
			return got, err
		}
		if err := s.orphans(ctx, all, got.All); err != nil {
			return got, err
		}
		got.Items, got.Gone, err = all.items()
		return got, err
	}
	return got, calsync.ErrTooMuch
}

const maxSeries = 200 // that are asked for by themselves in one reading

// selected is what is asked for of an event.
const selected = "id,iCalUId,transactionId,type,start,end,isAllDay,isCancelled,showAs,responseStatus"

// orphans finds the series of occurrences that came without them. Of a change to a series nobody promises that it comes
// with all parts, so they are asked for: a part that is left out would be free.
func (s *source) orphans(ctx context.Context, all *gathered, everything bool) error {
	missing := all.orphans()
	if len(missing) > maxSeries {
		return calsync.ErrTooMuch
	}
	q := url.Values{"$select": {selected}}
	for _, id := range missing {
		var master event
		err := s.Do(ctx, "GET", s.api+"/me/events/"+url.PathEscape(id)+"?"+query(q), prefer, nil, &master)
		if statusOf(err) == http.StatusNotFound { // deleted meanwhile
			delete(all.parts, id)
			continue
		}
		if err != nil {
			return reading(err)
		}
		master.ID, master.Type = id, "seriesMaster"
		all.add([]event{master})
	}
	if everything {
		return nil
	}
	changed := all.series()
	if len(changed) > maxSeries {
		return calsync.ErrCursor
	}
	for _, id := range changed {
		delete(all.parts, id)
		err := s.instances(ctx, all, id)
		if err != nil && !errors.Is(err, calsync.ErrNotFound) { // that one was deleted meanwhile
			return err
		}
	}
	return nil
}

// instances adds all parts of a series: https://learn.microsoft.com/en-us/graph/api/event-list-instances
func (s *source) instances(ctx context.Context, all *gathered, series string) (err error) {
	address := s.api + "/me/events/" + url.PathEscape(series) + "/instances?" + query(url.Values{
		"startDateTime": {utc(all.of.From)}, "endDateTime": {utc(all.of.To)}, "$select": {selected}})
	for range maxPages {
		var page delta
		if err := s.Do(ctx, "GET", address, prefer, nil, &page); err != nil {
			return reading(err)
		}
		for i := range page.Value {
			page.Value[i].SeriesMasterID = series
		}
		switch all.add(page.Value); {
		case all.count > calsync.MaxItems:
			return calsync.ErrTooMuch
		case page.NextLink == "":
			return nil
		}
		if address, err = s.own(page.NextLink); err != nil {
			return err
		}
	}
	return calsync.ErrTooMuch
}

// written is an event as it is sent.
type written struct {
	Subject       string     `json:"subject"`
	Body          content    `json:"body"`
	Start         moment     `json:"start"`
	End           moment     `json:"end"`
	Location      place      `json:"location"`
	ShowAs        string     `json:"showAs"`
	TransactionID string     `json:"transactionId,omitempty"`
	Properties    []property `json:"singleValueExtendedProperties,omitempty"`
}

type content struct {
	ContentType string `json:"contentType"`
	Content     string `json:"content"`
}

type place struct {
	DisplayName string `json:"displayName"`
}

type property struct {
	ID    string `json:"id"`
	Value string `json:"value"`
}

// Property is the id of the extended property with a copy's UID:
// https://learn.microsoft.com/en-us/graph/api/resources/singlevaluelegacyextendedproperty
const Property = "String {6f2f0c1e-7f5b-4d0e-9a55-1d1c0a2f7d3b} Name daybook"

func writtenOf(e *calsync.Entry) written {
	at := func(t time.Time) moment { return moment{t.UTC().Format("2006-01-02T15:04:05"), "UTC"} }
	text := e.Description
	if e.URL != "" && !strings.Contains(text, e.URL) {
		text = strings.TrimPrefix(text+"\n\n"+e.URL, "\n\n")
	}
	return written{Subject: e.Title, Body: content{"text", text}, Start: at(e.Start), End: at(e.End),
		Location: place{e.Location}, ShowAs: "busy"}
}

// Put implements calsync.Writer. The transactionId keeps an entry from being made twice when an answer is lost:
// https://learn.microsoft.com/en-us/graph/api/calendar-post-events
func (s *source) Put(ctx context.Context, calendar, key, etag string, e calsync.Entry) (string, string, error) {
	body := writtenOf(&e)
	var made event
	if key != "" {
		err := s.Do(ctx, "PATCH", s.path(calendar, key), changing(etag), body, &made)
		if statusOf(err) == http.StatusNotFound {
			return "", "", calsync.ErrGone
		}
		return key, made.ETag, writing(err)
	}
	body.TransactionID, body.Properties = e.UID, []property{{Property, e.UID}}
	err := s.Do(ctx, "POST", s.events(calendar), prefer, body, &made)
	if codeOf(err) != "ErrorDuplicateTransactionId" {
		return made.ID, made.ETag, writing(err)
	}
	there, err := s.ours(ctx, calendar, e.UID)
	if err != nil {
		return "", "", writing(err)
	}
	if there != nil {
		return there.ID, there.ETag, calsync.ErrConflict
	}
	// It was deleted, and its transactionId stays taken.
	body.TransactionID = e.UID + again + e.Stamp.UTC().Format("20060102T150405")
	err = s.Do(ctx, "POST", s.events(calendar), prefer, body, &made)
	return made.ID, made.ETag, writing(err)
}

// again separates a UID from what makes the transactionId of a second copy another one.
const again = "~"

// ours returns the event with that UID, or nil:
// https://learn.microsoft.com/en-us/graph/api/singlevaluelegacyextendedproperty-get
func (s *source) ours(ctx context.Context, calendar, uid string) (*event, error) {
	text := func(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }
	q := url.Values{"$select": {"id"}, "$top": {"1"}, "$filter": {"singleValueExtendedProperties/Any(ep: ep/id eq " +
		text(Property) + " and ep/value eq " + text(uid) + ")"}}
	var found delta
	if err := s.Do(ctx, "GET", s.events(calendar)+"?"+query(q), nil, nil, &found); err != nil || len(found.Value) == 0 {
		return nil, err
	}
	return &found.Value[0], nil
}

// Find implements calsync.Writer.
func (s *source) Find(ctx context.Context, calendar, uid string) (key, etag string, err error) {
	there, err := s.ours(ctx, calendar, uid)
	switch {
	case statusOf(err) == http.StatusNotFound: // nor is the calendar
		return "", "", nil
	case err != nil || there == nil:
		return "", "", writing(err)
	}
	return there.ID, there.ETag, nil
}

// Remove implements calsync.Writer.
func (s *source) Remove(ctx context.Context, calendar, key, etag string) error {
	err := s.Do(ctx, "DELETE", s.path(calendar, key), changing(etag), nil, nil)
	if status := statusOf(err); status == http.StatusNotFound || status == http.StatusGone {
		return nil
	}
	return writing(err)
}

func (s *source) events(calendar string) string {
	return s.api + "/me/calendars/" + url.PathEscape(calendar) + "/events"
}

func (s *source) path(calendar, key string) string {
	return s.events(calendar) + "/" + url.PathEscape(key)
}

func changing(etag string) http.Header {
	h := prefer.Clone()
	if etag != "" {
		h.Set("If-Match", etag)
	}
	return h
}

func statusOf(err error) int {
	var r *oauth.Refusal
	if errors.As(err, &r) {
		return r.Status
	}
	return 0
}

// codeOf returns the code of a refusal: https://learn.microsoft.com/en-us/graph/errors
func codeOf(err error) string {
	var r *oauth.Refusal
	var body struct{ Error struct{ Code string } }
	if !errors.As(err, &r) || json.Unmarshal(r.Body, &body) != nil {
		return ""
	}
	return body.Error.Code
}

// reading is the error of a reading in the words of calsync.
func reading(err error) error {
	var later *calsync.Later
	status, code := statusOf(err), strings.ToLower(codeOf(err))
	switch {
	case errors.As(err, &later):
		return later
	case status == http.StatusGone, strings.HasPrefix(code, "syncstate"), strings.HasPrefix(code, "resync"):
		return calsync.ErrCursor // https://learn.microsoft.com/en-us/graph/delta-query-overview#synchronization-reset
	case status == http.StatusForbidden:
		return calsync.ErrSignIn // the agreement to it is over, or was never given
	case status == http.StatusNotFound:
		return calsync.ErrNotFound
	}
	return err
}

// writing is the error of a change in the words of calsync.
func writing(err error) error {
	switch status := statusOf(err); {
	case status == http.StatusPreconditionFailed, codeOf(err) == "ErrorIrresolvableConflict":
		return calsync.ErrConflict
	case status == http.StatusForbidden:
		return calsync.ErrReadOnly
	}
	return reading(err)
}

// uidOf returns the UID of an event: of a copy of ours its transactionId, of an event that came as an iCalendar file
// the one that stands there, which Exchange wraps: [MS-OXOCAL] 2.2.1.27,
// https://learn.microsoft.com/en-us/openspecs/exchange_server_protocols/ms-oxocal/1d3aac05-a7b9-45cc-a213-47f0a0a2c5c1
func uidOf(e *event) string {
	if uid, _, _ := strings.Cut(e.TransactionID, again); uid != "" {
		if _, ours := booking.OfUID(uid); ours {
			return uid
		}
	}
	wrapped, err := hex.DecodeString(e.ICalUID)
	if err != nil {
		return e.ICalUID
	}
	if _, uid, ok := bytes.Cut(wrapped, []byte("vCal-Uid\x01\x00\x00\x00")); ok {
		return string(bytes.TrimRight(uid, "\x00"))
	}
	return e.ICalUID
}
