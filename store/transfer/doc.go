// package transfer copies everything in one database to another one, of the same engine or not, and proves that it is
// the same.
//
// The tables are read from the schema, so that one of a later migration is copied too. Each is read in the order of its
// key, in pages; each page is written in one transaction together with how far the copy has come, so that a copy that
// was stopped goes on from there. In the end every table is read on both sides, and counted and hashed.
//
// # Nobody changes what is copied
//
// Both databases note the move before the first row is copied (upkeep.Move): the old one that it is out of use, the new
// one that it is not complete. Servers and commands that write refuse such a database. Who was writing already is found
// by the counts and hashes.
package transfer
