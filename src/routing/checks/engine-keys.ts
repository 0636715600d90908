import { type ResourcePath, resourceIdOf } from '../../api/kinds';
import type { Engine } from '../../api/engine';
import type { ModelDeployment } from '../../api/model-deployment';
import type { ModelService } from '../../api/model-service';
import { type Diagnostic, errorAt } from '../../base/diagnostic';
import { findSetting, type GivenValue } from '../../engine/container-settings';
import { containerSettingsOf } from '../../engine/ports-and-probe-defaults';
import { servingMemberOf } from '../../engine/runtime-detection';
import { listenerOf } from '../listeners';
import { edgeTargetsOf, type RoutingContext } from '../select-targets';

/** Finds engines that require a key although ingress gateways remove the keys and tokens of clients. */
export function* checkEngineKeys({ selections, placedGateways }: RoutingContext): Iterable<Diagnostic<ResourcePath>> {
  const services = new Map<ModelDeployment, ModelService>();
  for (const selection of selections) {
    const { service } = selection;
    if (!placedGateways.some((gateway) => listenerOf(service, gateway).auth.kind !== 'None')) continue;
    for (const { deployment } of edgeTargetsOf(selection)) {
      if (!services.has(deployment)) services.set(deployment, service);
    }
  }
  for (const [deployment, service] of services) yield* checkDeployment(deployment, service);
}

function* checkDeployment(deployment: ModelDeployment, service: ModelService): Iterable<Diagnostic<ResourcePath>> {
  for (const [index, engine] of deployment.spec.template.spec.engines.entries()) {
    const key = findEngineKey(deployment, engine);
    if (!key || key.value === '') continue;
    const member = engine.members.indexOf(servingMemberOf(engine));
    const container = ['members', member, 'template', 'spec', 'containers', 0];
    const path = ['spec', 'template', 'spec', 'engines', index, ...container, ...key.path];
    const what = `the engine answers 401 to all requests for ${resourceIdOf(service)}: it requires the key of ${key.name}, and ingress gateways remove the keys and tokens of clients`;
    const hint = `Remove ${key.name}, because the gateway checks clients; or set 'auth: None' at the service, so that clients send the key of the engine`;
    yield errorAt('engine-key', { resource: deployment, path }, what, hint);
  }
}

function findEngineKey(deployment: ModelDeployment, engine: Engine): GivenValue | undefined {
  const settings = containerSettingsOf(deployment, engine);
  return findSetting(settings, settings.profile.apiKey);
}
