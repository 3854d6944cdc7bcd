package cli

import (
	"time"

	"github.com/spf13/pflag"

	"daybook/app/webhook"
)

// webhookLoop sends what the endpoints are to be told.
func webhookLoop(flags *pflag.FlagSet) func(*wiring) error {
	retry := flags.DurationSlice("webhook-retry", []time.Duration{30 * time.Second, 5 * time.Minute, time.Hour}, "the pauses before each further try of a webhook, ±20 %")
	keep := flags.Duration("webhook-keep", 30*24*time.Hour, "how long events and webhook deliveries are kept")
	checkFlag(flags, "webhook-retry", func() error {
		for _, pause := range *retry {
			if pause < 0 || pause > 7*24*time.Hour {
				return usage("--webhook-retry must list pauses between 0s and 168h")
			}
		}
		if len(*retry) > 20 {
			return usage("--webhook-retry must list at most 20 pauses")
		}
		return nil
	})
	checkFlag(flags, "webhook-keep", func() error {
		if *keep < time.Hour {
			return usage("--webhook-keep must be at least 1h")
		}
		return nil
	})
	return func(w *wiring) error {
		l := webhook.New(w.Webhook, webhook.Options{
			Allow: w.Config.Webhook.Allow, Retry: *retry, Keep: *keep, Version: Version, Logger: w.log(),
		})
		w.OnCommit(l.Wake)
		w.loop("webhooks", l.Run)
		return nil
	}
}
