package brand

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// Every brand colour, however unfortunate, gives text and edges that can be seen.
func TestBrandContrast(t *testing.T) {
	colors := []string{"000000", "ffffff", "ffe600", "ff0000", "00ff00", "0000ff", "808080", "777777", "2f5d50", "18191c", "fefefe"}
	for r := 0; r < 256; r += 51 {
		for g := 0; g < 256; g += 51 {
			for b := 0; b < 256; b += 51 {
				colors = append(colors, fmt.Sprintf("%02x%02x%02x", r, g, b))
			}
		}
	}
	for _, c := range colors {
		for _, surface := range []string{surfaceLight, surfaceDark} {
			p := palette(c, surface)
			for what, pair := range map[string]struct {
				a, b string
				min  float64
			}{
				"text on brand":       {p.On, p.Fill, 4.5},
				"text on hover":       {p.On, p.Hover, 4.5},
				"brand text":          {p.Text, surface, 4.5},
				"brand text on soft":  {p.Text, p.Soft, 4.5},
				"edge on the surface": {p.Edge, surface, 3},
			} {
				if got := Contrast(pair.a, pair.b); got < pair.min {
					t.Errorf("brand %s on %s: %s #%s/#%s has %.2f, want %.1f", c, surface, what, pair.a, pair.b, got, pair.min)
				}
			}
		}
	}
}

func TestContrastKnownValues(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want string
	}{{"000000", "ffffff", "21.00"}, {"777777", "ffffff", "4.48"}, {"ff0000", "ffffff", "4.00"}, {"0000ff", "ffffff", "8.59"}} {
		if got := fmt.Sprintf("%.2f", Contrast(c.a, c.b)); got != c.want {
			t.Errorf("Contrast(%s, %s) = %s, want %s", c.a, c.b, got, c.want)
		}
	}
}

func TestReadableColorsStayAsTheyAre(t *testing.T) {
	if p := palette("2f5d50", surfaceLight); p.Text != "2f5d50" || p.Edge != "2f5d50" || p.On != "ffffff" {
		t.Errorf("a colour that can be read was changed: %+v", p)
	}
}

func TestCSSIsStrict(t *testing.T) {
	for _, bad := range []string{"", "fff", "FFFFFF", "#ffffff", "ffffff;", "ffffff}", "gggggg", "../../x"} {
		if _, ok := CSS(bad); ok {
			t.Errorf("CSS(%q) was accepted", bad)
		}
	}
	if hex, ok := Parse(" #1F6FEB"); hex != "1f6feb" || !ok {
		t.Errorf("Parse = %q, %v", hex, ok)
	}
	if hex, ok := Parse("#fA0"); hex != "ffaa00" || !ok {
		t.Errorf("Parse = %q, %v", hex, ok)
	}
}

// The contrast above was computed against the surfaces that the stylesheet uses.
func TestSurfacesMatchTheStylesheet(t *testing.T) {
	css, err := os.ReadFile("../../assets/static/tokens.css")
	if err != nil {
		t.Fatal(err)
	}
	if want := "--surface: light-dark(#" + surfaceLight + ", #" + surfaceDark + ");"; !strings.Contains(string(css), want) {
		t.Errorf("tokens.css has no %s", want)
	}
}

// Whoever asks for one colour after the other doesn't make the server keep them all.
func TestFewPathsAreKept(t *testing.T) {
	first := Path("000000")
	for i := range 3 * maxPaths {
		Path(fmt.Sprintf("%06x", i))
	}
	if n := len(paths.of); n > maxPaths {
		t.Errorf("%d colours are kept", n)
	}
	if again := Path("000000"); again != first {
		t.Errorf("%s is %s the second time", first, again)
	}
}
