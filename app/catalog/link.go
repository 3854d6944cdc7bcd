package catalog

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base32"

	"daybook/app/id"
)

var tokenText = base32.NewEncoding(id.Base32).WithPadding(base32.NoPadding)

// SignsBy gives the set-up the key that its links are signed by: Workspace.LinkKey, opened.
func (s *Setup) SignsBy(linkKey []byte) { s.linkKey = linkKey }

// MAC is the MAC of a text under the workspace's link key, in 128 bits of text.
func (s *Setup) MAC(text string) string {
	mac := hmac.New(sha256.New, s.linkKey)
	mac.Write([]byte(text))
	return tokenText.EncodeToString(mac.Sum(nil)[:16])
}

// The purposes of links whose tokens are Signed.
const (
	FeedPurpose        = "calendar"
	DecidePurpose      = "decide"
	UnsubscribePurpose = "spare"
)

// Signed is the token of a link of one purpose: the id's text, and the MAC of both.
func Signed[K id.Kind](s *Setup, purpose string, id id.ID[K]) string {
	var k K
	text := id.String()[len(k.Prefix()):]
	return text + s.MAC(purpose+"\x00"+text)
}

// Unsigned is the id that a token of Signed begins with; who uses it must compare Signed of it with the token.
func Unsigned[K id.Kind](token string) (id.ID[K], bool) {
	var k K
	if len(token) <= id.Digits(k) {
		return 0, false
	}
	id, err := id.Parse[K](k.Prefix() + token[:id.Digits(k)])
	return id, err == nil
}
