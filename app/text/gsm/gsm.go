// Package gsm counts what a text message costs: the segments into which a phone network cuts it, in the alphabet of
// 7 bits if that has all its characters (3GPP TS 23.038, sections 6.2.1 and 6.2.1.1), else in UCS-2. It imports nothing
// of Daybook.
package gsm

import (
	"slices"
	"strings"
	"unicode/utf16"
)

// The units of a message that is one segment, and those of each segment of a longer one, which begins with six octets
// that say where it belongs (3GPP TS 23.040, 9.2.3.24.1).
const (
	Single, Several               = 160, 153 // septets of the alphabet of 7 bits
	SingleUnicode, SeveralUnicode = 70, 67   // code units of UTF-16
)

// Count is what a text costs.
type Count struct {
	Segments   int  // that a network bills; 0 of an empty text
	Units      int  // septets, or code units of UTF-16 where Unicode is true
	PerSegment int  // units that fit into each segment: more of them if there is only one
	Unicode    bool // a character isn't in the alphabet of 7 bits, so that all of them cost more
	Left       int  // units that still fit into the last segment; one more unit than that is another segment
}

// Segments returns what the text costs. Some phones pack characters of Turkish, Spanish or Portuguese more tightly, by
// a table of their country; that is not counted on, so a phone's own count may be lower and is never higher. Bytes that
// are no UTF-8 count as U+FFFD each.
func Segments(text string) Count {
	c, size := Count{PerSegment: Single, Left: Single}, septets
	for _, r := range text {
		if septets(r) == 0 {
			c, size = Count{Unicode: true, PerSegment: SingleUnicode, Left: SingleUnicode}, units
			break
		}
	}
	for _, r := range text {
		c.Units += size(r)
	}
	switch {
	case c.Units == 0:
		return c
	case c.Units <= c.PerSegment:
		c.Segments, c.Left = 1, c.PerSegment-c.Units
		return c
	case c.Unicode:
		c.PerSegment = SeveralUnicode
	default:
		c.PerSegment = Several
	}
	c.Left = 0
	for _, r := range text {
		n := size(r)
		if n > c.Left { // a character is never in two segments, so that one unit may stay free
			c.Segments++
			c.Left = c.PerSegment
		}
		c.Left -= n
	}
	return c
}

// Dear returns the characters that aren't in the alphabet of 7 bits, in their order and each once; those that stand beside
// each other are one, as an emoji of several characters is.
func Dear(text string) (all []string) {
	for _, x := range strings.FieldsFunc(text, func(r rune) bool { return septets(r) > 0 }) {
		if !slices.Contains(all, x) {
			all = append(all, x)
		}
	}
	return all
}

func units(r rune) int { return utf16.RuneLen(r) }

// septets returns how many a character takes: 2 of one that is reached by an escape, 0 of one that isn't there.
func septets(r rune) int {
	if r < 128 {
		return int(ascii[r])
	}
	return int(beyond[r])
}

// The default alphabet without the escape itself, and the characters that follow an escape.
const (
	alphabet = "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?" +
		"¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà"
	extension = "\f^{}\\[~]|€"
)

var ascii, beyond = tables()

func tables() (low [128]uint8, high map[rune]uint8) {
	high = map[rune]uint8{}
	for n, all := range []string{alphabet, extension} {
		for _, r := range all {
			if r < 128 {
				low[r] = uint8(n + 1)
			} else {
				high[r] = uint8(n + 1)
			}
		}
	}
	return low, high
}
