import * as pulumi from '@pulumi/pulumi';
import { readStackSettings } from '../../stacks/fleet/stack-settings';
import { refusal } from './build';
import { record } from './record';

/** What settings say, as arguments of a stack. */
async function settings(all: Record<string, string>): Promise<unknown> {
  const keys = Object.entries(all).map(([key, value]) => [`fleetwright:${key}`, value]);
  pulumi.runtime.setAllConfig(Object.fromEntries(keys), ['fleetwright:kubeconfigs']);
  return readStackSettings(new pulumi.Config('fleetwright'));
}

test('without settings the stack is that of the quickstart', async () => {
  expect(await settings({})).toEqual({ fleet: 'examples/quickstart', kubeconfigs: {} });
});

test('every setting is an argument of the stack', async () => {
  const all = {
    fleet: 'a',
    cluster: 'us',
    lock: 'b.yaml',
    lockMode: 'ephemeral',
    workloads: 'files',
    out: 'manifests',
  };
  expect(await settings({ ...all, waves: 'true', precheck: 'true' })).toEqual({
    ...all,
    waves: true,
    precheck: true,
    kubeconfigs: {},
  });
  expect(await settings({ waves: 'false' })).toMatchObject({ waves: false });
});

test.each([
  ['{"folder": "charts"}', { folder: 'charts' }],
  ['{"mirror": "oci://registry.example.com/charts"}', { mirror: 'oci://registry.example.com/charts' }],
])('charts come from %s where it is set', async (chartSource, want) => {
  expect(await settings({ chartSource })).toMatchObject({ chartSource: want });
});

test.each(['charts', '{}', '{"folder": "a", "mirror": "b"}', '{"folder": 1}', '{"flder": "a"}', '[1]'])(
  'charts from %s are refused',
  async (chartSource) => {
    let said: string[] = [];
    const read = settings({ chartSource }).catch((error: Error) => void (said = [error.message]));
    await read;
    expect(said).toEqual([
      "fleetwright:chartSource: it must be a mirror or a folder. Set one of both: 'pulumi config set --path fleetwright:chartSource.folder FOLDER', or .mirror ADDRESS.",
    ]);
  },
);

test('a kubeconfig is a secret from the moment it is read', async () => {
  await record(async () => {
    const { kubeconfigs } = (await settings({ kubeconfigs: '{"us": "token: abc"}' })) as {
      kubeconfigs: Record<string, pulumi.Output<string>>;
    };
    expect(await pulumi.isSecret(kubeconfigs['us']!)).toBe(true);
  });
});

test('words that a setting has not are reported together, with the nearest', () => {
  const keys = { lockMode: 'requires', workloads: 'file', waves: 'yes' };
  pulumi.runtime.setAllConfig(
    Object.fromEntries(Object.entries(keys).map(([key, value]) => [`fleetwright:${key}`, value])),
  );
  expect(refusal(() => readStackSettings(new pulumi.Config('fleetwright')))).toEqual([
    "fleetwright:lockMode: unknown value 'requires'. Use require.",
    "fleetwright:waves: unknown value 'yes'. Use true or false.",
    "fleetwright:workloads: unknown value 'file'. Use files.",
  ]);
});

test('a name that is no setting is reported, and not what others set', async () => {
  const all = {
    'fleetwright:lok': 'z',
    'fleetwright:x': '1',
    'gcp:project': 'models',
    'fleetwrighty:a': 'b',
  };
  pulumi.runtime.setAllConfig(all);
  expect(refusal(() => readStackSettings(new pulumi.Config('fleetwright')))).toEqual([
    "fleetwright:lok: there is no such setting. Use 'lock'.",
    'fleetwright:x: there is no such setting. Use one of fleet, cluster, lock, out, kubeconfigs, chartSource, lockMode, workloads, waves, precheck.',
  ]);
});

function empty(key: string): string {
  return `fleetwright:${key}: it is empty. Set it, or run 'pulumi config rm fleetwright:${key}'.`;
}

test('a setting that is empty is reported, as is a kubeconfig of an empty file', () => {
  const texts = {
    fleet: '',
    cluster: ' ',
    lock: '',
    out: '',
    kubeconfigs: '{"us": "\\n", "eu": "token: abc"}',
  };
  const all = Object.entries(texts).map(([key, value]) => [`fleetwright:${key}`, value]);
  pulumi.runtime.setAllConfig(Object.fromEntries(all));
  expect(refusal(() => readStackSettings(new pulumi.Config('fleetwright')))).toEqual([
    empty('cluster'),
    empty('fleet'),
    "fleetwright:kubeconfigs.us: it is empty. Run 'pulumi config set --secret --path fleetwright:kubeconfigs.us < KUBECONFIG'.",
    empty('lock'),
    empty('out'),
  ]);
});

const mistakes: Record<string, Record<string, string>> = {
  'text that is no JSON': { kubeconfigs: 'token: abc' },
  'a list': { kubeconfigs: '["token: abc"]' },
  'a map of anything else': { kubeconfigs: '{"us": {"token": "abc"}}' },
};

test.each(Object.entries(mistakes))('kubeconfigs that are %s are refused without a word of them', async (_, all) => {
  pulumi.runtime.setAllConfig({ 'fleetwright:kubeconfigs': all['kubeconfigs']! });
  const said = refusal(() => readStackSettings(new pulumi.Config('fleetwright')));
  expect(said).toHaveLength(1);
  expect(said.join()).toContain('fleetwright:kubeconfigs: it is not a map of kubeconfigs');
  expect(said.join()).not.toContain('abc');
});
