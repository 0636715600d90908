import { describeCache } from '../../analyze/explain/cache-view';
import { resourceIdOf } from '../../api/kinds';
import { qualifiedNameOf } from '../../api/resource';
import { suggestObjectName } from '../../base/name-suggestion';
import { sortUnique } from '../../base/order';
import { joinNames, pluralize } from '../../base/text';
import { listReplicasAfter } from '../../plan/deployment-plans';
import { describeCacheLocation } from '../../plan/notes';
import { type Block, styledLines } from '../../report/document/document';
import { formatCacheExplanation, formatCacheSummary } from '../../report/explain/cache-explanation';
import {
  type ClusterView,
  formatClusterExplanation,
  formatClusterSummary,
} from '../../report/explain/cluster-explanation';
import { formatRefusedDeclaration } from '../../report/plan/resource-error-text';
import { placeGateways } from '../../routing/placed-gateways';
import {
  formatGatewayExplanation,
  formatGatewaySummary,
  formatServiceExplanation,
  formatServiceSummary,
} from '../../report/explain/service-explanation';
import { explainCluster } from '../../scheduler/explain-deployment';
import { commandError, meantHint } from '../command-error';
import type { CommonFlags } from '../decide-fleet';
import type { ValidDecision } from '../decide-valid-resources';
import { type Io, printResult } from '../output';
import { toFaultFields } from '../resource-errors';

export interface Explaining {
  readonly decided: ValidDecision;
  readonly flags: CommonFlags;
  readonly io: Io;
}

/** Prints a part of a fleet other than a deployment. Returns false if the fleet has no part of this name. */
type PartPrinter = (name: string, run: Explaining) => boolean;

const PRINTERS: Readonly<Record<'cluster' | 'service' | 'cache' | 'gateway', PartPrinter>> = {
  cluster: printCluster,
  service: printService,
  cache: printCache,
  gateway: printGateway,
};

/** `explain cluster/NAME`, `explain service/NAMESPACE/NAME`, `explain cache/NAMESPACE/NAME`, `explain gateway/NAME`, or their names alone where no deployment has them. */
export function explainPart(id: string, run: Explaining): boolean {
  return Object.entries(PRINTERS).some(([word, print]) => {
    const prefix = `${word}/`;
    return (id.startsWith(prefix) && print(id.slice(prefix.length), run)) || print(id, run);
  });
}

function printCluster(name: string, { decided, flags, io }: Explaining): boolean {
  const compiled = decided.model.clusters.find((one) => one.name === name);
  if (!compiled) return false;
  const replicas = decided.plan.deployments
    .flatMap(listReplicasAfter)
    .filter(({ placement }) => placement.cluster === name);
  const cost = decided.plan.cost.clusters.find((one) => one.cluster === name);
  const { paused, taints } = compiled;
  const view: ClusterView = {
    cluster: name,
    paused,
    taints,
    ...explainCluster(decided.model, decided.schedule.placements, compiled),
    replicas,
    ...(cost && { cost }),
    currency: decided.plan.cost.currency,
  };
  const fields = { ...view, sources: decided.plan.cost.sources, ...toFaultFields(decided) };
  const format = flags.quiet
    ? () => [formatClusterSummary(view)]
    : () => [...noteOfPlan(decided), ...formatClusterExplanation(view)];
  printResult('ClusterExplanation', fields, format, { flags, io, fit: true });
  return true;
}

function printService(id: string, { decided, flags, io }: Explaining): boolean {
  const declared = decided.fleet.services.find((one) => qualifiedNameOf(one) === id);
  if (!declared) return false;
  const hasGateway = placeGateways(decided.fleet).placedGateways.length > 0;
  const routed = decided.plan.services.find(({ namespace, name }) => `${namespace}/${name}` === id);
  const refused = noteOfRefusal(resourceIdOf(declared), decided);
  const format = flags.quiet
    ? () => [...refused, formatServiceSummary(declared, routed)]
    : () => [...refused, ...noteOfPlan(decided), ...formatServiceExplanation(declared, routed, hasGateway)];
  const fields = { service: id, endpoints: declared.spec.endpoints, ...(routed && { routes: routed }) };
  printResult('ServiceExplanation', { ...fields, ...toFaultFields(decided) }, format, { flags, io, fit: true });
  return true;
}

