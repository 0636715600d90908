import { SMALL, Workspace } from './cli';

let work: Workspace;
beforeEach(() => {
  work = new Workspace();
});
afterEach(() => work.remove());

const DEFINITION = `models:
  - name: qwen3
    service:
      health_check: { path: /live, interval: 7, max_retries: 4, initial_delay: 90 }
`;

/** The small fleet, whose deployment names a model definition. */
function fleet(more = '', definition = './q/model-definition.yaml'): string {
  return SMALL.replace('      engines:', `      modelDefinition: ${definition}\n${more}      engines:`);
}

/** What the probes of its pods are. */
function probes(): string {
  const { code, err } = work.run('synth ./fleet --ephemeral --out ./out --quiet');
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return work.read('out/us/ml.q.yaml');
}

describe('a model definition next to manifests', () => {
  test('is no manifest, and says how engines are asked', () => {
    work.write({ 'fleet/a.yaml': fleet(), 'fleet/q/model-definition.yaml': DEFINITION });
    const text = probes();
    expect(text).toMatch(/readinessProbe:\n\s+httpGet:\n\s+path: \/live\n/);
    expect(text).toMatch(/readinessProbe:[^]*?periodSeconds: 7\n[^]*?failureThreshold: 4\n/);
    expect(text).toMatch(/startupProbe:[^]*?initialDelaySeconds: 90\n/);
  });

  test('comes after what the deployment says, field by field', () => {
    const own = '      healthCheck: { path: /ready }\n';
    work.write({ 'fleet/a.yaml': fleet(own), 'fleet/q/model-definition.yaml': DEFINITION });
    const text = probes();
    expect(text).toMatch(/readinessProbe:\n\s+httpGet:\n\s+path: \/ready\n/);
    expect(text).toMatch(/periodSeconds: 7\n/);
  });

  test('switches the check off, and a deployment switches it on again', () => {
    const off = 'models: [{ service: { health_check: { enable: false } } }]';
    work.write({ 'fleet/a.yaml': fleet(), 'fleet/q/model-definition.yaml': off });
    expect(probes()).not.toMatch(/readinessProbe/);
    work.write({ 'fleet/a.yaml': fleet('      healthCheck: { enabled: true }\n') });
    expect(probes()).toMatch(/path: \/health\n/);
  });

  test('is noted where the deployment names a runtime that we know', () => {
    const named = fleet().replace('        - name: main', '        - name: main\n          runtime: vLLM');
    work.write({ 'fleet/a.yaml': named, 'fleet/q/model-definition.yaml': DEFINITION });
    expect(work.run('plan ./fleet').out).toContain(
      'note: ModelDeployment ml/q has runtime vLLM and a model definition: the health checks of the model definition override those of the runtime.',
    );
    work.write({ 'fleet/a.yaml': fleet() });
    expect(work.run('plan ./fleet').out).not.toContain('model definition');
  });

  test('that is not there is reported with the line that names it, and no manifest is written', () => {
    work.write({ 'fleet/a.yaml': fleet() });
    const { code, err } = work.run('synth ./fleet --ephemeral --out ./out');
    expect({ code, err }).toEqual({
      code: 1,
      err: "fleet/a.yaml:34:24: no file matches './q/model-definition.yaml'. Correct the path, or remove the line.\n",
    });
    expect(Object.keys(work.files()).filter((path) => path.endsWith('.yaml'))).toEqual(['fleet/a.yaml']);
  });

  test('that is wrong is reported once, however many deployments name it', () => {
    const second = fleet().slice(fleet().lastIndexOf('---')).replace('name: q\n', 'name: r\n');
    work.write({ 'fleet/a.yaml': `${fleet()}${second}`, 'fleet/q/model-definition.yaml': 'models: 1\n' });
    const { code, err } = work.run('plan ./fleet');
    expect({ code, err }).toEqual({
      code: 1,
      err: 'fleet/q/model-definition.yaml:1:9: expected a list, got a number. Put the value in square brackets.\n',
    });
  });
});
