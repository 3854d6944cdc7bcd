package catalog

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base32"
	"hash"
	"io"
	"sync"

	"daybook/app/id"
)

var tokenText = base32.NewEncoding(id.Base32).WithPadding(base32.NoPadding)

// SetLinkKey sets the key that signs the workspace's links: Workspace.LinkKey, opened.
func (s *Setup) SetLinkKey(linkKey []byte) {
	s.macs = &sync.Pool{New: func() any { return hmac.New(sha256.New, linkKey) }}
}

// MAC returns the MAC of a text under the workspace's link key: 128 bits in base 32.
func (s *Setup) MAC(text string) string {
	mac := s.macs.Get().(hash.Hash)
	defer s.macs.Put(mac)
	mac.Reset()
	io.WriteString(mac, text)
	var sum [sha256.Size]byte
	var token [26]byte // of 16 bytes in base 32
	tokenText.Encode(token[:], mac.Sum(sum[:0])[:16])
	return string(token[:])
}

// The purposes of links with Signed tokens.
const (
	FeedPurpose        = "calendar"
	DecidePurpose      = "decide"
	UnsubscribePurpose = "spare"
	InvitationPurpose  = "invitation"
	VisitPurpose       = "visit"
	WaitPurpose        = "wait"
)

// Signed returns the token of a link for one purpose: the id's text, and the MAC of both.
func Signed[K id.Kind](s *Setup, purpose string, id id.ID[K]) string {
	var k K
	text := id.String()[len(k.Prefix()):]
	return text + s.MAC(purpose+"\x00"+text)
}

// Unsigned returns the id at the start of a token made by Signed. The caller must compare Signed of that id with the
// token.
func Unsigned[K id.Kind](token string) (id.ID[K], bool) {
	var k K
	if len(token) <= id.Digits(k) {
		return 0, false
	}
	id, err := id.Parse[K](k.Prefix() + token[:id.Digits(k)])
	return id, err == nil
}
