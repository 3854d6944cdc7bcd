package picture

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/jpeg"
	"image/png"
	"io"

	"golang.org/x/image/webp"

	"daybook/app/fault"
)

const (
	// MaxFile is the most bytes of an uploaded file.
	MaxFile = 10_000_000
	// maxPixels is how many pixels it may have.
	maxPixels = 24e6
	// maxSide is how many of them may lie in one row or column, as many as a JPEG can have: a picture is scaled some
	// rows at a time, so a row must not be most of the picture.
	maxSide = 65_535
	// maxScans is how many passes over its pixels a JPEG may ask for. Programs write about ten.
	maxScans = 64
)

// kind is a kind of file that is taken.
type kind struct {
	is      func(file []byte) bool
	config  func(io.Reader) (image.Config, error)
	decode  func(io.Reader) (image.Image, error)
	examine func(file []byte) traits
}

// traits are what a file says besides its pixels.
type traits struct {
	exif     []byte // a TIFF file with Exif's tags; nil for none
	animated bool
	scans    int // of a JPEG
}

var kinds = []kind{
	{begins("\xff\xd8\xff"), jpeg.DecodeConfig, jpeg.Decode, examineJPEG},
	{begins("\x89PNG\r\n\x1a\n"), png.DecodeConfig, png.Decode, examinePNG},
	{isWebP, webp.DecodeConfig, webp.Decode, examineWebP},
}

func begins(with string) func([]byte) bool {
	return func(file []byte) bool { return bytes.HasPrefix(file, []byte(with)) }
}

func isWebP(file []byte) bool {
	return len(file) > 12 && string(file[:4]) == "RIFF" && string(file[8:12]) == "WEBP"
}

// MediaTypes are the media types of the kinds.
var MediaTypes = []string{"image/jpeg", "image/png", "image/webp"}

var (
	errNotAPicture = fault.New(fault.BadRequest, "not_a_picture",
		"This file is no JPEG, PNG or WebP picture, or it is damaged. Save the picture as JPEG, PNG or WebP.")
	errTooManyPixels = fault.New(fault.BadRequest, "too_many_pixels",
		"This picture has more than 24 million pixels, or more than 65,535 on one side. Save it smaller, such as "+
			"4000 by 3000.")
	errAnimated = fault.New(fault.BadRequest, "animated", "Animated pictures are not taken. Save one of its images.")
	// ErrTooLarge is the error for a file of more than MaxFile bytes.
	ErrTooLarge = fault.New(fault.PayloadTooLarge, "", "The picture is larger than 10 MB.").
			With("maxBytes", MaxFile)
)

// check finds the kind of the file and refuses what is not to be decoded. It decodes nothing.
func check(file []byte) (*kind, traits, error) {
	if len(file) > MaxFile {
		return nil, traits{}, ErrTooLarge
	}
	for i := range kinds {
		k := &kinds[i]
		if !k.is(file) {
			continue
		}
		config, err := k.config(bytes.NewReader(file))
		if err != nil || config.Width < 1 || config.Height < 1 {
			return nil, traits{}, errNotAPicture
		}
		if max(config.Width, config.Height) > maxSide || config.Width*config.Height > maxPixels {
			return nil, traits{}, errTooManyPixels
		}
		found := k.examine(file)
		switch {
		case found.animated:
			return nil, traits{}, errAnimated
		case found.scans > maxScans: // each scan takes as long as a picture
			return nil, traits{}, errNotAPicture
		}
		return k, found, nil
	}
	return nil, traits{}, errNotAPicture
}

// examineJPEG walks from marker to marker (ITU-T T.81, annex B).
func examineJPEG(file []byte) (t traits) {
	const start, end, scan, app1, restart = 0xd8, 0xd9, 0xda, 0xe1, 0xd0
	for at := 2; at+4 <= len(file); {
		if file[at] != 0xff {
			at++ // the data of a scan, or what fills it up
			continue
		}
		marker := file[at+1]
		switch {
		case marker == 0xff:
			at++
			continue
		case marker == 0, marker == 1, marker >= restart && marker <= start:
			at += 2
			continue
		case marker == end:
			return t
		}
		length := int(binary.BigEndian.Uint16(file[at+2:]))
		segment := file[at+2 : min(len(file), at+2+length)]
		switch marker {
		case scan:
			t.scans++
		case app1:
			if exif, ok := bytes.CutPrefix(segment[min(2, len(segment)):], []byte("Exif\x00\x00")); ok && t.exif == nil {
				t.exif = exif
			}
		}
		at += 2 + max(2, length)
	}
	return t
}

// examinePNG walks from chunk to chunk (PNG, third edition).
func examinePNG(file []byte) (t traits) {
	for at := 8; at+8 <= len(file); {
		length, name := int(binary.BigEndian.Uint32(file[at:])), string(file[at+4:at+8])
		data := file[at+8 : min(len(file), at+8+length)]
		switch name {
		case "acTL":
			t.animated = true
		case "eXIf":
			t.exif = data
		}
		at += 12 + length
	}
	return t
}

// examineWebP walks from chunk to chunk (RFC 9649).
func examineWebP(file []byte) (t traits) {
	for at := 12; at+8 <= len(file); {
		name, length := string(file[at:at+4]), int(binary.LittleEndian.Uint32(file[at+4:]))
		data := file[at+8 : min(len(file), at+8+length)]
		switch name {
		case "ANIM", "ANMF":
			t.animated = true
		case "VP8X":
			t.animated = t.animated || len(data) > 0 && data[0]&2 != 0
		case "EXIF":
			t.exif = bytes.TrimPrefix(data, []byte("Exif\x00\x00"))
		}
		at += 8 + length + length&1
	}
	return t
}
