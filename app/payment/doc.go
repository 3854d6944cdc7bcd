// package payment speaks to Stripe: the client behind app.PaymentProvider (stripe.go and the files of its calls), the
// loop that carries out the jobs which the Service has queued (loop.go), the door at which Stripe's events arrive
// (hook.go), and the one through which an invitee goes to the payment page (pay.go).
//
// It holds no rule of payments: those are app/payments*.go. It never imports the store or a page.
//
// # At most once
//
// What moves money is a job (app.PaymentJob), saved in the transaction of the change that wants it. The loop claims it
// under a lease, asks Stripe outside any transaction, and saves the answer and the job's end in one. A process that
// dies at any point leaves a job whose lease ends; whoever claims it next first looks at Stripe for what the job has
// done, by the metadata of what it would have made, and else repeats the request under the same idempotency key. The
// key is the booking and the attempt for a charge, the job's id for a refund, the checkout's id for a payment page.
package payment
