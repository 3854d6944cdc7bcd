package agent

import (
	"slices"

	"daybook/app/oauth"

	"github.com/mark3labs/mcp-go/mcp"
)

// set is the tools at one address. Who wants more than the ten connects to that of the desk or of the owner.
type set struct {
	path  string
	tools []*tool
	notes string // the end of the instructions
}

// sets lists all sets, the smallest first. Each has the tools of those before it.
var sets = []set{
	{oauth.ToolsPath, tools, notHere + atDesk},
	{oauth.DeskPath, slices.Concat(tools, deskTools), confirming + atDesk},
	{oauth.OwnerPath, slices.Concat(tools, deskTools, ownerTools), confirming + atDesk},
}

// deskTools are those of the desk, besides the ten.
var deskTools = []*tool{
	&takePayment, &approveBooking, &markArrived, &markDone, &undo, &updateBooking, &updateContact, &resend, &sellVoucher,
	&joinWaitlist, &setTimeOff, &holdTime,
}

// ownerTools change the business's settings.
var ownerTools = []*tool{&updateService, &hours, &hosts}

// tool returns the tool of that name, or nil.
func (s *set) tool(name string) *tool {
	if i := slices.IndexFunc(s.tools, func(t *tool) bool { return t.name == name }); i >= 0 {
		return s.tools[i]
	}
	return nil
}

// ofTen reports whether the tool is one of the ten.
func (t *tool) ofTen() bool { return slices.Contains(tools, t) }

// scope returns what a sign-in must have been allowed for the tool.
func (t *tool) scope() oauth.Scope {
	switch {
	case slices.Contains(ownerTools, t):
		return oauth.SettingsScope
	case slices.Contains(deskTools, t):
		return oauth.DeskScope
	case t.reads:
		return oauth.ReadScope
	}
	return oauth.WriteScope
}

// Tools returns the ten tools as clients see them, with their schemas.
func Tools() []mcp.Tool { return described(tools) }

// DeskTools returns those that the desk has besides the ten, OwnerTools those that the owner has besides the desk's.
func DeskTools() []mcp.Tool  { return described(deskTools) }
func OwnerTools() []mcp.Tool { return described(ownerTools) }

func described(tools []*tool) (all []mcp.Tool) {
	for _, t := range tools {
		all = append(all, t.describe())
	}
	return all
}
