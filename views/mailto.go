package views

import (
	"net/url"
	"strings"
)

// MailTo returns the link that writes to the address and to nobody else: whatever the address holds, it names no
// further recipient, subject or text.
func MailTo(address string) string {
	local, domain := address, ""
	if at := strings.LastIndexByte(address, '@'); at >= 0 {
		local, domain = address[:at], "@"+mailtoEscape(address[at+1:])
	}
	return "mailto:" + mailtoEscape(local) + domain
}

func mailtoEscape(text string) string { return strings.ReplaceAll(url.QueryEscape(text), "+", "%20") }
