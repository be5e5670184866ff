import * as pulumi from "@pulumi/pulumi";

/**
 * Registers the resources of a preview one after the other, in the order of the program, so that `preview --diff` prints the
 * same bytes each time. An update registers them as soon as it can: there, this order would be the order of the work.
 */
export function keepPreviewOrder(): void {
    if (!pulumi.runtime.isDryRun()) {
        return;
    }
    let last: Promise<unknown> = Promise.resolve();
    pulumi.runtime.registerStackTransformation(({ resource, props, opts }) => {
        const turn = noResources(last);
        last = turn.then(() => new Promise((resolve) => resource.urn.apply(resolve)));
        return { props, opts: pulumi.mergeOptions(opts, { dependsOn: turn }) };
    });
}

/** Something to depend on that only waits. */
async function noResources(turn: Promise<unknown>): Promise<pulumi.Resource[]> {
    await turn;
    return [];
}
