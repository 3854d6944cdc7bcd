// Package picture holds the rules of uploaded pictures: which files are taken, what becomes of them, and when they are
// deleted.
//
// Nothing of an uploaded file is kept as it came. Its kind is what its first bytes say, and its size is read from its
// header, before anything is decoded: JPEG, PNG and WebP, at most 10 MB, 24 million pixels and 65,535 on a side, not
// animated. It is turned upright by its Exif orientation, scaled to up to three widths, and written anew as JPEG, or as
// PNG where it is transparent somewhere. So no metadata (positions, dates, names of devices), no script and no second
// file that was hidden in it survives. Colours are taken as sRGB: the profile goes with the rest.
//
// Decoding takes memory and time, so two are decoded at a time in the whole process; others wait for a few seconds and
// are then told to come again.
//
// All that is slow happens before anything is written. Then each width is a transaction of its own, of at most 300 kB,
// so that bookings never wait for a picture as a whole. The name of a picture in addresses is a hash of what is stored,
// so an address never shows anything else and is cached for ever.
//
// A picture that nothing shows (logo, host, event type) is deleted in the night, once it is a day old.
package picture
