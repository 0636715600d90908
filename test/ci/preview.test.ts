import type { Repository } from '../cli/repository';
import { type RanStep, steps } from './composite';
import { act, emptyRepository, pullRequest, rewrite } from './pull-request';

// Steps that plan start the command line.
jest.setTimeout(60_000);

let work: Repository;
afterEach(() => work.remove());

function preview(inputs: Record<string, string>, github: Record<string, string> = {}): RanStep[] {
  return act('pulumi-preview', work, { stack: 'team/fleet/prod', directory: 'infra', ...inputs }, github);
}

/** With a fleet that the action plans too. */
function actOnFleet(): RanStep[] {
  return preview({ fleet: 'fleet' });
}

/** Without one, where a preview says this. */
function shown(text: string, github: Record<string, string> = {}): RanStep[] {
  work.write({ preview: text });
  return preview({}, github);
}

const CHANGES = `Previewing update (team/fleet/prod)
    ~ aws:eks/nodeGroup:NodeGroup: (update)
      ~ maxSize: 4 => 5
Resources:
    ~ 1 to update, 40 unchanged
`;
const HEAD = '<!-- pulumi: team/fleet/prod -->\n### Preview of team/fleet/prod\n\n';

describe('with a fleet', () => {
  beforeEach(() => {
    work = pullRequest();
    work.write({ preview: CHANGES });
  });

  test('a pull request gets a comment of the plan and one of the preview, and passes', () => {
    expect(steps(actOnFleet())).toEqual([
      'Validate 0',
      'Plan 0',
      'Preview 0',
      'Comment 0',
      'Lock 0',
      'Gate 0',
      'Result 0',
    ]);
    const body = work.read('body');
    expect(body).toMatch(/^<!-- fleetwright: fleet -->\n### Fleet `fleet` against `main`\n/);
    expect(body).toContain(`\n${HEAD}`);
    expect(work.read('summary')).toBe(body);
  });

  test('a lock that is stale is refused, however the preview ends', () => {
    rewrite(work, (text) => text.replace('replicas: 3', 'replicas: 2'));
    work.commit();
    work.write({ 'preview-status': '255' });
    expect(steps(actOnFleet()).slice(3)).toEqual(['Comment 0', 'Lock 5']);
    expect(work.read('body')).toContain('- :x: `fleet/fleet.lock.yaml` is out of date');
  });

  test('what would leave nobody serving is shown, and refused', () => {
    rewrite(work, (text) =>
      text.replace('replicas: 3', 'replicas: 1').replace('vllm-openai:v0.23.0', 'vllm-openai:v0.24.0'),
    );
    work.run('lock ./fleet');
    work.commit();
    expect(steps(actOnFleet()).slice(3)).toEqual(['Comment 0', 'Lock 0', 'Gate 4']);
    expect(work.read('body')).toContain('ml/chat has no serving replica');
  });

  test('what is wrong is told beside its line, before anything is previewed', () => {
    rewrite(work, (text) => text.replace('replicas: 3', 'replicas: three'));
    const ran = actOnFleet();
    expect(steps(ran)).toEqual(['Validate 1']);
    expect(ran[0]?.out).toContain('::error file=fleet/fleet.yaml,line=35,col=13,');
  });

  test('a preview that fails ends the run, where the plan does not', () => {
    work.write({ 'preview-status': '255' });
    expect(steps(actOnFleet()).slice(4)).toEqual(['Lock 0', 'Gate 0', 'Result 255']);
  });
});

describe('without a fleet, which another job plans', () => {
  beforeEach(() => {
    work = emptyRepository();
  });

  test('a pull request gets the preview as a comment: what it comes to, and the rest folded', () => {
    const ran = shown(CHANGES);
    expect(steps(ran)).toEqual(['Preview 0', 'Comment 0', 'Result 0']);
    expect(work.read('pulumi-log')).toBe(
      'preview --cwd infra --stack team/fleet/prod --non-interactive --color never --diff\n',
    );
    const body = work.read('body');
    expect(body).toContain(`${HEAD}    ~ 1 to update, 40 unchanged\n\n<details>\n<summary>Resources</summary>\n\n`);
    expect(body).toContain('\n          ~ maxSize: 4 => 5\n');
    expect(ran[0]?.out).toMatch(/^::stop-commands::([0-9a-f]{32})\n[^]*\n::\1::\n$/);
    expect(ran[0]?.out).toContain(CHANGES);
    expect(work.read('log').split('\n')[1]).toMatch(/--method POST repos\/team\/fleet\/issues\/7\/comments /);
  });

  test('a preview that fails is shown all the same, and fails', () => {
    work.write({ 'preview-status': '255' });
    expect(steps(shown('error: @all the lock is stale\n'))).toEqual(['Preview 0', 'Comment 0', 'Result 255']);
    expect(work.read('body')).toContain(`${HEAD}    error: @all the lock is stale\n\n<details>`);
  });

  const long: Record<string, { line: string; lines: number; want: number }> = {
    'of many lines': { line: '~', lines: 100_000, want: 10_000 },
    'of characters of several bytes': { line: '→'.repeat(331), lines: 500, want: 60 },
    'of one line': { line: '→'.repeat(70_000), lines: 1, want: 0 },
  };
  test.each(Object.entries(long))('a preview %s fits into a comment, in whole lines', (_, { line, lines, want }) => {
    expect(steps(shown(`${line}\n`.repeat(lines)))).toEqual(['Preview 0', 'Comment 0', 'Result 0']);
    const [, folded = ''] = work.read('body').split('<summary>');
    expect(work.read('body').length).toBeLessThan(65_536);
    expect(folded.split('\n').filter((one) => one === `    ${line}`).length).toBeGreaterThanOrEqual(want);
    expect(folded.split('\n').filter((one) => one.startsWith('    ') && one !== `    ${line}`)).toEqual([]);
    expect(folded).toMatch(/\nThe log of the run has \d+ more lines\.\n\n<\/details>\n$/);
  });

  test('elsewhere than in a pull request there is nothing to comment', () => {
    expect(steps(shown(CHANGES, { 'github.event_name': 'push' }))).toEqual(['Preview 0', 'Result 0']);
  });
});
