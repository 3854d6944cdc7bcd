// Package settings is about the business itself: its address and brand, its members and data, its customers,
// invitation links and figures.
package settings
