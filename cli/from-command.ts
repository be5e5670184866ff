import type { LoadedDeployment } from "../knowledge/load-deployment.ts";
export function deploymentFromCommand(_f: string, _v: object): LoadedDeployment { throw new Error("todo"); }
