// package workspaces has the commands about workspaces and who uses them: workspace, user, keys.
package workspaces
