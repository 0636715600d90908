import { errorAt } from '../base/diagnostic';
import { joinNames } from '../base/text';
import { type Engine, engine as engineSchema } from './engine';
import { isDynamo, isFrontend } from './engine-phases';
import type { SchemaRule } from './schema/rules';

interface Serving {
  readonly serving: { readonly mode: string };
  readonly engines: readonly Engine[];
}

/** What a frontend requests that states nothing: it routes requests, and splits and joins text. */
const FRONTEND_REQUESTS = { cpu: '1', memory: '2Gi' };

/**
 * Completes the engines of a graph of Dynamo: a frontend of one pod in the image of a worker, if none is declared, and
 * workers of gangs that start like their leader. Other engines stay as they are. The frontend comes last, so that the
 * paths of declared engines stay.
 */
export function completeDynamoGraph(declared: Engine[]): Engine[] {
  if (!declared.some(isDynamo)) return declared;
  const container = declared.find((one) => isDynamo(one) && !isFrontend(one))?.members[0]?.template.spec;
  const image = container?.containers[0].image ?? '';
  if (image === '') return declared;
  const pod = {
    imagePullSecrets: container?.imagePullSecrets ?? [],
    containers: [
      {
        name: 'engine',
        image,
        command: ['python3', '-m', 'dynamo.frontend'],
        resources: { requests: FRONTEND_REQUESTS },
      },
    ],
  };
  const { members } = engineSchema.parse({ name: 'frontend', members: [{ template: { spec: pod } }] });
  const frontend = engineSchema.parse({ name: 'frontend', runtime: 'Dynamo', phase: 'Frontend', copies: 1 });
  const all = declared.some(isFrontend) ? declared : [...declared, frontend];
  return all.map((one) => {
    if (!isDynamo(one)) return one;
    if (isFrontend(one)) return one.members.length > 0 ? one : { ...one, members };
    return one.members.length > 1 ? { ...one, bootstrap: 'Auto' as const } : one;
  });
}

/** The engines of a deployment are a graph of Dynamo, or none of them is a part of one. */
export const dynamoGraphFits: SchemaRule<Serving> = function* ({ serving, engines }) {
  const graph = engines.filter(isDynamo);
  if (graph.length === 0) return;
  for (const [index, engine] of engines.entries()) {
    if (isDynamo(engine)) continue;
    const what = `engine '${engine.name}' does not have runtime Dynamo, and engine '${graph[0]?.name}' does: they cannot be in one deployment`;
    yield errorAt(
      'contradiction',
      ['engines', index, 'runtime'],
      what,
      "Set 'runtime: Dynamo', or use two deployments",
    );
  }
  if (serving.mode === 'PrefillDecode') {
    const what = 'the frontend of Dynamo pairs prefill and decode, not the gateways';
    yield errorAt('bad-phases', ['serving', 'mode'], what, 'Remove the mode, and keep the phases');
  }
  yield* phasesOfGraph(engines);
  for (const [index, engine] of engines.entries()) yield* partFits(engine, index);
};

function* phasesOfGraph(engines: readonly Engine[]): ReturnType<SchemaRule<Serving>> {
  const workers = engines.filter((one) => isDynamo(one) && !isFrontend(one));
  const frontends = engines.filter(isFrontend);
  if (frontends.length > 1) {
    const what = `${joinNames(frontends.map(({ name }) => name))} are frontends, and a graph has one`;
    yield errorAt('bad-phases', ['engines'], what, 'Keep one, and set its copies');
  }
  if (workers.length === 0) yield errorAt('bad-phases', ['engines'], 'a frontend of Dynamo has no workers', 'Add one');
  const phases = new Set(workers.map(({ phase }) => phase));
  if (phases.size < 1 || (phases.size === 1 && phases.has(undefined))) return;
  if (phases.size === 2 && phases.has('Prefill') && phases.has('Decode')) return;
  const what = 'the workers of Dynamo are either of both phases, Prefill and Decode, or of no phase';
  yield errorAt('bad-phases', ['engines'], what, "Set 'phase' on each worker, or on no worker");
}

function* partFits(engine: Engine, index: number): ReturnType<SchemaRule<Serving>> {
  if (!isDynamo(engine)) return;
  const { name, members, requires } = engine;
  if (requires.backend !== undefined && requires.backend !== 'Dynamo') {
    const what = `engine '${name}' has runtime Dynamo, which ${requires.backend} does not run`;
    yield errorAt('contradiction', ['engines', index, 'requires', 'backend'], what, 'Remove it');
  }
  if (isFrontend(engine) && members.length > 1) {
    const what = 'a frontend of Dynamo is a single pod';
    yield errorAt('bad-roles', ['engines', index, 'members'], what, 'Declare one Standalone member, and set copies');
  }
}
