import type { Message } from './registered';

/** What a program registered with the small engine. */
export interface RegisteredResource {
  readonly type: string;
  readonly name: string;
  readonly urn: string;
  readonly parent: string;
  readonly provider: string;
  readonly inputs: Readonly<Record<string, unknown>>;

  /** As it came. */
  readonly message: Message;
}

/** How a program is run. */
export interface RunOptions {
  readonly program: string;

  /** The folder of its Pulumi.yaml. */
  readonly root: string;
  readonly project: string;
  readonly config: Readonly<Record<string, string>>;

  /** Keys of `config` that are secrets. */
  readonly secrets?: readonly string[];
  readonly preview: boolean;

  /** A module that is loaded before the program. */
  readonly require?: string;

  /** Of Node. */
  readonly flags?: readonly string[];

  /** Where it runs after others. Default: in a process of its own. */
  readonly host?: Host;

  /** Whether outputs of a type are known in a preview. Default: all are. */
  readonly known?: (type: string) => boolean;

  /** The resource whose step fails, which ends the run. Default: none. */
  readonly fails?: (type: string, name: string) => boolean;

  /** What an update makes of inputs, also later. What it throws is the failure of the resource. Default: the same. */
  readonly made?: (
    type: string,
    name: string,
    inputs: Record<string, unknown>,
  ) => Record<string, unknown> | Promise<Record<string, unknown>>;

  /** The answer of a cloud to a request, by its token. Default: no request succeeds. */
  readonly answer?: (token: string) => Record<string, unknown>;
}

/** Runs a program unchanged, without the command, providers or state. */
export function run(options: RunOptions): Promise<{
  readonly code: number;
  readonly registered: readonly RegisteredResource[];
  readonly outputs: Readonly<Record<string, unknown>>;

  /** What it printed or logged. */
  readonly said: readonly string[];

  /** The debug messages that it sent. */
  readonly debugged: readonly string[];
  readonly ms: number;
}>;

/** A process that runs programs from sources one after the other: all but the first start at once. */
export interface Host {
  run(program: object): Promise<{ readonly code: number; readonly said: readonly string[] }>;
  stop(): void;
}

/** Starts a process for programs, and a module in it before them. */
export function startHost(require: string): Host;
