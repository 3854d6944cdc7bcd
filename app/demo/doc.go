// Package demo fills an empty database with Salon Linden: four hosts, eight event types, one of which has a wait, a room
// and two chairs, two months of past bookings in every state and three weeks of future ones. It books through the same
// Service as everybody, with a clock that it moves through those months. The same seed and the same day give the same
// salon.
//
// It owns salon.yaml, the salon's set-up, and the pictures, which are drawn for it and belong to Daybook. It never
// writes to the store directly.
package demo
