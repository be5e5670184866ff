// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of shells, compose files and units
/** Launches in every form that people keep them in: what reaches the server, on which cards, from which release, and what is not known. */
import { describe, expect, test } from "vitest";
import { type LaunchCommand, parseLaunchCommand } from "../../../knowledge/launch/launch-command.ts";

/** A launch as one line: variables, model by position, options. */
function line({ environment, model, arguments: given }: LaunchCommand): string {
    const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
    const options = given.flatMap(({ name, values }) => [name, ...values]);
    return [...variables, ...(model === undefined ? [] : [model]), ...options].join(" ");
}

const files: Record<string, string> = {
    "server.yaml":
        "model-path: org/model\ntp_size: 4\ntrust-remote-code: true\nenable-metrics: false\ncuda-graph-bs: [1, 2]\n",
    "server.env": "# variables\nNCCL_P2P_LEVEL=PHB\nMODEL='org/model'\n\nexport SGLANG_X=1\n",
    ".env": "TAG=v0.5.17\nMODEL_ID=org/from-env\n",
    "/opt/run.sh":
        '#!/bin/bash\nexport NCCL_DEBUG=INFO\nexec python3 -m sglang.launch_server --model-path org/model "$@"\n',
};
const read = (path: string) => files[path];
const reading = (text: string, choice?: string) => parseLaunchCommand(text, { read, ...(choice && { choice }) });

const serve = "python3 -m sglang.launch_server --model-path org/model";

describe("containers", () => {
    test.each([
        [
            "its own variables alone, none after the command",
            `MODEL=org/model\nA=1\nexport B=2\ndocker run -d --name "\${CONTAINER}" --gpus all --shm-size 16g -e NCCL_DEBUG=INFO -e B -v "$HOME:/x" "\${IMAGE}" python3 -m sglang.launch_server --model-path "\${MODEL}"\nid="$(docker inspect x)"`,
            "NCCL_DEBUG=INFO B=2 --model-path org/model",
        ],
        [
            "an entrypoint",
            `docker run --rm -it --entrypoint python3 img -m sglang.launch_server --model-path org/model --tp 2`,
            "--model-path org/model --tp 2",
        ],
        [
            "an image that is the server",
            "docker run --gpus all lmsysorg/sglang:latest --model-path org/model --tp 2",
            "--model-path org/model --tp 2",
        ],
        [
            "an image that serves",
            "podman run --device nvidia.com/gpu=all docker.io/lmsysorg/sglang serve org/model --tp 2",
            "org/model --tp 2",
        ],
        [
            "a shell in it",
            `docker run -e A=1 img bash -lc "pip install x && export B=2 && exec ${serve}"`,
            "A=1 B=2 --model-path org/model",
        ],
        [
            "a file of variables",
            `docker run --env-file server.env img ${serve}`,
            "NCCL_P2P_LEVEL=PHB MODEL=org/model SGLANG_X=1 --model-path org/model",
        ],
        ["in a running one", `docker exec -e A=1 -it name ${serve}`, "A=1 --model-path org/model"],
        ["with sudo", `export A=1\nsudo docker run -e B=2 img ${serve}`, "B=2 --model-path org/model"],
        [
            "in a function",
            `run() { docker run --rm -e A=$1 img "\${@:2}"; }\nrun 3 ${serve}`,
            "A=3 --model-path org/model",
        ],
        [
            "a list of options",
            `OPTS=(--gpus '"device=0,1"' -e A=1)\ndocker run "\${OPTS[@]}" img ${serve}`,
            "A=1 --model-path org/model",
        ],
        [
            "a container of a cluster",
            `srun --container-image=img --export=ALL,A=1 numactl --interleave=all ${serve}`,
            "A=1 --model-path org/model",
        ],
        ["what the starting shell would give", `docker run -e HF_HOME img ${serve}`, "--model-path org/model"],
    ])("%s", (_, text, expected) => {
        const command = reading(text);
        expect(command.problems).toEqual([]);
        expect(line(command)).toBe(expected);
    });

    test.each([
        ["--gpus all", undefined],
        ["--gpus 2", { count: 2 }],
        [`--gpus '"device=2,3"'`, { indices: [2, 3] }],
        ["--gpus=device=1", { indices: [1] }],
        ["--gpus device=GPU-12ab", { ids: ["GPU-12ab"] }],
        ["--runtime nvidia -e NVIDIA_VISIBLE_DEVICES=4,5", { indices: [4, 5] }],
        ["--gpus all -e CUDA_VISIBLE_DEVICES=6", { indices: [6] }],
        ["--device nvidia.com/gpu=0 --device nvidia.com/gpu=1", { indices: [0, 1] }],
    ])("cards of %s", (options, gpus) => {
        expect(reading(`docker run ${options} img ${serve}`).gpus).toEqual(gpus);
    });

    test.each([
        ["lmsysorg/sglang:v0.5.14-cu130", "0.5.14"],
        ["registry.example:5000/x/sglang:0.5.12.post1", "0.5.12.post1"],
        ["lmsysorg/sglang:v0.5.15.post1-cu129-amd64", "0.5.15.post1"],
        ["lmsysorg/sglang:latest", undefined],
        ["nvcr.io/nvidia/pytorch:25.08-py3", undefined],
        ["lmsysorg/sglang@sha256:0123", undefined],
    ])("release of %s", (image, release) => {
        expect(reading(`docker run ${image} ${serve}`).release).toBe(release);
    });

    test.each([
        ["/opt/sglang-0.5.17/bin/python3 -m sglang.launch_server --model-path m", "0.5.17"],
        [`pip install "sglang[all]==0.5.20"\n${serve}`, "0.5.20"],
        [`${serve} --served-model-name sglang-next`, undefined],
    ])("release of %s", (text, release) => {
        expect(reading(text).release).toBe(release);
    });
});

