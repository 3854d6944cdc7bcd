// Package calendar is the work of the day: Today, the calendar of a day, a week or a month with its panel, the list of
// bookings and what can be done with one, cancelling several at once, and the till.
//
//	today*.go    what each host does today, what waits for an answer, and what went wrong
//	board.go     the calendar: day.go, week.go, month.go; panel.go and gap.go beside it; move, grow, block
//	booking*.go  the list, one booking, and what is done with it; booking_operations.go has what one button does
//	cancel*.go   cancelling several bookings at once
//	till*.go     taking money, receipts, closing the day
package calendar
