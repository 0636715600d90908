import type { Workspace } from '../cli';
import { blockOf, cache, deployment, lockedTeams, service, SHARED } from './fleet';

interface Fault {
  /** What team `a` writes. */
  readonly write: Readonly<Record<string, string>>;

  /** A part of what is printed on standard error. */
  readonly want: string;

  /** Default: 1. */
  readonly code?: number;
}

const MODEL = 'modelCacheRef: { name: model }';
const RULES = SHARED.replace('spec: {}', 'spec: { namespaces: [{ match: [a], privileged: false }] }');
const PRIVILEGED = deployment('a/q', { template: MODEL }).replace(
  'name: engine,',
  'name: engine, securityContext: { privileged: true },',
);

const FAULTS: Record<string, Fault> = {
  'a field of the wrong type': {
    write: { 'fleet/a.yaml': deployment('a/q', { template: MODEL, count: 'many' }) },
    want: 'fleet/a.yaml:13:61: expected a number',
  },
  'an unknown field': {
    write: { 'fleet/a.yaml': deployment('a/q', { template: `${MODEL}\n      enginez: 1` }) },
    want: "unknown field 'enginez'",
  },
  'a key twice in its spec': {
    write: {
      'fleet/a.yaml': deployment('a/q', { template: MODEL }).replace('replicas: 1', 'replicas: 1\n  replicas: 2'),
    },
    want: "the key 'replicas' occurs twice",
  },
  'no spec at all': {
    write: { 'fleet/a.yaml': deployment('a/q').replace(/spec:[^]*/, 'spec: none\n') },
    want: 'fleet/a.yaml:4:7: expected a map',
  },
  'two declarations': {
    write: { 'fleet/a-too.yaml': deployment('a/q', { template: MODEL, replicas: 2 }) },
    want: 'ModelDeployment a/q is declared twice',
  },
  'a selector that does not compile': {
    write: { 'fleet/a.yaml': deployment('a/q', { template: MODEL, cel: 'device.' }) },
    want: 'of the expression)',
  },
  'a selector that never evaluates': {
    write: {
      'fleet/a.yaml': deployment('a/q', { template: MODEL, cel: 'device.attributes["gpu.nvidia.com"].nothing == "x"' }),
    },
    want: '',
  },
  'a selector that matches no device': {
    write: {
      'fleet/a.yaml': deployment('a/q', {
        template: MODEL,
        cel: 'device.attributes["gpu.nvidia.com"].architecture == "Ada"',
      }),
    },
    want: 'does not fit',
  },
  'an engine that contradicts its runtime': {
    write: {
      'fleet/a.yaml': deployment('a/q', { template: MODEL })
        .replace('args: [', 'command: [vllm, serve], args: [')
        .replace('name: main', 'name: main\n          runtime: SGLang'),
    },
    want: "Set 'runtime: vLLM', or remove it",
  },
  'a port of two containers': {
    write: {
      'fleet/a.yaml': deployment('a/q', { template: MODEL }).replace(
        '-tp=2] }',
        '-tp=2] }\n                    - { name: helper, image: "x/y:1", ports: [{ containerPort: 8000 }] }',
      ),
    },
    want: 'port 8000 is used by engine',
  },
  'a cache that does not exist': {
    write: { 'fleet/a.yaml': deployment('a/q', { template: 'modelCacheRef: { name: modell }' }) },
    want: "there is no ModelCache 'modell'",
  },
  'a cluster that does not exist': {
    write: {
      'fleet/a.yaml': deployment('a/q', { template: MODEL }).replace(
        'replicas: 1',
        'replicas: 1\n  placement: { preferredClusters: [moon] }',
      ),
    },
    want: 'fleet/a.yaml',
  },
  'a privilege that its namespace does not have': {
    write: { 'fleet/shared.yaml': RULES, 'fleet/a.yaml': PRIVILEGED },
    want: 'is privileged, which the fleet does not allow',
  },
  'a namespace that is not for users': {
    write: { 'fleet/a-too.yaml': deployment('fleetwright-system/q') },
    want: 'Move it to another namespace',
  },
  'a cache with a field of the wrong type': {
    write: { 'fleet/a-cache.yaml': cache('a/model', 'sizeGiB: big') },
    want: 'fleet/a-cache.yaml',
  },
  'a service that selects nothing': {
    write: { 'fleet/a-service.yaml': service('a/chat', 'nobody') },
    want: 'fleet/a-service.yaml',
  },
  'a service with an unknown field': {
    write: { 'fleet/a-service.yaml': service('a/chat', 'q').replace('endpoints:', 'endpointz:') },
    want: "unknown field 'endpointz'",
  },
};

const PLACES = { 'without git': false, 'in git': true };

/** The files that were written for team `a`, and the routes that lead to it. */
function filesOfA(space: Workspace): Record<string, string> {
  return Object.fromEntries(
    Object.entries(space.files()).filter(([path]) => /^out\/.*\ba\.(q|chat|model)\./.test(path)),
  );
}

describe.each(Object.entries(PLACES))('%s', (_, inGit) => {
  describe.each(Object.entries(FAULTS))('with %s in one team', (_, { write, want, code = 1 }) => {
    let space: Workspace;
    let before: { lock: string; files: Record<string, string> };

    beforeAll(() => {
      space = lockedTeams(inGit);
      before = { lock: space.read('fleet/fleet.lock.yaml'), files: filesOfA(space) };
      space.write({ ...write, 'fleet/b.yaml': deployment('b/r', { replicas: 2 }) });
    });

    afterAll(() => {
      space.remove();
    });

    test('plan shows the others, and the error', () => {
      const ran = space.run('plan ./fleet');
      expect([ran.code, ran.err]).toEqual([code, expect.stringContaining(want)]);
      expect(ran.out).toContain('b/r   2 replicas');
      expect(ran.out).toContain('Total: 1 placed');
      expect(ran.out).toContain('Refused: ');
    });

    test('lock writes the others, and no byte of its lines changes', () => {
      const ran = space.run('lock ./fleet');
      expect([ran.code, ran.err]).toEqual([code, expect.stringContaining(want)]);
      const after = space.read('fleet/fleet.lock.yaml');
      expect(blockOf(after, 'a/q')).toBe(blockOf(before.lock, 'a/q'));
      expect(blockOf(after, 'b/r').match(/cluster/g)).toHaveLength(2);
      expect(space.run('lock ./fleet --check').code).toBe(code);
    });

    test('synth writes the others, and its files stay', () => {
      const ran = space.run('synth ./fleet --out ./out');
      expect([ran.code, ran.err]).toEqual([code, expect.stringContaining(want)]);
      expect(filesOfA(space)).toEqual(before.files);
      expect(Object.values(space.files()).join('')).toMatch(/b\.r\b/);
      expect(space.files()).toHaveProperty(['out/us/b.r.yaml']);
    });
  });
});
