import type { ResourcePath } from '../api/kinds';
import { qualifiedNameOf } from '../api/resource';
import { type Diagnostic, warningAt } from '../base/diagnostic';
import { pluralize } from '../base/text';
import type { Fleet } from '../fleet/fleet';
import type { Bounds } from '../sizing/carried-load';
import { formatLoad, formatRate, formatRates, formatReplicas, formatSources } from '../sizing/load-text';
import type { DeploymentLoad, LoadOnLayout } from './deployment-loads';

/** Warns of deployments whose replicas do not carry their load, or may not. */
export function findLoadWarnings({ deployments }: Fleet, loads: readonly DeploymentLoad[]): Diagnostic<ResourcePath>[] {
  const byId = new Map(deployments.map((deployment) => [qualifiedNameOf(deployment), deployment]));
  return loads.flatMap((one) => {
    const resource = byId.get(one.deployment);
    if (!resource || !one.carried || one.carried.low >= one.requestsPerSecond) return [];
    return [
      warningAt(
        'high-load',
        { resource, path: ['spec', 'model', 'load'] },
        compareToLoad(one, one.carried),
        hintFor(one),
      ),
    ];
  });
}

function hintFor({ layouts }: DeploymentLoad): string {
  const [only, ...others] = layouts;
  if (!only?.needed || others.length > 0) return 'Add replicas, or measure them with more requests at once';
  const { low, high } = only.needed;
  return low === high ? `Set spec.replicas to ${low}` : `Set spec.replicas to ${high}, or at least to ${low}`;
}

/** Says of each load whether its replicas carry it, or how that is measured. */
export function describeLoads(loads: readonly DeploymentLoad[]): string[] {
  return loads.flatMap((one) => {
    const unknown = one.layouts.flatMap((layout) => (layout.measure ? [describeUnknown(one, layout)] : []));
    return one.carried && one.carried.low >= one.requestsPerSecond
      ? [`${one.deployment}: ${compareToLoad(one, one.carried)}.`]
      : unknown;
  });
}

function compareToLoad(load: DeploymentLoad, { low, high }: Bounds): string {
  const carried = high < load.requestsPerSecond ? `at most ${formatRate(high)}` : formatRates({ low, high });
  const has = `${pluralize(load.replicas, 'replica')} ${load.replicas === 1 ? 'carries' : 'carry'} ${carried}`;
  return `${has}, and the load is ${formatLoad(load)}: ${load.layouts.map(describeNeed).join('; ')}`;
}

/** How many replicas of a layout carry a load, and what that rests on. */
function describeNeed({ layout, needed, requestsPerSecond, from }: LoadOnLayout): string {
  if (!needed || !requestsPerSecond) return `on ${layout}, nothing is measured`;
  return `on ${layout}, ${formatReplicas(needed)} ${needed.high === 1 ? 'carries' : 'carry'} it, since one carries ${formatRates(requestsPerSecond)} (${formatSources(from)})`;
}

function describeUnknown(load: DeploymentLoad, { layout, model, measure = [] }: LoadOnLayout): string {
  const what = `How many replicas of ${load.deployment} carry ${formatLoad(load)} cannot be known`;
  const why = `the model catalog of the fleet has no measurement of ${model} with such requests on ${layout}`;
  const [run = '', add = ''] = measure;
  return `${what}: ${why}. Measure one replica: '${run}'. Then add the result: '${add}'.`;
}
