// Package install is daybook install and uninstall: Daybook as a service of systemd on a Linux server, with a user, its
// directories, its keys and the program itself. It writes each file whole or not at all, replaces only what it wrote
// itself, never a key or the settings in daybook.env, and opens no database.
package install
