package assets

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"path"
	"strings"
)

//go:embed static
var static embed.FS

// Prefix is where Handler expects to be mounted.
const Prefix = "/assets/"

// bundles names what is served under Prefix and the parts each one is made of.
var bundles = map[string][]part{
	"page.css": {file("tokens.css"), file("base.css"), file("page.css"), file("details.css"), file("shop.css"), file("photos.css"), file("basket.css"), file("own.css"), file("wait.css"),
		file("states.css")},
	"page.js": {file("page.js")},
	"dash.css": {
		file("tokens.css"), file("base.css"),
		// The frame and what its pages are made of, then a file for each area, and what must beat them all. A rule that
		// comes later wins, so the order matters.
		file("dash/frame.css"), file("dash/lists.css"), file("dash/forms.css"), file("dash/gate.css"), file("dash/start.css"),
		file("dash/editor.css"), file("dash/narrow.css"), file("dash/bookings.css"), file("dash/calendar.css"), file("dash/plan.css"),
		file("dash/types.css"),
		file("dash/availability.css"), file("dash/team.css"), file("dash/contacts.css"), file("dash/card.css"), file("dash/analytics.css"),
		file("dash/settings.css"),
		file("dash/today.css"), file("dash/till.css"), file("dash/caught.css"), file("dash/bulk.css"), file("dash/touch.css"), grid,
	},
	"dash.js":     {file("dash.js")},
	"docs.css":    {file("tokens.css"), file("base.css"), file("docs.css")},
	"docs.js":     {file("docs.js")},
	"calendar.js": {file("calendar.js")}, // loaded by pages with the calendar
	"forms.js":    {file("forms.js")},    // loaded by pages with long forms
	"lookup.js":   {file("lookup.js")},   // loaded by the form of a new booking
	"sort.js":     {file("sort.js")},     // loaded by the list of services
	"sign.js":     {file("sign.js")},     // loaded by the page where a customer signs
	"push.js":     {file("push.js")},     // loaded by the page of the account
	"passkey.js":  {file("passkey.js")},  // loaded by pages with a passkey
	"worker.js":   {file("worker.js")},
	"icon.svg":    {file("icon.svg")},
	// Made from icon.svg once, for home screens; some cut a circle or another shape out of icon-mask.
	"icon-192.png": {file("icon-192.png")}, "icon-512.png": {file("icon-512.png")},
	"icon-mask.png": {file("icon-mask.png")}, "icon-apple.png": {file("icon-apple.png")},
}

// part makes a part of a bundle.
type part func() []byte

func file(name string) part { return func() []byte { return read(name) } }

var contentTypes = map[string]string{
	".css": "text/css; charset=utf-8",
	".js":  "text/javascript; charset=utf-8",
	".svg": "image/svg+xml",
	".png": "image/png",
}

// asset is one file ready to be sent.
type asset struct {
	contentType string
	hash        string
	content     []byte
}

var (
	served  = load()
	embedJS = newAsset("embed.js", read("embed.js"))
)

func load() map[string]asset {
	all := make(map[string]asset, len(bundles))
	for name, parts := range bundles {
		var content []byte
		for _, part := range parts {
			content = append(content, part()...)
		}
		all[name] = newAsset(name, content)
	}
	return all
}

func read(name string) []byte {
	content, err := static.ReadFile("static/" + name)
	if err != nil {
		panic(err) // embedded at build time: only a wrong bundle entry gets here
	}
	return content
}

func newAsset(name string, content []byte) asset {
	return asset{
		contentType: contentTypes[path.Ext(name)],
		hash:        Hash(content),
		content:     content,
	}
}

// Hash returns the mark of a content in the names of assets.
func Hash(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:6])
}

// Path returns the address of an asset, with the hash of its content in the name:
// "page.css" is "/assets/page.0123456789ab.css". It panics on a name that does not
// exist, since that is a mistake in the program.
func Path(name string) string {
	a, ok := served[name]
	if !ok {
		panic(fmt.Sprintf("assets: no asset %q", name))
	}
	return Prefix + hashed(name, a.hash)
}

// BrandPath returns the address of the stylesheet of a brand colour ("1f6feb"),
// whose content Handler makes again with the function it was given.
func BrandPath(hex string, css []byte) string {
	return Prefix + hashed("brand-"+hex+".css", Hash(css))
}

func hashed(name, hash string) string {
	ext := path.Ext(name)
	return strings.TrimSuffix(name, ext) + "." + hash + ext
}

// unhash splits "page.0123456789ab.css" into "page.css" and the hash, which is
// empty when there is none.
func unhash(file string) (name, hash string) {
	parts := strings.Split(file, ".")
	if len(parts) != 3 || len(parts[1]) != 12 {
		return file, ""
	}
	return parts[0] + "." + parts[2], parts[1]
}
