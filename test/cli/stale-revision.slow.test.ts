import { execFileSync } from 'node:child_process';
import { SMALL, Workspace } from './cli';

const work = new Workspace();
afterAll(() => work.remove());

function git(...args: string[]): void {
  const identity = ['-c', 'user.name=t', '-c', 'user.email=t@example.com'];
  execFileSync('git', ['-C', work.root, ...identity, ...args], { stdio: 'ignore' });
}

/** Writes the fleet and its lock, and commits both. */
function commit(text: string, command = 'lock ./'): void {
  work.write({ 'fleet.yaml': text });
  expect(work.run(command).code).toBe(0);
  git('add', '.');
  git('commit', '-qm', 'x');
}

const NEWER = SMALL.replace('vllm-openai:v0.23.0', 'vllm-openai:v0.24.0');
const NEWER_AND_SMALLER = NEWER.replace(/count: 8(?=\n\s*selectors)/, 'count: 4').replace('-tp=8', '-tp=4');

test('an old replica whose pods the change replaces too does not serve until its replacement does', () => {
  git('init', '-q', '-b', 'main');
  commit(SMALL);
  git('checkout', '-q', '-b', 'change');
  commit(NEWER);
  commit(NEWER_AND_SMALLER);
  const stale = work.run('plan ./ --against main --gate --quiet');
  expect({ code: stale.code, err: stale.err }).toEqual({
    code: 4,
    err: expect.stringContaining('ml/q has no serving replica'),
  });
  expect(stale.err).toContain("Run 'fleetwright lock . --from main'");
  commit(NEWER_AND_SMALLER, 'lock ./ --from main');
  expect(work.run('plan ./ --against main --gate --quiet').code).toBe(0);
});
