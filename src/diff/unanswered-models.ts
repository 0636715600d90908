import type { ModelDeployment } from '../api/model-deployment';
import { groupBy, sortUnique } from '../base/order';
import { type Fleet, indexDeploymentsById } from '../fleet/fleet';
import type { PlacedFleet } from '../plan/decision';
import type { RoutedService, RouteRule } from '../routing/routing';
import { answersModel, servedNamesOf } from '../routing/served-models';
import { totalWeightOf } from '../routing/weights';
import type { ChangesById } from './replica-causes';
import type { RouteChanges } from './route-changes';
import { matchText } from './traffic-share-changes';

/** Requests for a model that fail because engines that get them do not serve its name, and served it before. */
export interface UnansweredModel {
  /** The service, `namespace/name`. */
  readonly service: string;

  /** The name that requests have. */
  readonly model: string;

  /** What these requests match in addition to the model: `x-canary: 1`. Absent: it is all other requests. */
  readonly match?: string;

  /** The part of these requests that fails after the change, above 0 and at most 1. */
  readonly share: number;

  /** The deployments that get that part, `namespace/name`, and whether each served the name before. Never empty. */
  readonly deployments: readonly { readonly deployment: string; readonly served: boolean }[];
}

interface RoutedStates {
  readonly before: Pick<PlacedFleet, 'fleet' | 'routing'>;
  readonly after: Pick<PlacedFleet, 'fleet' | 'routing'>;
}

/**
 * Finds, by service and model, requests that fail because a change leaves engines without a name that everything behind
 * the service served, or that the service declares. Routes split requests by weight, whatever model they name.
 * Endpoints outside the fleet count as serving every name.
 */
export function findUnansweredModels(
  { before, after }: RoutedStates,
  { changed, routes }: { readonly changed: ChangesById; readonly routes: Pick<RouteChanges, 'services'> },
): UnansweredModel[] {
  const earlier = new Map(before.routing.services.map((one) => [idOf(one), one]));
  const declared = new Map(after.fleet.services.map((one) => [idOf(one.metadata), one.spec.servedModelName]));
  const [old, now] = [before, after].map(({ fleet }) => ({
    deployments: indexDeploymentsById(fleet.deployments),
    caches: fleet.caches,
  }));
  const rerouted = new Set(routes.services.map(({ service }) => service));
  return after.routing.services.flatMap((is) => {
    const id = idOf(is);
    const was = earlier.get(id);
    const isTouched =
      rerouted.has(id) || targetsOf(is.rules).some((target) => changed.has(`ModelDeployment ${target}`));
    if (!was || !old || !now || !isTouched) return [];
    return compareAnswers({ was, old, is, now, servedModelName: declared.get(id) });
  });
}

/** The deployments of a fleet, by `namespace/name`, and the caches that name models of some. */
interface Declared {
  readonly deployments: ReadonlyMap<string, ModelDeployment>;
  readonly caches: Fleet['caches'];
}

interface ServiceStates {
  readonly was: RoutedService;
  readonly old: Declared;
  readonly is: RoutedService;
  readonly now: Declared;
  readonly servedModelName: string | undefined;
}

function compareAnswers({ was, old, is, now, servedModelName }: ServiceStates): UnansweredModel[] {
  const found = was.rules
    .filter(({ model }) => model === undefined)
    .flatMap(({ headers }) =>
      listNames(was, old).flatMap((model): UnansweredModel[] => {
        const [first, then] = [ruleFor(was, headers, model), ruleFor(is, headers, model)];
        if (!first || !then) return [];
        const [failed, share] = [failingShareOf(first, model, old), failingShareOf(then, model, now)];
        const isExpected = failed === 0 || model === servedModelName;
        if (!isExpected || share <= failed) return [];
        const deployments = targetsOf([then])
          .filter((id) => answers(now, id, model) === false)
          .map((deployment) => ({ deployment, served: answers(old, deployment, model) === true }));
        const match = matchText({ headers });
        return [{ service: idOf(is), model, ...(match !== '' && { match }), share, deployments }];
      }),
    );
  return [...groupBy(found, ({ model }) => model).values()].map((all) =>
    all.reduce((most, one) => (one.share > most.share ? one : most)),
  );
}

/** All names of models and adapters that the deployments behind a service serve. */
function listNames({ rules }: RoutedService, { deployments, caches }: Declared): string[] {
  return sortUnique(
    targetsOf(rules).flatMap((id) => {
      const deployment = deployments.get(id);
      if (!deployment) return [];
      const { names, adapters } = servedNamesOf(deployment, caches);
      return [...names, ...adapters];
    }),
  );
}

/** The rule that takes requests with exactly these headers for a model. */
function ruleFor({ rules }: RoutedService, headers: RouteRule['headers'], model: string): RouteRule | undefined {
  const key = JSON.stringify(headers);
  const own = rules.filter((rule) => JSON.stringify(rule.headers) === key);
  return own.find((rule) => rule.model === model) ?? own.find((rule) => rule.model === undefined);
}

/** The part of the requests of a rule for a model that reaches engines which do not serve it. */
function failingShareOf({ members }: RouteRule, model: string, declared: Declared): number {
  const failing = members.filter(({ kind, target }) => {
    return kind === 'Edge' && answers(declared, idOf(target), model) === false;
  });
  return totalWeightOf(failing, 0) / (totalWeightOf(members, 0) || 1);
}

/** Whether a deployment answers requests for a model. Undefined: it is not declared, or the names of its model are unknown. */
function answers({ deployments, caches }: Declared, id: string, model: string): boolean | undefined {
  const deployment = deployments.get(id);
  return deployment && answersModel(deployment, model, caches);
}

/** The deployments that get requests by rules, sorted. */
function targetsOf(rules: readonly RouteRule[]): string[] {
  const members = rules.flatMap((rule) => rule.members).filter(({ kind }) => kind === 'Edge');
  return sortUnique(members.map(({ target }) => idOf(target)));
}

function idOf({ namespace = '', name }: { readonly namespace?: string | undefined; readonly name: string }): string {
  return `${namespace}/${name}`;
}
