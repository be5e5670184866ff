/** Memory: what fits on the GPUs, by SGLang's own arithmetic for each release. */

export { defaultFraction } from "./default-fraction.ts";
export type * from "./input.ts";
export { memoryPlan } from "./plan.ts";
export { type RecommendedFraction, recommendedFraction } from "./recommended.ts";
export { memoryReport } from "./report.ts";
export { type Roofline, roofline } from "./roofline.ts";
