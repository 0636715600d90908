import { KINDS_AT_START } from '../../manifest/kubernetes/labels-and-annotations';
import { SYSTEM_NAMESPACE } from '../../manifest/kubernetes/object-names';
import { hasInferencePools, INFERENCE_POOL_KIND, INFERENCE_POOL_PLURAL } from './inference-pool';
import type { ReleaseContext, ReleaseDefinition, Values } from './release';

const NAMESPACE = 'envoy-ai-gateway-system';
const REPOSITORY = 'oci://docker.io/envoyproxy';
const VERSION = 'v1.1.0';

const OWNER_NAMESPACE = 'gateway.envoyproxy.io/owning-gateway-namespace';

/** The host of the AI gateway for Envoy Gateway, without the cluster domain. */
export const AI_GATEWAY_CONTROLLER = `ai-gateway-controller.${NAMESPACE}`;

/**
 * The maximum message size, in MiB. One message contains the whole state of a Gateway. With the default of 4 MiB,
 * larger messages would block every change.
 */
const MESSAGE_MIB = 64;

/** Whether a cluster has the AI gateway, for routes of its users. Routes of Fleetwright do not need it. */
export function hasAiGateway({ cluster }: Pick<ReleaseContext, 'cluster'>): boolean {
  return cluster.spec.servingStack.aiGateway?.install === true;
}

/** Makes Envoy Gateway call the AI gateway in each translation (envoyproxy/ai-gateway, envoy-gateway-values.yaml). */
const EXTENSION: Values = {
  hooks: {
    xdsTranslator: {
      translation: {
        listener: { includeAll: true },
        route: { includeAll: true },
        cluster: { includeAll: true },
        secret: { includeAll: true },
      },
      post: ['Translation', 'Cluster', 'Route'],
    },
  },
  service: { fqdn: { hostname: `${AI_GATEWAY_CONTROLLER}.svc.cluster.local`, port: 1063 } },
  maxMessageSize: `${MESSAGE_MIB}Mi`,
};

/** Returns the extension settings of Envoy Gateway, with InferencePools as backends if their kind is installed. */
export function extensionManagerOf(context: ReleaseContext): Values {
  return { ...EXTENSION, ...(hasInferencePools(context) && { backendResources: [INFERENCE_POOL_KIND] }) };
}

/** The releases of Envoy AI Gateway, where requested. Version 1.1 is tested with Envoy Gateway 1.9 and later. */
export const AI_GATEWAY_DEFINITIONS: readonly ReleaseDefinition[] = [
  {
    key: 'aiGatewayCrds',
    name: 'ai-gateway-crds',
    namespace: NAMESPACE,
    chart: 'ai-gateway-crds-helm',
    repository: REPOSITORY,
    version: VERSION,
    needed: hasAiGateway,
  },
  {
    key: 'aiGateway',
    name: 'ai-gateway',
    namespace: NAMESPACE,
    chart: 'ai-gateway-helm',
    repository: REPOSITORY,
    version: VERSION,
    // Its controller watches kinds of all four.
    needs: ['certManager', 'envoyGateway', 'aiGatewayCrds', 'inferenceCrds'],
    needed: hasAiGateway,
    values: (context) => ({
      controller: {
        // The controller looks for the kind only at start (envoyproxy/ai-gateway, internal/controller/controller.go).
        ...(hasInferencePools(context) && { podAnnotations: { [KINDS_AT_START]: INFERENCE_POOL_PLURAL } }),
        // No route changes while the extension is down. All replicas answer, not only the leader.
        replicaCount: 2,
        // A string, because Helm would format the number as 6.7108864e+07.
        maxRecvMsgSize: String(MESSAGE_MIB * 1024 * 1024),
        mutatingWebhook: {
          // The certificate of the chart is valid for a year, and can differ from the CA bundle that the API server
          // has.
          certManager: { enable: true },
          // Proxies start only after the webhook answers. Fleetwright's proxies do not need the webhook.
          objectSelector: {
            matchLabels: { 'app.kubernetes.io/managed-by': 'envoy-gateway' },
            matchExpressions: [{ key: OWNER_NAMESPACE, operator: 'NotIn', values: [SYSTEM_NAMESPACE] }],
          },
        },
      },
      // The namespace of the service account that may read InferencePools.
      envoyGateway: { namespace: SYSTEM_NAMESPACE },
    }),
    imageValues: (mirror) => ({
      controller: { image: { repository: `${mirror}/envoyproxy/ai-gateway-controller` } },
      extProc: { image: { repository: `${mirror}/envoyproxy/ai-gateway-extproc` } },
    }),
  },
];
