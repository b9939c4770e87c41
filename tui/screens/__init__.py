"""The dialogs: one modal screen a file. `enter` does what the title says, `esc` goes back and changes nothing."""
