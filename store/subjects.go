package store

import (
	"daybook/app"
	"daybook/app/account"
	"daybook/app/audit"
	"daybook/app/bulk"
	"daybook/app/calsync"
	"daybook/app/contact"
	"daybook/app/counter"
	"daybook/app/factor"
	"daybook/app/feed"
	"daybook/app/gate"
	"daybook/app/guest"
	"daybook/app/invitation"
	"daybook/app/mail"
	"daybook/app/oauth"
	"daybook/app/payment"
	"daybook/app/picture"
	"daybook/app/privacy"
	"daybook/app/push"
	"daybook/app/report"
	"daybook/app/upkeep/health"
	"daybook/app/webhook"
)

// A subject takes its own view out of app.Reader and app.Tx. Here the compiler proves that each one gets it.
var (
	_ app.Reader        = queries{}
	_ app.Tx            = tx{}
	_ account.Reader    = queries{}
	_ account.Reader    = tx{}
	_ account.Tx        = tx{}
	_ audit.Reader      = queries{}
	_ audit.Reader      = tx{}
	_ audit.Tx          = tx{}
	_ bulk.Reader       = queries{}
	_ bulk.Reader       = tx{}
	_ bulk.Tx           = tx{}
	_ calsync.Reader    = queries{}
	_ calsync.Reader    = tx{}
	_ calsync.Tx        = tx{}
	_ contact.Reader    = queries{}
	_ contact.Reader    = tx{}
	_ contact.Tx        = tx{}
	_ counter.Reader    = queries{}
	_ counter.Reader    = tx{}
	_ counter.Tx        = tx{}
	_ factor.Reader     = queries{}
	_ factor.Reader     = tx{}
	_ factor.Tx         = tx{}
	_ feed.Reader       = queries{}
	_ feed.Reader       = tx{}
	_ feed.Tx           = tx{}
	_ gate.Reader       = queries{}
	_ gate.Reader       = tx{}
	_ gate.Tx           = tx{}
	_ guest.Reader      = queries{}
	_ guest.Reader      = tx{}
	_ guest.Tx          = tx{}
	_ invitation.Reader = queries{}
	_ invitation.Reader = tx{}
	_ invitation.Tx     = tx{}
	_ mail.Reader       = queries{}
	_ mail.Reader       = tx{}
	_ mail.Tx           = tx{}
	_ oauth.Reader      = queries{}
	_ oauth.Reader      = tx{}
	_ oauth.Tx          = tx{}
	_ payment.Reader    = queries{}
	_ payment.Reader    = tx{}
	_ payment.Tx        = tx{}
	_ picture.Reader    = queries{}
	_ picture.Reader    = tx{}
	_ picture.Tx        = tx{}
	_ privacy.Reader    = queries{}
	_ privacy.Reader    = tx{}
	_ privacy.Tx        = tx{}
	_ push.Reader       = queries{}
	_ push.Reader       = tx{}
	_ push.Tx           = tx{}
	_ report.Reader     = queries{}
	_ report.Reader     = tx{}
	_ report.Tx         = tx{}
	_ webhook.Reader    = queries{}
	_ webhook.Reader    = tx{}
	_ webhook.Tx        = tx{}
	_ health.Reader     = queries{}
	_ health.Reader     = tx{}
	_ health.Tx         = tx{}
)
