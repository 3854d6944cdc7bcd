// package sandbox marks the workspaces in which a server is tried out, such as those of `daybook bench`: what a real
// workspace does happens in them, too, and nothing of it leaves the server. No mail, webhook or notification is sent,
// no money is moved, no calendar is called, and no list of workspaces names one. They end an hour after they were made.
//
// Two limits: a host name that is typed in one, such as a webhook's, is looked up in DNS when it is saved. And what
// goes through the list of workspaces to seal or count secrets passes sandboxes over: a server that gets its secret
// key while one is there leaves the secrets of that one as they are until it ends.
//
// A sandbox is known by its id, which lies above those of all other workspaces. So every row that names its workspace
// tells whether it is of a sandbox: nobody who sends has to look that up, and no query can forget to. It imports
// nothing of Daybook.
package sandbox

import "time"

// Life is how long a sandbox lasts at most. What ends it earlier is whoever made it, or makes the next one.
const Life = time.Hour

// First is the lowest id of a sandbox. Those of other workspaces have 47 bits; 50 fit into the text form.
const First = 1 << 47

// ID makes a sandbox's id of one for a workspace.
func ID[W ~int64](workspace W) W { return workspace | First }

// Is tells whether a workspace is a sandbox.
func Is[W ~int64](workspace W) bool { return workspace >= First }
