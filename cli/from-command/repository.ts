import { profileFor } from "../../knowledge/models/index.ts";

/** Folders that hold models of anybody. */
const anybodys =
    /^(models?|hub|weights?|checkpoints?|ckpts?|snapshots|huggingface|hf|modelscope|data|mnt|root|home|opt|srv|var|tmp|work|workspace|cache|\.cache|disk\d*|nvme\d*|ssd\d*|llms?|local|share|shared)$/i;

/** The repository that a model path means: itself, a snapshot in the hub's cache, or a folder that ends in `OWNER/NAME`. */
export function repositoryOf(model: string): string {
    const parts = model.split("/").filter((part) => part !== "" && part !== "." && part !== "..");
    const snapshot = /(?:^|\/)(?:models--)?([\w.]+(?:-[\w.]+)*)--([\w.-]+?)(?:\/|$)/.exec(model);
    if (snapshot) {
        return `${snapshot[1]}/${snapshot[2]}`;
    }
    const [owner = "", name = "model"] = parts.slice(-2);
    const pair = `${owner}/${name}`;
    const isPair = parts.length >= 2 && /^[\w.-]+\/[\w.-]+$/.test(pair);
    if (isPair && (/^[\w.-]+\/[\w.-]+$/.test(model) || profileFor(pair) || !anybodys.test(owner))) {
        return pair;
    }
    return `local/${(parts.at(-1) ?? "model").replaceAll(/[^\w.-]/g, "-")}`;
}
