package postgres

import "syscall"

const tcpUserTimeout = 0x12 // TCP_USER_TIMEOUT, which package syscall does not define

// giveUpOnSilence closes a connection when the other end has confirmed nothing for ten seconds.
func giveUpOnSilence(network, _ string, c syscall.RawConn) error {
	if network == "unix" {
		return nil
	}
	var failed error
	err := c.Control(func(fd uintptr) {
		failed = syscall.SetsockoptInt(int(fd), syscall.IPPROTO_TCP, tcpUserTimeout, 10_000)
	})
	if err != nil {
		return err
	}
	return failed
}
