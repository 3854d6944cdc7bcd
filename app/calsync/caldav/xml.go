package caldav

import (
	"cmp"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"daybook/app/calsync"
)

// The bodies of requests.
const (
	xmlHead   = `<?xml version="1.0" encoding="utf-8"?>` + "\n"
	xmlSpaces = ` xmlns="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"`
)

// propfind asks for properties.
func propfind(properties ...string) string {
	return xmlHead + `<propfind` + xmlSpaces + `><prop><` + strings.Join(properties, `/><`) + `/></prop></propfind>`
}

// syncCollection asks for what has changed since the token.
func syncCollection(token string) string {
	return xmlHead + `<sync-collection` + xmlSpaces + `><sync-token>` + escaped(token) +
		`</sync-token><sync-level>1</sync-level><prop><getetag/></prop></sync-collection>`
}

// multiget asks for those events.
func multiget(hrefs []string) string {
	b := &strings.Builder{}
	b.WriteString(xmlHead + `<C:calendar-multiget` + xmlSpaces + `><prop><getetag/><C:calendar-data/></prop>`)
	for _, h := range hrefs {
		b.WriteString(`<href>` + escaped(h) + `</href>`)
	}
	b.WriteString(`</C:calendar-multiget>`)
	return b.String()
}

func escaped(text string) string {
	b := &strings.Builder{}
	_ = xml.EscapeText(b, []byte(text)) // a strings.Builder takes everything
	return b.String()
}

// response is what a server says of one resource.
type response struct {
	Href     []string `xml:"DAV: href"`
	Status   string   `xml:"DAV: status"`
	Propstat []struct {
		Status string     `xml:"DAV: status"`
		Prop   properties `xml:"DAV: prop"`
	} `xml:"DAV: propstat"`
}

// present is an element that is there or not.
type present struct{}

type hrefs struct {
	Href            []string `xml:"DAV: href"`
	Unauthenticated *present `xml:"DAV: unauthenticated"`
}

type properties struct {
	ETag      string `xml:"DAV: getetag"`
	Name      string `xml:"DAV: displayname"`
	SyncToken string `xml:"DAV: sync-token"`
	Data      string `xml:"urn:ietf:params:xml:ns:caldav calendar-data"`
	Type      *struct {
		Collection *present `xml:"DAV: collection"`
		Calendar   *present `xml:"urn:ietf:params:xml:ns:caldav calendar"`
	} `xml:"DAV: resourcetype"`
	Principal  *hrefs `xml:"DAV: current-user-principal"`
	Homes      *hrefs `xml:"urn:ietf:params:xml:ns:caldav calendar-home-set"`
	Addresses  *hrefs `xml:"urn:ietf:params:xml:ns:caldav calendar-user-address-set"`
	Components *struct {
		Component []struct {
			Name string `xml:"name,attr"`
		} `xml:"urn:ietf:params:xml:ns:caldav comp"`
	} `xml:"urn:ietf:params:xml:ns:caldav supported-calendar-component-set"`
	Privileges *struct {
		Privilege []struct {
			All     *present `xml:"DAV: all"`
			Write   *present `xml:"DAV: write"`
			Content *present `xml:"DAV: write-content"`
			Bind    *present `xml:"DAV: bind"`
		} `xml:"DAV: privilege"`
	} `xml:"DAV: current-user-privilege-set"`
	Reports *struct {
		Supported []struct {
			Report struct {
				Sync *present `xml:"DAV: sync-collection"`
			} `xml:"DAV: report"`
		} `xml:"DAV: supported-report"`
	} `xml:"DAV: supported-report-set"`
}

