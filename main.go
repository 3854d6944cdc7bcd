// Command daybook is a scheduling and booking service in one file.
package main

import (
	"os"

	"daybook/app/cli"
)

func main() { os.Exit(cli.Main()) }
