/** Metadata of every object. The namespace is added by whoever applies it. */
export interface Metadata {
    readonly name: string;
    readonly namespace?: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
}
