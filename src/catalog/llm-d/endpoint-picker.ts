interface PickerTarget {
  readonly namespace: string;
  readonly selector: Readonly<Record<string, string>>;
  readonly port: number;
}

/**
 * The endpoint picker of llm-d. Envoy asks it about each request, and it returns a pod that has cached the start of the
 * prompt and is not busy. Arguments and plugins change between versions, so they are pinned together with the image, at
 * the version of the routing sidecar. Facts: github.com/llm-d/llm-d-router, `cmd/epp` and `pkg/epp/server/options.go`,
 * v0.9.0.
 */
export const ENDPOINT_PICKER = {
  name: 'endpoint-picker',
  image: 'ghcr.io/llm-d/llm-d-router-endpoint-picker:v0.9.0',

  /** The user of its image. */
  user: 65_532,

  /** The port of the external processing protocol of Envoy. */
  port: 9002,

  /** The port of gRPC health checks, and the service name that they use. */
  healthPort: 9003,
  healthService: 'inference-extension',
  metricsPort: 9090,

  /** The default of 8 CPUs and 8 GiB does not fit on the nodes without GPUs of a small cluster. */
  resources: { requests: { cpu: '500m', memory: '512Mi' }, limits: { memory: '4Gi' } },

  configFolder: '/etc/picker',
  configFile: 'picker.yaml',

  /** It selects the pods directly: an InferencePool needs a CRD that no chart installs. */
  args: ({ namespace, selector, port }: PickerTarget): readonly string[] => [
    `--endpoint-selector=${selectorText(selector)}`,
    `--endpoint-target-ports=${port}`,
    `--pool-namespace=${namespace}`,
    `--config-file=${ENDPOINT_PICKER.configFolder}/${ENDPOINT_PICKER.configFile}`,
    `--grpc-port=${ENDPOINT_PICKER.port}`,
    `--grpc-health-port=${ENDPOINT_PICKER.healthPort}`,
    `--metrics-port=${ENDPOINT_PICKER.metricsPort}`,
    // Its self-signed certificate proves nothing. Proxies connect to it in plain text, as they do to engines.
    '--secure-serving=false',
    // To check tokens, it needs cluster-wide permissions.
    '--metrics-endpoint-auth=false',
    '--tracing=false',
  ],
} as const;

/** The header in which it writes the address of the selected pod. */
export const PICKED_ENDPOINT_HEADER = 'x-gateway-destination-endpoint';

/**
 * Headers that only the picker may set: the selected pod, the candidate pods, and the prefill engine that the sidecar
 * uses. From a client, they would redirect connections to any address.
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

/** The settings of a picker configuration. */
export interface PickerSettings {
  /** Whether one engine serves a request, or two engines serve one phase each. */
  readonly mode: 'Unified' | 'PrefillDecode';

  /** Tokens per block of the prefix cache of engines. */
  readonly blockSize: number;
}

/**
 * The number of blocks at the start of a request that are compared, and the number of blocks that are remembered per
 * pod. The second roughly matches the cache of a GPU; with a larger value, the picker sends requests to pods that
 * evicted their blocks.
 */
const MAX_COMPARED_BLOCKS = 256;
const REMEMBERED_BLOCKS = 31_250;

/** With fewer new tokens in a prompt, the decode engine processes them. 0 would never use the prefill engine. */
const MIN_NEW_TOKENS_FOR_PREFILL = 16;

interface Plugin {
  readonly type: string;
  readonly parameters?: Readonly<Record<string, unknown>>;
}

/** The score of a pod: cached blocks count most, then idleness. */
const SCORERS = [
  { pluginRef: 'prefix-cache-scorer', weight: 3 },
  { pluginRef: 'queue-scorer', weight: 2 },
  { pluginRef: 'kv-cache-utilization-scorer', weight: 2 },
];

const MAX_SCORE_PICKER = 'max-score-picker';

/** The plugins that separate prefill and decode engines by role label, and decide whether both are needed. */
const PREFILL_DECODE_PLUGINS: readonly Plugin[] = [
  { type: 'disagg-headers-handler' },
  { type: 'prefill-filter' },
  { type: 'decode-filter' },
  { type: 'prefix-based-pd-decider', parameters: { nonCachedTokens: MIN_NEW_TOKENS_FOR_PREFILL } },
  { type: 'disagg-profile-handler', parameters: { deciders: { prefill: 'prefix-based-pd-decider' } } },
];

/**
 * Returns the configuration of the endpoint picker of llm-d.
 *
 * The prefix cache producer is explicit, without `autoTune`: by default it counts blocks of zero tokens and never finds
 * a cached prefix.
 */
export function buildPickerConfig({ mode, blockSize }: PickerSettings) {
  return {
    apiVersion: 'llm-d.ai/v1alpha1',
    kind: 'EndpointPickerConfig',
    plugins: [
      buildPrefixCacheProducer(blockSize),
      ...SCORERS.map(({ pluginRef }): Plugin => ({ type: pluginRef })),
      { type: MAX_SCORE_PICKER },
      ...(mode === 'Unified' ? [] : PREFILL_DECODE_PLUGINS),
    ],
    schedulingProfiles:
      mode === 'Unified'
        ? [buildSchedulingProfile('default', [])]
        : [buildSchedulingProfile('prefill', ['prefill-filter']), buildSchedulingProfile('decode', ['decode-filter'])],
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

function buildSchedulingProfile(name: string, filters: readonly string[]) {
  const plain = [...filters, MAX_SCORE_PICKER].map((pluginRef) => ({ pluginRef }));
  return { name, plugins: [...plain, ...SCORERS] };
}