describe("a token", () => {
    test.each(['-e HF_TOKEN="${HF_TOKEN:-}"', "-e HF_TOKEN=$HF_TOKEN", "-e HF_TOKEN", "-e HUGGING_FACE_HUB_TOKEN="])(
        "that nobody wrote down is left out: %s",
        (option) => {
            const { environment, problems, notes } = reading(`docker run ${option} img ${serve}`);
            expect(problems).toEqual([]);
            expect(environment).toEqual({});
            expect(notes.join()).toMatch(/left out/);
        },
    );

    test("that is written down is refused and not repeated", () => {
        const command = reading(`T=s3cretvalue\ndocker run -e HF_TOKEN=$T img ${serve}`);
        expect(command.problems.map(({ path }) => path)).toEqual(["launch.HF_TOKEN"]);
        expect(JSON.stringify(command)).not.toContain("s3cretvalue");
    });
});

describe("systemd", () => {
    const unit = (service: string) =>
        `[Unit]\nDescription=x\n[Service]\nUser=sglang\n${service}\nRestart=always\n[Install]\nWantedBy=multi-user.target\n`;

    test.each([
        [
            "variables",
            `Environment=A=1 "B=two words"\nEnvironment='C=3'\nExecStart=/opt/x/bin/${serve} \\\n  --tp 2`,
            "A=1 B=two words C=3 --model-path org/model --tp 2",
        ],
        [
            "a file of variables",
            `EnvironmentFile=-server.env\nExecStart=/usr/bin/python3 -m sglang.launch_server --model-path \${MODEL}`,
            "NCCL_P2P_LEVEL=PHB MODEL=org/model SGLANG_X=1 --model-path org/model",
        ],
        [
            "what is done before",
            `ExecStartPre=-/usr/bin/docker rm -f sglang\nExecStartPre=/bin/sh -c 'sleep 1; echo sglang.launch_server'\nExecStart=/usr/bin/${serve}`,
            "--model-path org/model",
        ],
        [
            "a container, whose variables are not the unit's",
            `Environment=A=1 TAG=v0.5.17\nExecStart=/usr/bin/docker run --rm -e B=2 lmsysorg/sglang:\${TAG} ${serve}`,
            "B=2 --model-path org/model",
        ],
        [
            "a shell",
            `Environment=A=1\nExecStart=/bin/bash -c 'source /opt/venv/bin/activate && exec ${serve} --tp $$N$$'`,
            undefined,
        ],
        [
            "a script beside it",
            `Environment=A=1\nExecStart=/opt/run.sh --tp 2`,
            "A=1 NCCL_DEBUG=INFO --model-path org/model --tp 2",
        ],
        [
            "words of a variable",
            `Environment="OPTS=--tp 2 --port 3"\nExecStart=/usr/bin/${serve} $OPTS`,
            "OPTS=--tp 2 --port 3 --model-path org/model --tp 2 --port 3",
        ],
        [
            "the last start counts",
            `ExecStart=/usr/bin/python3 -m sglang.launch_server --model-path old\nExecStart=\nExecStart=/usr/bin/${serve}`,
            "--model-path org/model",
        ],
    ])("%s", (_, service, expected) => {
        const command = reading(unit(service));
        if (expected === undefined) {
            expect(command.problems.map(({ message }) => message).join()).toContain("--tp is not known here");
        } else {
            expect(command.problems).toEqual([]);
            expect(line(command)).toBe(expected);
        }
    });

    test("what systemd fills in is said", () => {
        const { problems } = reading(unit(`ExecStart=/usr/bin/${serve} --port %i`));
        expect(problems).toEqual([
            { path: "launch.--port", message: expect.stringContaining("%i is filled in by systemd") },
        ]);
    });

    test("a file of variables that is not here is said, and what needs it refused", () => {
        const { problems, notes } = reading(
            unit(`EnvironmentFile=/etc/x.env\nExecStart=/usr/bin/${serve} --tp \${TP}`),
        );
        expect(notes.join()).toContain("/etc/x.env");
        expect(problems.map(({ path }) => path)).toEqual(["launch.--tp"]);
    });
});

