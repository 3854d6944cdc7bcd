package cli

import (
	"time"

	"github.com/spf13/pflag"

	"daybook/app/cli/console"
	"daybook/app/webhook"
)

// webhookLoop sends events to webhook endpoints.
func webhookLoop(flags *pflag.FlagSet) func(*wiring) error {
	retry := flags.DurationSlice("webhook-retry", webhook.DefaultRetry,
		"the pauses before each further try of a webhook, ±20 %")
	keep := flags.Duration("webhook-keep", webhook.DefaultKeep, "how long events and webhook deliveries are kept")
	console.CheckFlag(flags, "webhook-retry", func() error {
		for _, pause := range *retry {
			if pause < 0 || pause > 7*24*time.Hour {
				return console.Usagef("--webhook-retry must list pauses between 0s and 168h")
			}
		}
		if len(*retry) > 20 {
			return console.Usagef("--webhook-retry must list at most 20 pauses")
		}
		return nil
	})
	console.CheckFlag(flags, "webhook-keep", func() error {
		if *keep < time.Hour {
			return console.Usagef("--webhook-keep must be at least 1h")
		}
		return nil
	})
	return func(w *wiring) error {
		l := webhook.New(w.Webhook, webhook.Options{
			Allow: w.Config.Webhook.Allow, Retry: *retry, Keep: *keep, Version: w.Version, Logger: w.Log(),
		})
		w.OnCommit(l.Wake)
		w.Loop("webhooks", l.Run)
		return nil
	}
}
