/** A Pulumi policy pack over the same rules as the components, for stacks that are reviewed by a machine as well. */
import { PolicyPack } from "@pulumi/policy";
import { policies } from "./policies.ts";

new PolicyPack("sglang", {
    policies: policies.map(({ name, description, level, check }) => ({
        name,
        description,
        enforcementLevel: level,
        validateResource: (resource, report) => {
            for (const message of check(resource)) {
                report(message);
            }
        },
    })),
});