describe("compose", () => {
    test.each([
        [
            "folded text",
            "services:\n  a:\n    image: lmsysorg/sglang:v0.5.17\n    environment:\n      - NCCL_P2P_LEVEL=PHB\n    command: >\n      python3 -m sglang.launch_server --model-path org/model\n      --tp 2 --port 1\n",
            "NCCL_P2P_LEVEL=PHB --model-path org/model --tp 2 --port 1",
        ],
        [
            "a list",
            'services:\n  a:\n    image: x\n    environment: { A: 1, B: "yes" }\n    entrypoint: python3 -m sglang.launch_server\n    command: ["--model-path", "org/model", "--tp", "2"]\n',
            "A=1 B=yes --model-path org/model --tp 2",
        ],
        [
            "a shell",
            'services:\n  a:\n    image: x\n    command: bash -c "export A=1 && python3 -m sglang.launch_server --model-path org/model --tp $${N:-3}"\n',
            "A=1 --model-path org/model --tp 3",
        ],
        [
            "values of .env and defaults",
            "services:\n  a:\n    image: lmsysorg/sglang:${TAG}\n    env_file: server.env\n    command: python3 -m sglang.launch_server --model-path ${MODEL_ID} --tp ${TP:-8}\n",
            "NCCL_P2P_LEVEL=PHB MODEL=org/model SGLANG_X=1 --model-path org/from-env --tp 8",
        ],
        [
            "an image that is the server, beside others",
            "services:\n  db:\n    image: redis\n  llm:\n    image: lmsysorg/sglang:latest\n    command: --model-path org/model --tp 2\n",
            "--model-path org/model --tp 2",
        ],
        [
            "anchors",
            "x-base: &base\n  image: x\n  environment:\n    A: '1'\nservices:\n  a:\n    <<: *base\n    command: sglang serve org/model --tp 2\n",
            "A=1 org/model --tp 2",
        ],
    ])("%s", (_, text, expected) => {
        const command = reading(text);
        expect(command.problems).toEqual([]);
        expect(line(command)).toBe(expected);
    });

    test("cards of a reservation", () => {
        const text =
            "services:\n  a:\n    image: x\n    command: sglang serve m\n    deploy:\n      resources:\n        reservations:\n          devices:\n            - driver: nvidia\n              device_ids: ['2', '3']\n              capabilities: [gpu]\n";
        expect(reading(text).gpus).toEqual({ indices: [2, 3] });
        expect(reading(text.replace("device_ids: ['2', '3']", "count: 4")).gpus).toEqual({ count: 4 });
        expect(reading(text.replace("device_ids: ['2', '3']", "count: all")).gpus).toBeUndefined();
    });

    test("a variable that nobody gives is said", () => {
        const { problems } = reading("services:\n  a:\n    image: x\n    command: sglang serve m --tp ${NUMBER}\n");
        expect(problems).toEqual([{ path: "launch.--tp", message: expect.stringContaining("$NUMBER is not set") }]);
    });
});

