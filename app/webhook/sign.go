package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// sign sets the headers that prove where a body comes from: X-Service-Signature, keyed with each secret as it was
// shown, and those of Standard Webhooks, keyed with the bytes that the secret's base64 part encodes.
func sign(h http.Header, secrets []string, id string, at time.Time, body []byte) {
	t := strconv.FormatInt(at.Unix(), 10)
	ours, theirs := "t="+t, ""
	for i, secret := range secrets {
		ours += ",v1=" + hex.EncodeToString(mac([]byte(secret), t, body))
		if i > 0 {
			theirs += " "
		}
		theirs += "v1," + base64.StdEncoding.EncodeToString(mac(standardKey(secret), id+"."+t, body))
	}
	h["X-Service-Signature"] = []string{ours}
	h["Webhook-Id"] = []string{id}
	h["Webhook-Timestamp"] = []string{t}
	h["Webhook-Signature"] = []string{theirs}
}

// mac is HMAC-SHA256 of prefix, a period and the body.
func mac(key []byte, prefix string, body []byte) []byte {
	m := hmac.New(sha256.New, key)
	m.Write([]byte(prefix))
	m.Write([]byte{'.'})
	m.Write(body)
	return m.Sum(nil)
}

func standardKey(secret string) []byte {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		return []byte(secret) // not a secret of ours
	}
	return key
}
