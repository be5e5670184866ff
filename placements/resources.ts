import type * as pulumi from "@pulumi/pulumi";
import type { z } from "zod";
import type { BuildSpec } from "../knowledge/artifacts/build-plan.ts";
import type { ModelSpec } from "../knowledge/artifacts/model-plan.ts";
import type { Problem } from "../knowledge/base/settings.ts";
import type { HostFacts } from "../knowledge/records/facts.ts";
import type { Target } from "./index.ts";
import type { Judged } from "./judge.ts";
import type { SecretSource } from "./secret-source.ts";

/** A service that was judged; a function, since the engine walks a value to its last leaf wherever outputs are joined. */
export type Decided = pulumi.Output<() => Judged>;

/** A service on its way to its resources. */
export interface ServiceToPlace {
    readonly name: string;
    /** What was judged when the program ran: all that does not depend on later facts. */
    readonly judged: Judged;
    /** What was judged with everything known. */
    readonly decided: Decided;
    readonly apiKey: SecretSource | undefined;
    /** There when all that decides the service is known when the program runs, with the image where there is one. */
    readonly now: { readonly image: string | undefined } | undefined;
    /** Image of the build, where it runs one. */
    readonly image: pulumi.Output<string> | undefined;
    /** Build and model, which must be there first. */
    readonly after: readonly pulumi.Resource[];
}

/** What a placed service gives back. */
export interface Placed {
    /** URL of the server as its neighbours reach it; known at preview, and whoever uses it waits until the server was proved. */
    readonly endpoint: pulumi.Output<string>;
    /** Launch command, one argument an element. */
    readonly launchCommand: pulumi.Output<string[]>;
}

/** A kind of place as components use it: what makes its resources. Each is a folder beside this file, listed below. */
export interface PlacementResources<Build, Model, Service> {
    /** Schemas of what a build, a model and a service are told of the place. */
    readonly args: {
        readonly build: z.ZodType<Build>;
        readonly model: z.ZodType<Model>;
        readonly service: z.ZodType<Service>;
    };
    /** Facts of the machines of a service, rank by rank. */
    facts(place: Service): readonly (HostFacts | pulumi.Output<HostFacts>)[];
    /** The target of a service, with the facts that are known. */
    target(place: Service, facts: readonly (HostFacts | undefined)[]): Target;
    /** Why a service cannot use a build or a model that is elsewhere; nothing when it can. */
    elsewhere(place: Service, other: Build | Model): string | undefined;
    /** What of a machine another service of this program has already. */
    taken(place: Service, judged: Judged): Problem[];
    /** Makes a build; gives its digest there, and what was made. */
    build(parent: pulumi.Resource, spec: BuildSpec, place: Build): BuiltThere;
    /** Brings a model's files; gives what was made. */
    model(parent: pulumi.Resource, spec: ModelSpec, place: Model, token: SecretSource | undefined): pulumi.Resource[];
    /** Runs a service. */
    service(parent: pulumi.Resource, place: Service, service: ServiceToPlace): Placed;
}

/** A build where it runs. */
export interface BuiltThere {
    /** Names it there. */
    readonly digest: pulumi.Output<string>;
    /** Image, where it runs one. */
    readonly image?: pulumi.Output<string>;
    readonly made: readonly pulumi.Resource[];
}
