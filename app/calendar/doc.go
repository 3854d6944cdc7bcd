// Package calendar owns iCalendar: the invitations in mails (iTIP, RFC 5546) and the feeds that calendars subscribe to
// (RFC 5545). It writes what Google, Outlook and Apple act on, and knows nothing of mail or HTTP.
package calendar
