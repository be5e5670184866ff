"""What the agent does in pods: stages the sources, fetches the weights, serves, and waits for a verdict."""
