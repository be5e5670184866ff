import { z } from "zod";
import { same, whenTrue } from "../decision.ts";
import { field } from "../field.ts";

/** The HTTP side that decides settings; the key is given beside it, never in it. */
export const apiSchema = z
    .strictObject({
        listen: field(
            z
                .string()
                .regex(
                    /^([A-Za-z0-9.-]+|[0-9A-Fa-f:.]+)$/,
                    "must be an address or a host name, such as 127.0.0.1 or 0.0.0.0",
                ),
            {
                says: "Address to listen on; any but a loopback address needs an API key. A pod listens on all of its own",
                default: "127.0.0.1",
                decides: same("host"),
                examples: ["0.0.0.0"],
            },
        ),
        port: field(z.int().min(1).max(65535), {
            says: "TCP port",
            default: "30000",
            decides: same("port"),
            examples: [8000],
        }),
        servedModelName: field(z.string().regex(/^\P{Cc}+$/u, "must be one line"), {
            says: "Name of the model in requests",
            default: "the repository",
            decides: same("served-model-name"),
            examples: ["qwen3"],
        }),
        metrics: field(z.boolean(), {
            says: "Prometheus metrics at `/metrics`",
            default: "true",
            decides: whenTrue("enable-metrics"),
            examples: [false],
        }),
    })
    .partial();
