package assets

import (
	"bytes"
	"fmt"
	"strconv"
)

// The calendar places bookings in a grid. A page may carry no inline style, so each place is a class, which grid
// makes and dash.css ends with.
const (
	gridRows    = 24 * 4 // of a day: quarters of an hour
	gridColumns = 12     // of a day; a calendar has as many days at most
)

// GridDays is the class of a calendar with so many days, 1 to 12.
func GridDays(n int) string { return "days-" + strconv.Itoa(n) }

// GridRows is the class of what starts in a row, 1 to 96, and takes so many.
func GridRows(start, span int) string {
	return "row-" + strconv.Itoa(start) + " rows-" + strconv.Itoa(span)
}

// GridColumns is the class of what starts in a column of its day, 1 to 12, and takes so many.
func GridColumns(start, span int) string {
	return "col-" + strconv.Itoa(start) + " cols-" + strconv.Itoa(span)
}

// grid is the stylesheet of these classes.
func grid() []byte {
	var b bytes.Buffer
	for n := 1; n <= gridColumns; n++ {
		fmt.Fprintf(&b,
			".days-%d{--days:%d}\n.cal-day>.col-%d{grid-column-start:%d}\n.cal-day>.cols-%d{grid-column-end:span %d}\n", n, n, n,
			n, n, n)
	}
	for n := 1; n <= gridRows; n++ {
		fmt.Fprintf(&b, ".row-%d{grid-row-start:%d}\n.rows-%d{grid-row-end:span %d}\n", n, n, n, n)
	}
	return b.Bytes()
}