describe("Kubernetes", () => {
    const deployment = `apiVersion: v1
kind: Service
metadata: { name: s }
spec: { ports: [{ port: 1 }] }
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: qwen }
spec:
  template:
    spec:
      initContainers:
        - { name: fetch, image: x, command: [python3, -m, sglang.launch_server, --model-path, other] }
      containers:
        - name: server
          image: lmsysorg/sglang:v0.5.16
          command: ["python3", "-m", "sglang.launch_server"]
          args: ["--model-path", "$(MODEL)", "--tp", "4"]
          env:
            - { name: MODEL, value: org/model }
            - { name: HF_TOKEN, valueFrom: { secretKeyRef: { name: hf, key: token } } }
            - { name: POD_IP, valueFrom: { fieldRef: { fieldPath: status.podIP } } }
          resources: { limits: { nvidia.com/gpu: "4" } }
`;

    test("a Deployment among other objects", () => {
        const command = reading(deployment);
        expect(command.problems).toEqual([]);
        expect(line(command)).toBe("MODEL=org/model --model-path org/model --tp 4");
        expect(command).toMatchObject({ gpus: { count: 4 }, release: "0.5.16" });
        expect(command.notes.join("; ")).toMatch(/HF_TOKEN comes from the Secret hf.*POD_IP is left out/);
    });

    test("a LeaderWorkerSet is one service over its machines", () => {
        const container = (rank: string) =>
            `{ name: c, image: x, command: [sh, -c, "python3 -m sglang.launch_server --model-path org/model --tp 16 --nnodes 2 --node-rank ${rank} --dist-init-addr $(LWS_LEADER_ADDRESS):20000"] }`;
        const text = `apiVersion: leaderworkerset.x-k8s.io/v1\nkind: LeaderWorkerSet\nmetadata: { name: l }\nspec:\n  leaderWorkerTemplate:\n    leaderTemplate: { spec: { containers: [${container("0")}] } }\n    workerTemplate: { spec: { containers: [${container("$(LWS_WORKER_INDEX)")}] } }\n`;
        const command = reading(text);
        expect(command.problems).toEqual([]);
        expect(line(command)).toContain("--model-path org/model --tp 16 --nnodes 2");
    });

    test("a variable that Kubernetes fills in is said", () => {
        const { problems } = reading(deployment.replace('"4"]', '"$(COUNT)"]'));
        expect(problems).toEqual([
            { path: "launch.--tp", message: expect.stringContaining("$(COUNT) is filled in by Kubernetes") },
        ]);
    });

    test("a template of Helm is named as one", () => {
        expect(
            reading("kind: Deployment\nspec:\n  {{- if .Values.x }}\n  command: [sglang]\n  {{- end }}\n").problems[0]!
                .message,
        ).toContain("helm template");
    });
});

