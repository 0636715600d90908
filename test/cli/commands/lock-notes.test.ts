import { SMALL, Workspace } from '../cli';

const DEPLOYMENT = SMALL.slice(SMALL.lastIndexOf('---'));

let work: Workspace;
beforeEach(() => {
  work = new Workspace();
});
afterEach(() => work.remove());

test('notes are counted, and the command that lists them is named', () => {
  const silenced = DEPLOYMENT.replace(
    '  name: q\n',
    '  name: q\n  annotations: { fleetwright.dev/silence-no-image-tag: test }\n',
  );
  const latest = silenced.replace(/vllm-openai:v[\d.]+/, 'vllm-openai:latest');
  work.write({ 'fleet.yaml': SMALL.replace(DEPLOYMENT, latest) });
  const { code, out } = work.run('lock ./');
  expect(code).toBe(0);
  expect(out).toMatch(/^2 notes: 'fleetwright plan . --all' lists them\.\nWrote /);
  expect(out).not.toContain('note: ModelDeployment');
  expect(work.run('plan ./ --all').out).toContain('\nnote: ModelDeployment ml/q silences no-image-tag: test\n');
});
