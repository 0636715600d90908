/** By what requests are picked. */
export interface Picking {
  /** Whether an engine takes whole requests, or two of them a phase each. */
  readonly mode: 'Unified' | 'PrefillDecode';

  /** Tokens of a block of the prefix cache of engines. */
  readonly blockSize: number;
}

/**
 * Blocks of the beginning of a request that are compared, and blocks that are remembered of each pod. The second is
 * what the cache of a GPU holds, roughly; a picker that remembers too many sends requests to what has forgotten them.
 */
const COMPARED = 256;
const REMEMBERED = 31_250;

/** New tokens of a prompt below which an engine for decode reads it itself. 0 would never use the other one. */
const WORTH_SENDING = 16;

interface Plugin {
  readonly type: string;
  readonly parameters?: Readonly<Record<string, unknown>>;
}

interface Step {
  readonly pluginRef: string;
  readonly weight?: number;
}

/** What a pod is worth: most for what it has cached, then for being idle. */
const SCORERS: readonly Required<Step>[] = [
  { pluginRef: 'prefix-cache-scorer', weight: 3 },
  { pluginRef: 'queue-scorer', weight: 2 },
  { pluginRef: 'kv-cache-utilization-scorer', weight: 2 },
];

const BEST = 'max-score-picker';

/** What tells the engines of a pair apart, by the label of their role, and decides whether both are needed. */
const PAIR: readonly Plugin[] = [
  { type: 'disagg-headers-handler' },
  { type: 'prefill-filter' },
  { type: 'decode-filter' },
  { type: 'prefix-based-pd-decider', parameters: { nonCachedTokens: WORTH_SENDING } },
  { type: 'disagg-profile-handler', parameters: { deciders: { prefill: 'prefix-based-pd-decider' } } },
];

/**
 * The configuration of the endpoint picker of llm-d.
 *
 * The producer stands there by name and without `autoTune`: left to itself it counts blocks of no tokens, and nothing
 * is ever found cached.
 */
export function pickerConfig({ mode, blockSize }: Picking) {
  return {
    apiVersion: 'llm-d.ai/v1alpha1',
    kind: 'EndpointPickerConfig',
    plugins: [producer(blockSize), ...named(SCORERS), { type: BEST }, ...(mode === 'Unified' ? [] : PAIR)],
    schedulingProfiles:
      mode === 'Unified'
        ? [profile('default', [])]
        : [profile('prefill', ['prefill-filter']), profile('decode', ['decode-filter'])],
  };
}

function producer(blockSizeTokens: number): Plugin {
  return {
    type: 'approx-prefix-cache-producer',
    parameters: {
      autoTune: false,
      blockSizeTokens,
      maxPrefixBlocksToMatch: COMPARED,
      lruCapacityPerServer: REMEMBERED,
    },
  };
}

function named(steps: readonly Step[]): Plugin[] {
  return steps.map(({ pluginRef }) => ({ type: pluginRef }));
}

function profile(name: string, filters: readonly string[]) {
  const plain = [...filters, BEST].map((pluginRef): Step => ({ pluginRef }));
  return { name, plugins: [...plain, ...SCORERS] };
}
