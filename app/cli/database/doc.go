// package database opens the database that the flags name, with the rooms over it, for a command to read or change. It
// also has the commands about the database file itself: migrate, backup, restore.
package database