describe("other files", () => {
    test.each([
        [
            "Slurm",
            `#!/bin/bash\n#SBATCH --job-name=x\n#SBATCH --gres=gpu:4\nexport NCCL_DEBUG=INFO\nsrun --mpi=none ${serve} --tp 4`,
            "NCCL_DEBUG=INFO --model-path org/model --tp 4",
        ],
        [
            "a Makefile",
            `MODEL ?= org/model\nTP := 4\nPORT = 1\nexport NCCL_DEBUG = INFO\n\n.PHONY: serve\nserve: deps ## run it\n\t@echo serving\n\tcd /x && python3 -m sglang.launch_server \\\n\t  --model-path $(MODEL) --tp $(TP) \\\n\t  --port $$(($(PORT) + 1))\n\nstop:\n\tpkill -f sglang.launch_server\n`,
            "NCCL_DEBUG=INFO --model-path org/model --tp 4 --port 2",
        ],
        [
            "a Dockerfile",
            'ARG VERSION=v0.5.17\nFROM lmsysorg/sglang:${VERSION}\nENV NCCL_DEBUG=INFO \\\n    A="x y"\nRUN pip install x\nENTRYPOINT ["python3", "-m", "sglang.launch_server"]\nCMD ["--model-path", "org/model", "--tp", "4"]\n',
            "NCCL_DEBUG=INFO A=x y --model-path org/model --tp 4",
        ],
        [
            "a Dockerfile for a shell",
            "FROM x AS y\nCMD echo other\nFROM lmsysorg/sglang\nENV PORT 1\nCMD sglang serve org/model --port $PORT\n",
            "PORT=1 org/model --port 1",
        ],
        [
            "a file of options",
            "sglang serve --config server.yaml --tp-size 8",
            "--model-path org/model --tp_size 4 --trust-remote-code --cuda-graph-bs 1 2 --tp-size 8",
        ],
        [
            "a file of options that the script writes",
            "cat > cfg.yaml <<EOF\nmodel-path: org/model\nport: 1\nEOF\nsglang serve --config cfg.yaml",
            "--model-path org/model --port 1",
        ],
        ["a shell prompt", "$ export A=1\n$ sglang serve org/model \\\n    --tp 2", "A=1 org/model --tp 2"],
        ["tmux", `tmux new-session -d -s x "A=1 ${serve}"`, "A=1 --model-path org/model"],
        ["another machine", `export A=1\nssh node1 "B=2 ${serve}"`, "B=2 --model-path org/model"],
        ["a restarted one", `while true; do\n  ${serve} --port 1\n  sleep 5\ndone`, "--model-path org/model --port 1"],
        [
            "questions to the machine first",
            `set -euo pipefail\nnvidia-smi || exit 1\nif ! command -v python3 >/dev/null; then echo no; exit 1; fi\n[ -d /models ] || mkdir -p /models\ncd "$(dirname "$0")"\n${serve} "$@"`,
            "--model-path org/model",
        ],
        [
            "arguments that it is called without",
            `PORT=1\nwhile [[ $# -gt 0 ]]; do case "$1" in --port) PORT="$2"; shift 2;; *) shift;; esac; done\n${serve} --port $PORT`,
            "--model-path org/model --port 1",
        ],
        [
            "a variable for the caller to set",
            `if [ -z "$TP" ]; then TP=4; fi\n[[ -z "\${PORT}" ]] && PORT=1\n${serve} --tp $TP --port \${PORT}`,
            "--model-path org/model --tp 4 --port 1",
        ],
    ])("%s", (_, text, expected) => {
        const command = reading(text);
        expect(command.problems).toEqual([]);
        expect(line(command)).toBe(expected);
    });

    test("docker inspect: what was set for the server is kept, the rest of the image left out", () => {
        const inspected = [
            {
                Name: "/llm",
                Path: "/opt/nvidia/nvidia_entrypoint.sh",
                Args: ["python3", "-m", "sglang.launch_server", "--model-path", "org/model", "--tp", "2"],
                Config: {
                    Image: "lmsysorg/sglang:v0.5.17",
                    Env: ["NCCL_DEBUG=INFO", "PATH=/bin", "HF_TOKEN=", "CUDA_VERSION=13.0"],
                },
                HostConfig: { DeviceRequests: [{ Count: 0, DeviceIDs: ["0", "1"] }] },
            },
        ];
        const command = reading(JSON.stringify(inspected));
        expect(line(command)).toBe("NCCL_DEBUG=INFO --model-path org/model --tp 2");
        expect(command).toMatchObject({ problems: [], gpus: { indices: [0, 1] }, release: "0.5.17" });
    });

    test("a running process", () => {
        const words = [
            "/opt/sglang-0.5.17/bin/python3",
            "-m",
            "sglang.launch_server",
            "--model-path",
            "org/model",
            "--chat",
            "a\n\nb",
        ];
        const variables = ["NCCL_DEBUG=INFO", "PATH=/bin", "CUDA_VISIBLE_DEVICES=2,3", "HOME=/root"];
        const command = reading(`${words.join("\0")}\0\n\n${variables.join("\0")}\0`);
        expect(line(command)).toBe("NCCL_DEBUG=INFO CUDA_VISIBLE_DEVICES=2,3 --model-path org/model --chat a\n\nb");
        expect(command).toMatchObject({ problems: [], gpus: { indices: [2, 3] }, release: "0.5.17" });
        expect(reading("sglang::scheduler_TP0\0").problems[0]!.message).toContain("worker");
    });
});

