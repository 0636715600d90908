import { fullDocument } from './documents';
import { type BadRow, changed, reported } from './rows';

const OTHER = 'and the source is Existing. Write';

const bad: Record<string, BadRow> = {
  'the block of a cloud without its source': {
    change: { 'spec.cluster': { source: 'Existing', gke: { region: 'us-central1' } } },
    want: [`spec.cluster.gke: 'gke' is for source GKE, ${OTHER} 'existing', or 'source: GKE'.`],
  },
  'the block of a cloud on which only a program creates clusters': {
    change: { 'spec.cluster': { source: 'Existing', nebius: {} } },
    want: [
      `spec.cluster.nebius: 'nebius' is for source Nebius, ${OTHER} 'existing', or 'source: Nebius' if a Cloud of a Pulumi program creates the cluster.`,
    ],
  },
};

test.each(Object.entries(bad))('a cluster has not %s', (_, { change, want }) => {
  expect(reported(changed(fullDocument('InferenceCluster'), { 'spec.nodePools': [], ...change }))).toEqual(want);
});
