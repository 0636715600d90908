import { parseResource } from '../../src/api/kinds';
import { aWorker, aGang, aGraph } from '../render/dynamo/build';
import { anEngine, type Doc } from './build';

/** What is wrong with the engines of a deployment. */
function wrongWith(engines: Doc[], more: Doc = {}): string[] {
  const { model, ...own } = more;
  const spec = { replicas: 1, ...(model !== undefined && { model }), template: { spec: { engines, ...own } } };
  const metadata = { name: 'chat', namespace: 'ml' };
  const result = parseResource({ apiVersion: 'fleetwright.dev/v1alpha1', kind: 'ModelDeployment', metadata, spec });
  return 'findings' in result ? result.findings.map(({ at, message }) => `${at.slice(3).join('.')}: ${message}`) : [];
}

const frontend = { name: 'frontend', runtime: 'Dynamo', phase: 'Frontend' };

const rows: Record<string, { engines: Doc[]; more?: Doc; want: string[] }> = {
  'a worker is enough': { engines: [aWorker()], want: [] },
  'a frontend needs no devices': { engines: [aWorker(), frontend], want: [] },
  'engines of other runtimes cannot be in the deployment of a graph': {
    engines: [aWorker(), anEngine('plain')],
    want: [
      "engines.1.runtime: engine 'plain' does not have runtime Dynamo, and engine 'worker' does: they cannot be in one deployment",
    ],
  },
  'the frontend pairs the phases': {
    engines: [aWorker('prefill', { phase: 'Prefill' }), aWorker('decode', { phase: 'Decode' })],
    more: { serving: { mode: 'PrefillDecode' } },
    want: ['serving.mode: the frontend of Dynamo pairs prefill and decode, not the gateways'],
  },
  'one phase needs the other': {
    engines: [aWorker('prefill', { phase: 'Prefill' })],
    want: ['engines: the workers of Dynamo are either of both phases, Prefill and Decode, or of no phase'],
  },
  'a graph has one frontend': {
    engines: [aWorker(), frontend, { ...frontend, name: 'second' }],
    want: ['engines: frontend, second are frontends, and a graph has one'],
  },
  'a frontend is a single pod': {
    engines: [aWorker(), { ...aGang('entry'), phase: 'Frontend' }],
    want: ['engines.1.members: a frontend of Dynamo is a single pod'],
  },
  'only Dynamo has frontends': {
    engines: [anEngine('main', { phase: 'Frontend' })],
    want: ['engines.0.phase: only Dynamo has frontends'],
  },
  'no other software runs its workers': {
    engines: [aWorker('worker', { requires: { backend: 'KServe' } })],
    want: ["engines.0.requires.backend: engine 'worker' has runtime Dynamo, which KServe does not run"],
  },
};

test.each(Object.entries(rows))('the engines of a graph: %s', (_, { engines, more, want }) => {
  expect(wrongWith(engines, more)).toEqual(want);
});

test('an engine that is added has the image of the worker, and reading it again adds nothing', () => {
  const { engines } = aGraph().spec.template.spec;
  expect(engines.map(({ name, phase }) => [name, phase])).toEqual([
    ['worker', undefined],
    ['frontend', 'Frontend'],
  ]);
  const images = engines.map(({ members }) => members[0]?.template.spec.containers[0].image);
  expect(new Set(images).size).toBe(1);
  expect(aGraph(engines as unknown as Doc[]).spec.template.spec.engines).toEqual(engines);
});
