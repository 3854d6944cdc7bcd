package outside

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"sync"
	"testing"
)

// Address returns a host and port of this machine for a program that must be told where to listen: nobody listens
// there, by TCP or UDP.
func Address(t testing.TB) string {
	t.Helper()
	port, err := Port()
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("127.0.0.1:%d", port)
}

var (
	givenMu sync.Mutex
	given   = map[int]bool{} // so that two tests of this process don't get the same one
)

// Port returns the port of an Address. It lies below those that the system hands out to whoever asks for any port, as
// most tests do all the time: one of those could be taken again before the program opens it.
func Port() (int, error) {
	givenMu.Lock()
	defer givenMu.Unlock()
	for range 100 {
		if port := 15000 + rand.IntN(15000); !given[port] && free(port) {
			given[port] = true
			return port, nil
		}
	}
	return 0, errors.New("no free port was found from 15000 to 29999")
}

func free(port int) bool {
	addr := fmt.Sprintf("127.0.0.1:%d", port)
	stream, err := net.Listen("tcp", addr)
	if err != nil {
		return false
	}
	defer stream.Close()
	packets, err := net.ListenPacket("udp", addr)
	if err != nil {
		return false
	}
	packets.Close()
	return true
}
