// Package counter holds the rules for money at the counter: payments for bookings in cash, by card, transfer, voucher
// or otherwise, money given back, the receipts for it, and the count of a day's cash.
//
// # What is written together
//
// Money is taken and given back by a Change of its booking: the booking, its history and event, the entry of the ledger
// and the receipt with its number are one transaction. The booking keeps what was taken for it
// (booking.CounterPayment), so that no list of bookings reads the ledger; days and figures are summed up from the
// ledger (Entry).
//
// # Receipts
//
// A receipt stands for money that was received. It is closed when money or an edit leaves nothing due, or earlier when
// somebody asks for one, and gets the next number of its workspace and year in the transaction that closes it. So
// numbers have no gaps and are never used twice. A receipt never changes, and is deleted only with its whole workspace.
// Giving money back reverses it by a second receipt with a number of its own, and a new receipt lists what is left.
// When a contact is erased, its name is removed from the receipts.
//
// Locks are taken in this order: hosts, booking, the workspace's counter of receipts. The counter comes last, so that
// hosts wait for each other only while one of them commits.
//
// # Tax
//
// What is received contains its tax, whether prices include it or it is added to them: the tax of a receipt is
// computed once for each rate, from the sum of the lines with that rate, and rounded to the nearest minor unit, halves
// up; net is the rest. So net and tax of all rates and the lines without tax add up to the total, to the unit. Tips are
// not taxed.
//
// Receipts are for customers. Daybook is no certified cash register, and every receipt says so.
package counter
