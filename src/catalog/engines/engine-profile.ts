import type { EngineMetrics } from './engine-metrics';
import type { FlagValues } from './flag-values';
import type { PublishedImages } from './published-images';
import type { Runtime } from './runtimes';

/** The flags and the variable that pass a value to a runtime. Fleetwright writes the first flag of its aliases. */
export interface EngineSetting {
  readonly flags: readonly string[];

  /** The variable that the runtime reads if there is no flag. */
  readonly env?: string;
}

interface DefaultedEngineSetting<T> extends EngineSetting {
  readonly default: T;
}

/** The number format that an engine computes in. */
interface NumberFormatSetting extends EngineSetting {
  /**
   * The behavior of an engine whose number format is that of the model, with a BF16 model on a device without BF16.
   * Absent if the runtime chooses a format that the device has.
   */
  readonly ofModel?: {
    /** The value that means the format of the model, as no value does. */
    readonly value: string;

    /** The value for FP16, which such devices have. */
    readonly half: string;

    /** As a clause about BF16 models. */
    readonly without: string;
  };
}

interface ModelSetting extends EngineSetting {
  /** Whether an argument without a flag is the model. */
  readonly positional: boolean;

  /** Whether the model can be a directory of weights, so that a cache can provide it. */
  readonly directory: boolean;

  /** The behavior without a model: it fails, or serves an unexpected model. Absent if no model is required. */
  readonly without?: string;
}

/** The parallelism of an engine. Without `tensor`, the runtime decides by itself or supports one device. */
interface ParallelismSettings {
  /** Whether the runtime takes all visible devices if `tensor` is not set. Otherwise it takes one. */
  readonly automatic?: true;

  /** Other kinds of parallelism. If one is set, the number of ranks is not checked. */
  readonly other?: EngineSetting;

  readonly tensor?: EngineSetting;
  readonly pipeline?: EngineSetting;

  /** Copies of the weights, each on separate devices. */
  readonly data?: EngineSetting;

  /** The number of these copies on the local node. */
  readonly dataLocal?: EngineSetting;

  /** A switch that makes data ranks share the devices of tensor parallelism, so that they add no devices. */
  readonly dataWithinTensor?: EngineSetting;
}

/** The settings that decide how an engine divides the memory of its GPUs. */
export interface MemorySettings {
  /** The name of the engine in the table of what engines take in addition to weights and KV cache. */
  readonly engine: string;

  /** Images whose tag is the version of the engine, with the version. Absent: no version matters. */
  readonly versions?: RegExp;

  /** The longest request. Default: that of the model. `fitting` are values for which the engine takes what fits. */
  readonly context: EngineSetting & { readonly fitting: readonly string[] };

  /** Whether it refuses to start if one request of that length does not fit. */
  readonly refusesLongContext: boolean;
  readonly utilization?: EngineSetting;
  readonly batchedTokens?: EngineSetting;
  readonly kvDtype?: EngineSetting;

  /** Whether data ranks share the experts of a mixture. Otherwise each has all of them. */
  readonly sharesExperts: boolean;

  /** The switch that distributes whole experts over the ranks, instead of parts of each. */
  readonly expertParallel?: EngineSetting;

  /** The number of groups of ranks that whole experts are distributed over. */
  readonly expertRanks?: EngineSetting;

  /** Settings that divide the memory in a way that is not computed, such as weights in the memory of the host. */
  readonly unsized: EngineSetting;

  /** Settings with which an engine takes less than the logged runs do. */
  readonly lean: EngineSetting;

  /** Settings that change the longest request of the model. */
  readonly stretched: EngineSetting;

  /** The setting without which the engine refuses a longer request than the model allows. Absent: it takes any. */
  readonly overlong?: EngineSetting;
}

/**
 * The way in which ranks of a gang find each other. Values can use the environment of
 * `src/render/pod/engine-container.ts`.
 */
interface GangBootstrap {
  /** The flags of every rank and their values. `{nodes}` is replaced by the number of nodes. */
  readonly flags: readonly (readonly [flag: string, value: string])[];

  /** Switches for ranks that do not serve requests. */
  readonly workerSwitches: readonly string[];

  /** Environment variables of every rank, from fields of its pod. */
  readonly podFields: Readonly<Record<string, string>>;

  /** The flag value that selects Ray: the leader starts a Ray cluster and the workers join it. */
  readonly ray?: { readonly setting: EngineSetting; readonly value: string; readonly port: number };
}

/** The way in which a prefill engine transfers its results to a decode engine. */
export interface Disaggregation {
  /** The name of the connector in the routing sidecar. */
  readonly connector: string;

  /** The flags of every rank, by the phase of its engine. */
  readonly flags: Readonly<Record<'Prefill' | 'Decode', readonly (readonly [flag: string, value: string])[]>>;

  /** Environment variables of every rank. Each rank sends or fetches its part. */
  readonly env: Readonly<Record<string, string>>;

  /** Environment variables of every rank, from fields of its pod. */
  readonly podFields: Readonly<Record<string, string>>;
}

/** The way to pass adapters: their form, and the switches that enable them. */
export interface AdapterSetting extends EngineSetting {
  readonly switches: readonly string[];

  /** Words: one flag, then a word per adapter. Commas: one value. Repeated: a flag each. Directory: their folder. */
  readonly form: 'Words' | 'Commas' | 'Repeated' | 'Directory';

  /** Whether an adapter is written as `name=path` instead of its path. */
  readonly named: boolean;
}

