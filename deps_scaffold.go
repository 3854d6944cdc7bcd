// Scaffold: keeps the chosen libraries in go.mod until the rooms that use them exist; removed at the end.
package main

import (
	_ "github.com/a-h/templ"
	_ "github.com/alexedwards/argon2id"
	_ "github.com/alexedwards/scs/v2"
	_ "github.com/arran4/golang-ical"
	_ "github.com/chromedp/chromedp"
	_ "github.com/danielgtaylor/huma/v2"
	_ "github.com/danielgtaylor/huma/v2/adapters/humago"
	_ "github.com/emersion/go-smtp"
	_ "github.com/getkin/kin-openapi/openapi3filter"
	_ "github.com/jmoiron/sqlx"
	_ "github.com/mark3labs/mcp-go/server"
	_ "github.com/nicksnyder/go-i18n/v2/i18n"
	_ "github.com/prometheus/client_golang/prometheus/promhttp"
	_ "github.com/rogpeppe/go-internal/testscript"
	_ "github.com/spf13/cobra"
	_ "github.com/standard-webhooks/standard-webhooks/libraries/go"
	_ "github.com/stripe/stripe-go/v85"
	_ "github.com/wneessen/go-mail"
	_ "golang.org/x/crypto/acme/autocert"
	_ "golang.org/x/term"
	_ "golang.org/x/text/language"
	_ "golang.org/x/time/rate"
	_ "gopkg.in/yaml.v3"
	_ "modernc.org/sqlite"
)
