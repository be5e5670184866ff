/** What restarts a server on a host, and what only prepares its host anew. */
import { expect, test } from "vitest";
import type { ResolvedService } from "../../../knowledge/service/spec.ts";
import { type ServicePlace, servicePlan } from "../../../placements/hosts/service-plan.ts";
import { fullHostPlace, fullService } from "./full-service.ts";
import { type DigestInputs, digestDependsOn } from "./inputs.ts";

type Input = { readonly service: ResolvedService; readonly place: ServicePlace };

const full: Input = { service: fullService, place: fullHostPlace };
const other = { "service.release": "0.5.22", "place.facts.toolkit.version": "12.8" };

/** What neither digest is over: who it is for, why it was decided so, and what the machine has beside its cards. */
const neither = {
    "service.placement": "stays",
    "service.refused": "stays",
    "service.problems": "stays",
    "service.findings": "stays",
    "service.memory": "stays",
    "service.tuning": "stays",
    "service.settings": "stays",
    "service.settings.host.value": "changes",
    "service.settings.port.value": "changes",
    "service.environment": "stays",
    "place.root": "changes",
    "place.facts": "stays",
    "place.facts.toolkit.path": "changes",
    "place.gpus": "changes",
    "place.build.digest": "changes",
    "place.model.path": "changes",
    "place.model.manifestDigest": "changes",
    "place.startupBudgetSeconds": "changes",
    ...Object.fromEntries(
        fullService.environment.flatMap((_, index) => [
            [`service.environment.${index}.name`, "changes" as const],
            [`service.environment.${index}.value`, "changes" as const],
        ]),
    ),
} satisfies DigestInputs<Input>["table"];

digestDependsOn<Input>("the restart digest on a host", {
    full,
    digest: ({ service, place }) => servicePlan(service, place).restartDigest,
    table: {
        ...neither,
        "service.name": "stays",
        "service.release": "stays", // it is in the settings digest
        "service.arguments": "changes",
        "service.gate": "stays", // it is in the settings digest
        "service.settingsDigest": "changes",
        "place.owner": "stays",
        "place.apiKey.fingerprint": "changes",
        "place.apiKey.path": "stays",
        "place.cluster": "changes",
        "place.adopt": "stays",
    },
    other,
    optional: ["place.apiKey", "place.cluster", "place.facts.toolkit"],
});

digestDependsOn<Input>("the digest of what surrounds a server on a host", {
    full,
    digest: ({ service, place }) => servicePlan(service, place).activate.prepared,
    table: {
        ...neither,
        "service.name": "changes",
        "service.release": "changes",
        "service.arguments": "stays",
        "service.gate": "changes",
        "service.settingsDigest": "stays",
        "service.memory.hostPinnedGiB": "changes",
        "place.facts.toolkit.version": "changes",
        "place.owner": "changes",
        "place.apiKey.fingerprint": "stays",
        "place.apiKey.path": "changes",
        "place.cluster": "stays",
        "place.adopt": "changes",
    },
    other,
    optional: ["place.apiKey", "place.facts.toolkit"],
});

test("the two commands of a service name the same digests", () => {
    const { restartDigest, prepare, activate } = servicePlan(full.service, full.place);
    expect(activate).toMatchObject({ generation: restartDigest, prepared: prepare.generation });
});

test("the number of a host's cards restarts a server only where it chooses among them", () => {
    const { gpus } = fullHostPlace.facts;
    const digest = (chosen: number[], there: number) =>
        servicePlan(fullService, {
            ...fullHostPlace,
            gpus: chosen,
            facts: { ...fullHostPlace.facts, gpus: gpus.slice(0, there) },
        }).restartDigest;
    expect(digest([0, 1], 2)).not.toBe(digest([0, 1], 4));
    expect(digest([0, 1], 4)).toBe(digest([0, 1], 8));
});
