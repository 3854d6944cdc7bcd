package assets

import (
	"bytes"
	"fmt"
	"strconv"
)

// The calendar places things by the minute. A page may carry no inline style, so a place is put together of classes,
// which grid makes and dash.css ends with: each sets a custom property that calendar.css reckons with.
const (
	gridHours   = 24
	gridMinutes = 60
	gridLanes   = 12
)

// GridHours returns the class of a calendar that shows the hours from one to another, 0 to 24.
func GridHours(from, till int) string {
	return "from-" + strconv.Itoa(from) + " till-" + strconv.Itoa(till)
}

// GridTime returns the class of what begins and ends at those minutes of the day, 0 to 1440.
func GridTime(start, end int) string {
	return "at sh-" + strconv.Itoa(start/60) + " sm-" + strconv.Itoa(start%60) +
		" eh-" + strconv.Itoa(end/60) + " em-" + strconv.Itoa(end%60)
}

// GridLane returns the class of what has one of several lanes of its column, counted from 0; "" if it has the whole
// column.
func GridLane(lane, of int) string {
	if of < 2 {
		return ""
	}
	of = min(of, gridLanes)
	return "lane-" + strconv.Itoa(min(lane, of-1)) + " of-" + strconv.Itoa(of)
}

// grid returns the stylesheet of these classes.
func grid() []byte {
	var b bytes.Buffer
	for n := range gridHours + 1 {
		fmt.Fprintf(&b, ".from-%d{--from:%d}\n.till-%d{--till:%d}\n.sh-%d{--sh:%d}\n.eh-%d{--eh:%d}\n",
			n, n, n, n, n, n, n, n)
	}
	for n := range gridMinutes {
		fmt.Fprintf(&b, ".sm-%d{--sm:%d}\n.em-%d{--em:%d}\n", n, n, n, n)
	}
	for n := range gridLanes {
		fmt.Fprintf(&b, ".lane-%d{--lane:%d}\n.of-%d{--of:%d}\n", n, n, n+1, n+1)
	}
	return b.Bytes()
}
