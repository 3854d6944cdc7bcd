// Package shop is where event types are made and the hours of hosts are set.
package shop
