import { KINDS_AT_START } from '../../manifest/kubernetes/labels-and-annotations';
import { SYSTEM_NAMESPACE } from '../../manifest/kubernetes/object-names';
import { hasInferencePools, INFERENCE_POOL_KIND, INFERENCE_POOL_PLURAL } from './inference-pool';
import type { ReleaseContext, ReleaseDefinition, Values } from './release';

const NAMESPACE = 'envoy-ai-gateway-system';
const REPOSITORY = 'oci://docker.io/envoyproxy';
const VERSION = 'v1.1.0';

/** Where the AI gateway answers Envoy Gateway. */
export const AI_GATEWAY_CONTROLLER = `ai-gateway-controller.${NAMESPACE}`;

/** One message holds all that is known of a Gateway. Both sides stop at 4 MiB by themselves, and every change with them. */
const MESSAGE_MIB = 64;

/** Whether a cluster has the AI gateway, for routes that its users bring: ours never need it. */
export function hasAiGateway({ cluster }: Pick<ReleaseContext, 'cluster'>): boolean {
  return cluster.spec.servingStack.aiGateway?.install === true;
}

/** What makes Envoy Gateway ask the AI gateway in each translation (envoyproxy/ai-gateway, envoy-gateway-values.yaml). */
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

/** The same, and InferencePools in routes where we install the kind. */
export function extensionManagerOf(site: ReleaseContext): Values {
  return { ...EXTENSION, ...(hasInferencePools(site) && { backendResources: [INFERENCE_POOL_KIND] }) };
}

/** Envoy AI Gateway and its kinds, only where a cluster asks for it. 1.1 is tested with Envoy Gateway from 1.9 on. */
export const AI_GATEWAY_DEFINITIONS: readonly ReleaseDefinition[] = [
  {
    key: 'aiGatewayCrds',
    name: 'ai-gateway-crds',
    namespace: NAMESPACE,
    chart: 'ai-gateway-crds-helm',
    repository: REPOSITORY,
    version: VERSION,
    needs: [],
    needed: hasAiGateway,
    values: () => ({}),
    imageValues: () => ({}),
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
    values: (site) => ({
      controller: {
        // It looks for the kind only when it starts (envoyproxy/ai-gateway, internal/controller/controller.go).
        ...(hasInferencePools(site) && { podAnnotations: { [KINDS_AT_START]: INFERENCE_POOL_PLURAL } }),
        // No route changes while nobody answers Envoy Gateway. All replicas do, whoever leads.
        replicaCount: 2,
        // Text: Helm would write a number of this size as 6.7108864e+07.
        maxRecvMsgSize: String(MESSAGE_MIB * 1024 * 1024),
        mutatingWebhook: {
          // The chart's own certificate is for a year, and can differ from what the API server was told of it.
          certManager: { enable: true },
          // Proxies start only when the webhook has answered. Ours have no use for it.
          objectSelector: {
            matchLabels: { 'app.kubernetes.io/managed-by': 'envoy-gateway' },
            matchExpressions: [
              {
                key: 'gateway.envoyproxy.io/owning-gateway-namespace',
                operator: 'NotIn',
                values: [SYSTEM_NAMESPACE],
              },
            ],
          },
        },
      },
      // Whose account may read InferencePools.
      envoyGateway: { namespace: SYSTEM_NAMESPACE },
    }),
    imageValues: (mirror) => ({
      controller: { image: { repository: `${mirror}/envoyproxy/ai-gateway-controller` } },
      extProc: { image: { repository: `${mirror}/envoyproxy/ai-gateway-extproc` } },
    }),
  },
];
