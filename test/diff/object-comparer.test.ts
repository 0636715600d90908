import { createObjectComparer } from '../../src/diff/object-changes';
import { aClass, aCluster, aDeployment } from '../api/build';
import { state } from './build';

const fleet = (replicas: number) =>
  state('here', [
    aClass('h100'),
    ...['eu', 'us'].map((name) => aCluster(name, { pools: { h100: 4 } })),
    aDeployment('ml/q', { replicas }),
  ]);

test('the comparison of the first later state says how many of its clusters are compared', () => {
  const steps: string[] = [];
  const compare = createObjectComparer(fleet(2), (what) => void steps.push(what));
  compare(fleet(4));
  compare(fleet(6));
  expect(steps).toEqual(['cluster 1 of 2', 'cluster 2 of 2']);
});