describe("what only the machine knows is said and never planned", () => {
    test.each([
        ["an argument of the script", `${serve} --tp $1`, "launch.--tp", /\$1 is an argument of the script/],
        [
            "a variable of the caller",
            `${serve} --mem-fraction-static $FRACTION`,
            "launch.--mem-fraction-static",
            /\$FRACTION is not set in this text/,
        ],
        [
            "one of two values",
            `if [ -f /x ]; then P=1; else P=2; fi\n${serve} --port $P`,
            "launch.--port",
            /\$P is 1 or 2, depending on `\[ -f \/x \]`/,
        ],
        [
            "options that may be there",
            `A=(--tp 2)\nif [ "$DEBUG" = 1 ]; then A+=(--log-level debug); fi\n${serve} "\${A[@]}"`,
            "launch.--tp",
            /--log-level debug.*depends on/,
        ],
        [
            "a case",
            `case "$CARD" in 5090) F=0.8 ;; *) F=0.9 ;; esac\n${serve} --mem-fraction-static $F`,
            "launch.--mem-fraction-static",
            /0\.8 or 0\.9/,
        ],
        [
            "the environment",
            `${serve.replace(/^/, "NCCL_P2P_LEVEL=$LEVEL ")}`,
            "launch.NCCL_P2P_LEVEL",
            /\$LEVEL is not set/,
        ],
        ["a file of options", `${serve} --config /elsewhere.yaml`, "launch.--config", /not here/],
        [
            "what is read",
            `read -p model? M\npython3 -m sglang.launch_server --model-path $M`,
            "launch.--model-path",
            /read from the terminal/,
        ],
    ])("%s", (_, text, path, message) => {
        const { problems } = reading(text);
        expect(problems).toEqual([{ path, message: expect.stringMatching(message) }]);
    });

    test.each([
        ["vLLM", "docker run vllm/vllm-openai --model x --tensor-parallel-size 2", /starts vLLM/],
        ["a script that is not here", "ExecStart=/usr/local/bin/start-llm.sh", /start-llm\.sh.*give that file/],
        ["what an image starts", "docker run --gpus all my/image", /image my\/image/],
        ["a router", "python3 -m sglang_router.launch_router --worker-urls a", /sglang_router/],
    ])("%s", (_, text, message) => {
        expect(reading(text).problems[0]!.message).toMatch(message);
    });

    test("of several launches one is chosen, and each is named", () => {
        const text = `sglang serve a --port 1 &\nsglang serve b --port 2`;
        expect(reading(text).problems.map(({ message }) => message)).toEqual([
            expect.stringMatching(/more than one launch: 1: line 1 .*--port 1.*2: line 2 .*--port 2.*--launch NUMBER/),
        ]);
        expect(line(reading(text, "2"))).toBe("b --port 2");
        const compose =
            "services:\n  a:\n    image: x\n    command: sglang serve a\n  b:\n    image: x\n    command: sglang serve b\n";
        expect(line(reading(compose, "b"))).toBe("b");
        expect(reading(compose, "c").problems[0]!.message).toContain('none of them is "c"');
    });

    test("a way that the script may go is named with its condition", () => {
        const text = `if [ "$MODE" = prefill ]; then\n  ${serve} --disaggregation-mode prefill\nelse\n  ${serve} --disaggregation-mode decode\nfi`;
        expect(reading(text).problems[0]!.message).toMatch(/prefill.*if \[ "\$MODE" = prefill \].*decode.*not/);
    });

    test("a variable that is not exported is named", () => {
        const { environment, notes } = reading(`NCCL_P2P_LEVEL=SYS\n${serve}`);
        expect(environment).toEqual({});
        expect(notes.join()).toContain("NCCL_P2P_LEVEL is set in the script and not exported");
    });
});
