package picture_test

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"math/rand/v2"
	"testing"
)

// photo is a picture whose corners differ: the left one above is red, the right one above green, the rest is blue.
func photo(w, h int) *image.NRGBA {
	m := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			c := color.NRGBA{B: 255, A: 255}
			if y < h/2 && x < w/2 {
				c = color.NRGBA{R: 255, A: 255}
			} else if y < h/2 {
				c = color.NRGBA{G: 255, A: 255}
			}
			m.SetNRGBA(x, y, c)
		}
	}
	return m
}

// noise is what compresses worst.
func noise(w, h int) *image.NRGBA {
	m := image.NewNRGBA(image.Rect(0, 0, w, h))
	source := rand.NewChaCha8([32]byte{1})
	source.Read(m.Pix)
	for i := 3; i < len(m.Pix); i += 4 {
		m.Pix[i] = 255
	}
	return m
}

func jpegOf(t testing.TB, m image.Image, segments ...[]byte) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := jpeg.Encode(&out, m, &jpeg.Options{Quality: 95}); err != nil {
		t.Fatal(err)
	}
	return bytes.Join([][]byte{out.Bytes()[:2], bytes.Join(segments, nil), out.Bytes()[2:]}, nil)
}

// segment is a part of a JPEG.
func segment(marker byte, content string) []byte {
	head := []byte{0xff, marker}
	return append(binary.BigEndian.AppendUint16(head, uint16(len(content)+2)), content...)
}

// secret stands in all metadata.
const secret = "52 deg 31' 12.03 N secret"

// exif is Exif data with that orientation and a position, in either order of bytes.
func exif(order binary.AppendByteOrder, orientation int) []byte {
	head := "MM\x00*"
	if order == binary.AppendByteOrder(binary.LittleEndian) {
		head = "II*\x00"
	}
	b := order.AppendUint32([]byte(head), 8)
	b = order.AppendUint16(b, 3)
	field := func(tag, kind uint16, count, value uint32) {
		b = order.AppendUint32(order.AppendUint16(order.AppendUint16(b, tag), kind), count)
		if kind == 3 {
			b = order.AppendUint16(order.AppendUint16(b, uint16(value)), 0)
			return
		}
		b = order.AppendUint32(b, value)
	}
	field(0x010f, 2, uint32(len(secret)), 100) // the maker
	field(0x0112, 3, 1, uint32(orientation))
	field(0x8825, 4, 1, 60) // where the position's tags are
	b = order.AppendUint32(b, 0)
	b = append(b, make([]byte, 100-len(b))...)
	return append(b, secret...)
}

// chunk is a part of a PNG.
func chunk(name, content string) []byte {
	b := append(binary.BigEndian.AppendUint32(nil, uint32(len(content))), name+content...)
	return binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b[4:]))
}

// pngOf is a PNG with more chunks behind its header.
func pngOf(t testing.TB, m image.Image, chunks ...[]byte) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := png.Encode(&out, m); err != nil {
		t.Fatal(err)
	}
	const header = 8 + 25
	return bytes.Join([][]byte{out.Bytes()[:header], bytes.Join(chunks, nil), out.Bytes()[header:]}, nil)
}

// pngHead is the beginning of a PNG of that size.
func pngHead(w, h uint32) []byte {
	size := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, w), h)
	return append([]byte("\x89PNG\r\n\x1a\n"), chunk("IHDR", string(size)+"\x08\x06\x00\x00\x00")...)
}

func decoded(t testing.TB, text string) []byte {
	t.Helper()
	file, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// WebP of one pixel, without and with loss.
const (
	webpLossless = "UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA=="
	webpLossy    = "UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA"
)

// riff is a WebP of these parts.
func riff(parts ...string) []byte {
	body := []byte("WEBP")
	for i := 0; i < len(parts); i += 2 {
		body = binary.LittleEndian.AppendUint32(append(body, parts[i]...), uint32(len(parts[i+1])))
		body = append(body, parts[i+1]...)
		if len(parts[i+1])%2 == 1 {
			body = append(body, 0)
		}
	}
	return append(binary.LittleEndian.AppendUint32([]byte("RIFF"), uint32(len(body))), body...)
}
