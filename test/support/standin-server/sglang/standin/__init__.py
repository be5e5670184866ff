"""What the stand-in answers, and the faults it can be told to have."""
