package picture

import (
	"context"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"io"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"daybook/app/fault"
)

// Two are decoded at a time. The others wait for ten seconds, then they are told to come again, or until their client
// leaves.
func TestTwoDecodersAtATime(t *testing.T) {
	kindsBefore, placesBefore := kinds, decoders
	defer func() { kinds, decoders = kindsBefore, placesBefore }()
	synctest.Test(t, func(t *testing.T) {
		decoders = make(chan struct{}, cap(placesBefore))
		var running, most, decoded atomic.Int32
		takes := time.Second
		kinds = []kind{{
			is:      func([]byte) bool { return true },
			config:  func(io.Reader) (image.Config, error) { return image.Config{Width: 1, Height: 1}, nil },
			examine: func([]byte) traits { return traits{} },
			decode: func(io.Reader) (image.Image, error) {
				most.Store(max(most.Load(), running.Add(1)))
				time.Sleep(takes)
				running.Add(-1)
				decoded.Add(1)
				return image.NewGray(image.Rect(0, 0, 1, 1)), nil
			},
		}}
		var wait sync.WaitGroup
		for range 8 {
			wait.Go(func() {
				if _, err := Shrink(context.Background(), []byte{1}, widths); err != nil {
					t.Error(err)
				}
			})
		}
		wait.Wait()
		if most.Load() != 2 || decoded.Load() != 8 {
			t.Errorf("%d at a time, %d in all", most.Load(), decoded.Load())
		}

		takes = time.Minute
		for range 2 {
			wait.Go(func() { Shrink(context.Background(), []byte{1}, widths) })
		}
		synctest.Wait()
		began := time.Now()
		_, err := Shrink(context.Background(), []byte{1}, widths)
		if e := fault.As(err); e == nil || e.Code != fault.Unavailable || e.Reason != "busy" || time.Since(began) != decoderWait {
			t.Errorf("after %v: %v", time.Since(began), err)
		}
		ctx, leave := context.WithTimeout(context.Background(), time.Second)
		defer leave()
		if _, err := Shrink(ctx, []byte{1}, widths); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("a client who left: %v", err)
		}
		wait.Wait()
	})
}

// A picture of one long row takes memory for that row, not for as many rows as are scaled at a time.
func TestOneLongRowTakesOneRow(t *testing.T) {
	long := image.NewGray(image.Rect(0, 0, maxSide, 1))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	scale(long, image.Pt(320, 1))
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > 8*maxSide {
		t.Errorf("it took %d bytes for %d pixels", n, maxSide)
	}
}

// One row or column of 24 million pixels is refused by its header, as any side that is longer than maxSide.
func TestLongSidesAreRefused(t *testing.T) {
	for _, size := range []image.Point{{24e6, 1}, {1, 24e6}, {maxSide + 1, 1}} {
		file := append([]byte("\x89PNG\r\n\x1a\n\x00\x00\x00\x0d"), "IHDR"...)
		file = binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(file, uint32(size.X)), uint32(size.Y))
		file = append(file, "\x08\x06\x00\x00\x00"...)
		file = binary.BigEndian.AppendUint32(file, crc32.ChecksumIEEE(file[12:]))
		if _, _, err := check(file); err != errTooManyPixels {
			t.Errorf("%v: %v", size, err)
		}
	}
}
