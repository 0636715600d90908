/** Namespace and labels of the pods that a picker chooses among, and the port on which they answer. */
export interface PickerTarget {
  readonly namespace: string;
  readonly selector: Readonly<Record<string, string>>;
  readonly port: number;
}

/**
 * The endpoint picker of llm-d: Envoy shows it each request, and it names the pod that has the beginning cached and is
 * not busy. Arguments and plugins change names between versions, so they are pinned here together with the image, of
 * the version of the routing sidecar. Facts: github.com/llm-d/llm-d-router, `cmd/epp` and `pkg/epp/server/options.go`,
 * v0.9.0.
 */
export const ENDPOINT_PICKER = {
  name: 'endpoint-picker',
  image: 'ghcr.io/llm-d/llm-d-router-endpoint-picker:v0.9.0',

  /** The user of its image. */
  user: 65_532,

  /** Where it speaks the protocol of Envoy's external processors. */
  port: 9002,

  /** Where it says whether it is well, in the protocol of gRPC, for this service. */
  healthPort: 9003,
  healthService: 'inference-extension',
  metricsPort: 9090,

  /** Its own default is 8 CPUs and 8 GiB, which the nodes without GPUs of a small cluster do not have. */
  resources: { requests: { cpu: '500m', memory: '512Mi' }, limits: { memory: '4Gi' } },

  configFolder: '/etc/picker',
  configFile: 'picker.yaml',

  /** It follows the pods themselves: an InferencePool would say the same, and ask for a CRD that no chart installs. */
  args: ({ namespace, selector, port }: PickerTarget): readonly string[] => [
    `--endpoint-selector=${selectorText(selector)}`,
    `--endpoint-target-ports=${port}`,
    `--pool-namespace=${namespace}`,
    `--config-file=${ENDPOINT_PICKER.configFolder}/${ENDPOINT_PICKER.configFile}`,
    `--grpc-port=${ENDPOINT_PICKER.port}`,
    `--grpc-health-port=${ENDPOINT_PICKER.healthPort}`,
    `--metrics-port=${ENDPOINT_PICKER.metricsPort}`,
    // Its own certificate proves nothing: proxies reach it in clear, as they do engines.
    '--secure-serving=false',
    // To check tokens it would need rights over the whole cluster.
    '--metrics-endpoint-auth=false',
    '--tracing=false',
  ],
} as const;

/** Where it writes the address of the pod that it picked. */
export const PICKED_ENDPOINT_HEADER = 'x-gateway-destination-endpoint';

/**
 * What it, or nobody, writes into requests: which pod gets them, which pods it may choose among, and which engine for
 * prefill the sidecar of a pair sends the prompt to. Of a client they would be orders to connect anywhere.
 */
export const PICKER_HEADERS: readonly string[] = [
  'x-data-parallel-host-port',
  'x-encoder-hosts-ports',
  PICKED_ENDPOINT_HEADER,
  'x-gateway-destination-endpoint-subset',
  'x-prefiller-host-port',
];

function selectorText(selector: Readonly<Record<string, string>>): string {
  return Object.entries(selector)
    .map(([key, value]) => `${key}=${value}`)
    .join(',');
}

/** By what requests are picked. */
export interface PickerSettings {
  /** Whether an engine takes whole requests, or two of them a phase each. */
  readonly mode: 'Unified' | 'PrefillDecode';

  /** Tokens of a block of the prefix cache of engines. */
  readonly blockSize: number;
}

/**
 * Blocks of the beginning of a request that are compared, and blocks that are remembered of each pod. The second is
 * what the cache of a GPU holds, roughly; a picker that remembers too many sends requests to what has forgotten them.
 */
const MAX_COMPARED_BLOCKS = 256;
const REMEMBERED_BLOCKS = 31_250;

/** New tokens of a prompt below which an engine for decode reads it itself. 0 would never use the other one. */
const MIN_NEW_TOKENS_FOR_PREFILL = 16;

interface Plugin {
  readonly type: string;
  readonly parameters?: Readonly<Record<string, unknown>>;
}

interface ProfileStep {
  readonly pluginRef: string;
  readonly weight?: number;
}

/** What a pod is worth: most for what it has cached, then for being idle. */
const SCORERS: readonly Required<ProfileStep>[] = [
  { pluginRef: 'prefix-cache-scorer', weight: 3 },
  { pluginRef: 'queue-scorer', weight: 2 },
  { pluginRef: 'kv-cache-utilization-scorer', weight: 2 },
];

const MAX_SCORE_PICKER = 'max-score-picker';

/** What tells the engines of a pair apart, by the label of their role, and decides whether both are needed. */
const PREFILL_DECODE_PLUGINS: readonly Plugin[] = [
  { type: 'disagg-headers-handler' },
  { type: 'prefill-filter' },
  { type: 'decode-filter' },
  { type: 'prefix-based-pd-decider', parameters: { nonCachedTokens: MIN_NEW_TOKENS_FOR_PREFILL } },
  { type: 'disagg-profile-handler', parameters: { deciders: { prefill: 'prefix-based-pd-decider' } } },
];

/**
 * The configuration of the endpoint picker of llm-d.
 *
 * The producer stands there by name and without `autoTune`: left to itself it counts blocks of no tokens, and nothing
 * is ever found cached.
 */
export function buildPickerConfig({ mode, blockSize }: PickerSettings) {
  return {
    apiVersion: 'llm-d.ai/v1alpha1',
    kind: 'EndpointPickerConfig',
    plugins: [
      buildPrefixCacheProducer(blockSize),
      ...toPlugins(SCORERS),
      { type: MAX_SCORE_PICKER },
      ...(mode === 'Unified' ? [] : PREFILL_DECODE_PLUGINS),
    ],
    schedulingProfiles:
      mode === 'Unified'
        ? [buildSchedulingProfile('default', [])]
        : [
            buildSchedulingProfile('prefill', ['prefill-filter']),
            buildSchedulingProfile('decode', ['decode-filter']),
          ],
  };
}

function buildPrefixCacheProducer(blockSizeTokens: number): Plugin {
  return {
    type: 'approx-prefix-cache-producer',
    parameters: {
      autoTune: false,
      blockSizeTokens,
      maxPrefixBlocksToMatch: MAX_COMPARED_BLOCKS,
      lruCapacityPerServer: REMEMBERED_BLOCKS,
    },
  };
}

function toPlugins(steps: readonly ProfileStep[]): Plugin[] {
  return steps.map(({ pluginRef }) => ({ type: pluginRef }));
}

function buildSchedulingProfile(name: string, filters: readonly string[]) {
  const plain = [...filters, MAX_SCORE_PICKER].map((pluginRef): ProfileStep => ({ pluginRef }));
  return { name, plugins: [...plain, ...SCORERS] };
}
