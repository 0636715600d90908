import { findShrunkVolumes } from '../../src/diff/shrunk-volumes';
import { aCache, aClass, aCluster, aDeployment } from '../api/build';
import { diff } from './build';

const fleet = (revision: string, sizeGiB: number) => [
  aClass('h100'),
  aCluster('us', { pools: { h100: 4 }, storage: { sharedFilesystem: { storageClassName: 'nfs' } } }),
  aCache('ml/w', { huggingFace: { repo: 'a/b', revision: revision.repeat(40) }, sizeGiB }),
  aDeployment('ml/q', { cache: 'w' }),
];

test('a smaller volume is refused at its size, and not at another edit of its cache', () => {
  const found = findShrunkVolumes(diff(fleet('a', 40), fleet('b', 20)), 'here');
  expect(found.map(({ at }) => at)).toEqual(['ModelCache ml/w spec.sizeGiB']);
});
