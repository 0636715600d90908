import { execFileSync } from 'node:child_process';
import type { Workspace } from '../cli';
import { commit, deployment, lockedTeams, SHARED } from './fleet';

const MODEL = 'modelCacheRef: { name: model }';
const BROKEN = { 'fleet/a.yaml': deployment('a/q', { template: MODEL, count: 'many' }) };

/** A commit with the locked teams, then one more. */
function twice(files: Readonly<Record<string, string>>): Workspace {
  return commitAgain(lockedTeams(true).write(files));
}

function commitAgain(space: Workspace): Workspace {
  execFileSync('git', ['-C', space.root, '-c', 'user.name=a', '-c', 'user.email=a@b.c', 'commit', '-qam', 'y']);
  return space;
}

const GROWN = { 'fleet/b.yaml': deployment('b/r', { replicas: 2 }) };
const COMMAND = 'plan ./fleet --against HEAD --allow-dirty --gate';

test('an error of a change is reported by the gate, and what it leaves as it is is no change', () => {
  const { code, out, err } = lockedTeams(true)
    .write({ ...BROKEN, ...GROWN })
    .run(`${COMMAND} --markdown`);
  expect([code, err]).toEqual([1, expect.stringContaining('fleet/a.yaml:13:61: expected a number')]);
  expect(out.replaceAll('\\', '')).toMatch(
    /ModelDeployment a\/q: spec\.template\.spec\.engines\[0\]\.members\[0\]\.nodeSelector\.devices\[0\]\.count: expected a number/,
  );
  expect(out).toContain('ModelDeployment a/q stays as it is until corrected');
  expect(out).toContain('b/r');
  expect(out).not.toContain('| a/q');
});

test('an error of the earlier state stops no later change of another team', () => {
  const space = twice(BROKEN).write(GROWN);
  const { code, out } = space.run(COMMAND);
  expect(code).toBe(1);
  expect(out).toContain('b/r');
  expect(out).not.toContain('a/q   ');
  expect(out).toContain('Gate: refused, 1 problem (exit 1: the input has errors).');
});

test('a change that corrects an error passes', () => {
  const space = twice(BROKEN).write({ 'fleet/a.yaml': deployment('a/q', { template: MODEL }) });
  expect(space.run(COMMAND)).toMatchObject({
    code: 0,
    err: 'HEAD:fleet/a.yaml:13:61: expected a number, got the text "many". Write a whole number from 1 to 64. The comparison leaves it out.\n',
  });
});

test('a program or a folder whose earlier state has an error is compared too', () => {
  const space = lockedTeams(false);
  const earlier = Object.entries(space.files()).filter(([path]) => path.startsWith('fleet/'));
  for (const [path, text] of earlier) space.write({ [path.replace('fleet/', 'old/')]: text });
  space.write({ ...GROWN, 'old/a.yaml': BROKEN['fleet/a.yaml'] });
  const { code, out } = space.run('plan ./fleet --against ./old');
  expect(code).toBe(0);
  expect(out).toContain('b/r');
});

