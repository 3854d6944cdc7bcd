package smtp_test

import (
	"fmt"
	"net"
	"strings"
	"testing"

	"daybook/app/mail/smtp"
)

// A server that talks without an end, within a line or in ever more of them, is left at once: what it says is kept in
// memory as a whole.
func TestAnswersAreBounded(t *testing.T) {
	const most = 64 << 20 // bytes that are sent, unless the client leaves
	for name, say := range map[string][2]string{
		"a greeting of one line":   {"220 ", strings.Repeat("a", 64<<10)},
		"a greeting of many lines": {"", strings.Repeat("220-"+strings.Repeat("a", 500)+"\r\n", 128)},
	} {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		taken := make(chan int, 1)
		go func() {
			n := 0
			defer func() { taken <- n }()
			c, err := l.Accept()
			if err != nil {
				return
			}
			defer c.Close()
			if _, err := c.Write([]byte(say[0])); err != nil {
				return
			}
			for n < most {
				if _, err := c.Write([]byte(say[1])); err != nil {
					return
				}
				n += len(say[1])
			}
		}()
		at := l.Addr().(*net.TCPAddr)
		_, err = smtp.Connect(t.Context(), &smtp.Server{Host: "127.0.0.1", Port: at.Port, TLS: smtp.NoTLS}, nil)
		if err == nil || !strings.Contains(fmt.Sprint(err), "too long") {
			t.Errorf("%s: %v", name, err)
		}
		l.Close()
		if n := <-taken; n > 16<<20 { // most of it in the buffers of the system
			t.Errorf("%s: %d MiB were taken", name, n>>20)
		}
	}
}
