// Package picture holds the rules of uploaded pictures: which files are accepted, how they are converted, and when they
// are deleted. No part of an uploaded file is stored as it came. Its kind is determined by its first bytes, and its
// size is read from its header, before anything is decoded: JPEG, PNG and WebP, at most 10 MB, 24 million pixels and
// 65,535 on a side, not animated (kind.go). It is turned upright by its Exif orientation, scaled to up to three widths, and
// encoded anew as JPEG, or as PNG if any part is transparent. So no metadata (positions, dates, names of devices), no
// script and no second file that was hidden in it survives. Colours are taken as sRGB: the colour profile is dropped,
// too.
//
// Decoding takes memory and time, so two are decoded at a time in the whole process; others wait for a few seconds and
// then get an error that says to try again.
//
// All that is slow happens before anything is written. Then each width is a transaction of its own, of at most 300 kB,
// so that bookings never wait for a picture as a whole. The name of a picture in addresses is a hash of what is stored,
// so an address never shows anything else and is cached for ever.
//
// Another subject that keeps pictures of its own, such as photographs of customers, makes them with Shrink.
//
// A picture that nothing shows (logo, photo, host, event type, product) is deleted in the night, once it is a day old.
package picture
