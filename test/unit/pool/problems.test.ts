import { expect, it } from "vitest";
import { planPoolExample } from "./pool-file.ts";

it("a stack file is told everything that a pool cannot give", () => {
    const wrong = () =>
        planPoolExample(({ services: { glm5 }, models }) => {
            glm5.placement.nodes = 2;
            glm5.apiKey = { hostFile: "/etc/key" };
            models.glm5.token = { hostFile: "/etc/token" };
        });
    expect(wrong).toThrow("the pool's storage.accessMode must be ReadWriteMany");
    expect(wrong).toThrow(/"services\.glm5\.apiKey"[^}]*a file of a host/);
    expect(wrong).toThrow(/"models\.glm5\.token"[^}]*a file of a host/);
});

it("an image by tag is refused, since a tag can move", () => {
    const wrong = () =>
        planPoolExample(({ builds }) => {
            builds["sglang-0523"].image = "example.invalid/sglang:latest";
        });
    expect(wrong).toThrow("must be an image by digest");
});

it("two services whose Kubernetes Services would have one name are refused", () => {
    const wrong = (second: string) => () =>
        planPoolExample(({ services }) => {
            services.tiny = services.qwen35;
            services[second] = services.qwen35;
            delete services.qwen35;
        });
    expect(wrong("tiny-pods")).toThrow(
        /"services\.tiny-pods\.placement"[^}]*Kubernetes Service tiny-pods, and so does services\.tiny:/,
    );
    expect(wrong("tiny-pod")).not.toThrow();
});
