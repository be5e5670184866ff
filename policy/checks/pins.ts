import { at, type Check } from "../resource.ts";
import { containersOf, holdsGpus } from "../workload.ts";

const commit = /^[0-9a-f]{40}$/;
const digest = /@sha256:[0-9a-f]{64}$/;

/** Models and sources by commit: what a branch names changes by itself. */
export const sourcesArePinned: Check = ({ type, props }) => {
    const wrong = (what: string, value: unknown) =>
        commit.test(String(value)) ? [] : [`${what} is ${JSON.stringify(value)}, not a commit of 40 hex digits`];
    if (type === "sglang:index:ModelCache") {
        return wrong("revision", props.revision);
    }
    return type === "sglang:index:PatchedBuild" && props.source !== undefined
        ? wrong("source.commit", at(props, "source", "commit"))
        : [];
};

/** Images of GPU containers by digest: a tag can move. */
export const imagesAreDigests: Check = (resource) => {
    const images =
        resource.type === "sglang:index:PatchedBuild" && resource.props.image !== undefined
            ? [resource.props.image]
            : containersOf(resource)
                  .filter(holdsGpus)
                  .map((container) => at(container, "image"));
    return [...new Set(images)]
        .filter((image) => !digest.test(String(image)))
        .map((image) => `image ${JSON.stringify(image)} is not by digest (NAME@sha256:…): a tag can move`);
};