// found returns the properties that the resource has.
func (r *response) found() (all properties) {
	for i := range r.Propstat {
		s := &r.Propstat[i]
		if status(s.Status)/100 != 2 {
			continue
		}
		p := &s.Prop
		all = properties{ETag: cmp.Or(all.ETag, p.ETag), Name: cmp.Or(all.Name, p.Name),
			SyncToken: cmp.Or(all.SyncToken, p.SyncToken), Data: cmp.Or(all.Data, p.Data), Type: cmp.Or(all.Type, p.Type),
			Principal: cmp.Or(all.Principal, p.Principal), Homes: cmp.Or(all.Homes, p.Homes),
			Addresses: cmp.Or(all.Addresses, p.Addresses), Components: cmp.Or(all.Components, p.Components),
			Privileges: cmp.Or(all.Privileges, p.Privileges), Reports: cmp.Or(all.Reports, p.Reports)}
	}
	all.ETag = quoted(strings.TrimSpace(all.ETag))
	return all
}

// quoted returns an ETag as it stands in a header. Some servers leave out the quotes in a property.
func quoted(etag string) string {
	if etag == "" || strings.HasPrefix(etag, `"`) || strings.HasPrefix(etag, `W/`) {
		return etag
	}
	return `"` + etag + `"`
}

// status returns the code of a status line such as "HTTP/1.1 200 OK", or 0.
func status(line string) int {
	if fields := strings.Fields(line); len(fields) >= 2 {
		if n, err := strconv.Atoi(fields[1]); err == nil {
			return n
		}
	}
	return 0
}

// multistatus sends a request that is answered with what is to be said of many resources, and hands each to visit with
// its address. token is that of a sync-collection.
func (s *source) multistatus(ctx context.Context, q request,
	visit func(at *url.URL, r *response) error) (token string, err error) {
	a, from, err := s.ask(ctx, q)
	if err != nil {
		return "", err
	}
	defer calsync.DropBody(a)
	if a.StatusCode != http.StatusMultiStatus {
		return "", &refusal{a.StatusCode, calsync.ErrNotOne, nil}
	}
	most := calsync.MaxResponse
	if q.short {
		most = maxDiscovery
	}
	d := xml.NewTokenDecoder(&tokens{raw: xml.NewDecoder(calsync.BoundedBody(a, most))})
	root, err := start(d)
	if err == nil && (root == nil || root.Name != dav("multistatus")) {
		err = calsync.ErrNotOne
	}
	for err == nil {
		var e *xml.StartElement
		if e, err = start(d); e == nil || err != nil {
			break
		}
		switch e.Name {
		case dav("response"):
			err = eachResponse(d, e, from, visit)
		case dav("sync-token"):
			err = d.DecodeElement(&token, e)
		default:
			err = d.Skip()
		}
	}
	return strings.TrimSpace(token), malformed(err)
}

func dav(name string) xml.Name { return xml.Name{Space: "DAV:", Local: name} }

// start returns the next element that begins here, nil at the end of the one that these are in.
func start(d *xml.Decoder) (*xml.StartElement, error) {
	for {
		t, err := d.Token()
		if err != nil {
			return nil, err
		}
		switch e := t.(type) {
		case xml.StartElement:
			return &e, nil
		case xml.EndElement:
			return nil, nil
		}
	}
}

// eachResponse reads a response and visits it for each of its addresses.
func eachResponse(d *xml.Decoder, e *xml.StartElement, from *url.URL,
	visit func(at *url.URL, r *response) error) error {
	var r response
	if err := d.DecodeElement(&r, e); err != nil {
		return err
	}
	for _, href := range r.Href {
		at, err := from.Parse(strings.TrimSpace(href))
		if err != nil {
			return fmt.Errorf("%w: %w", calsync.ErrNotOne, err)
		}
		if err := visit(at, &r); err != nil {
			return err
		}
	}
	return nil
}

// malformed is the error of reading XML.
func malformed(err error) error {
	if err == nil {
		return nil
	}
	var syntax *xml.SyntaxError
	if errors.As(err, &syntax) || errors.Is(err, io.EOF) {
		return fmt.Errorf("%w: %w", calsync.ErrNotOne, err)
	}
	return err
}
