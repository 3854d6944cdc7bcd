// Package smtp is the way of a written mail to a mail server: the server's address as text, the mail in MIME, and the
// session in which it is handed over. It knows no queue and no booking.
package smtp
