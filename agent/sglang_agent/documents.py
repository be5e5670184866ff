"""The documents of the contract as types. Made by `npm run generate`; change knowledge/contract instead."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypedDict

if TYPE_CHECKING:
    from typing_extensions import NotRequired


class Activate(TypedDict):
    contract: int
    name: str
    owner: str
    root: str
    generation: str
    place: NotRequired[str]
    arguments: dict[str, str | float | bool | list[str | float]]
    build: str
    settingsDigest: str
    prepared: str


class LockedPackage(TypedDict):
    name: str
    version: str
    hashes: list[str]


class Patch(TypedDict):
    base: Literal["site-packages", "repository"]
    name: str
    sha256: str
    stripLevel: int
    text: str


class GitSource(TypedDict):
    kind: Literal["git"]
    commit: str
    repository: str
    subdirectory: NotRequired[str]


class WheelSource(TypedDict):
    kind: Literal["wheel"]
    requirement: str


class Build(TypedDict):
    contract: int
    name: str
    owner: str
    root: str
    generation: str
    place: NotRequired[str]
    dependencies: Literal["full", "parser-only"]
    diskBytes: NotRequired[int]
    environment: NotRequired[dict[str, str]]
    indexUrl: NotRequired[str]
    keep: NotRequired[int]
    lock: NotRequired[list[LockedPackage]]
    patches: NotRequired[list[Patch]]
    python: str
    release: str
    source: GitSource | WheelSource
    treeSha256: NotRequired[str]


class BuildReceipt(TypedDict):
    contract: int
    complete: bool
    dependencies: Literal["full", "parser-only"]
    digest: str
    package: str
    python: str
    release: str
    treeSha256: str


class Take(TypedDict):
    generation: str
    gpus: list[str] | None
    port: int


class Claim(TypedDict):
    contract: int
    name: str
    owner: str
    root: str
    settled: bool
    takes: list[Take]


class Facts(TypedDict):
    contract: int


class HubClient(TypedDict):
    build: NotRequired[str]
    lock: NotRequired[list[LockedPackage]]
    python: NotRequired[str]
    version: NotRequired[str]


class LockedFile(TypedDict):
    path: str
    size: int
    sha256: NotRequired[str]
    gitBlob: NotRequired[str]


class Fetch(TypedDict):
    contract: int
    name: str
    owner: str
    root: str
    generation: str
    place: NotRequired[str]
    client: HubClient
    directory: str
    endpoint: NotRequired[str]
    files: NotRequired[list[LockedFile]]
    repository: str
    retention: Literal["Retain", "Purge"]
    revision: str
    tokenFile: NotRequired[str]


class ExpectedCard(TypedDict):
    computeCapability: NotRequired[str]
    index: int
    memoryMiB: NotRequired[int]
    name: NotRequired[str]


class Expected(TypedDict):
    driver: NotRequired[str]
    gpus: NotRequired[list[ExpectedCard]]


class Install(TypedDict):
    contract: int
    name: str
    owner: str
    root: str
    generation: str
    place: NotRequired[str]
    expect: NotRequired[Expected]


class Intend(TypedDict):
    contract: int
    name: str
    owner: str
    root: str
    generation: str
    place: NotRequired[str]
    prepared: str


class OracleAsked(TypedDict):
    server: Literal["sglang", "vllm"]
    release: NotRequired[str]
    model: str
    revision: NotRequired[str]
    quantization: NotRequired[str]
    kvCache: NotRequired[str]


class OracleEntry(TypedDict):
    name: str
    kind: Literal["text", "code", "numbers", "languages", "tools", "long"]
    text: NotRequired[str]
    ids: list[int]
    logprobs: list[float | None]
    answerIds: list[int]
    answerLogprobs: list[float | None]
    topIds: list[list[int]]
    topLogprobs: list[list[float | None]]


class Figures(TypedDict):
    promptMean: float
    promptTail: float
    promptStretch: float
    promptLargest: float
    answerMean: float
    answerTail: float
    answerLargest: float
    topMean: float
    topAgreement: float
    topOverlap: float
    topDivergence: float


class Spread(TypedDict):
    figures: Figures
    broken: NotRequired[str]


class OracleSpread(TypedDict):
    again: NotRequired[Spread]
    together: NotRequired[Spread]


class Oracle(TypedDict):
    schema: int
    asked: OracleAsked
    promptSet: str
    entries: list[OracleEntry]
    spread: OracleSpread


class PodNodes(TypedDict):
    boardPort: int
    count: int
    head: str
    port: int


class Model(TypedDict):
    path: str
    manifestDigest: NotRequired[str]


class Endpoint(TypedDict):
    host: str
    port: int


class Greedy(TypedDict):
    prompt: str
    expect: str
    maxTokens: int


class Sampled(TypedDict):
    requests: int
    temperature: float
    maxTokens: int


class Concurrency(TypedDict):
    requests: int
    maxTokens: int


class GateItself(TypedDict):
    crowds: list[int]
    limits: Figures


class GateOracle(TypedDict):
    sha256: str
    limits: Figures
    packed: str


class Gate(TypedDict):
    greedy: list[Greedy]
    sampled: Sampled
    concurrency: Concurrency
    toolCall: bool
    reasoning: bool
    structured: NotRequired[bool]
    longCharacters: NotRequired[int]
    itself: NotRequired[GateItself]
    oracle: NotRequired[GateOracle]
    servedModelName: str
    minimumTokensPerSecond: NotRequired[float]
    maximumSecondsToFirstToken: NotRequired[float]
    timeoutSeconds: int


class Pod(TypedDict):
    contract: int
    name: str
    generation: str
    settingsDigest: str
    release: str
    image: str
    build: str
    arguments: dict[str, str | float | bool | list[str | float]]
    environment: dict[str, str]
    nodes: NotRequired[PodNodes]
    model: Model
    apiKeyFile: NotRequired[str]
    endpoint: Endpoint
    readyPath: str
    gate: Gate
    startupBudgetSeconds: int
    stopGraceSeconds: int


class PreparedBuild(TypedDict):
    cuda: NotRequired[str]
    digest: str
    python: NotRequired[str]


class Needs(TypedDict):
    diskBytes: NotRequired[int]
    driverAtLeast: NotRequired[str]
    gpus: NotRequired[list[int]]
    host: NotRequired[str]
    memoryBytes: NotRequired[int]
    port: NotRequired[int]
    python: NotRequired[str]
    tools: NotRequired[list[str]]


class ServicePart(TypedDict):
    adopt: NotRequired[bool]
    apiKeyFile: NotRequired[str]
    endpoint: Endpoint
    environment: dict[str, str]
    gate: Gate
    model: Model
    release: str
    startupBudgetSeconds: int
    stopGraceSeconds: int
    unit: str
    user: str


class Prepare(TypedDict):
    contract: int
    name: str
    owner: str
    root: str
    generation: str
    place: NotRequired[str]
    build: PreparedBuild
    needs: Needs
    service: NotRequired[ServicePart]
    user: NotRequired[str]


class Prepared(TypedDict):
    contract: int
    adopt: NotRequired[bool]
    apiKeyFile: NotRequired[str]
    endpoint: Endpoint
    environment: dict[str, str]
    gate: Gate
    model: Model
    release: str
    startupBudgetSeconds: int
    stopGraceSeconds: int
    unit: str
    user: str


class Receipt(TypedDict):
    contract: int
    kind: Literal["agent", "build", "model", "service"]
    name: str
    owner: str
    place: NotRequired[str | None]
    generation: str
    history: list[str]
    settled: NotRequired[str]
    user: NotRequired[str]
    path: NotRequired[str]
    paths: NotRequired[list[str]]
    retention: NotRequired[Literal["Retain", "Purge"]]
    known: NotRequired[bool]
    replaces: NotRequired[str]
    superseded: NotRequired[int]
    secrets: NotRequired[list[str]]


class Owned(TypedDict):
    contract: int
    name: str
    owner: str
    root: str
    generation: str
    place: NotRequired[str]


class Service(TypedDict):
    contract: int
    name: str
    owner: str
    root: str
    generation: str
    place: NotRequired[str]
    arguments: dict[str, str | float | bool | list[str | float]]
    build: str
    settingsDigest: str
    adopt: NotRequired[bool]
    apiKeyFile: NotRequired[str]
    endpoint: Endpoint
    environment: dict[str, str]
    gate: Gate
    model: Model
    release: str
    startupBudgetSeconds: int
    stopGraceSeconds: int
    unit: str
    user: str


class Stage(TypedDict):
    contract: int
    patches: list[Patch]
    release: str
    treeSha256: NotRequired[str]


class Status(TypedDict):
    contract: int
    name: str
    root: str
    owner: NotRequired[str]


class Machine(TypedDict):
    driver: NotRequired[str]
    kernel: str
    gpus: list[str]


class Proved(TypedDict):
    release: str
    build: str
    manifestDigest: NotRequired[str]
    settingsDigest: str
    argumentsSha256: str
    environmentSha256: str
    oracleSha256: NotRequired[str]
    machine: Machine


class Verdict(TypedDict):
    contract: int
    verdict: Literal["yes", "no"]
    generation: str
    passed: NotRequired[int]
    upAfterSeconds: NotRequired[float]
    tokensPerSecond: NotRequired[float]
    secondsToFirstToken: NotRequired[float]
    oracleDistance: NotRequired[float]
    ownDistance: NotRequired[float]
    oracleFigures: NotRequired[Figures]
    proved: NotRequired[Proved]
    check: NotRequired[str]
    reason: NotRequired[str]
    evidence: NotRequired[dict[str, Any]]
    back: NotRequired[str | None]


class ActivateAnswer(TypedDict):
    changed: bool
    generation: str
    restarted: bool


class BuildAnswer(TypedDict):
    changed: bool
    path: str


class CheckArgumentsAnswer(TypedDict):
    accepted: int


class Failure(TypedDict):
    code: str
    message: str
    log: NotRequired[str]
    evidence: NotRequired[dict[str, Any]]


class ErrorAnswer(TypedDict):
    error: Failure


class Os(TypedDict):
    id: str
    version: str
    kernel: str


class Card(TypedDict):
    index: int
    name: str
    uuid: NotRequired[str]
    busId: NotRequired[str]
    memoryMiB: int
    computeCapability: str
    powerLimitWatts: NotRequired[float]
    powerMinWatts: NotRequired[float]
    powerMaxWatts: NotRequired[float]
    usedBy: NotRequired[list[int]]


class Toolkit(TypedDict):
    path: str
    version: str


class PeerAccess(TypedDict):
    r: NotRequired[str]
    w: NotRequired[str]


class Disk(TypedDict):
    mount: str
    sizeBytes: int
    freeBytes: int


class Nic(TypedDict):
    name: str
    rdma: bool


class FactsAnswer(TypedDict):
    schema: int
    hostname: str
    os: Os
    gpus: list[Card]
    driver: str
    cudaDriver: NotRequired[str]
    toolkit: Toolkit | None
    compilers: dict[str, str]
    python: list[str]
    topology: str
    p2p: NotRequired[PeerAccess]
    numactl: NotRequired[str]
    iommu: Literal["off", "passthrough", "on", "unknown"]
    acs: Literal["off", "on", "unknown"]
    memoryBytes: int
    disks: list[Disk]
    nics: list[Nic]
    cgroup: NotRequired[Literal["v1", "v2"]]
    composed: NotRequired[list[str]]


class FetchAnswer(TypedDict):
    changed: bool
    path: str


class InstallAnswer(TypedDict):
    installed: str


class BoardAnswer(TypedDict):
    name: str
    desired: str
    rank: int
    serving: str | None
    start: str | None
    meeting: int | None
    verdict: Verdict | None


class IntendAnswer(TypedDict):
    attempt: str


class RemoveSecretAnswer(TypedDict):
    removed: bool


class SecretAnswer(TypedDict):
    changed: bool
    path: str


class PrepareAnswer(TypedDict):
    ready: bool


class RemoveAnswer(TypedDict):
    removed: bool
    kept: NotRequired[str | list[str]]


class StatusAnswer(TypedDict):
    active: bool
    build: str | None
    enabled: bool
    generation: str | None
    machine: Machine
    owner: str | None
    previous: str | None
    settingsDigest: str | None
    sinceBoot: bool
    switching: bool
    unitState: str
    verdict: Verdict | None
