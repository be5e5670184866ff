/**
 * Version of the contract between this program and its agent. Every document that is sent or kept carries it; one
 * without it is of version 1. It goes up with every change of a document that an agent of before would misread.
 */
export const contractVersion = 2;

/** The oldest version whose kept documents the agent still reads. */
export const oldestKept = 1;
