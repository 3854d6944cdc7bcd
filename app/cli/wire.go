package cli

import (
	"slices"

	"github.com/spf13/cobra"

	"daybook/app/cli/install"
)

// commands returns the commands under daybook; help sorts them by name.
func commands(f *databaseFlags) []*cobra.Command {
	program := program{Version: Version, Parts: slices.Concat(doors, loops)}
	return []*cobra.Command{
		// the server
		serveCommand(f, program), demoCommand(f, program), doctorCommand(f, program), versionCommand(), upgradeCommand(), manCommand(),
		install.Command(replicaKeyFile), install.UninstallCommand(),
		// its database
		migrateCommand(f), backupCommand(f), restoreCommand(f),
		replicasCommand(f), keysSheetCommand(f),
		// who uses it
		WorkspaceCommand(f), UserCommand(f), KeysCommand(f),
		ContactsCommand(f), ImportCommand(f),
		// what it is connected to
		WebhooksCommand(f), MailCommand(f), TextsCommand(f), PaymentsCommand(f),
		CalendarCommand(f), CalendarsCommand(f), AgentsCommand(f),
		// what is no more
		benchCommand(),
	}
}

// doors answer the requests. The patterns of their routes say which door gets one, not their order here.
var doors = []part{restDoor, agentDoor, pageDoor, dashboardDoor, paymentDoor, feedDoor,
	decideDoor, calendarDoor, oauthDoor, guestDoor, textDoor}

// loops work beside the requests, besides those of the dashboard, which its door adds: they send webhooks, mails, texts and
// notifications, read and write hosts' calendars, run payment jobs, keep the database in order (lapses,
// deletions, the subjects' duties: upkeep/maintain.go), copy it to other places, and look at how the server is.
var loops = []part{webhookLoop, mailLoop, textLoop, pushLoop, calendarLoop, paymentLoops, maintenanceLoop, replicaLoop,
	healthLoop}
