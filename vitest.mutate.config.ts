import { defineConfig } from "vitest/config";

/** The tests that `npm run mutate` asks of each fault: those of what is put on machines, without the ones that take seconds each. */
export default defineConfig({
    test: {
        include: ["artifacts", "digests", "golden", "placed"].map((room) => `test/unit/${room}/**/*.test.ts`),
        exclude: ["test/unit/digests/{fields,names}.test.ts", "test/unit/artifacts/agent-archive.test.ts"],
        testTimeout: 30_000,
    },
});
