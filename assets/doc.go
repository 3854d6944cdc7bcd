// Package assets owns the files a browser loads: stylesheets, scripts and icons.
//
// They are embedded, compressed once when the program starts, and served under names that carry a hash of their
// content, so that a browser may keep them for ever. Stylesheets are bundles: tokens.css and base.css go in front of
// each, and the dashboard's has a file for each area in static/dash, so that a page needs one request for its look. It
// imports nothing of this module.
package assets
