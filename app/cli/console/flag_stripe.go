package console

import "github.com/spf13/pflag"

// StripeFlag is the name of the flag that AddStripeFlag adds.
const StripeFlag = "stripe-api-base"

// AddStripeFlag adds the flag for another address than Stripe's.
func AddStripeFlag(flags *pflag.FlagSet) *WebURL {
	base := &WebURL{}
	flags.Var(base, StripeFlag, "a stand-in for Stripe's API, for tests")
	return base
}
