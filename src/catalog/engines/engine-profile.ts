import type { Runtime } from './runtimes';

/** How a value reaches a runtime. Of several flags the first is the one we write; the others it understands too. */
export interface EngineSetting {
  readonly flags: readonly string[];

  /** The variable that it reads where no flag is given. */
  readonly env?: string;
}

/** A setting that has a value where nobody gives one. */
export interface DefaultedEngineSetting<T> extends EngineSetting {
  readonly default: T;
}

/** How a runtime learns which model to serve. */
export interface ModelSetting extends EngineSetting {
  /** Whether an argument that belongs to no flag is the model. */
  readonly positional: boolean;

  /** Whether it takes a directory of weights, so that a cache can be its model. */
  readonly directory: boolean;

  /** What it does without one: fails, or serves something that nobody asked for. Absent: it needs none. */
  readonly without?: string;
}

/** How the devices of an engine are shared out. Without `tensor` the runtime decides by itself, or cannot. */
export interface ParallelismSettings {
  /** Whether it takes all devices that it sees where `tensor` is not given. Otherwise it takes one. */
  readonly automatic?: true;

  /** Ways of sharing beside these: where one is given, nobody counts ranks. */
  readonly other?: EngineSetting;

  readonly tensor?: EngineSetting;
  readonly pipeline?: EngineSetting;

  /** Copies of the weights, each on devices of its own. */
  readonly data?: EngineSetting;

  /** Of these, those on the own node. */
  readonly dataLocal?: EngineSetting;

  /** A switch that makes data ranks share the devices of tensor parallelism, so that they add none. */
  readonly dataWithinTensor?: EngineSetting;
}

/** How a rank of a gang finds the others. Values may refer to the environment of `src/render/pod/engine-container.ts`. */
export interface GangBootstrap {
  /** What every rank is told: a flag and its value each, in which `{nodes}` is the number of nodes. */
  readonly flags: readonly (readonly [flag: string, value: string])[];

  /** Switches of ranks that answer no requests. */
  readonly workerSwitches: readonly string[];

  /** Variables of every rank, from fields of its pod. */
  readonly podFields: Readonly<Record<string, string>>;

  /** Ray instead, where the value of a flag asks for it: a cluster that the leader starts and workers join. */
  readonly ray?: { readonly setting: EngineSetting; readonly value: string; readonly port: number };
}

/** How an engine that reads prompts hands what it read to one that writes answers. */
export interface Disaggregation {
  /** What the routing sidecar calls the way of the transfer. */
  readonly connector: string;

  /** Flags of every rank, by the phase of its engine. */
  readonly flags: Readonly<Record<'Prefill' | 'Decode', readonly (readonly [flag: string, value: string])[]>>;

  /** Variables of every rank: each sends or fetches its own part. */
  readonly env: Readonly<Record<string, string>>;

  /** Variables of every rank, from fields of its pod. */
  readonly podFields: Readonly<Record<string, string>>;
}

/** How adapters are passed: in which form, after which switches. */
export interface AdapterSetting extends EngineSetting {
  readonly switches: readonly string[];

  /** Words: one flag and a word each. Commas: one value. Repeated: the flag for each. Directory: the folder of all. */
  readonly form: 'Words' | 'Commas' | 'Repeated' | 'Directory';

  /** Whether an adapter is written as `name=path` instead of its path. */
  readonly named: boolean;
}

/** Which user the image of a runtime runs as, and what it cannot do without. */
export interface ImageUser {
  readonly id: number;

  /** Whether it works as any other user that can write to its cache directories. */
  readonly anyUser: boolean;

  /** Linux capabilities without which it fails, when all others are dropped. */
  readonly capabilities: readonly string[];
}

/**
 * What is known of a runtime: how it is recognised, told what to do, asked whether it is well, and stopped. Facts
 * are those of its documentation and images; what a user writes always wins over them.
 */
export interface EngineProfile {
  readonly runtime: Runtime;

  /** Its name as its makers write it. */
  readonly title: string;

  /** Repositories of its images, without tag: matched anywhere in the path, so behind a mirror too. */
  readonly images: readonly RegExp[];

  /** What starts it, as words of a command line; the first may be a path. Longer ones stand first. */
  readonly programs: readonly string[];

  /** Whether its image starts it without a command, so that arguments alone reach it. */
  readonly entrypoint: boolean;

  /** Flags that take no value, beside those whose names say so. */
  readonly switches: readonly string[];

  /** A file that may say all that arguments can: what they leave out is then unknown. */
  readonly configFile?: EngineSetting;

  readonly port: DefaultedEngineSetting<number>;

  /** Where it answers about its health, if that may be elsewhere. */
  readonly healthPort?: EngineSetting;

  /** The address that it binds where nobody says, in its own image. */
  readonly host: DefaultedEngineSetting<string>;

  /** Paths that answer 200 once it serves. Absent: nothing is known to ask. */
  readonly health?: { readonly startup: string; readonly readiness: string; readonly liveness: string };

  /** Seconds that an answer about its health may take: some generate a token for it. */
  readonly healthTimeout: number;

  /** Where Prometheus finds its metrics, and what switches them on. Absent: it has none. */
  readonly metrics?: { readonly path: string; readonly switches: readonly string[] };

  /** The metric of requests that it works on, as a regular expression of grep. Absent: it ends them by itself. */
  readonly inFlight?: string;

  readonly model: ModelSetting;
  readonly servedName?: EngineSetting;

  /** The number format of weights and computation, and of quantized weights. */
  readonly precision: { readonly dtype?: EngineSetting; readonly quantization?: EngineSetting };

  /** Variables that name directories that it writes, with the directory in its image. */
  readonly cacheDirectories: Readonly<Record<string, string>>;

  readonly parallelism: ParallelismSettings;

  /** Absent: it serves from one node only, or not by arguments alone. */
  readonly bootstrap?: GangBootstrap;

  /** Absent: it can not take one phase alone. */
  readonly disaggregation?: Disaggregation;

  /** Tokens of a block of its prefix cache. */
  readonly blockSize?: DefaultedEngineSetting<number>;

  readonly user?: ImageUser;
  readonly adapters?: AdapterSetting;
}
