/** Namespace and labels of the pods that a picker chooses among, and the port on which they answer. */
export interface Picked {
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
  args: ({ namespace, selector, port }: Picked): readonly string[] => [
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
export const PICKED_HEADER = 'x-gateway-destination-endpoint';

/**
 * What it, or nobody, writes into requests: which pod gets them, which pods it may choose among, and which engine for
 * prefill the sidecar of a pair sends the prompt to. Of a client they would be orders to connect anywhere.
 */
export const PICKER_HEADERS: readonly string[] = [
  'x-data-parallel-host-port',
  'x-encoder-hosts-ports',
  PICKED_HEADER,
  'x-gateway-destination-endpoint-subset',
  'x-prefiller-host-port',
];

function selectorText(selector: Readonly<Record<string, string>>): string {
  return Object.entries(selector)
    .map(([key, value]) => `${key}=${value}`)
    .join(',');
}
