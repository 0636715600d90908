import { readdirSync, readFileSync } from 'node:fs';
import { Workspace } from '../cli/cli';
import { commit } from '../cli/isolation/fleet';

/** The comment on a change of an example, whose lock is written again unless it is left out of date. */
function comment(example: string, from: string, to: string, outOfDate = false): string {
  const names = readdirSync(`examples/${example}`).filter((name) => /^[a-z]+\.yaml$/.test(name));
  const files = names.map((name): [string, string] => [name, readFileSync(`examples/${example}/${name}`, 'utf8')]);
  const [edited = '', text = ''] = files.find(([, content]) => content.includes(from)) ?? [];
  expect(text).toContain(from);
  const space = new Workspace().write(Object.fromEntries(files));
  space.run('lock ./');
  commit(space);
  space.write({ [edited]: text.replace(from, to) });
  if (!outOfDate) space.run('lock ./');
  const { out } = space.run('plan ./ --against HEAD --allow-dirty --markdown --gate');
  space.remove();
  return out.replaceAll('\\', '');
}

function review(example: string, from: string, to: string): string[] {
  return comment(example, from, to)
    .split('\n')
    .filter((line) => line.startsWith('- :warning:'))
    .map((line) => line.replace(/ \(edits? [^)]*\)/, ''));
}

const rows: Record<string, { example?: string; from: string; to: string; want: RegExp }> = {
  'another queue of placed workloads is rejected by Kueue': {
    from: 'queue: inference',
    to: 'queue: batch',
    want: /Kueue on cluster onprem rejects another queue of LeaderWorkerSet ml\/deepseek-r1-0-\S+ while its pods/,
  },
  'other claims of a gang with a queue are rejected by Kueue': {
    from: 'count: 8, where: { architecture: Hopper }',
    to: 'count: 8, where: { architecture: Hopper, memory: ">= 70Gi" }',
    want: /rejects another set of claims of LeaderWorkerSet .* Drain the cluster or delete the LeaderWorkerSet first/,
  },
  'a queue that manifests no longer contain is kept or created': {
    from: 'manage: true',
    to: 'manage: false',
    want: /manifests of onprem no longer contain LocalQueue ml\/inference, which .* Keep the object .*, or create it/,
  },
  'a lower limit of requests is shown with the limit before': {
    example: 'ingress-gateway',
    from: 'requests: 300',
    to: 'requests: 3',
    want: /team-a\/chat accepts at most 3 requests a minute of each client instead of 300, at each of 4 gateway proxies\. /,
  },
  'a limit of each client that all share now is shown as one': {
    example: 'ingress-gateway',
    from: 'by: Key',
    to: 'by: Service',
    want: /team-a\/chat accepts at most 300 requests a minute of all clients together instead of 300 of each client, at each of 4 gateway proxies\. /,
  },
  'a service that is left on one cluster is shown, with the clusters before': {
    example: 'ingress-gateway',
    from: 'replicas: 3',
    to: 'replicas: 1',
    want: /team-a\/chat has replicas on us-\w+ only \(before: us-east, us-west\): nothing serves it while us-\w+ is down\. .*team-a\/qwen3-8b has 1 replica instead of 3: .*Keep two replicas/,
  },
  'a shorter context is shown with the context before': {
    example: 'ingress-gateway',
    from: '--max-model-len=16384',
    to: '--max-model-len=2k',
    want: /team-a\/qwen3-8b refuses requests of more than 2,000 tokens, with their answers; before: 16,384\. Check what/,
  },
  'a context that had no limit of its own is shown': {
    example: 'aks',
    from: 'args: [BAAI/bge-m3]',
    to: 'args: [BAAI/bge-m3, --max-model-len=512]',
    want: /of more than 512 tokens, with their answers; before: no limit but that of the model\./,
  },
  'tool calls that need a setting that is removed are shown': {
    example: 'gang',
    from: '--enable-auto-tool-choice',
    to: '--enable-prefix-caching',
    want: /Clients of ml\/qwen3-coder no longer get tool calls: --enable-auto-tool-choice is removed\. Check what/,
  },
  'the last of several replicas is shown with the SLO of its service': {
    example: 'monitoring',
    from: 'replicas: 2',
    to: 'replicas: 1',
    want: /ml\/qwen3-8b has 1 replica instead of 2: it does not serve while .*; the SLO of ml\/chat is 99\.5 %\. Keep two replicas.*Each gets 2 times as many requests\. /,
  },
  'the last of several replicas is shown with what answers while it restarts': {
    example: 'failover-to-saas',
    from: 'replicas: 2',
    to: 'replicas: 1',
    want: /nodes are drained \(all requests of team-a\/chat go to team-a\/together, billed by use\)/,
  },
  'a client whose key is no longer declared keeps access while the Secret has its key': {
    example: 'ingress-gateway',
    from: 'name: bob',
    to: 'name: carol',
    want: /bob keeps access to team-a\/chat: each entry of Secret team-a\/chat-keys is a key. Delete its entry/,
  },
  'a deployment that takes over most requests with fewer replicas is shown, with the replicas before': {
    example: 'canary',
    from: `- weight: 19
      selector: { matchLabels: { track: stable } }
    - weight: 1
      selector: { matchLabels: { track: next } }`,
    to: `- weight: 19
      selector: { matchLabels: { track: next } }
    - weight: 1
      selector: { matchLabels: { track: stable } }`,
    want: /team-a\/chat: team-a\/qwen3-8b-next gets 95 % of the requests with 1 replica; until now team-a\/qwen3-8b got 95 % with 2 replicas\. /,
  },
};

