import { textAt, valueAt } from '../../base/json';
import { SYSTEM_NAMESPACE } from '../../manifest/kubernetes/object-names';
import { yaml } from '../../manifest/yaml-library';
import { AI_GATEWAY_CONTROLLER } from '../../provision/releases/charts';
import { hasInferencePools, INFERENCE_POOL_KIND } from '../../provision/releases/inference-pool';
import { type CheckResult, reportFailure, reportOk, reportUnlisted } from '../finding';
import { type DoctorCheck, ENVOY_GATEWAY_CONFIG, isPendingInstall, needsRelease } from './check';

/** Extension APIs that routes need, off by default: a route that needs one is accepted and answers 500. */
const EXTENSION_APIS = ['enableBackend', 'enableEnvoyPatchPolicy', 'enableLua'] as const;

/** Checks that Envoy Gateway is installed with the settings that rendered routes need. */
export const gatewayControllerCheck: DoctorCheck = {
  name: 'gateway-controller',
  look(examined): readonly CheckResult[] {
    if (!needsRelease('envoyGateway')(examined)) return [];
    if (isPendingInstall('envoyGateway', examined)) return [reportOk('Envoy Gateway comes with its release')];
    const listing = examined.seen.lists.gatewayConfig;
    if ('missing' in listing) return reportUnlisted(listing, `settings of Envoy Gateway in ${SYSTEM_NAMESPACE}`);
    const [config] = listing.objects;
    if (!config) {
      const hint = `Install the chart gateway-helm into ${SYSTEM_NAMESPACE}: its proxies must be in the namespace of the Gateways`;
      return [reportFailure(`Envoy Gateway is not in namespace ${SYSTEM_NAMESPACE}`, hint)];
    }
    const settings = textAt(config, ['data', ENVOY_GATEWAY_CONFIG.key]);
    if (!needsRelease('aiGateway')(examined)) return [checkExtensionApis(settings)];
    return [
      checkExtensionApis(settings),
      checkAiGateway(settings),
      ...(hasInferencePools(examined) ? [checkInferencePools(settings)] : []),
    ];
  },
};

function checkExtensionApis(settings: string): CheckResult {
  const values: unknown = yaml().parseDocument(settings, { prettyErrors: false, logLevel: 'error' }).toJS();
  const off = EXTENSION_APIS.filter((name) => valueAt(values, ['extensionApis', name]) !== true);
  if (off.length === 0) return reportOk(`Envoy Gateway has ${EXTENSION_APIS.join(', ')} on`);
  const hint = `Set config.envoyGateway.extensionApis.${off[0]} of its chart to true${off.length > 1 ? ', and the others' : ''}: without it, routes that need it answer 500`;
  return reportFailure(`Envoy Gateway has ${off.join(', ')} off`, hint);
}

/** Checks that Envoy Gateway calls the AI gateway. Without that, AIGatewayRoutes are accepted and have no effect. */
function checkAiGateway(settings: string): CheckResult {
  if (settings.includes(AI_GATEWAY_CONTROLLER)) return reportOk('Envoy Gateway asks the AI gateway');
  const hint = `Set config.envoyGateway.extensionManager of its chart, with the service ${AI_GATEWAY_CONTROLLER}.svc.cluster.local: AIGatewayRoutes do nothing without it`;
  return reportFailure('Envoy Gateway does not ask the AI gateway', hint);
}

/** Checks that Envoy Gateway accepts InferencePools as backends. Without that, it answers their requests with 500. */
function checkInferencePools(settings: string): CheckResult {
  const { group, kind, version } = INFERENCE_POOL_KIND;
  if (settings.includes(group)) return reportOk('Envoy Gateway takes routes to InferencePools');
  const hint = `Add { group: ${group}, kind: ${kind}, version: ${version} } to config.envoyGateway.extensionManager.backendResources of its chart: routes to pools answer 500`;
  return reportFailure('Envoy Gateway takes no routes to InferencePools', hint);
}
