import { readFileSync } from 'node:fs';
import { commit } from '../cli/isolation/fleet';
import { Workspace } from '../cli/cli';

/** The warnings in the comment on a change of a locked example. */
function review(example: string, from: string, to: string): string[] {
  const text = readFileSync(`examples/${example}/fleet.yaml`, 'utf8');
  expect(text).toContain(from);
  const space = new Workspace().write({ 'fleet.yaml': text });
  space.run('lock ./');
  commit(space);
  space.write({ 'fleet.yaml': text.replace(from, to) });
  space.run('lock ./');
  const { out } = space.run('plan ./ --against HEAD --allow-dirty --markdown');
  space.remove();
  return out.split('\n').filter((line) => line.startsWith('- :warning:'));
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
  'a client whose key is no longer declared keeps access while the Secret has its key': {
    example: 'front-door',
    from: 'name: bob',
    to: 'name: carol',
    want: /bob keeps access to team-a\/chat: each entry of Secret team-a\/chat-keys is a key. Delete its entry/,
  },
};

test.each(Object.entries(rows))('%s', (_, { example = 'kueue', from, to, want }) => {
  expect(review(example, from, to)).toContainEqual(expect.stringMatching(want));
});

test('Kueue accepts another image of a gang', () => {
  expect(review('kueue', 'image: vllm/vllm-openai:v0.23.0', 'image: vllm/vllm-openai:v0.24.0').join()).not.toContain(
    'Kueue',
  );
});