test.each(Object.entries(rows))('%s', (_, { example = 'kueue', from, to, want }) => {
  expect(review(example, from, to)).toContainEqual(expect.stringMatching(want));
});

test('a smaller volume of a cache is an error at the size, a larger one is not', () => {
  expect(comment('lora', 'sizeGiB: 40', 'sizeGiB: 30')).toMatch(
    /- :x: \*\*ModelCache \S+: the volume claim \S+ on \S+ shrinks from 40Gi to 30Gi, which Kubernetes refuses\.\*\* \(\S+:39:\d+\)\n {2}Keep/,
  );
  expect(comment('lora', 'sizeGiB: 40', 'sizeGiB: 50')).not.toContain('shrinks');
});

test('a key that stays is named with the edit that no longer declares it, and with the one that is new', () => {
  const text = comment('ingress-gateway', 'name: bob', 'name: carol');
  expect(text).toMatch(/^2\. .*apiKeys\[bob\]: was /m);
  expect(text).toMatch(/bob keeps access to team-a\/chat: .* \(edit 2\)/);
  expect(text).toContain('the key of `bob` for `team-a/chat`, which **still works**, and accepts keys of `carol`.');
});

const keys = (secret: string) =>
  ['alice', 'bob'].map((name) => `      - { name: ${name}, secretRef: { name: ${secret} } }\n`).join('');

test('keys from another Secret are refused without saying that it lacks them', () => {
  expect(comment('ingress-gateway', keys('chat-keys'), keys('new'))).toContain(
    'the keys of alice, bob are read from team-a/new instead of team-a/chat-keys, and keys that this Secret lacks are no',
  );
});

test('the first sentence says that only the leaders of a gang get another image', () => {
  const text = comment('gang', 'image: vllm/vllm-openai:v0.23.0', 'image: vllm/vllm-openai:v0.24.0');
  expect(text).toMatch(/olls only the leaders of `ml\/qwen3-coder` to `v0\.24\.0`/);
});

test('a node pool that goes with the only place of a replica stops it for good', () => {
  const pool = /\n    - name: h200\n(?: {6}.*\n)+/.exec(readFileSync('examples/eks/fleet.yaml', 'utf8'))?.[0] ?? '';
  const text = comment('eks', pool, '\n', true);
  expect(text).toContain(
    'eletes the node pool `us/h200`, which **stops the only replica of `ml/qwen3-coder` for good**',
  );
  expect(text).toContain('| 1 → 0 | 16 → 0 | 1 down for good: its node pool is deleted |');
  expect(text).toContain('**The only replica of ml/qwen3-coder loses its place (edit 1).**');
});

test('the first sentence names files that are staged again', () => {
  expect(comment('gke', 'exclude: [original/*]', 'exclude: [original/*, "*.bin"]')).toMatch(
    /tages the files of the cache `\S+` again on `us` \(in its volume of [\d,]+ GiB\)/,
  );
});

test('a service that selects nothing any more names the label that a deployment lost, and where', () => {
  const text = comment('ingress-gateway', 'labels: { model: qwen3-8b }', 'labels: { model: assistant }');
  expect(text).toMatch(
    /the service selects nothing in namespace 'team-a'\.\*\* \(\S+\)\n {2}team-a\/qwen3-8b lost model=qwen3-8b \(fleet\.yaml:52:\d+\): keep the label/,
  );
});

test('what a replaced cluster needs must exist on it again', () => {
  const needs =
    /^3\. Create the new cluster `us` .*\n4\. When the stack has created `us` \(before or after manifests are applied\): /m;
  const [cluster = ''] =
    /gke: \{ region: us-central1[\s\S]+zones: .*/.exec(readFileSync('examples/gke/fleet.yaml', 'utf8')) ?? [];
  expect(comment('gke', cluster, cluster.replaceAll('us-central1', 'europe-west4'))).toMatch(needs);
  expect(comment('gke', 'nodeCount: 2', 'nodeCount: 3')).not.toMatch(/stack has created/);
});

test('Kueue accepts another image of a gang', () => {
  expect(review('kueue', 'image: vllm/vllm-openai:v0.23.0', 'image: vllm/vllm-openai:v0.24.0').join()).not.toContain(
    'Kueue',
  );
});

test('a refused change names the label that a deployment lost, and where', () => {
  expect(comment('canary', 'track: stable', 'track: stabel')).toMatch(
    /track=stable selects nothing any more.*\.\*\*\n {2}team-a\/qwen3-8b lost track=stable \(fleet\.yaml:35:/,
  );
});

test('replicas without a place name the reason of each cluster, and the changes that help', () => {
  const taint = 'name: amazon\nspec:\n  taints: [{ key: maintenance, effect: NoExecute }]';
  expect(comment('two-clouds', 'name: amazon\nspec:', taint, true)).toMatch(
    /Cheapest: raise placement\.maxPerDomain .*\n {2}Why: google has room, but at most 1 replica may be in GKE \(maxPerDomain\); amazon: with a taint\.\n[^]*amazon: .* not tolerated/,
  );
});

test('another SLO is no change of routes', () => {
  expect(comment('monitoring', 'availability: 99.5', 'availability: 95')).toContain('hanges the SLO of `ml/chat` and ');
});
