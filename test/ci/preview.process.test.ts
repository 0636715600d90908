import type { Repository } from '../cli/repository';
import { type RanStep, steps } from './composite';
import { act, emptyRepository, pullRequest, rewrite } from './pull-request';

// Steps that plan start the command line.
jest.setTimeout(60_000);

let work: Repository;
afterEach(() => work.remove());

function preview(inputs: Record<string, string>, github: Record<string, string> = {}): Promise<RanStep[]> {
  return act('pulumi-preview', work, { stack: 'team/fleet/prod', directory: 'infra', ...inputs }, github);
}

/** With a fleet that the action plans too. */
function actOnFleet(): Promise<RanStep[]> {
  return preview({ fleet: 'fleet' });
}

/** Without one, where a preview says this. */
function shown(
  text: string,
  github: Record<string, string> = {},
  inputs: Record<string, string> = {},
): Promise<RanStep[]> {
  work.write({ preview: text });
  return preview(inputs, github);
}

/** An event of a preview, as Pulumi prints it on a line. */
function event(fields: object): string {
  return `${JSON.stringify({ sequence: 1, timestamp: 1, ...fields })}\n`;
}

function step(op: string, type: string, name: string, more: object = {}): string {
  const urn = `urn:pulumi:prod::fleet::fleetwright:index:FleetStack$${type}::${name}`;
  return event({ resourcePreEvent: { metadata: { op, urn, type, ...more } } });
}

function diagnosed(severity: string, message: string): string {
  return event({ diagnosticEvent: { severity, message, color: 'never' } });
}

const CHANGES =
  step('same', 'pulumi:pulumi:Stack', 'fleet-prod') +
  step('update', 'aws:eks/nodeGroup:NodeGroup', 'us_h100', { diffs: ['scalingConfig'] });
const HEAD = '<!-- pulumi: team/fleet/prod -->\n### Preview of `team/fleet/prod`\n\n';

describe('with a fleet', () => {
  beforeEach(() => {
    work = pullRequest();
    work.write({ preview: CHANGES });
  });

  test('a pull request gets a comment of the plan and one of the preview, and passes', async () => {
    expect(steps(await actOnFleet())).toEqual([
      'Plan 0',
      'Preview 0',
      'Comment 0',
      'Validate 0',
      'Lock 0',
      'Gate 0',
      'Result 0',
    ]);
    const body = work.read('body');
    expect(body).toMatch(
      /^<!-- fleetwright: fleet -->\n### Fleet `fleet` against `main`: the gate passes, except with Flux or kubectl\n/,
    );
    expect(body).toContain(`\n${HEAD}**1 updated, 1 unchanged**\n`);
    expect(work.read('summary')).toBe(body);
  });

  test('a lock that is out of date is refused, however the preview ends', async () => {
    rewrite(work, (text) => text.replace('replicas: 3', 'replicas: 2'));
    work.commit();
    work.write({ 'preview-status': '255' });
    expect(steps(await actOnFleet()).slice(2)).toEqual(['Comment 0', 'Validate 0', 'Lock 5']);
    expect(work.read('body')).toContain('- :x: `fleet/fleet.lock.yaml` is out of date');
  });

  test('what would leave no one serving is shown, and refused', async () => {
    rewrite(work, (text) =>
      text.replace('replicas: 3', 'replicas: 1').replace('vllm-openai:v0.23.0', 'vllm-openai:v0.24.0'),
    );
    work.run('lock ./fleet');
    work.commit();
    expect(steps(await actOnFleet()).slice(2)).toEqual(['Comment 0', 'Validate 0', 'Lock 0', 'Gate 4']);
    expect(work.read('body')).toContain('ml/chat has no serving replica');
  });

  test('what is wrong is reported next to its line, before anything is previewed', async () => {
    rewrite(work, (text) => text.replace('replicas: 3', 'replicas: three'));
    const ran = await actOnFleet();
    expect(steps(ran)).toEqual(['Plan 0', 'Comment 0', 'Validate 1']);
    expect(ran[2]?.out).toContain('::error file=fleet/fleet.yaml,line=35,col=13,');
  });

  test('a preview that fails ends the run, where the plan does not', async () => {
    work.write({ 'preview-status': '255' });
    expect(steps(await actOnFleet()).slice(4)).toEqual(['Lock 0', 'Gate 0', 'Result 255']);
  });
});

describe('without a fleet, which another job plans', () => {
  beforeEach(() => {
    work = emptyRepository();
  });

  test('a pull request gets the preview as a comment: what changes by kind, the rest folded, the log and the stack', async () => {
    const ran = await shown(CHANGES, {}, { 'access-token': 'pul-1234' });
    expect(steps(ran)).toEqual(['Preview 0', 'Comment 0', 'Result 0']);
    expect(work.read('pulumi-log')).toBe(
      'preview --cwd infra --stack team/fleet/prod --non-interactive --color never --json\n',
    );
    const body = work.read('body');
    expect(body).toContain(`${HEAD}**1 updated, 1 unchanged**\n\n| kind |`);
    expect(body).toContain('\n  ~ us_h100: scalingConfig\n');
    expect(body).toContain(
      'See [the log of the run](<https://github.com/team/fleet/actions/runs/9>) and [the stack in Pulumi](<https://app.pulumi.com/team/fleet/prod/previews>).',
    );
    expect(ran[0]?.out).toMatch(/^::stop-commands::([0-9a-f]{32})\n[^]*\n::\1::\n$/);
    expect(ran[0]?.out).toContain('team/fleet/prod: 1 updated, 1 unchanged');
    expect(work.read('log').split('\n')[1]).toMatch(/--method POST repos\/team\/fleet\/issues\/7\/comments /);
  });

  test('a preview that fails is shown all the same, its errors first, and fails', async () => {
    work.write({ 'preview-status': '255' });
    const ran = await shown(CHANGES + diagnosed('error', 'the lock file is out of date, @all\n::error::tell'));
    expect(steps(ran)).toEqual(['Preview 0', 'Comment 0', 'Result 255']);
    expect(work.read('body')).toContain(
      `${HEAD}**The preview failed.** The list below may be incomplete.\n\n- :x: the lock file is out of date, \\@\u200Dall\n`,
    );
    expect(ran[0]?.out).not.toMatch(/^\s*::error::/m);
  });

  test('a preview that ends before it begins is commented with what it printed as errors', async () => {
    work.write({ 'preview-status': '255', 'preview-errors': "error: no stack named 'prod' found\n" });
    expect(steps(await shown(''))).toEqual(['Preview 0', 'Comment 0', 'Result 255']);
    expect(work.read('body')).toContain(
      `${HEAD}**The preview failed.** It shows no changes.\n\n- :x: error: no stack named 'prod' found\n`,
    );
  });

  test('what seems to be a secret in an error is hidden, in the comment and in the log', async () => {
    work.write({ 'preview-status': '255' });
    const key = `sk-${'a1B2c3D4e5F6g7H8'.repeat(3)}`;
    const ran = await shown(diagnosed('error', `the registry refuses password: ${key}`));
    expect(work.read('body')).toContain('(hidden)');
    expect(`${work.read('body')}${work.read('summary')}${ran[0]?.out}`).not.toContain(key);
  });

  test('elsewhere than in a pull request there is nothing to comment', async () => {
    expect(steps(await shown(CHANGES, { 'github.event_name': 'push' }))).toEqual(['Preview 0', 'Result 0']);
  });
});
