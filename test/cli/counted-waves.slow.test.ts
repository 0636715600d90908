import { SMALL } from './cli';
import { Repository } from './repository';

const [CLASS = '', CLUSTER = '', MODEL = ''] = SMALL.split('---\n');
/** Two replicas on each of two clusters. */
const FOUR = [CLASS, CLUSTER, CLUSTER.replace(/\bus\b/g, 'eu'), MODEL.replace('replicas: 1', 'replicas: 4')].join(
  '---\n',
);

let work: Repository;
beforeEach(() => {
  work = new Repository();
});
afterEach(() => work.remove());

test.each([
  ['over all clusters where each waits for the one before', '', [1, 2, 3, 4]],
  ['on each cluster where clusters are applied independently', ' --independent-clusters', [1, 2, 1, 2]],
])('waves are counted %s, in a plan as in its comment', (_, flags, want) => {
  work.locked(FOUR);
  work.write({ 'fleet.yaml': FOUR.replace('v0.23.0', 'v0.24.0') });
  const args = `plan ./ --against main --allow-dirty --gate${flags}`;
  for (const out of [work.run(args).out, work.run(`${args} --all`).out, work.run(`${args} --markdown`).out]) {
    expect([...out.matchAll(/rolled in place, wave (\d)/g)].map(([, wave]) => Number(wave))).toEqual(want);
  }
});
