import type * as FleetSettings from './fleet-settings';
import type * as Grants from './grant';
import type * as Classes from './inference-class';
import type * as Clusters from './inference-cluster';
import type * as Gateways from './inference-gateway';
import type * as Caches from './model-cache';
import type * as Deployments from './model-deployment';
import type * as Endpoints from './model-endpoint';
import type * as Services from './model-service';
import type { Kind } from './schema/kind';

/** All kinds, in the order in which a fleet is usually declared. */
export const KINDS = [
  lazyKind('Fleet', () => (require('./fleet-settings') as typeof FleetSettings).fleetSettings),
  lazyKind('InferenceClass', () => (require('./inference-class') as typeof Classes).inferenceClass),
  lazyKind('InferenceCluster', () => (require('./inference-cluster') as typeof Clusters).inferenceCluster),
  lazyKind('InferenceGateway', () => (require('./inference-gateway') as typeof Gateways).inferenceGateway),
  lazyKind('ModelCache', () => (require('./model-cache') as typeof Caches).modelCache),
  lazyKind('ModelDeployment', () => (require('./model-deployment') as typeof Deployments).modelDeployment),
  lazyKind('ModelService', () => (require('./model-service') as typeof Services).modelService),
  lazyKind('ModelEndpoint', () => (require('./model-endpoint') as typeof Endpoints).modelEndpoint),
  lazyKind('Grant', () => (require('./grant') as typeof Grants).grant),
] as const;

/** Defers a definition until more than the name of its kind is asked for: schemas are slow to build, and a fleet declares few kinds. */
function lazyKind<K extends string, S>(kind: K, load: () => Kind<K, S>): Kind<K, S> {
  let loaded: Kind<K, S> | undefined;
  const definition = () => (loaded ??= load());
  return {
    kind,
    get scope() {
      return definition().scope;
    },
    get groups() {
      return definition().groups;
    },
    get description() {
      return definition().description;
    },
    get document() {
      return definition().document;
    },
    fieldNames: (path) => definition().fieldNames(path),
    parse: (value, group) => definition().parse(value, group),
    parseMetadata: (value) => definition().parseMetadata(value),
  };
}
