import { at, type Check } from "../resource.ts";

/** Weights take hours to come back: the claim that holds them is protected, so that no typo replaces or deletes it. */
export const weightsAreProtected: Check = ({ type, props, opts }) =>
    type === "kubernetes:core/v1:PersistentVolumeClaim" &&
    at(props, "metadata", "labels", "app.kubernetes.io/component") === "weights" &&
    !opts?.protect
        ? ["the claim that holds the weights is not protected: a change of its storage class would delete them"]
        : [];
