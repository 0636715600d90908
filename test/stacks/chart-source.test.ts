import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ChartSource, FleetStack } from '../../stacks/index';
import { refusal } from './build';
import { record } from './record';

const root = process.cwd();
let work: string;
beforeEach(() => {
  jest.spyOn(console, 'warn').mockImplementation();
  work = mkdtempSync(join(tmpdir(), 'charts-'));
  cpSync('examples/existing', join(work, 'fleet'), { recursive: true });
  mkdirSync(join(work, 'charts/node-feature-discovery'), { recursive: true });
  writeFileSync(join(work, 'charts/node-feature-discovery/Chart.yaml'), '');
  process.chdir(work);
});
afterEach(() => {
  jest.restoreAllMocks();
  process.chdir(root);
  rmSync(work, { recursive: true });
});

const kubeconfigs = { berlin: 'token: abc' };

/** Where the charts of a stack come from: `chart` or `chart of repository`, by release. */
async function chartsFrom(chartSource: ChartSource): Promise<Record<string, string>> {
  const all = await record(() => new FleetStack('models', { fleet: 'fleet', kubeconfigs, chartSource }));
  const releases = all.filter(({ type }) => type.endsWith(':Release'));
  return Object.fromEntries(
    releases.map(({ name, inputs }) => {
      const { repo } = (inputs['repositoryOpts'] ?? {}) as { repo?: string };
      return [name, `${inputs['chart'] as string}${repo === undefined ? '' : ` of ${repo}`}`];
    }),
  );
}

function refused(chartSource: ChartSource): Promise<string[]> {
  let said: string[] = [];
  const args = { fleet: 'fleet', kubeconfigs, chartSource };
  return record(() => void (said = refusal(() => new FleetStack('models', args)))).then(() => said);
}

test.each([
  ['a registry', 'oci://registry.example.com/charts', (name: string) => `oci://registry.example.com/charts/${name}`],
  ['a Helm repository', 'https://charts.example.com', (name: string) => `${name} of https://charts.example.com`],
])('all charts come from %s that is the mirror of the stack', async (_, mirror, want) => {
  expect(await chartsFrom({ mirror })).toEqual({
    'berlin/dra-driver-nvidia-gpu': want('dra-driver-nvidia-gpu'),
    'berlin/lws': want('lws'),
    'berlin/node-feature-discovery': want('node-feature-discovery'),
    'munich/lws': want('lws'),
  });
});

test('charts come from a folder, packed with or without the v of the version, or as folders', async () => {
  for (const name of ['lws-0.10.0.tgz', 'dra-driver-nvidia-gpu-v0.4.1.tgz']) writeFileSync(join('charts', name), '');
  const charts = await chartsFrom({ folder: 'charts' });
  expect(charts).toEqual({
    'berlin/dra-driver-nvidia-gpu': expect.stringMatching(/^\.\/.*\/charts\/dra-driver-nvidia-gpu-v0\.4\.1\.tgz$/),
    'berlin/lws': expect.stringMatching(/^\.\/.*\/charts\/lws-0\.10\.0\.tgz$/),
    'berlin/node-feature-discovery': expect.stringMatching(/^\.\/.*\/charts\/node-feature-discovery$/),
    'munich/lws': charts['berlin/lws'],
  });
});

test('every chart that a folder lacks is named once, with the command that gets it', async () => {
  expect(await refused({ folder: 'charts' })).toEqual([
    "chartSource.folder: there is no chart dra-driver-nvidia-gpu 0.4.1 in charts. Run 'helm pull oci://registry.k8s.io/dra-driver-nvidia/charts/dra-driver-nvidia-gpu --version 0.4.1 --destination charts'.",
    "chartSource.folder: there is no chart lws v0.10.0 in charts. Run 'helm pull oci://registry.k8s.io/lws/charts/lws --version v0.10.0 --destination charts'.",
  ]);
});

test.each<[ChartSource, string]>([
  [{ mirror: 'registry.example.com' }, "chartSource.mirror: 'registry.example.com' is not a repository of charts."],
  [{ folder: ' ' }, 'chartSource.folder: it is empty. Set it to the folder with the charts.'],
])('%o is refused', async (source, want) => {
  expect(await refused(source)).toEqual([expect.stringContaining(want)]);
});
