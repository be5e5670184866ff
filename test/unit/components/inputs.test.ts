/** Arguments that come from other resources: checked when they are known, and said to be open while they are not. */
import * as pulumi from "@pulumi/pulumi";
import { describe, expect, test } from "vitest";
import { Host, InferenceService, ModelCache, PatchedBuild } from "../../../index.ts";
import { hostKeySchema } from "../../../knowledge/fields/host.ts";
import { checkValue } from "../../../placements/component.ts";
import { outputValue, type Registered, runProgram } from "../../support/mocks.ts";
import { hostFacts } from "../service/service-spec.ts";
import { example, gpuPool, hostArgs, lock } from "./example.ts";

const later = <T>(value: T): pulumi.Output<T> => pulumi.output(Promise.resolve(value)) as pulumi.Output<T>;
const never = <T>(): pulumi.Output<T> => pulumi.output(pulumi.unknown) as unknown as pulumi.Output<T>;
const byName = (a: Registered, b: Registered) => (a.name < b.name ? -1 : 1);

describe("what comes later", () => {
    test("leads to the same resources as what is there", async () => {
        const { hostKey } = hostArgs();
        const host = {
            address: later("192.0.2.11"),
            user: later("deploy"),
            hostKey: later(hostKey as string),
            facts: later(hostFacts()),
        };
        const environment = { SGLANG_A: "1", SGLANG_B: "2" };
        const now = await runProgram(() => example({ service: { environment } }));
        const then = await runProgram(() =>
            example({ host, service: { environment: { ...environment, SGLANG_B: later("2") } } }),
        );
        expect(then.registered.toSorted(byName)).toEqual(now.registered.toSorted(byName));
    });

    test("is an image, too", async () => {
        const image = `example.org/sglang@sha256:${"0".repeat(64)}`;
        const inPool = (named: pulumi.Input<string>) => () => {
            const pool = gpuPool();
            const build = new PatchedBuild("sglang", { placement: { pool, image: named }, release: "0.5.23" });
            const cache = new ModelCache("glm5", {
                placement: { pool, image: named },
                repository: "lukealonso/GLM-5-NVFP4",
                lock,
            });
            return new InferenceService("chat", { build, cache, placement: { pool } });
        };
        const now = await runProgram(inPool(image));
        const then = await runProgram(inPool(later(image)));
        // what is named by its content is a resource of that name, where the program knows it in time
        const objects = ({ registered }: typeof now) =>
            registered.map(({ inputs, type, parent }) => JSON.stringify({ type, parent, inputs })).toSorted();
        expect(objects(then)).toEqual(objects(now));
        expect(JSON.stringify(now.registered)).toContain(image);
    });
});

describe("facts that a preview cannot know", () => {
    const unknownFacts = { host: { facts: never<ReturnType<typeof hostFacts>>() } };

    test("leave the settings that they decide open, and the rest is checked", async () => {
        const { registered, error } = await runProgram(() => example(unknownFacts), { preview: true });
        expect(error).toBeUndefined();
        expect(registered.map(({ name }) => name)).toContain("chat-rack1-activate");
        const wrong = { ...unknownFacts, service: { extraArgs: { "tp-sise": 4 } } };
        const refused = await runProgram(() => example(wrong), { preview: true });
        expect(refused.error?.message).toContain("extraArgs.tp-sise");
    });
});

test("a bad value that came later is told like one that was there", () => {
    const check = () => checkValue(["Host", "rack1", "hostKey"], hostKeySchema, "ssh-rsa AAAA");
    expect(check).toThrow(/^Host "rack1" is not valid:\n {2}hostKey: must be an ed25519 or ecdsa host key/);
});

test("a host of facts that come later gives them on", async () => {
    const { value } = await runProgram(() => new Host("rack1", hostArgs({ facts: later(hostFacts()) })));
    expect((await outputValue(value!.facts)).driver).toBe(hostFacts().driver);
});
