import { defineConfig } from "vitest/config";

/** One project per tier that runs under vitest; `test/run.ts` decides which of them can run here. */
const tier = (name: string, timeout: number) => ({
    test: {
        name,
        include: [`test/${name}/**/*.test.ts`],
        testTimeout: timeout,
        hookTimeout: timeout,
        fileParallelism: name === "unit" || name === "parser",
    },
});

export default defineConfig({
    test: {
        projects: [
            tier("unit", 30_000),
            tier("parser", 300_000),
            tier("engine", 300_000),
            tier("host", 900_000),
            tier("cluster", 900_000),
        ],
    },
});
