import { parse } from "yaml";
import { loadDeployment } from "../../../deployment/load.ts";
import { planDeployment } from "../../../deployment/plan.ts";
import type { PlacedField } from "../../../knowledge/fields/walk.ts";
import { exampleStacks, readExampleFile, type StackFile } from "../fields/example-stacks.ts";
import { withField } from "../fields/set-field.ts";

/** Stack files of a pool service, one for each example value of a field. */
export function poolVariants(one: PlacedField): StackFile[] {
    const stacks = [exampleStacks["in a pool"], exampleStacks["over several nodes"]];
    return stacks.flatMap((stack) => one.row!.examples!.flatMap((value) => withField(stack, one, { value }) ?? []));
}

/** The ConfigMaps of all services of a stack file, each as name and content; none where it is refused. */
export function configMapsOf(stack: StackFile): [name: string, content: string][] {
    const { problems, services } = planDeployment(loadDeployment(stack, readExampleFile), []);
    const files = problems.length > 0 ? [] : services.flatMap(({ placed }) => Object.entries(placed.files()));
    return files
        .filter(([file]) => /^\d+-configmap-/.test(file) && !file.includes("-agent-"))
        .map(([, text]) => {
            const { metadata, data } = parse(text);
            return [metadata.name, JSON.stringify(data)];
        });
}
