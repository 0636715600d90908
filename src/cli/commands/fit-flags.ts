import { attemptAll } from '../../base/attempt';
import { SIZED_ENGINES } from '../../catalog/engine-overheads';
import { suggestName } from '../../base/name-suggestion';
import { joinNames } from '../../base/text';
import { DEFAULT_ENGINE, type EngineVersion, parseVersion } from '../../sizing/engine-version';
import { FORMAT_NAMES, KV_DTYPES } from '../../sizing/quantization';
import type { ServingOptions } from '../../sizing/serving-options';
import { MOST_TOKENS, parseTokenCount } from '../../sizing/token-count';
import { commandError, meantHint } from '../command-error';
import type { CommonFlags } from '../decide-fleet';

/** The flags of `fleetwright fit`, as they are written. */
export interface FitFlags extends CommonFlags {
  readonly context?: string;
  readonly concurrency?: string;
  readonly kvDtype?: string;
  readonly quantization?: string;
  readonly engine?: string;
  readonly gpuMemoryUtilization?: string;
  readonly maxBatchedTokens?: string;
  readonly kvGib?: string;
  readonly gpu?: string;
  readonly tp?: string;
  readonly pp?: string;
  readonly dp?: string;
  readonly ep?: string;
  readonly requestsPerSecond?: string;
  readonly inputTokens?: string;
  readonly outputTokens?: string;
  readonly modelConfig?: string;
  readonly measured?: readonly string[];
  readonly all?: boolean;
}

/** The tokens of a request where `--context` does not say, unless the model has fewer. */
const DEFAULT_CONTEXT = 8192;

/** Reads the flags that say how a model is served. */
export function parseServingFlags(flags: FitFlags, positions: number): ServingOptions {
  const { context, concurrency, kvDtype = 'auto', quantization, maxBatchedTokens } = flags;
  return attemptAll<ServingOptions>({
    engine: () => parseEngine(flags.engine),
    context: () => parseGivenCount('--context', context) ?? Math.min(DEFAULT_CONTEXT, positions),
    concurrency: () => parseGivenCount('--concurrency', concurrency) ?? 1,
    kvBytes: () => parseChoice('--kv-dtype', kvDtype, Object.keys(KV_DTYPES), (name) => KV_DTYPES[name] ?? 2),
    quantization: () =>
      quantization === undefined
        ? undefined
        : parseChoice('--quantization', quantization, Object.keys(FORMAT_NAMES), (name) => FORMAT_NAMES[name]),
    utilization: () => parseShare('--gpu-memory-utilization', flags.gpuMemoryUtilization),
    maxBatchedTokens: () => parseGivenCount('--max-batched-tokens', maxBatchedTokens),
    kvGiB: () => parseGib('--kv-gib', flags.kvGib),
  });
}

function parseGivenCount(flag: string, text: string | undefined): number | undefined {
  return text === undefined ? undefined : parseCount(flag, text);
}

/** Parses a whole number from 1 on, with a suffix: `32768`, `32k` for 32,000, `32K` for 32,768. */
export function parseCount(flag: string, text: string): number {
  const value = parseTokenCount(text);
  if (value !== undefined) return value;
  const hint = "Write a whole number: '32768', '32k' for 32,000 or '32K' for 32,768";
  throw commandError('bad-flag', flag, `'${text}' is not a whole number from 1 to ${MOST_TOKENS}`, hint);
}

function parseShare(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = /^(0?\.\d{1,6}|[01](\.0*)?)$/.test(text) ? Number(text) : Number.NaN;
  if (value > 0 && value <= 1) return value;
  throw commandError('bad-flag', flag, `'${text}' is not a fraction above 0 and up to 1`, "Write a fraction: '0.92'");
}

function parseGib(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = /^-?\d{1,6}(\.\d{1,9})?$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isNaN(value)) return value;
  throw commandError(
    'bad-flag',
    flag,
    `'${text}' is not a number of GiB`,
    "Use the number that the engine logged: '26.76'",
  );
}

function parseChoice<T>(flag: string, text: string, known: readonly string[], read: (name: string) => T): T {
  const found = known.find((name) => name === text.toLowerCase());
  if (found !== undefined) return read(found);
  const hint = meantHint(suggestName(text, known), `Use one of ${joinNames(known)}`);
  throw commandError('bad-flag', flag, `'${text}' is not known`, hint);
}

/** Parses `vllm@0.20`. Only vLLM has figures by version. */
function parseEngine(text: string | undefined): EngineVersion {
  if (text === undefined) return DEFAULT_ENGINE;
  const [name = '', version, ...rest] = text.split('@');
  const engine = parseChoice('--engine', name, SIZED_ENGINES, (one) => one);
  const known = engine === DEFAULT_ENGINE.name ? DEFAULT_ENGINE.version : ([0, 0] as const);
  const parsed = version === undefined ? known : parseVersion(version);
  if (parsed && rest.length === 0) return { name: engine, version: parsed };
  const what = `'${version ?? ''}' is not a version`;
  throw commandError('bad-flag', '--engine', what, "Write major and minor: 'vllm@0.20'");
}
