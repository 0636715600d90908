import type { Engine } from '../api/engine';
import type { Locate } from '../api/locate';
import { type Path, qualifiedName } from '../api/resource';
import type { Problem } from '../errors';
import type { Fleet } from '../fleet';
import { rejectNew } from '../scheduler/filters';
import type { Matcher } from '../scheduler/matcher';
import type { Model, Workload } from '../scheduler/model';
import type { RequestMatcher, Verdict } from '../scheduler/request-matcher';
import type { Alternative, NodeShape, PodRequest } from '../scheduler/shapes';

/**
 * Selectors that fail on a device of a class that they match elsewhere. Such a pool counts as no match, because
 * the cluster's allocator gives up a whole attempt to place a pod when a selector fails there.
 */
export function selectorWarnings(
  fleet: Fleet,
  model: Model,
  { requests }: Matcher,
  locate: Locate,
): Problem[] {
  const workloads = new Map(model.workloads.map((workload) => [workload.id, workload]));
  return fleet.deployments.flatMap((deployment) => {
    const workload = workloads.get(qualifiedName(deployment));
    if (!workload) return [];
    const nodes = nodesFor(workload, model);
    return requestsOf(workload).flatMap((found) => {
      const failure = firstFailure(found.form, nodes, requests);
      if (!failure) return [];
      const path = pathOf(deployment.spec.template.spec.engines, found);
      return [
        {
          code: 'selector-error',
          where: locate(deployment, [...path, 'selectors', failure.selector, 'cel']),
          what: `the selector fails on device '${failure.device}' of class ${failure.className}, which it matches elsewhere: ${failure.message}`,
          hint: 'Guard what some devices leave out: `"name" in device.attributes["domain"] && ...`',
        },
      ];
    });
  });
}

interface Found {
  readonly engine: string;
  readonly role: string;
  readonly request: PodRequest;
  readonly form: Alternative;
}

function requestsOf({ demand }: Workload): Found[] {
  return demand.engines.flatMap(({ name, members }) =>
    members.flatMap(({ role, pod }) =>
      pod.requests.flatMap((request) =>
        request.alternatives.map((form) => ({ engine: name, role, request, form })),
      ),
    ),
  );
}

/** The distinct nodes of the clusters on which a deployment may be. */
function nodesFor({ demand }: Workload, { sites }: Model): NodeShape[] {
  const open = sites.filter((site) => !rejectNew(demand, site));
  return [...new Set(open.flatMap(({ pools }) => pools.map(({ node }) => node)))];
}

interface Failure {
  readonly selector: number;
  readonly message: string;
  readonly device: string;
  readonly className: string;
}

function firstFailure(
  form: Alternative,
  nodes: readonly NodeShape[],
  matcher: RequestMatcher,
): Failure | undefined {
  const answers = nodes.flatMap((node) =>
    matcher.verdicts(form, node).map((verdict, k) => toAnswer(verdict, node, k)),
  );
  const matched = new Set(
    answers.filter(({ verdict }) => verdict.kind === 'match').map(({ className }) => className),
  );
  for (const { verdict, className, device } of answers) {
    if (verdict.kind !== 'error' || className === undefined || !matched.has(className)) continue;
    return { selector: verdict.selector, message: verdict.message, device, className };
  }
  return undefined;
}

interface Answer {
  readonly verdict: Verdict;
  readonly device: string;
  readonly className: string | undefined;
}

function toAnswer(verdict: Verdict, { kinds }: NodeShape, k: number): Answer {
  return { verdict, device: kinds[k]?.name ?? '', className: kinds[k]?.deviceClassName };
}

function pathOf(engines: readonly Engine[], { engine, role, request, form }: Found): Path {
  const e = engines.findIndex(({ name }) => name === engine);
  const members = engines[e]?.members ?? [];
  const m = members.findIndex((member) => member.role === role);
  const devices = members[m]?.nodeSelector?.devices ?? [];
  const d = devices.findIndex(({ name }) => name === request.name);
  const path = ['spec', 'template', 'spec', 'engines', e, 'members', m, 'nodeSelector', 'devices', d];
  return form.name === undefined ? path : [...path, 'firstAvailable', request.alternatives.indexOf(form)];
}
