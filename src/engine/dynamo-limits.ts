import { copyBoundsOf, isAutoscaled } from '../api/engine-copies';
import { isDynamo } from '../api/engine-phases';
import type { ModelDeployment } from '../api/model-deployment';
import { joinNames } from '../base/text';
import { DYNAMO, DYNAMO_DOMAIN } from '../catalog/backends';
import type { BackendLimit } from './backend-limits';
import { differingPartsOf, frameworksOf, hasGang, isDynamoGraph } from './dynamo-graph';

/** Finds what Dynamo cannot express of a deployment, so that its replicas cannot run there. */
export function findDynamoLimits(deployment: ModelDeployment): BackendLimit[] {
  if (isDynamoGraph(deployment)) return LIMITS.flatMap((find) => [...find(deployment)]);
  const plain = deployment.spec.template.spec.engines.filter((engine) => !isDynamo(engine));
  const names = joinNames(plain.map(({ name }) => name));
  return [{ what: `Dynamo runs its own workers only, and ${names} does not have runtime Dynamo` }];
}

/** The fewest characters that the name of a graph needs: some of its deployment, and a digest. */
const SHORTEST_GRAPH_NAME = 12;

/** The most characters in the name of the graph of a deployment. */
export function longestGraphNameOf({ spec }: Pick<ModelDeployment, 'spec'>): number {
  const { engines } = spec.template.spec;
  const room = engines.map(({ name, members }) => {
    // A gang is a group of two cliques, each named after the component, with `-ldr` and `-wkr`.
    const inGrove = DYNAMO.longestGroveName - (members.length > 1 ? 2 * name.length + 6 : name.length + 1);
    return Math.min(inGrove, 63 - name.length - 1 - DYNAMO.generationLength);
  });
  return Math.min(...room);
}

const LIMITS: readonly ((deployment: ModelDeployment) => Iterable<BackendLimit>)[] = [
  function* shareFramework(deployment) {
    const frameworks = frameworksOf(deployment);
    if (frameworks.length > 1) yield { what: `workers run ${joinNames(frameworks)}, and a graph has one framework` };
    if (frameworks.length === 0 && hasGang(deployment)) {
      yield { what: 'the framework of the workers is not known, and Dynamo starts a gang by its framework' };
    }
  },

  function* shareTemplates({ spec }) {
    for (const engine of spec.template.spec.engines) {
      const parts = differingPartsOf(engine);
      if (parts.length === 0) continue;
      const what = `the leader and the workers of engine ${engine.name} have different ${joinNames(parts)}, and Dynamo has one template for both`;
      yield { what };
    }
  },

  function* keepCopies({ spec }) {
    for (const engine of spec.template.spec.engines) {
      if (isAutoscaled(engine))
        yield { what: `the copies of engine ${engine.name} have bounds, and Dynamo scales its components itself` };
    }
  },

  function* shareLabels({ spec }) {
    const members = spec.template.spec.engines.flatMap((engine) => engine.members);
    const metadata = members.map(({ template }) => template.metadata);
    const all = [
      spec.template.metadata.labels,
      ...metadata.flatMap(({ labels, annotations }) => [labels, annotations]),
    ];
    const taken = [...new Set(all.flatMap(Object.keys))].filter((key) => DYNAMO_DOMAIN.test(key)).sort();
    if (taken.length > 0) yield { what: `pods have ${joinNames(taken)}, which Dynamo sets` };
  },

  function* replacePods(deployment) {
    const { strategy, surge } = deployment.spec.rollout;
    const several = deployment.spec.template.spec.engines.filter((engine) => copyBoundsOf(engine).max > 1);
    if (surge === 0 && (strategy === 'Rolling' || several.length === 0)) return;
    const how = strategy === 'Recreate' ? 'rollout Recreate' : `rollout.surge ${surge}`;
    const what = `${how} is not available with Grove, which removes one pod before it adds one`;
    yield hasGang(deployment) ? { what } : { what, with: 'KAI' };
  },

  function* findQueues() {
    for (const scheduler of ['Kueue', 'Volcano'] as const) {
      yield { what: `workloads that Dynamo makes are not in a queue of ${scheduler}`, with: scheduler };
    }
  },

  function* claimInGangs({ spec }) {
    for (const { name, members } of spec.template.spec.engines) {
      if (members.length < 2) continue;
      const what = `the gang of engine ${name} with resource claims`;
      yield { what, since: DYNAMO.gangClaimsSince, withClaims: true };
    }
  },

  function* nameParts(deployment) {
    if (longestGraphNameOf(deployment) >= SHORTEST_GRAPH_NAME) return;
    yield { what: 'names of engines are too long for Dynamo, which joins them with the name of the graph' };
  },
];
