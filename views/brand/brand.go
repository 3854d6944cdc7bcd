// Package brand makes what the pages and mails of a business are coloured with out of its one colour: the colour, the
// text on it, and shades that can be read on a light and on a dark ground. Colours are six lower-case hex digits.
package brand

import (
	"fmt"
	"math"
	"strings"
	"sync"

	"daybook/assets"
)

// Default is the brand colour of a workspace that chose none.
const Default = "2f5d50"

// The surfaces that brand colours are seen on; tokens.css has the same values.
const (
	surfaceLight = "ffffff"
	surfaceDark  = "18191c"
)

// WCAG 2.2 contrast: text (1.4.3), and the edges of controls (1.4.11).
const (
	textContrast = 4.5
	edgeContrast = 3.0

	darkContrast = 6 // coloured text on a dark ground needs more to be pleasant
)

// Parse reads "#1F6FEB", "1f6feb" or "#fff" as six lower-case hex digits.
func Parse(s string) (hex string, ok bool) {
	s = strings.ToLower(strings.TrimPrefix(strings.TrimSpace(s), "#"))
	if len(s) == 3 {
		s = string([]byte{s[0], s[0], s[1], s[1], s[2], s[2]})
	}
	return s, isHex(s)
}

func isHex(s string) bool {
	return len(s) == 6 && strings.Trim(s, "0123456789abcdef") == ""
}

// paths keeps the addresses by colour, as making one takes a tenth of a page's time. Anybody can ask a page for
// any colour, so it begins anew when it holds maxPaths.
var paths = struct {
	sync.RWMutex
	of map[string]string
}{of: map[string]string{}}

const maxPaths = 1024

// Path returns the address of a brand colour's stylesheet; a colour that can't be
// read counts as Default.
func Path(color string) string {
	hex := orDefault(color)
	paths.RLock()
	path, ok := paths.of[hex]
	paths.RUnlock()
	if ok {
		return path
	}
	css, _ := CSS(hex)
	path = assets.BrandPath(hex, css)
	paths.Lock()
	defer paths.Unlock()
	if len(paths.of) >= maxPaths {
		clear(paths.of)
	}
	paths.of[hex] = path
	return path
}

// CSS makes the stylesheet of a brand colour: the colour itself, the text on
// it, and variants that can be read on the light and the dark surface. It takes six
// lower-case hex digits and says false to anything else.
func CSS(hex string) (css []byte, ok bool) {
	if !isHex(hex) {
		return nil, false
	}
	light, dark := palette(hex, surfaceLight), palette(hex, surfaceDark)
	return fmt.Appendf(nil,
		":root{--brand:#%s;--brand-hover:#%s;--on-brand:#%s;--brand-edge:%s;--brand-text:%s;--brand-soft:%s}\n",
		light.Fill, light.Hover, light.On, // the same on both surfaces
		lightDark(light.Edge, dark.Edge), lightDark(light.Text, dark.Text), lightDark(light.Soft, dark.Soft)), true
}

// lightDark returns a colour in CSS that follows the theme of the page.
func lightDark(light, dark string) string { return "light-dark(#" + light + ",#" + dark + ")" }

// Shades are the colours a page needs of its brand, on one surface.
type Shades struct {
	Fill  string // the brand colour itself
	Hover string // that under a pointer
	On    string // text on both
	Edge  string // edges of controls
	Text  string // text on the surface and on Soft
	Soft  string // a quiet ground
}

// Light returns the shades of a colour on the light surface; a colour that can't be read counts as Default.
func Light(color string) Shades { return palette(orDefault(color), surfaceLight) }

// Dark returns the shades of a colour on the dark surface; a colour that can't be read counts as Default.
func Dark(color string) Shades { return palette(orDefault(color), surfaceDark) }

func orDefault(color string) string {
	if hex, ok := Parse(color); ok {
		return hex
	}
	return Default
}

func palette(brand, surface string) Shades {
	on := onColor(brand)
	soft, contrast := tint(brand, .957, .3, .035), textContrast
	if luminance(surface) < .18 {
		soft, contrast = tint(brand, .29, .6, .05), darkContrast
	}
	return Shades{
		Fill:  brand,
		On:    on,
		Hover: mix(brand, opposite(on), .12), // away from the text: contrast only grows
		Edge:  readable(brand, edgeContrast, surface),
		Text:  readable(brand, contrast, surface, soft),
		Soft:  soft,
	}
}

// tint returns a ground in a colour's hue: its own lightness, and a share of the chroma.
func tint(color string, lightness, share, most float64) string {
	_, c, h := toOKLCH(color)
	return fromOKLCH(lightness, min(c*share, most), h)
}

