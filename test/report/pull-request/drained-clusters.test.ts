import type { Resource } from '../../../src/api/kinds';
import { aClass, aCluster, aDeployment, aMember } from '../../api/build';
import { comment } from './unplaced-comment';

const taints = [{ key: 'retired', effect: 'NoExecute' }];
const site = (name: string, more = {}): Resource => aCluster(name, { pools: { h100: { nodeCount: 3 } }, ...more });
const Q = aDeployment('ml/q', { engines: [{ name: 'main', members: [aMember({ gpus: 8 })] }] });
const tolerant = (id: string): Resource => aDeployment(id, { tolerations: [{ operator: 'Exists' }] });
const [A, B] = [tolerant('ml/a'), tolerant('ml/b')];

test.each<[string, Resource[], Resource[], string]>([
  [
    'replicas without another place',
    [A],
    [],
    'Drains `us` (`ml/a` tolerates the taint and stays), but keeps the old replica of `ml/q`',
  ],
  [
    'replicas that move',
    [A, B],
    [site('zz')],
    'Drains `us` (`ml/a`, `ml/b` tolerate the taint and stay): moves 1 replica of `ml/q` to zz.',
  ],
])('a drain with %s says what tolerates the taint: its cluster is not empty then', (_, staying, others, want) => {
  const before = [aClass('h100'), site('us'), Q, ...staying];
  const after = [aClass('h100'), site('us', { taints }), ...others, Q, ...staying];
  expect(comment(before, after)).toContain(want);
});
