// Package stripetest is a stand-in for Stripe in tests: the few endpoints that Daybook calls, with their state, and the
// ways in which the real one can fail: it declines, demands authentication, is late, repeats events, can't be reached,
// and loses its answers after it has done the work. It knows nothing of Daybook.
package stripetest
