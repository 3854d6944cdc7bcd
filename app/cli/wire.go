package cli

import (
	"slices"

	"github.com/spf13/cobra"

	"daybook/app/cli/database"
	"daybook/app/cli/doctor"
	"daybook/app/cli/install"
	"daybook/app/cli/server"
)

// commands are the commands under daybook; help sorts them by name.
func commands(f *database.Flags) []*cobra.Command {
	program := server.Program{Version: Version, Parts: slices.Concat(doors, loops)}
	return []*cobra.Command{
		// the server
		server.ServeCommand(f, program), server.DemoCommand(f, program), doctor.Command(f, program), versionCommand(),
		install.Command(database.ReplicaKeyFile), install.UninstallCommand(),
		// its database
		database.MigrateCommand(f), database.BackupCommand(f), database.RestoreCommand(f),
		database.ReplicasCommand(f), database.KeysSheetCommand(f),
		// who uses it
		WorkspaceCommand(f), UserCommand(f), KeysCommand(f),
		ContactsCommand(f),
		// what it is connected to
		WebhooksCommand(f), MailCommand(f), PaymentsCommand(f),
		CalendarCommand(f), CalendarsCommand(f), AgentsCommand(f),
		// what is no more
		benchCommand(),
	}
}

// doors answer the requests. The patterns of their routes say which door gets one, not their order here.
var doors = []server.Part{restDoor, agentDoor, pageDoor, dashboardDoor, paymentDoor, feedDoor,
	decideDoor, calendarDoor, oauthDoor, guestDoor}

// loops work beside the requests, besides those of the dashboard, which its door adds.
var loops = []server.Part{webhookLoop, mailLoop, pushLoop, calendarLoop, paymentLoops, maintenanceLoop, replicaLoop,
	healthLoop}
