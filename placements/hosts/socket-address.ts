import { isIPv6 } from "node:net";

/** A machine's name or address and a port, as a URL and a rendezvous take them: an IPv6 address stands in brackets. */
export function socketAddress(address: string, port: number): string {
    return `${isIPv6(address) ? `[${address}]` : address}:${port}`;
}
