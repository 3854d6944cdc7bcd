// Package text sends texts to the telephones of customers, and takes what they answer.
//
// Who is told of what is decided by package mail, for both ways: it hands Divide the mails to invitees of each change before
// it queues them, and Divide takes those out that the person wants as texts, and queues these in the same transaction. So
// what one change says is queued once, by the way that its person likes.
//
// A text is claimed with a lease, written, and begun: behind the lock of its number it is seen whether its person still
// wants it, whether it is quiet time, and whether it fits into the month. That a text is begun is committed before the
// sender is asked, so that after a crash nobody sends it a second time: the sender is asked whether it has the text, and
// where it can't say, the text counts as perhaps sent. A text that may not go, or fails for good, is replaced by the mail of
// the same thing.
package text
