import { at, type Check } from "../resource.ts";

/** Without a host key the command plugin trusts any machine that answers (`InsecureIgnoreHostKey` in its source). */
export const hostKeyIsGiven: Check = ({ type, props }) => {
    if (!type.startsWith("command:remote:")) {
        return [];
    }
    const missing = (path: readonly string[]) => !at(props, ...path, "hostKey");
    return [
        ...(missing(["connection"]) ? ["connection.hostKey is missing: any machine would be trusted"] : []),
        ...(at(props, "connection", "proxy") !== undefined && missing(["connection", "proxy"])
            ? ["connection.proxy.hostKey is missing: any machine would be trusted"]
            : []),
    ];
};
