package picture

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base32"
	"encoding/binary"
	"errors"
	"image"
	"image/jpeg"
	"image/png"
	"math"
	"runtime/debug"
	"slices"
	"time"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/id"
)

// widths are what a picture is scaled to, unless it is narrower. Pages show pictures on up to a third, the half and the
// whole of a screen, with up to three pixels in one of the page's.
var widths = []int{320, 800, 1600}

const (
	maxWidth = 300e3 // bytes of one width
	tallest  = 2     // times as high as wide: what is taller is scaled to less than the width
)

// Converted is a picture made from an uploaded file, ready to be saved.
type Converted struct {
	format catalog.PictureFormat
	widths []scaled // the narrowest first
}

type scaled struct {
	size catalog.PictureSize
	data []byte
}

// hash returns a name that no other content has: 160 bits of SHA-256.
func (c *Converted) hash() string {
	h := sha256.New()
	for _, w := range c.widths {
		h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(w.data))))
		h.Write(w.data)
	}
	return base32.NewEncoding(id.Base32).EncodeToString(h.Sum(nil)[:20])
}

// decoders are the places of those who decode: two in the whole process, whatever the server and the workspace.
var decoders = make(chan struct{}, 2)

// decoderWait is how long an upload waits for a place.
const decoderWait = 10 * time.Second

// muchMemory is from how many pixels on the memory of a decoded picture is given back at once, which takes some
// milliseconds. Otherwise those that follow each other need more and more of it until the collector comes round.
const muchMemory = 4e6

// Convert makes the picture that Save saves from a file, and changes nothing. Errors: forbidden, those of check,
// unavailable (busy).
func (s *Service) Convert(ctx context.Context, a app.Actor, file []byte) (*Converted, error) {
	if err := a.May(app.MayManagePictures); err != nil {
		return nil, err
	}
	return s.convert(ctx, file)
}

// convert makes what is kept of a file. It waits for one of the decoders. Errors: those of check, unavailable (busy).
func (s *Service) convert(ctx context.Context, file []byte) (*Converted, error) {
	k, found, err := check(file)
	if err != nil {
		return nil, err
	}
	late, cancel := context.WithTimeout(ctx, decoderWait)
	defer cancel()
	select {
	case decoders <- struct{}{}:
		defer func() { <-decoders }()
	case <-late.Done():
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		return nil, fault.New(fault.Unavailable, "busy",
			"Too many pictures are being uploaded. Try again in a few seconds.").With("retryAfter", 5)
	}
	m, err := k.decode(bytes.NewReader(file))
	if err != nil {
		return nil, errNotAPicture
	}
	if b := m.Bounds(); b.Dx()*b.Dy() > muchMemory {
		defer debug.FreeOSMemory() // before the next one has the place
	}
	return shrink(m, orientation(found.exif))
}

// shrink makes the widths of a picture.
func shrink(m image.Image, orientation int) (*Converted, error) {
	c := &Converted{format: catalog.JPEG}
	if o, ok := m.(interface{ Opaque() bool }); ok && !o.Opaque() {
		c.format = catalog.PNG
	}
	size := m.Bounds().Size()
	if onItsSide(orientation) {
		size.X, size.Y = size.Y, size.X
	}
	targets := targetsOf(size)
	largest := scaleUpright(m, targets[len(targets)-1], orientation)
	for i := len(targets) - 1; i >= 0; i-- {
		if n := len(c.widths); n > 0 && targets[i].X >= c.widths[n-1].size.Width {
			continue // the larger one had to be made as small to fit
		}
		one, err := fit(largest, targets[i], c.format)
		if err != nil {
			return nil, err
		}
		c.widths = append(c.widths, one)
	}
	slices.Reverse(c.widths)
	return c, nil
}

// targetsOf returns the sizes to make of a picture of that size, the smallest first.
func targetsOf(size image.Point) (all []image.Point) {
	for _, w := range widths {
		within := float64(w) / float64(size.X)
		within = min(1, within, float64(tallest*w)/float64(size.Y))
		target := scaledBy(size, within)
		if n := len(all); n == 0 || target.X > all[n-1].X {
			all = append(all, target)
		}
	}
	return all
}

func scaledBy(size image.Point, by float64) image.Point {
	return image.Pt(max(1, int(float64(size.X)*by+0.5)), max(1, int(float64(size.Y)*by+0.5)))
}

// scaleUpright returns the picture at that size, upright.
func scaleUpright(m image.Image, size image.Point, orientation int) *image.RGBA {
	if onItsSide(orientation) {
		size.X, size.Y = size.Y, size.X
	}
	return upright(scale(m, size), orientation)
}

// qualities are those of JPEG, the best first. Where none is small enough the picture is made smaller.
var qualities = []int{85, 75, 65, 50}

// fit writes the picture at that size or, where it has too many bytes then, at a lower quality and size.
func fit(m *image.RGBA, size image.Point, format catalog.PictureFormat) (scaled, error) {
	var out bytes.Buffer
	for {
		at := scale(m, size)
		for _, quality := range qualities {
			out.Reset()
			err := error(nil)
			if format == catalog.PNG {
				err = png.Encode(&out, at)
			} else {
				err = jpeg.Encode(&out, at, &jpeg.Options{Quality: quality})
			}
			if err != nil {
				return scaled{}, err
			}
			if out.Len() <= maxWidth {
				return scaled{catalog.PictureSize{Width: size.X, Height: size.Y}, bytes.Clone(out.Bytes())}, nil
			}
			if format == catalog.PNG {
				break // it has one quality
			}
		}
		if size == image.Pt(1, 1) {
			return scaled{}, errors.New("a picture of one pixel has too many bytes")
		}
		size = scaledBy(size, min(0.95, 0.97*math.Sqrt(maxWidth/float64(out.Len()))))
	}
}