// onColor returns the colour of text on a background: white where that can be read, else
// near-black, else black, one of which always can.
func onColor(background string) string {
	for _, c := range []string{"ffffff", "14161a"} {
		if Contrast(c, background) >= textContrast {
			return c
		}
	}
	return "000000"
}

func opposite(on string) string {
	if on == "ffffff" {
		return "000000"
	}
	return "ffffff"
}

// readable moves a colour's lightness, keeping its hue, until it has the contrast
// against every background.
func readable(color string, contrast float64, backgrounds ...string) string {
	l, c, h := toOKLCH(color)
	step := -.01
	if luminance(backgrounds[0]) < .18 {
		step = .01
	}
	for ; l >= 0 && l <= 1; l += step {
		if enough(color, contrast, backgrounds) {
			return color
		}
		color = fromOKLCH(l+step, c, h)
	}
	if step > 0 {
		return "ffffff"
	}
	return "000000"
}

func enough(color string, contrast float64, backgrounds []string) bool {
	for _, b := range backgrounds {
		if Contrast(color, b) < contrast {
			return false
		}
	}
	return true
}

// Contrast returns the WCAG contrast ratio of two colours, from 1 to 21.
func Contrast(a, b string) float64 {
	la, lb := luminance(a), luminance(b)
	return (max(la, lb) + .05) / (min(la, lb) + .05)
}

func luminance(hex string) float64 {
	r, g, b := linear(hex)
	return .2126*r + .7152*g + .0722*b
}

func linear(hex string) (r, g, b float64) {
	var c [3]uint8
	fmt.Sscanf(hex, "%02x%02x%02x", &c[0], &c[1], &c[2])
	return toLinear(c[0]), toLinear(c[1]), toLinear(c[2])
}

func toLinear(v uint8) float64 {
	c := float64(v) / 255
	if c <= .04045 {
		return c / 12.92
	}
	return math.Pow((c+.055)/1.055, 2.4)
}

func fromLinear(c float64) uint8 {
	if c <= .0031308 {
		c *= 12.92
	} else {
		c = 1.055*math.Pow(c, 1/2.4) - .055
	}
	return uint8(math.Round(255 * min(max(c, 0), 1)))
}

// mix adds a share of one colour to another, as CSS paints an overlay.
func mix(base, add string, share float64) string {
	var a, b [3]uint8
	fmt.Sscanf(base, "%02x%02x%02x", &a[0], &a[1], &a[2])
	fmt.Sscanf(add, "%02x%02x%02x", &b[0], &b[1], &b[2])
	for i := range a {
		a[i] = uint8(math.Round(float64(a[i])*(1-share) + float64(b[i])*share))
	}
	return fmt.Sprintf("%02x%02x%02x", a[0], a[1], a[2])
}

// toOKLCH and fromOKLCH convert to Björn Ottosson's perceptual space, in which a
// change of lightness keeps the hue.
func toOKLCH(hex string) (lightness, chroma, hue float64) {
	r, g, b := linear(hex)
	l := math.Cbrt(.4122214708*r + .5363325363*g + .0514459929*b)
	m := math.Cbrt(.2119034982*r + .6806995451*g + .1073969566*b)
	s := math.Cbrt(.0883024619*r + .2817188376*g + .6299787005*b)
	A := 1.9779984951*l - 2.4285922050*m + .4505937099*s
	B := .0259040371*l + .7827717662*m - .8086757660*s
	return .2104542553*l + .7936177850*m - .0040720468*s, math.Hypot(A, B), math.Atan2(B, A)
}

func fromOKLCH(lightness, chroma, hue float64) string {
	for ; ; chroma -= .005 { // less colour until the screen can show it
		A, B := chroma*math.Cos(hue), chroma*math.Sin(hue)
		l := cube(lightness + .3963377774*A + .2158037573*B)
		m := cube(lightness - .1055613458*A - .0638541728*B)
		s := cube(lightness - .0894841775*A - 1.2914855480*B)
		r := 4.0767416621*l - 3.3077115913*m + .2309699292*s
		g := -1.2684380046*l + 2.6097574011*m - .3413193965*s
		b := -.0041960863*l - .7034186147*m + 1.7076147010*s
		if chroma <= 0 || min(r, g, b) >= -.0005 && max(r, g, b) <= 1.0005 {
			return fmt.Sprintf("%02x%02x%02x", fromLinear(r), fromLinear(g), fromLinear(b))
		}
	}
}

func cube(v float64) float64 { return v * v * v }
