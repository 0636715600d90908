import { readFileSync } from 'node:fs';
import { SMALL, Workspace } from '../cli';

let work: Workspace;
beforeEach(() => {
  work = new Workspace().write({ 'fleet.yaml': SMALL });
});
afterEach(() => work.remove());

const [TYPES, US, MODEL] = SMALL.split('---\n') as [string, string, string];
const region = (text: string, value: string) =>
  text.replace('metadata:', `metadata:\n  labels: { topology.kubernetes.io/region: ${value} }`);
/** Two clusters in two regions, with a replica each. */
const TWO = [
  TYPES,
  region(US, 'us-east1'),
  region(US.replace('name: us\n', 'name: eu\n'), 'europe-west1'),
  MODEL.replace('replicas: 1', 'replicas: 2'),
].join('---\n');

describe('survive', () => {
  test('reports what stays, and writes nothing', () => {
    const before = work.files();
    const { code, out } = work.run('survive ./');
    expect(out).toBe(`lose us
  ml/q   its only replica stops serving; it finds no place

More nodes do not help 1 replica of ml/q after the loss of us.

Survive: all replicas find a place again after 0 of 1 losses; 1 of 1 deployment may serve nothing for a while: ml/q.
`);
    expect(code).toBe(0);
    expect(work.files()).toEqual(before);
  });

  test('is a gate where a number of replicas is required', () => {
    const { code, err } = work.run('survive ./ --require 1');
    expect(err).toBe('ml/q: its 1 replica stops serving when us is lost, and 1 must serve\n');
    expect(code).toBe(4);
    work.write({ 'fleet.yaml': TWO });
    expect(work.run('survive ./ --require 1').code).toBe(0);
    expect(work.run('survive ./ --require 2').code).toBe(4);
    expect(work.run('survive ./ --require 0').code).toBe(0);
  });

  test('is a gate for the minAvailable that deployments declare', () => {
    const declared = (minimum: number): void => {
      work.write({ 'fleet.yaml': TWO.replace('replicas: 2', `replicas: 2\n  minAvailable: ${minimum}`) });
    };
    declared(1);
    const passed = work.run('survive ./ --require minAvailable');
    expect(passed.code).toBe(0);
    expect(passed.out).toMatch(/\nGate: passed; each of 1 deployment keeps its minAvailable right after a loss\.\n$/);
    declared(2);
    const { code, err, out } = work.run('survive ./ --require minAvailable');
    expect(out).toMatch(
      /\nGate: refused; fewer replicas than minAvailable right after a loss for 1 of 1 deployment\.\n$/,
    );
    expect({ code, err }).toEqual({ code: 4, err: 'ml/q: 1 of 2 replicas serves when eu is lost, and 2 must serve\n' });
    expect(JSON.parse(work.run('survive ./ --require minAvailable --json').out)).toMatchObject({
      required: 'minAvailable',
      refused: [{ deployment: 'ml/q' }],
    });
    expect(work.run('survive ./ --require all').code).toBe(1);
  });

  test('--quiet leaves its last lines', () => {
    const total =
      'Survive: all replicas find a place again after 0 of 1 losses; 1 of 1 deployment may serve nothing for a while: ml/q.\n';
    expect(work.run('survive ./ --quiet').out).toBe(total);
    expect(work.run('survive ./ --quiet --require 1').out).toBe(
      `${total}Gate: refused; fewer than 1 replica right after a loss for 1 of 1 deployment.\n`,
    );
  });

  test('is a gate for services too', () => {
    const text = readFileSync('examples/ingress-gateway/fleet.yaml', 'utf8');
    work.write({ 'fleet.yaml': text });
    const passed = work.run('survive ./ --require 1');
    expect(passed.code).toBe(0);
    expect(passed.out).toMatch(
      /\nGate: passed; at least 1 replica right after a loss for each of 1 deployment and 1 service\.\n$/,
    );
    work.write({ 'fleet.yaml': text.replace('clusters: [us-east, us-west]', 'clusters: [us-east]') });
    const { code, err, out } = work.run('survive ./ --require 1');
    expect(out).toMatch(
      /\nGate: refused; fewer than 1 replica right after a loss for 0 of 1 deployment and 1 of 1 service\.\n$/,
    );
    expect({ code, err }).toEqual({
      code: 4,
      err: 'service team-a/chat: no gateway is left when us-east is lost\n',
    });
    expect(JSON.parse(work.run('survive ./ --require 1 --json').out)).toMatchObject({
      refused: [],
      refusedServices: [{ service: 'team-a/chat', gateways: 0, when: 'us-east' }],
    });
    expect(work.run('survive ./').code).toBe(0);
  });

  test('loses failure domains by their names', () => {
    work.write({ 'fleet.yaml': TWO });
    const { out } = work.run('survive ./ --domain region');
    expect(out.match(/^lose .*$/gm)).toEqual(['lose europe-west1 (eu)', 'lose us-east1 (us)']);
  });

  test('gives all of it as one JSON document', () => {
    const { out } = work.run('survive ./ --json --require 1');
    expect(JSON.parse(out)).toMatchObject({
      kind: 'Survival',
      version: 1,
      outOfDate: true,
      required: 1,
      refused: [{ deployment: 'ml/q' }],
      refusedServices: [],
      losses: [
        {
          lost: 'us',
          clusters: ['us'],
          deployments: [{ deployment: 'ml/q', before: 1, atOnce: 0, after: 0 }],
        },
      ],
      stranded: [{ lost: 'us', deployment: 'ml/q', replicas: 1 }],
    });
  });

  const bad: Record<string, { args: string; want: string }> = {
    'a domain that no cluster is in': {
      args: '--domain rgion',
      want: "--domain: no cluster is in a failure domain 'rgion'. Did you mean 'region'?",
    },
    'a label that is near to none': {
      args: '--domain somewhere',
      want: "--domain: no cluster is in a failure domain 'somewhere'. Use cluster, region, provider, a name of Fleet.spec.domains or a cluster label.",
    },
    'what is no number': {
      args: '--require some',
      want: "--require: 'some' is not a number of replicas. Write a whole number, such as 1, or minAvailable.",
    },
  };

  test.each(Object.entries(bad))('refuses %s', (_, { args, want }) => {
    const { code, err } = work.run(`survive ./ ${args}`);
    expect(err).toBe(`${want}\n`);
    expect(code).toBe(1);
  });
});
