// Command pocketbase serves PocketBase with one collection "bookings" of so many records, which anybody may make more
// of: what Daybook's POST is compared with. It is a module of its own, so that Daybook needs nothing of it.
//
//	(cd .bench/pocketbase && go build -o /tmp/pocketbase .)
//	go run ./.bench/pairs -only POST -pocketbase /tmp/pocketbase
//
// Its creation writes one row, with synchronous=NORMAL, and checks nothing but the fields.
package main

import (
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"

	"github.com/pocketbase/pocketbase"
	"github.com/pocketbase/pocketbase/apis"
	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/types"
)

func main() {
	rows, err := strconv.Atoi(os.Args[2])
	if err != nil {
		log.Fatal(err)
	}
	app := pocketbase.NewWithConfig(pocketbase.Config{DefaultDataDir: os.Args[1], HideStartBanner: true})
	if err := app.Bootstrap(); err != nil {
		log.Fatal(err)
	}
	if err := app.RunAllMigrations(); err != nil {
		log.Fatal(err)
	}
	if err := fill(app, rows); err != nil {
		log.Fatal(err)
	}
	app.OnServe().BindFunc(func(e *core.ServeEvent) error {
		e.InstallerFunc = nil
		var err error
		if e.Listener, err = net.Listen("tcp", os.Args[3]); err != nil {
			return err
		}
		fmt.Printf("pocketbase at http://%s\n", e.Listener.Addr())
		return e.Next()
	})
	if err := apis.Serve(app, apis.ServeConfig{HttpAddr: os.Args[3]}); err != nil && !errors.Is(err, http.ErrServerClosed) {
		log.Fatal(err)
	}
}

// fill makes the collection, with an index by host and start, and its rows.
func fill(app core.App, rows int) error {
	c := core.NewBaseCollection("bookings")
	c.Fields.Add(&core.TextField{Name: "eventType", Required: true}, &core.DateField{Name: "start", Required: true},
		&core.JSONField{Name: "invitee"}, &core.TextField{Name: "status"},
		&core.AutodateField{Name: "created", OnCreate: true},
		&core.AutodateField{Name: "updated", OnCreate: true, OnUpdate: true})
	c.AddIndex("bookings_by_host", false, "eventType, start", "")
	c.CreateRule, c.ViewRule = types.Pointer(""), types.Pointer("")
	if err := app.Save(c); err != nil {
		return err
	}
	return app.RunInTransaction(func(tx core.App) error {
		_, err := tx.DB().NewQuery(fmt.Sprintf(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d)
			INSERT INTO bookings (id, eventType, start, invitee, status, created, updated)
			SELECT printf('r%%014d', i), 'host-' || (i %% 64),
			strftime('%%Y-%%m-%%d %%H:%%M:%%S.000Z', 1700000000 + i * 900, 'unixepoch'),
			'{"name":"Bo Berg","email":"bo' || i || '@mail.example"}', 'confirmed', '2026-01-01 00:00:00.000Z',
			'2026-01-01 00:00:00.000Z' FROM n`, rows)).Execute()
		return err
	})
}
