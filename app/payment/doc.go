// Package payment holds the rules of payments: what is due for a booking and what was paid, refunds, no-show fees, and
// the workspace's account at the provider. pay.go is the door through which an invitee goes to the payment page. The
// provider is behind the Provider interface: package stripe calls Stripe and receives its events. It imports this
// package, which never imports it. Loop runs the jobs that the Service has queued.
//
// Whether a booking waits for a payment is decided by catalog.Setup.WaitsForPayment, when app/booking_book.go books it.
//
// # At most once
// Everything that moves money is a Job, saved in the transaction of the change that needs it. The loop claims it with a
// lease, the Service calls Stripe outside any transaction, and saves the response and the end of the job in one
// transaction. A process that dies at any point leaves a job whose lease ends. The next server that claims it first
// looks at Stripe, by the metadata, for what the job has done already, and otherwise repeats the request with the same
// idempotency key. The key is the booking and the attempt for a charge, the job's id for a refund, the checkout's id
// for a payment page.
package payment
