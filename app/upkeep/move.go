package upkeep

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"daybook/app/fault"
	"daybook/app/when"
)

// The names of the server values that note a move to another database. Each holds a Move.
const (
	MovedName    = "moved"    // in the old one, from before the first row is copied
	ArrivingName = "arriving" // in the new one, until all of it is there
)

// Move describes the copying of a database to another one, and is stored in both.
type Move struct {
	ID    string       `json:"id"`    // made at random
	Other string       `json:"other"` // the other database, as --db names it, without a password
	At    when.Instant `json:"at"`
}

var (
	// ErrMoved is in the error of CheckMoved for a database that was copied to another one.
	ErrMoved = errors.New("it is out of use")
	// ErrArriving is in the error of CheckMoved for a database that has not been copied completely.
	ErrArriving = errors.New("it is not complete")
)

// CheckMoved returns an error if another database has replaced this one, or if this one is an incomplete copy.
func (s *Service) CheckMoved(ctx context.Context) error {
	r := s.Reader(ctx)
	move, err := moveNamed(r, ArrivingName)
	if err == nil {
		return fmt.Errorf("this database is being copied from %s, and %w: run the same `daybook migrate copy` again",
			move.Other, ErrArriving)
	}
	if !errors.Is(err, fault.ErrNotFound) {
		return err
	}
	move, err = moveNamed(r, MovedName)
	if err == nil {
		return fmt.Errorf("this database has moved to %s (%s), and %w: name that one with --db",
			move.Other, move.At, ErrMoved)
	}
	if !errors.Is(err, fault.ErrNotFound) {
		return err
	}
	return nil
}

func moveNamed(r Reader, name string) (m Move, err error) {
	text, err := r.ServerValue(name)
	if err != nil {
		return m, err
	}
	if err := json.Unmarshal([]byte(text), &m); err != nil {
		return m, fmt.Errorf("the server value %q: %w", name, err)
	}
	return m, nil
}
