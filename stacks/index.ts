import { deploy } from "./deploy.ts";
import { readStack } from "./read-stack.ts";

/** URL of each service. */
export const endpoints = deploy(readStack());
