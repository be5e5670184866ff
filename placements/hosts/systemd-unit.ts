/** What a unit file is made from. */
export interface UnitInput {
    readonly service: string;
    readonly release: string;
    readonly owner: string;
    readonly user: string;
    /** Folder of the generation that serves, by its stable name: the agent's copy, arguments and environment. */
    readonly generationFolder: string;
    /** Folder of the build's kernel caches, the only one that the server writes to. */
    readonly cacheFolder: string;
    /** File of the API key; systemd hands it to this service alone. */
    readonly apiKeyFile?: string;
    /** Seconds from start to ready. */
    readonly startupBudgetSeconds: number;
    /** Seconds for the gate's questions. */
    readonly gateSeconds: number;
    /** Seconds for requests in flight after a stop. */
    readonly stopGraceSeconds: number;
}

/** Restarts after a crash before the unit stays failed. */
const restarts = 3;
const restartSeconds = 10;

/** What the launcher needs around the server's own budget and grace. */
const marginSeconds = 60;

/** Exit status of the launcher when the gate said no: a restart would not change that. */
const gateSaidNo = 78;

/**
 * The text of a service's unit; pure, with sections and order fixed.
 *
 * The launcher is the main process: it starts the server, asks the gate's questions, and only then reports ready, after a
 * deployment and after a reboot alike.
 */
export function systemdUnit(input: UnitInput): string {
    const { service, release, owner, user, generationFolder, cacheFolder, apiKeyFile, stopGraceSeconds } = input;
    const startSeconds = input.startupBudgetSeconds + input.gateSeconds + marginSeconds;
    const sections: Record<string, readonly string[]> = {
        Unit: [
            `Description=SGLang ${release} for ${service} (${owner})`,
            "After=network-online.target nvidia-persistenced.service",
            "Wants=network-online.target",
            `StartLimitIntervalSec=${(restarts + 1) * (startSeconds + restartSeconds)}`,
            `StartLimitBurst=${restarts}`,
        ],
        Service: [
            "Type=notify",
            "NotifyAccess=main",
            "ExecStartPre=+-/usr/bin/nvidia-modprobe -c 0 -u",
            `ExecStart=/usr/bin/env python3 -I ${generationFolder}/agent.pyz launch ${generationFolder}`,
            `User=${user}`,
            `EnvironmentFile=${generationFolder}/environment`,
            `WorkingDirectory=${cacheFolder}`,
            `RuntimeDirectory=sglang-${service}`,
            "RuntimeDirectoryMode=0700",
            "RuntimeDirectoryPreserve=yes",
            ...(apiKeyFile === undefined ? [] : [`LoadCredential=api-key:${apiKeyFile}`]),
            `TimeoutStartSec=${startSeconds}`,
            `TimeoutStopSec=${stopGraceSeconds + marginSeconds}`,
            "KillMode=mixed",
            "Restart=on-failure",
            `RestartPreventExitStatus=${gateSaidNo}`,
            `RestartSec=${restartSeconds}`,
            "LimitMEMLOCK=infinity",
            "LimitNOFILE=1048576",
            "LimitCORE=0",
            "OOMPolicy=stop",
            // a server that dies leaves segments in /dev/shm; they go when the last unit of this user stops (systemd.exec(5))
            "RemoveIPC=yes",
            "UMask=0077",
            ...hardening(cacheFolder),
        ],
        Install: ["WantedBy=multi-user.target"],
    };
    return Object.entries(sections)
        .map(([name, lines]) => `[${name}]\n${lines.map((line) => `${line}\n`).join("")}`)
        .join("\n");
}

/**
 * As far as a GPU server allows: it compiles and runs its own code (no `MemoryDenyWriteExecute`), opens the cards' device
 * files (no `PrivateDevices`) and shares memory between its processes (no `PrivateIPC`).
 */
function hardening(cacheFolder: string): string[] {
    return [
        "NoNewPrivileges=yes",
        "CapabilityBoundingSet=",
        "AmbientCapabilities=",
        "ProtectSystem=strict",
        `ReadWritePaths=${cacheFolder}`,
        "ProtectHome=read-only",
        "PrivateTmp=yes",
        "DevicePolicy=closed",
        "DeviceAllow=char-nvidia* rw",
        "DeviceAllow=char-drm rw",
        "DeviceAllow=char-infiniband* rw",
        "DeviceAllow=/dev/infiniband/rdma_cm rw",
        "ProtectClock=yes",
        "ProtectControlGroups=yes",
        "ProtectHostname=yes",
        "ProtectKernelLogs=yes",
        "ProtectKernelModules=yes",
        "ProtectKernelTunables=yes",
        "ProtectProc=invisible",
        "LockPersonality=yes",
        "RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK",
        "RestrictNamespaces=yes",
        "RestrictRealtime=yes",
        "RestrictSUIDSGID=yes",
        "SystemCallArchitectures=native",
        "SystemCallErrorNumber=EPERM",
        // pidfd_getfd: symmetric memory passes file handles between ranks. process_vm_*: some transports copy so.
        "SystemCallFilter=@system-service pidfd_getfd process_vm_readv process_vm_writev",
        "SystemCallFilter=~@clock @cpu-emulation @module @mount @obsolete @raw-io @reboot @swap",
    ];
}