/** The user that the image of a runtime runs as, and the requirements of this user. */
export interface ImageUser {
  readonly id: number;

  /** Whether the runtime works as any other user that can write to its cache directories. */
  readonly anyUser: boolean;

  /** Linux capabilities that the runtime needs if all others are dropped. */
  readonly capabilities: readonly string[];
}

/** How an engine that is derived from a model is started. */
export interface DerivedStart {
  /** An image of a release that the table of overheads covers. */
  readonly image: string;

  /** Default: the entrypoint of the image. */
  readonly command?: readonly string[];

  /** The flag of the commit of a repository. */
  readonly revision: string;

  /** The flag of the most requests at once, and how many there are without it. Absent: as many as fit. */
  readonly requests?: { readonly flag: string; readonly default: number };

  /** The switch that distributes whole experts. Absent: it takes no layout that does. */
  readonly expertParallel?: string;

  /** Formats that it converts weights of bf16 to as it loads them. */
  readonly converts: readonly string[];
}

/**
 * The facts about a runtime: detection, configuration, health checks and shutdown. Sources are its documentation and
 * images. Values that a user writes always take precedence.
 */
export interface EngineProfile {
  /** What it accepts as the values of some flags. Absent: not known. */
  readonly flagValues?: readonly FlagValues[];

  readonly runtime: Runtime;

  /** The name that its vendor uses. */
  readonly title: string;

  /** Patterns for the repositories of its images, without tag. They match anywhere in the path, also on mirrors. */
  readonly images: readonly RegExp[];

  /** The images that its vendor publishes. Absent: misspelled images and tags are not detected. */
  readonly published?: PublishedImages;

  /** The words of a command line that start it. The first word can be a path. Longer commands come first. */
  readonly programs: readonly string[];

  /** Whether its image starts it without a command, so that only arguments are needed. */
  readonly entrypoint: boolean;

  /** Patterns for the repositories of its images that nonetheless start nothing without a command. Default: none. */
  readonly idleImages?: readonly RegExp[];

  /** Whether it refuses `--flag=value`, so that a flag and its value are two arguments. */
  readonly separateValues?: true;

  /** How a model without engines is started. Absent: it is not derived. */
  readonly derived?: DerivedStart;

  /** Flags without a value, in addition to the flags whose names indicate it. */
  readonly switches: readonly string[];

  /** A file that can set all arguments. With it, missing arguments are unknown. */
  readonly configFile?: EngineSetting;

  readonly port: DefaultedEngineSetting<number>;

  /** The name that its port must have in its pod. Absent: the port needs no name. */
  readonly portName?: string;

  /** Whether an operator starts its gangs, and sets the probes of what accepts its requests. */
  readonly operated?: true;

  /** The framework inside it, for an operator that starts it. */
  readonly framework?: 'vllm' | 'sglang' | 'trtllm';

  /** The port of the health endpoints, if it can differ from `port`. */
  readonly healthPort?: EngineSetting;

  /** The address that it binds by default, in its official image. */
  readonly host: DefaultedEngineSetting<string>;

  /** Paths that answer 200 when the engine is ready. Absent if there is no known path. */
  readonly health?: { readonly startup: string; readonly readiness: string; readonly liveness: string };

  /** Timeout of a health check in seconds. Some runtimes generate a token for it. */
  readonly healthTimeout: number;

  /** Absent if it has no metrics for Prometheus. */
  readonly metrics?: EngineMetrics;

  /** The metric of requests in progress, as a regular expression for grep. Absent if the runtime drains by itself. */
  readonly inFlight?: string;

  readonly model: ModelSetting;
  readonly servedName?: EngineSetting;

  /**
   * Whether an engine that loads a directory, and that gets no served name, answers only to the path of the directory.
   * Absent: it answers to another name or to any.
   */
  readonly pathIsName?: true;

  /** The number format of weights and computation, and of quantized weights. */
  readonly precision: { readonly dtype?: NumberFormatSetting; readonly quantization?: EngineSetting };

  /** The processes that keep a core busy, in addition to one for each device. Default: 1. */
  readonly processes?: number;

  /** Environment variables that name writable directories, with the default directory of the image. */
  readonly cacheDirectories: Readonly<Record<string, string>>;

  readonly parallelism: ParallelismSettings;

  /** Absent if it is not known how it divides the memory. */
  readonly memory?: MemorySettings;

  /** Absent if it serves from one node only, or if arguments alone cannot configure several nodes. */
  readonly bootstrap?: GangBootstrap;

  /** Absent if it cannot run one phase only. */
  readonly disaggregation?: Disaggregation;

  /** Tokens per block of its prefix cache. */
  readonly blockSize?: DefaultedEngineSetting<number>;

  /** The setting that turns its prefix cache on, if that is off by default, or else off. Absent: it is unknown. */
  readonly prefixCache?: { readonly on?: EngineSetting; readonly off?: EngineSetting };

  readonly user?: ImageUser;
  readonly adapters?: AdapterSetting;

  /** The keys that it requires in requests. Absent: it requires none. */
  readonly apiKey?: EngineSetting;

  /**
   * Common flags that nothing here reads, and flags that differ by few letters from those above. Only used to detect
   * misspelled flags. Absent: misspelled flags are not detected.
   */
  readonly otherFlags?: readonly string[];

  /** The release whose flags are all named above. Absent: some are not, so an unknown flag is not reported. */
  readonly flagsOf?: string;
}
