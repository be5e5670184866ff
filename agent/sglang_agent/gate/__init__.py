"""Real questions to a server that says it is up. Slow is "not yet", wrong is "no", dying of a question is "no"."""