test('what only waits for another error of a change is no problem of its own', () => {
  const { out } = lockedTeams(true)
    .write({
      'fleet/a.yaml': deployment('a/q', { template: 'modelCacheRef: { name: w }' }),
      'fleet/w.yaml': `apiVersion: fleetwright.dev/v1alpha1
kind: ModelCache
metadata: { namespace: a, name: w }
spec: { source: HuggingFace, huggingFace: { repo: a/b, revision: ${'1'.repeat(40)} }, sizeGiB: 1 }
`,
    })
    .run(`${COMMAND} --markdown`);
  const problems = out.split('\n').filter((line) => /^(###|- )/.test(line));
  expect(problems.slice(0, 3)).toEqual([
    expect.stringContaining('refused, 1 problem '),
    expect.stringContaining('**ModelCache a/w: spec.huggingFace.revision: expected text'),
    '- ModelDeployment a/q, ModelCache a/w stay as they are until corrected.',
  ]);
});

test('what stays as it is because its class fits it no longer is not shown as removed', () => {
  const hopper = 'device.attributes["gpu.nvidia.com"].architecture == "Hopper"';
  const space = lockedTeams(false).write({ 'fleet/a.yaml': deployment('a/q', { template: MODEL, cel: hopper }) });
  space.run('lock ./fleet');
  commit(space);
  space.write({ 'fleet/shared.yaml': SHARED.replace('string: Hopper', 'string: Ampere') });
  const { code, out } = space.run(`${COMMAND} --markdown`);
  expect(code).toBe(1);
  expect(out.split('\n').slice(4, 7)).toEqual([
    expect.stringMatching(
      /^- :x: \*\*ModelDeployment a\/q: 1 of 1 replica of a\/q does not fit any more: .*architecture is "Ampere", not "Hopper"\.\*\*/,
    ),
    expect.stringMatching(/^ {2}Undo the change of /),
    '- ModelDeployment a/q stays as it is until corrected.',
  ]);
  expect(out).toContain('Total: no replica changes, ');
  expect(out).not.toMatch(/[Rr]emove[sd]|deleted|no routes|selects nothing/);
  expect(space.run('lock ./fleet --check')).toMatchObject({
    code: 1,
    out: 'fleet/fleet.lock.yaml is up to date, but the check fails: 1 error in declarations.\n',
  });
});

/** A deployment that takes a node, and reserves another for rollouts. */
function surging(id: string): string {
  return deployment(id, { count: '8' }).replace('  replicas: 1\n', '  replicas: 1\n  rollout: { surge: 1 }\n');
}

test('surges that lose their room with nodes of a pool are one problem of that edit', () => {
  const space = lockedTeams(false).write({ 'fleet/a.yaml': surging('a/q'), 'fleet/b.yaml': surging('b/r') });
  const [start, between, end] = SHARED.split('nodeCount: 2');
  const withNodes = (count: number): string => `${start}nodeCount: ${count}${between}nodeCount: 0${end}`;
  space.write({ 'fleet/shared.yaml': withNodes(4) }).run('lock ./fleet --rebalance');
  commit(space);
  const { out } = space.write({ 'fleet/shared.yaml': withNodes(2) }).run(`${COMMAND} --markdown`);
  const lines = out.replaceAll('\\', '').split('\n');
  expect([lines[0], ...lines.slice(4, 7)]).toEqual([
    expect.stringMatching(/refused, 1 problem \(a surge has no room\)$/),
    '- :x: **With 2 nodes in us / h100, the surges of a/q and b/r have no room (edit 1).**',
    "  Undo edit 1 (keep 4 nodes); or remove 'rollout.surge' of them, or accept downtime with 'rollout: Recreate'.",
    '- ModelDeployment a/q, ModelDeployment b/r stay as they are until corrected.',
  ]);
});

test.each([
  ['in the working tree', false],
  ['committed', true],
])(
  'what a surge without room comes with does not happen until it is corrected, where the edit is %s',
  (_, committed) => {
    const space = lockedTeams(false).write({ 'fleet/a.yaml': deployment('a/q', { count: '8' }) });
    space.write({ 'fleet/shared.yaml': SHARED.replaceAll('nodeCount: 2', 'nodeCount: 1') });
    space.run('lock ./fleet --rebalance');
    commit(space);
    for (const text of [deployment('a/q', { count: '8' }), surging('a/q')]) {
      space.write({ 'fleet/a.yaml': text.replace('v0.23.0', 'v0.24.0') });
      if (committed) commitAgain(space);
    }
    const base = committed ? 'HEAD~2' : 'HEAD --allow-dirty';
    const { code, out } = space.run(`plan ./fleet --against ${base} --gate --markdown`);
    expect([code, out.split('\n')[2]]).toEqual([
      1,
      'Changes nothing that runs until the error is corrected. Cost unchanged.',
    ]);
    expect(out).toContain('Total: no replica changes');
  },
);
