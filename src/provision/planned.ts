/** A resource of a cloud as plain data: what a component passes to the class of the provider. */
export interface Planned<Args> {
  /** The name within the cluster's plan, by which other resources refer to it. Stable: a changed one replaces. */
  readonly name: string;
  readonly args: Args;

  /** Options of the resource, under Pulumi's names. Absent: none. */
  readonly options?: PlannedOptions;
}

/** What a resource needs beside its arguments. */
export interface PlannedOptions {
  /** What the cloud changes by itself after the resource is made. */
  ignoreChanges?: string[];

  /** How long making it may take before that is an error. */
  customTimeouts?: { create: string };
}

/** So long a cloud may look for machines before a stockout is an error. */
export const POOL_OPTIONS = { customTimeouts: { create: '30m' } } as const;
