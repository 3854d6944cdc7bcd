// Package disk is what systems do differently with files: locks between processes, room on a disk, names that survive
// a power cut, and who may read a file. Linux, macOS and Windows have it; the tests of this repository run on Linux. It
// imports nothing of Daybook.
package disk
