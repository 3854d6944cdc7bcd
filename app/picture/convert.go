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

// Width is a width to which a picture is scaled, unless it is narrower.
type Width struct {
	Pixels int
	Bytes  int // the most that it may have
}

// widths are those of pictures that pages show: on up to a third, the half and the whole of a screen, with up to three
// pixels in one of the page's.
var widths = []Width{{320, 300e3}, {800, 300e3}, {1600, 300e3}}

// tallest is how many times as high as wide a picture may be: what is taller is scaled to less than the width.
const tallest = 2

// Converted is a picture made from an uploaded file, ready to be saved.
type Converted struct {
	Format catalog.PictureFormat
	Widths []Scaled // the narrowest first
}

// Scaled is one width of a Converted.
type Scaled struct {
	Size catalog.PictureSize
	Data []byte
}

// hash returns a name that no other content has: 160 bits of SHA-256.
func (c *Converted) hash() string {
	h := sha256.New()
	for _, w := range c.Widths {
		h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(w.Data))))
		h.Write(w.Data)
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
	return Shrink(ctx, file, widths)
}

// Shrink makes what is kept of an uploaded file: those widths, the narrowest first, of which none has metadata. It waits
// for one of the decoders of the process. Who calls it asks for the rights to do so. Errors: bad_request (not_a_picture,
// animated, too_many_pixels), payload_too_large, unavailable (busy).
func Shrink(ctx context.Context, file []byte, to []Width) (*Converted, error) {
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
	return shrink(m, orientation(found.exif), to)
}

// shrink makes the widths of a picture.
func shrink(m image.Image, orientation int, to []Width) (*Converted, error) {
	c := &Converted{Format: catalog.JPEG}
	if o, ok := m.(interface{ Opaque() bool }); ok && !o.Opaque() {
		c.Format = catalog.PNG
	}
	size := m.Bounds().Size()
	if onItsSide(orientation) {
		size.X, size.Y = size.Y, size.X
	}
	targets := targetsOf(size, to)
	largest := scaleUpright(m, targets[len(targets)-1].size, orientation)
	for i := len(targets) - 1; i >= 0; i-- {
		if n := len(c.Widths); n > 0 && targets[i].size.X >= c.Widths[n-1].Size.Width {
			continue // the larger one had to be made as small to fit
		}
		one, err := fit(largest, targets[i], c.Format)
		if err != nil {
			return nil, err
		}
		c.Widths = append(c.Widths, one)
	}
	slices.Reverse(c.Widths)
	return c, nil
}

type target struct {
	size  image.Point
	bytes int // at most
}

// targetsOf returns the sizes to make of a picture of that size, the smallest first.
func targetsOf(size image.Point, to []Width) (all []target) {
	for _, w := range to {
		within := float64(w.Pixels) / float64(size.X)
		within = min(1, within, float64(tallest*w.Pixels)/float64(size.Y))
		one := target{scaledBy(size, within), w.Bytes}
		if n := len(all); n == 0 || one.size.X > all[n-1].size.X {
			all = append(all, one)
		} else { // no wider than the one before: they are one
			all[n-1].bytes = max(all[n-1].bytes, one.bytes)
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
func fit(m *image.RGBA, to target, format catalog.PictureFormat) (Scaled, error) {
	var out bytes.Buffer
	size := to.size
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
				return Scaled{}, err
			}
			if out.Len() <= to.bytes {
				return Scaled{catalog.PictureSize{Width: size.X, Height: size.Y}, bytes.Clone(out.Bytes())}, nil
			}
			if format == catalog.PNG {
				break // it has one quality
			}
		}
		if size == image.Pt(1, 1) {
			return Scaled{}, errors.New("a picture of one pixel has too many bytes")
		}
		size = scaledBy(size, min(0.95, 0.97*math.Sqrt(float64(to.bytes)/float64(out.Len()))))
	}
}
