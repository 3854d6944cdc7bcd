// Package waitlist holds the rules of the waitlist: who waits for which times of which services, until when, and what
// becomes of that. An entry of a visitor counts once they have opened the link of a mail, or of a text where
// they gave a telephone number alone; from then on it is found for what comes free.
//
// An entry changes only behind the lock of its workspace, which comes before those of hosts.
package waitlist
