import { readFileSync } from 'node:fs';
import { type Ran, Workspace } from '../cli';
import { commit } from './fleet';

const FLEET = readFileSync('examples/scale-to-zero/fleet.yaml', 'utf8');
const LABELS = 'metadata: { labels: { model: qwen3-8b } }';

/** The result of a pull request against the locked example. */
function review(change: (text: string) => string): Ran {
  const space = new Workspace().write({ 'fleet.yaml': FLEET });
  space.run('lock ./');
  commit(space);
  space.write({ 'fleet.yaml': change(FLEET) });
  return space.run('plan ./ --against HEAD --allow-dirty --markdown --gate');
}

test.each([
  ['a service that selects nothing any more', (text: string) => text.replace(LABELS, LABELS.replace('8b', '8bb'))],
  [
    'a selector with a typing error',
    (text: string) => text.replace('{ matchLabels: { model: qwen3-8b', (found) => `${found}b`),
  ],
])('%s stays as it is, and the comment shows the edit and no removal', (_, change) => {
  expect(change(FLEET)).not.toBe(FLEET);
  const { code, out } = review(change);
  expect(code).toBe(1);
  expect(out).toContain('ModelService team-a/chat');
  expect(out).toMatch(/qwen3-8b -> qwen3-8bb/);
  expect(out).not.toMatch(/removed|removes|deleted|no routes|Namespace team-a/);
});

test('a declaration that cannot be read is an edit, and no removal', () => {
  const { out } = review((text) => text.replace('replicas: 1', 'replicas: many'));
  expect(out).toMatch(/1\. `ModelDeployment team-a\/qwen3-8b` changed \(`fleet.yaml:\d+:\d+`\)/);
  expect(out).not.toMatch(/removed|removes|deleted|no routes/);
});

test('an error of the service of an engine that scales to zero is the only one', () => {
  const space = new Workspace().write({
    'fleet.yaml': FLEET.replace(/(kind: ModelService[^]*?\nspec:\n)/, '$1  timeouts: { request: 60s }\n'),
  });
  const { code, out, err } = space.run('plan ./');
  expect(code).toBe(1);
  expect(err).toMatch(/can wait \d+ minutes for the first copy, and the gateway ends it after 1/);
  expect(err).not.toContain('no ModelService routes');
  expect(out).toMatch(/Refused: 1 error; ModelDeployment team-a\/qwen3-8b, ModelService team-a\/chat stay as they are/);
});