function printGateway(id: string, { decided, flags, io }: Explaining): boolean {
  const declared = decided.fleet.gateways.find(({ metadata }) => metadata.name === id);
  if (!declared) return false;
  const services = decided.plan.services.flatMap((service) =>
    service.gateways.filter(({ gateway }) => gateway === id).map((listener) => ({ service, listener })),
  );
  const fields = {
    gateway: id,
    spec: declared.spec,
    services: services.map(({ service, listener }) => ({
      service: `${service.namespace}/${service.name}`,
      cluster: listener.cluster,
      url: listener.url,
    })),
  };
  const format = flags.quiet
    ? () => [formatGatewaySummary(id, services)]
    : () => [...noteOfPlan(decided), ...formatGatewayExplanation(id, services)];
  printResult('GatewayExplanation', { ...fields, ...toFaultFields(decided) }, format, { flags, io, fit: true });
  return true;
}

function printCache(id: string, { decided, flags, io }: Explaining): boolean {
  const declared = decided.fleet.caches.find((one) => qualifiedNameOf(one) === id);
  if (!declared) return false;
  const { view, location } = describeCache(decided, declared);
  const { currency } = decided.plan.cost;
  const refused = noteOfRefusal(resourceIdOf(declared), decided);
  const format = flags.quiet
    ? () => [...refused, formatCacheSummary(view)]
    : () => [
        ...refused,
        ...noteOfPlan(decided),
        ...formatCacheExplanation(view, describeCacheLocation(location), currency),
      ];
  printResult('CacheExplanation', { ...view, currency, ...toFaultFields(decided) }, format, { flags, io, fit: true });
  return true;
}

/** Says that what is shown is not what is declared. Empty where the declaration has no error. */
export function noteOfRefusal(id: string, { problems }: ValidDecision): Block[] {
  return styledLines('strong', formatRefusedDeclaration(id, problems));
}

/** Says that what is shown is not what runs. Empty where the lock is up to date. */
function noteOfPlan({ outOfDate }: ValidDecision): Block[] {
  return outOfDate ? ["As planned: 'fleetwright lock' has not written this yet.", ''] : [];
}

const CLASS_PREFIX = 'class/';

const FORM =
  'Write NAMESPACE/NAME of a ModelDeployment or ModelService, service/NAMESPACE/NAME, cache/NAMESPACE/NAME, cluster/NAME, gateway/NAME, class/NAME, or KIND.FIELD for a field';

/** @throws FleetwrightError with the nearest name of the fleet */
export function refuseUnknownPart(id: string, target: string, decided: ValidDecision): never {
  refuseRemovedCluster(id, target, decided);
  const { fleet, model } = decided;
  const classes = fleet.classes.map(({ metadata }) => `${CLASS_PREFIX}${metadata.name}`);
  const deployments = model.deployments.map((one) => one.id);
  const clusters = [...fleet.clusters, ...fleet.gateways].map(({ metadata }) => metadata.name);
  const others = [...fleet.services, ...fleet.caches].map(qualifiedNameOf);
  const near = suggestObjectName(id, [...deployments, ...others, ...clusters, ...classes]);
  const isClass = id.startsWith(CLASS_PREFIX);
  const known = isClass && classes.length > 0 ? `Write one of ${joinNames(classes)}` : FORM;
  const what = isClass
    ? `there is no InferenceClass '${id.slice(CLASS_PREFIX.length)}'`
    : `there is no deployment, service, cache, gateway or cluster '${id}'`;
  throw commandError('unknown-deployment', target, what, meantHint(near, known));
}

/** @throws FleetwrightError if the lock has replicas on a cluster of this name, which is no longer declared */
function refuseRemovedCluster(id: string, target: string, { given }: ValidDecision): void {
  const name = id.startsWith('cluster/') ? id.slice('cluster/'.length) : id;
  const lines = given.placements.filter(({ cluster }) => cluster === name);
  if (lines.length === 0) return;
  const names = joinNames(sortUnique(lines.map(({ deployment }) => deployment)), MAX_NAMED);
  const what = `the cluster '${name}' is not declared, and the lock has ${pluralize(lines.length, 'replica')} there, of ${names}`;
  const hint = `Run 'fleetwright plan ${target}' to see where they go, or declare the cluster again`;
  throw commandError('unknown-deployment', target, what, hint);
}

const MAX_NAMED = 4;
