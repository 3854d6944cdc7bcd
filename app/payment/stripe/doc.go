// Package stripe is the payment provider Stripe: the client behind payment.Provider, and the door at which Stripe's
// events arrive (hook.go). It holds no rule of payments, and no key.
package stripe
