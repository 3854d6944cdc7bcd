// Package oauth is what Google and Microsoft share: how a member signs in there, how access is renewed, and calls that
// carry it.
package oauth
