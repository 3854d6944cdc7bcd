// package connections has the commands about what a workspace is connected to: webhooks, mail, payments, calendar,
// agents.
package connections
