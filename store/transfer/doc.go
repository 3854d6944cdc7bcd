// Package transfer copies everything in one database to another one, of the same engine or not, and proves that it is
// the same.
//
// The list of tables comes from the schema, so tables of later migrations are copied too. A table is read page by page
// in the order of its key. Each page is written in one transaction together with a note of how far the copy has come,
// so a copy that was stopped continues from there. At the end, every table is read on both sides, counted and hashed.
//
// # Nobody changes what is copied
//
// Before the first row is copied, both databases note the move (upkeep.Move): the old one that it is out of use, the
// new one that it is not complete. Servers and commands that write refuse such a database. The counts and hashes
// reveal the writes of a process that had the database open before.
package transfer
