import { describe, expect, it } from "vitest";
import { budgets, startupPeriod } from "../../../placements/pool/budgets.ts";
import { desiredOf, manifestOf, planPoolExample } from "./pool-file.ts";

describe("the times of a rollout", () => {
    it.each([
        [60, 20],
        [1800, 600],
        [7200, 60],
    ])("from a budget of %i s and a gate of %i s: each ends after the one that knows more", (start, gate) => {
        const times = budgets(start, gate);
        expect(times.startupProbe).toBeGreaterThan(times.start + times.gate);
        expect(times.progressDeadline).toBeGreaterThan(times.startupProbe);
        expect(times.wait).toBeGreaterThan(times.progressDeadline);
    });

    it("are what the Deployment has: a start of 45 minutes outlasts every default of ten", () => {
        const [glm5] = planPoolExample();
        const { spec } = manifestOf(glm5!, "Deployment");
        const [{ startupProbe, livenessProbe }] = spec.template.spec.containers;
        expect(startupProbe.periodSeconds).toBe(startupPeriod);
        expect(startupProbe.failureThreshold * startupProbe.periodSeconds).toBeGreaterThanOrEqual(45 * 60 + 600);
        expect(livenessProbe).toBeUndefined();
        expect(spec.progressDeadlineSeconds).toBeGreaterThan(
            startupProbe.failureThreshold * startupProbe.periodSeconds,
        );
        expect(spec.template.spec.terminationGracePeriodSeconds).toBeGreaterThan(60);
    });
});

describe("readiness", () => {
    it("follows /ready from 0.5.20 on, and /health before", () => {
        const paths = planPoolExample().map((service) => [service.resolved.release, desiredOf(service).readyPath]);
        expect(paths).toEqual([
            ["0.5.23", "/ready"],
            ["0.5.16", "/health"],
        ]);
    });
});
