/** A git repository in the shape of SGLang's: `python/sglang`, a tag and a commit for each release of the stand-in. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { packageRoot } from "../../../knowledge/base/package-root.ts";
import { run } from "./sh.ts";

/** A finished repository. */
export interface GitUpstream {
    /** The bare repository on the test machine; show it to a host with `folders: { "/srv/git": … }`. */
    readonly folder: string;
    /** Its URL on a host that has it at `/srv/git`. */
    readonly url: string;
    /** Release → commit. */
    readonly commits: Readonly<Record<string, string>>;
}

/** Makes the repository: one commit and tag `vRELEASE` for each release, oldest first. `files` are added to each (path → text). */
export function makeGitUpstream(
    folder: string,
    releases: readonly string[],
    files: Readonly<Record<string, string>> = {},
): GitUpstream {
    const tree = join(folder, "tree");
    mkdirSync(tree, { recursive: true });
    const person = ["-c", "user.name=Upstream", "-c", "user.email=upstream@example.com"];
    const git = (...argv: string[]) => run("git", "-C", tree, ...person, ...argv).trim();
    git("init", "--quiet", "--initial-branch=main");
    const commits: Record<string, string> = {};
    for (const release of releases) {
        rmSync(join(tree, "python"), { recursive: true, force: true });
        run(
            "python3",
            join(packageRoot, "test/support/standin-server/make-wheel.py"),
            "--tree",
            join(tree, "python"),
            release,
        );
        for (const [path, text] of Object.entries(files)) {
            mkdirSync(dirname(join(tree, path)), { recursive: true });
            writeFileSync(join(tree, path), text);
        }
        git("add", "--all");
        git("commit", "--quiet", "--date=2026-01-01T00:00:00Z", "-m", `Release ${release}`);
        git("tag", `v${release}`);
        commits[release] = git("rev-parse", "HEAD");
    }
    const bare = join(folder, "sglang.git");
    run("git", "clone", "--quiet", "--bare", tree, bare);
    run("git", "-C", bare, "config", "uploadpack.allowAnySHA1InWant", "true");
    return { folder, url: "file:///srv/git/sglang.git", commits };
}
