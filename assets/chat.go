package assets

// Chat returns the style sheet and the script of a view in a chat, such as "times" (static/chat/times.js). They are not
// served: a view carries them, since it may load nothing.
func Chat(name string) (css, script string) {
	return string(read("tokens.css")) + string(read("chat/view.css")), string(read("chat/view.js")) + string(read("chat/"+name+".js"))
}
