import { parseDocument } from 'yaml';
import { AI_GATEWAY_CONTROLLER } from '../../provision/releases/ai-gateway';
import { hasInferencePools, INFERENCE_POOL } from '../../provision/releases/inference-pool';
import { releasesNeeded } from '../../provision/releases/releases-of';
import { SYSTEM_NAMESPACE } from '../../render/names';
import { failure, ok, type Said } from '../finding';
import { objectsIn, textAt, valueAt } from '../live-object';
import { isComing } from './coming';
import type { Check } from './site';
import { unseen } from './unseen';

/** Where the chart of Envoy Gateway keeps its settings (gateway-helm v1.9, envoy-gateway-config.yaml). */
export const ENVOY_GATEWAY = {
  namespace: SYSTEM_NAMESPACE,
  config: 'envoy-gateway-config',
  key: 'envoy-gateway.yaml',
} as const;

/** All three are off by default; a route that needs one is then accepted and answers 500. */
const SWITCHES = ['enableBackend', 'enableEnvoyPatchPolicy', 'enableLua'] as const;

/** Whether Envoy Gateway is there, with what our routes need of it. */
export const gatewayController: Check = {
  name: 'gateway-controller',
  look(site): readonly Said[] {
    const { cluster, fleet, seen } = site;
    const needed = new Set(releasesNeeded(cluster, fleet).map(({ key }) => key));
    if (!needed.has('envoyGateway')) return [];
    if (isComing('envoyGateway', site)) return [ok('Envoy Gateway comes with its release')];
    const listing = seen.lists.gatewayConfig;
    if ('missing' in listing) return unseen(listing, `settings of Envoy Gateway in ${SYSTEM_NAMESPACE}`);
    const [config] = objectsIn(listing);
    if (!config) {
      const hint = `Install the chart gateway-helm into ${SYSTEM_NAMESPACE}: its proxies have to be beside our Gateways`;
      return [failure(`Envoy Gateway is not in namespace ${SYSTEM_NAMESPACE}`, hint)];
    }
    const settings = textAt(config, ['data', ENVOY_GATEWAY.key]);
    if (!needed.has('aiGateway')) return [switches(settings)];
    return [switches(settings), extension(settings), ...(hasInferencePools(site) ? [pools(settings)] : [])];
  },
};

function switches(settings: string): Said {
  const off = switchedOff(settings);
  if (off.length === 0) return ok(`Envoy Gateway has ${SWITCHES.join(', ')} on`);
  const hint = `Set config.envoyGateway.extensionApis.${off[0]} of its chart to true${off.length > 1 ? ', and the others' : ''}: routes that need it answer 500`;
  return failure(`Envoy Gateway has ${off.join(', ')} off`, hint);
}

/** Whether it asks the AI gateway: without that, AIGatewayRoutes are accepted and nothing happens to their requests. */
function extension(settings: string): Said {
  if (settings.includes(AI_GATEWAY_CONTROLLER)) return ok('Envoy Gateway asks the AI gateway');
  const hint = `Set config.envoyGateway.extensionManager of its chart, with the service ${AI_GATEWAY_CONTROLLER}.svc.cluster.local: AIGatewayRoutes do nothing without it`;
  return failure('Envoy Gateway does not ask the AI gateway', hint);
}

/** Whether it takes routes to pools: without that, each of their requests is answered with 500. */
function pools(settings: string): Said {
  const { group, kind, version } = INFERENCE_POOL;
  if (settings.includes(group)) return ok('Envoy Gateway takes routes to InferencePools');
  const hint = `Add { group: ${group}, kind: ${kind}, version: ${version} } to config.envoyGateway.extensionManager.backendResources of its chart: routes to pools answer 500`;
  return failure('Envoy Gateway takes no routes to InferencePools', hint);
}

function switchedOff(text: string): string[] {
  const settings: unknown = parseDocument(text, { prettyErrors: false, logLevel: 'error' }).toJS();
  return SWITCHES.filter((name) => valueAt(settings, ['extensionApis', name]) !== true);
}
