/** What one GPU reads for one token: what bounds the decoding of a few users. */

import { checkpointOf } from "../models/profile.ts";
import type { MemoryInput } from "./input.ts";
import { attentionTp, stagesOf } from "./parallel.ts";
import { stageBytes, upProjection } from "./weights.ts";

/**
 * Bytes of weights that one GPU reads for one token: without the experts that are not asked, the vision tower, the input embedding,
 * and the half of latent attention's up-projection that decoding reads from its copy. Prediction blocks are not counted.
 */
export function activeWeightBytes(input: MemoryInput): number {
    const checkpoint = input.checkpoint ?? checkpointOf(input.profile, input.repository);
    const { vision: _, ...structure } = input.profile.structure;
    const { experts } = structure;
    const asked = experts ? { ...structure, experts: { ...experts, routed: experts.topK } } : structure;
    const profile = { ...input.profile, structure: asked };
    const stages = stagesOf(structure, input.pp ?? 1);
    const held = stages.reduce((sum, stage) => sum + stageBytes({ ...input, profile }, checkpoint, stage), 0);
    const routers = experts
        ? (experts.routed - experts.topK) * structure.hidden * (structure.layers - experts.denseLayers) * 2
        : 0;
    const embedding = structure.tiedEmbeddings
        ? 0
        : (structure.vocab * structure.hidden * 2) / (input.dpAttention ? 1 : input.tp);
    const stored = [checkpoint.stored.attention].flat();
    const mean = stored.reduce((sum, bytes) => sum + bytes, 0) / stored.length;
    const originals = (upProjection(structure) * mean * structure.fullLayers.length) / attentionTp(input);
    return held + routers - embedding - originals;
}
