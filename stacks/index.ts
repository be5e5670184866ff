import { deploy } from "./deploy.ts";
import { keepPreviewOrder } from "./preview-order.ts";
import { readStack } from "./read-stack.ts";

keepPreviewOrder();

/** URL of each service. */
export const endpoints = deploy(readStack());
