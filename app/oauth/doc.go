// package oauth is the room in which agents' programs get access by a member's consent: OAuth 2.1 for the agent tools.
package oauth
