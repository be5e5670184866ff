import { z } from "zod";
import { absolute, account, digest, natural, positive, sha256, word } from "../base/words.ts";
import { figureSchema } from "../records/oracle.ts";
import { contract } from "./identity.ts";
import { machine } from "./machine.ts";

/** Kept for each slot on a host: who owns it. */
export const receipt = z.strictObject({
    contract,
    kind: z.enum(["agent", "build", "model", "service"]),
    name: word,
    owner: word,
    place: word.nullable().optional(),
    generation: digest,
    /** Generations before it that are still there. */
    history: z.array(digest),
    /** The generation that was there and worked. */
    settled: digest.optional(),
    /** Account of a service. */
    user: account.optional(),
    /** Snapshot of a model, and those before it. */
    path: word.optional(),
    paths: z.array(word).optional(),
    retention: z.enum(["Retain", "Purge"]).optional(),
    /** Whether the stack's state has a resource of the slot, as far as what came after shows. */
    known: z.boolean().optional(),
    /** If it has, it has one more that was made before it: the place of the new one. */
    replaces: z.string().optional(),
    /** Resources of the state that another has come after and whose removal is still to come. */
    superseded: natural.optional(),
    /** Files of its secrets. */
    secrets: z.array(word).optional(),
});

/** Kept for each service in one place of the host, whatever its root: which GPUs and port are its own. */
export const claim = z.strictObject({
    contract,
    name: word,
    owner: word,
    root: absolute,
    /** Whether no change is under way. */
    settled: z.boolean(),
    /** Of what serves, and of what is to serve. */
    takes: z.array(
        z
            .strictObject({
                generation: digest,
                /** As `CUDA_VISIBLE_DEVICES` names them; null for all. */
                gpus: z.array(word).nullable(),
                port: positive,
            })
            .meta({ title: "Take" }),
    ),
});

/** What a verdict is about: with any of it changed, it says nothing. */
const proved = z
    .strictObject({
        release: word,
        /** Digest of the build. */
        build: digest,
        /** Digest of the model's files. */
        manifestDigest: digest.optional(),
        settingsDigest: digest,
        /** Of arguments and environment as canonical JSON. */
        argumentsSha256: sha256,
        environmentSha256: sha256,
        /** Of the oracle's text. */
        oracleSha256: sha256.optional(),
        machine,
    })
    .meta({ title: "Proved" });

/** What a gate found of a generation, and of what: the receipt of that generation. */
export const verdict = z
    .strictObject({
        contract,
        verdict: z.enum(["yes", "no"]),
        generation: digest,
        /** Checks that passed. */
        passed: natural.optional(),
        upAfterSeconds: z.number().optional(),
        /** Of all requests at once and of one, both once warm. */
        tokensPerSecond: z.number().optional(),
        secondsToFirstToken: z.number().optional(),
        /** The distance from the oracle, and from itself in a crowd: means over prompt tokens. */
        oracleDistance: z.number().optional(),
        ownDistance: z.number().optional(),
        /** Every distance from the oracle, alone. */
        oracleFigures: figureSchema.optional(),
        proved: proved.optional(),
        /** The check that said no, why, and what it saw. */
        check: word.optional(),
        reason: word.optional(),
        evidence: z.record(z.string(), z.unknown()).optional(),
        /** In a pod: the generation that serves in place of a refused one. */
        back: digest.nullable().optional(),
    })
    .meta({ title: "Verdict" });
