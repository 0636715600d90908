import * as fc from 'fast-check';
import { Workspace } from '../cli';
import { blockOf, commit, deployment, SHARED } from './fleet';

/** Ways to break a deployment, in its text. */
const BREAKS: readonly ((text: string) => string)[] = [
  (text) => text.replace(/count: \d+/, 'count: many'),
  (text) => text.replace(/count: \d+/, 'count: 16'),
  (text) => text.replace('spec:', 'specs:'),
  (text) => text.replace(/spec:[^]*/, ''),
  (text) => text.replace("cel: 'true'", "cel: 'device.'"),
  (text) => text.replace("cel: 'true'", "cel: 'false'"),
  (text) => text.replace("cel: 'true'", `cel: 'device.attributes["x"].y == 1'`),
  (text) => text.replace('      engines:', '      modelCacheRef: { name: nothing }\n      engines:'),
  (text) => text.replace('name: engine,', 'name: engine, securityContext: { privileged: true },'),
  (text) => `${text}---\n${text}`,
];

const workload = fc.record({
  replicas: fc.integer({ min: 1, max: 5 }),
  count: fc.constantFrom('2', '4', '8'),
});

const history = fc.record({
  workloads: fc.array(workload, { minLength: 2, maxLength: 6 }),
  broken: fc.nat(),
  fault: fc.nat(BREAKS.length - 1),
  inGit: fc.boolean(),
});

test('breaking one deployment of a fleet changes no line of the lock, of it or of another', () => {
  fc.assert(
    fc.property(history, ({ workloads, broken, fault, inGit }) => {
      const space = new Workspace().write({ 'fleet/shared.yaml': SHARED });
      const ids = workloads.map((_, i) => `team-${i % 3}/d${i}`);
      for (const [i, { replicas, count }] of workloads.entries()) {
        space.write({ [`fleet/d${i}.yaml`]: deployment(ids[i] ?? '', { replicas, count }) });
      }
      expect(space.run('lock ./fleet --accept-unplaced').code).toBe(0);
      if (inGit) commit(space);
      const before = space.read('fleet/fleet.lock.yaml');
      const chosen = `fleet/d${broken % workloads.length}.yaml`;
      space.write({ [chosen]: BREAKS[fault]?.(space.read(chosen)) ?? '' });
      expect([1, 3]).toContain(space.run('lock ./fleet').code);
      const after = space.read('fleet/fleet.lock.yaml');
      for (const id of ids) expect(blockOf(after, id)).toBe(blockOf(before, id));
      expect(after).toBe(before);
      space.remove();
    }),
    { numRuns: Number(process.env['FLEETWRIGHT_RUNS'] ?? 12), seed: 7 },
  );
});
