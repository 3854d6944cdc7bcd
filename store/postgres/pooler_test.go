package postgres_test

import (
	"bytes"
	"encoding/binary"
	"io"
	"net"
	"strings"
	"testing"

	"daybook/store/pgtest"
	"daybook/store/postgres"
)

// What PgBouncer answers to a connection's settings, and what comes of one that is told to drop them, says what it is and
// what to do.
func TestAPoolerIsNamed(t *testing.T) {
	for name, pooler := range map[string]func(client, server net.Conn){
		"refuses settings": func(client, _ net.Conn) {
			startup(client)
			text := "SFATAL\x00VFATAL\x00C08P01\x00Munsupported startup parameter: default_transaction_read_only\x00\x00"
			client.Write(append(binary.BigEndian.AppendUint32([]byte{'E'}, uint32(len(text)+4)), text...))
			client.Close()
		},
		"drops settings": func(client, server net.Conn) {
			kept := []byte{0, 3, 0, 0}
			for fields := bytes.Split(startup(client)[4:], []byte{0}); len(fields) > 2; fields = fields[2:] {
				if key := string(fields[0]); key == "user" || key == "database" || key == "client_encoding" {
					kept = append(kept, key+"\x00"+string(fields[1])+"\x00"...)
				}
			}
			kept = append(kept, 0)
			server.Write(append(binary.BigEndian.AppendUint32(nil, uint32(len(kept)+4)), kept...))
			go func() { io.Copy(server, client); server.Close() }()
			io.Copy(client, server)
			client.Close()
		},
	} {
		t.Run(name, func(t *testing.T) {
			url := pgtest.Between(t, pgtest.Fresh(t, pgtest.Shared(t), ""), pooler)
			db, err := postgres.Open(t.Context(), postgres.Options{URL: url})
			if err == nil {
				db.Close()
				t.Fatal("it was opened")
			}
			if said := err.Error(); !strings.Contains(said, "a pooler such as PgBouncer") || !strings.Contains(said, "address of the PostgreSQL server itself") ||
				strings.Contains(said, "\n") {
				t.Error(said)
			}
		})
	}
}

// startup reads the first message of a connection, without its length.
func startup(client net.Conn) []byte {
	var size [4]byte
	if _, err := io.ReadFull(client, size[:]); err != nil {
		return make([]byte, 4)
	}
	message := make([]byte, binary.BigEndian.Uint32(size[:])-4)
	io.ReadFull(client, message)
	return message
}
