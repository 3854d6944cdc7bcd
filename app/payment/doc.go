// package payment is the room of payments: what is due for a booking and what was paid, refunds, no-show fees, and the
// workspace's account at the provider. pay.go is the door through which an invitee goes to the payment page.
//
// The provider is behind the Provider interface: package stripe speaks to Stripe and takes its events in. Package loop
// carries out the jobs that the Service has queued. Both import this package, and this package neither.
//
// # At most once
//
// What moves money is a Job, saved in the transaction of the change that wants it. The loop claims it under a lease,
// the Service asks Stripe outside any transaction, and saves the answer and the job's end in one. A process that dies
// at any point leaves a job whose lease ends; whoever claims it next first looks at Stripe for what the job has done,
// by the metadata of what it would have made, and else repeats the request under the same idempotency key. The key is
// the booking and the attempt for a charge, the job's id for a refund, the checkout's id for a payment page.
package payment
