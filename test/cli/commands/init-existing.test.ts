import { parseAllDocuments } from 'yaml';
import { Workspace } from '../cli';
import { interview } from './interview';

let work: Workspace;
beforeEach(() => {
  work = new Workspace();
});
afterEach(() => work.remove());

test('with Pulumi, clusters of clouds are created, but for those that exist', () => {
  const { out } = work.run('init ./ --ci none --pulumi --clouds gke,eks --existing eks');
  const documents = parseAllDocuments(work.read('fleet/clusters.yaml')).map((one) => one.toJS() as Declared);
  expect(documents.map(({ metadata, spec }) => [metadata.name, spec.cluster])).toEqual([
    ['eks-us-east-1', { source: 'Existing', existing: { context: 'eks-us-east-1' } }],
    ['gke-us-central1', { source: 'GKE', gke: { region: 'us-central1' } }],
  ]);
  expect(out).toContain('pulumi config set gcp:project');
  expect(out).not.toContain('aws:region');
  expect(work.run('plan ./fleet')).toMatchObject({ err: '' });
});

test('a fleet on several clouds is asked which clusters Pulumi does not create', async () => {
  const flags = ['--model', 'Qwen/Qwen3-8B', '--gpus', 'l4', '--clouds', 'gke,eks', '--ci', 'none', '--pulumi'];
  const { code, asked, err } = await interview(work, ['eksx', 'eks'], flags);
  expect([code, asked.split('\n')[1]]).toEqual([0, '[none] ']);
  expect(err).toContain("--existing: 'eksx' is not known. Did you mean 'eks'?");
  expect(work.read('new/fleet/clusters.yaml')).toContain('source: Existing');
});

interface Declared {
  metadata: { name: string };
  spec: { cluster: object };
}
