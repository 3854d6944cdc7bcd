package page

import (
	"cmp"
	"context"
	"log/slog"
	"net/http"
	"net/netip"
	"strings"

	"daybook/app/catalog"
	"daybook/app/counter"
	"daybook/app/gate"
	"daybook/app/invitation"
	"daybook/app/own"
	"daybook/app/serve"
	"daybook/app/subjects"
	"daybook/app/text"
	"daybook/assets"
	"daybook/views"
	"daybook/views/brand"
)

// Options are the settings of a door; the zero value is a good default.
type Options struct {
	Logger *slog.Logger // nil discards

	// BookingsPerHour is how many bookings and moves one IP address may make in an hour; 0 means 30, and a negative number
	// means no limit. Loopback addresses have no limit.
	BookingsPerHour int

	// Challenge is how many zero bits a proof of work must begin with before a booking is accepted; 0 requires none. 16
	// takes a phone about a second. It needs JavaScript.
	Challenge int

	// FormKey signs the keys of forms, so that they stay valid after a restart and at another server; nil makes one for
	// this process.
	FormKey []byte

	// TakesCards says whether a workspace has a payment provider connected; nil means never.
	TakesCards func(catalog.WorkspaceID) bool
}

const bookingsPerHour = 30

// Door serves the booking pages. It is safe for concurrent use.
type Door struct {
	service         *subjects.Set
	log             *slog.Logger
	bookingsPerHour int
	challenge       *gate.Challenge
	takesCards      func(catalog.WorkspaceID) bool
	clientIP        func(context.Context) netip.Addr // serve.ClientIP
	guard           *http.CrossOriginProtection      // tells forms of other sites
}

// New makes a Door.
func New(s *subjects.Set, o Options) *Door {
	d := &Door{service: s, log: cmp.Or(o.Logger, slog.New(slog.DiscardHandler)), takesCards: o.TakesCards,
		clientIP: serve.ClientIP, guard: http.NewCrossOriginProtection()}
	if base := s.BaseURL(); base != "" { // a proxy may not pass the Host on
		if err := d.guard.AddTrustedOrigin(base); err != nil {
			d.log.Warn("forms can't be told from those of other sites by the --base-url", "error", err.Error())
		}
	}
	d.bookingsPerHour = cmp.Or(o.BookingsPerHour, bookingsPerHour)
	d.challenge = gate.NewChallenge(o.Challenge, o.FormKey, s.Now)
	if d.takesCards == nil {
		d.takesCards = func(catalog.WorkspaceID) bool { return false }
	}
	return d
}

// Pages mounts the pages whose paths begin with a workspace's slug, and the page for unknown paths.
func (d *Door) Pages(mux *http.ServeMux) {
	mux.Handle("/{workspace}", d.page(methods{get: index}))
	mux.Handle("/{workspace}/sitemap.xml", d.page(methods{get: sitemap}))
	mux.Handle("/{workspace}/{$}", http.HandlerFunc(withoutSlash))
	mux.Handle("/{workspace}/{eventType}", d.page(methods{get: event, post: book}))
	mux.Handle("/{workspace}/{eventType}/{$}", http.HandlerFunc(withoutSlash))
	mux.Handle("/{workspace}"+counter.VoucherPath, d.page(methods{get: voucherForm, post: orderVoucher}))
	mux.Handle("/{workspace}"+counter.VoucherPath+"/{token}", d.page(methods{get: bought, post: printBought}))
	mux.Handle("/{workspace}/_wait/{eventType}", d.page(methods{get: waitForm, post: joinWaitlist}))
	mux.Handle("/{workspace}/"+own.Segment, d.page(methods{get: ownPage, post: sendOwn}))
	mux.Handle("/{workspace}/"+own.Segment+"/{token}", d.page(methods{get: ownLink, post: openOwn}))
	mux.Handle("/{workspace}/"+own.Segment+"/leave", d.page(methods{get: backToOwn, post: leaveOwn}))
	mux.Handle("/{workspace}/"+own.Segment+"/data.json", d.page(methods{get: ownFile}))
	mux.Handle("/{workspace}/"+own.Segment+"/receipt/{receipt}", d.page(methods{get: ownReceipt}))
	mux.Handle("/", d.page(methods{get: nowhere, post: nowhere}))
}

// Routes mounts the pages of an invitee's link and of an invitation link, the embed script and the assets.
func (d *Door) Routes(mux *http.ServeMux) {
	mux.Handle(invitation.Path+"{token}", d.page(methods{get: event, post: book}))
	mux.Handle("/booking/{token}", d.page(methods{get: showBooking}))
	mux.Handle("/booking/{token}/reschedule", d.page(methods{get: moveForm, post: move}))
	mux.Handle("/booking/{token}/cancel", d.page(methods{get: cancelForm, post: cancel}))
	mux.Handle("/booking/{token}"+views.ComingSegment, d.page(methods{get: comingForm, post: answerComing}))
	mux.Handle("/booking/{token}/calendar.ics", d.page(methods{get: calendarFile}))
	mux.Handle("/visit/{token}", d.page(methods{get: showVisit}))
	mux.Handle("/visit/{token}/reschedule", d.page(methods{get: moveVisitForm, post: moveVisit}))
	mux.Handle("/visit/{token}/cancel", d.page(methods{get: cancelVisitForm, post: cancelVisit}))
	mux.Handle("/visit/{token}"+views.ComingSegment, d.page(methods{get: comingVisitForm, post: answerVisitComing}))
	mux.Handle("/visit/{token}/calendar.ics", d.page(methods{get: visitFile}))
	mux.Handle(text.LinkPath+"{token}", d.besideSlug(d.page(methods{get: textLinkPage, post: actOnTextLink})))
	mux.Handle("GET "+catalog.PicturePath+"{hash}/{file}", Pictures{Service: d.service.Pictures, Log: d.log})
	mux.Handle("/embed.js", assets.EmbedJS())
	mux.Handle(assets.Prefix, assets.Handler(brand.CSS))
	mux.Handle("GET /favicon.ico", http.RedirectHandler(assets.Path("icon.svg"), http.StatusFound))
}

// withoutSlash redirects a path that ends in a slash to the path without it, always on this server.
func withoutSlash(w http.ResponseWriter, r *http.Request) {
	to := "/" + strings.Trim(r.URL.EscapedPath(), "/")
	if r.URL.RawQuery != "" {
		to += "?" + r.URL.RawQuery
	}
	http.Redirect(w, r, to, http.StatusPermanentRedirect)
}
