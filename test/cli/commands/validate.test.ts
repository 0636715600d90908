import { SMALL, Workspace } from '../cli';

let work: Workspace;
beforeEach(() => {
  work = new Workspace();
});
afterEach(() => work.remove());

const [CLASS = '', CLUSTER = '', MODEL = ''] = SMALL.split('---\n');
const SIDECAR = '- { name: side, image: "a/b:1", ports: [{ containerPort: 8000 }] }';

/** A deployment whose sidecar takes the port of the engine. */
function crowded(name: string): string {
  return `${MODEL.replace('name: q\n', `name: ${name}\n`)}                    ${SIDECAR}\n`;
}

function fleet(...documents: string[]): void {
  work.write({ 'fleet.yaml': [CLASS, CLUSTER, ...documents].join('---\n') });
}

describe('validate', () => {
  test('finds what only the replicas of a plan show', () => {
    fleet(crowded('q'));
    const plan = work.run('plan ./fleet.yaml');
    const validated = work.run('validate ./fleet.yaml');
    expect([plan.code, validated.code]).toEqual([1, 1]);
    expect(validated.err).toContain('port 8000');
    expect(plan.err).toContain(validated.err.trim());
  });

  test('finds errors that another error hides', () => {
    fleet(crowded('q'), MODEL.replace('name: q\n', 'name: r\n').replace('replicas: 1', 'replica: 1'));
    const { code, err } = work.run('validate ./fleet.yaml');
    expect(code).toBe(1);
    expect(err).toContain("unknown field 'replica'");
    expect(err).toContain('port 8000');
  });

  test('takes replicas without a place for no error', () => {
    fleet(MODEL.replace('replicas: 1', 'replicas: 9'));
    expect(work.run('plan ./fleet.yaml').code).toBe(3);
    expect(work.run('validate ./fleet.yaml --strict')).toMatchObject({ code: 0, err: '' });
  });

  test('reads no lock', () => {
    fleet(MODEL);
    work.write({ 'fleet.lock.yaml': 'broken' });
    expect(work.run('plan ./fleet.yaml').code).toBe(1);
    expect(work.run('validate ./fleet.yaml').code).toBe(0);
  });

  test('warns of what does not depend on where replicas are', () => {
    fleet(misspelt());
    const { code, out } = work.run('validate ./fleet.yaml');
    expect(code).toBe(0);
    expect(out).toContain("no known device has the architecture 'Hoper'. Did you mean 'Hopper'?");
  });
});

function misspelt(): string {
  return MODEL.replace(/selectors:\n\s+- cel: .*\n/, 'where: { architecture: Hoper }\n');
}

describe.each(['validate', 'plan'])('%s --strict', (command) => {
  test('exits with 1 when there are warnings', () => {
    fleet(misspelt());
    const { code, err } = work.run(`${command} ./fleet.yaml --strict`);
    expect(code).toBe(1);
    expect(err).toMatch(/^refused: \d warnings?, which --strict does not allow\.\n$/);
  });

  test('takes silenced warnings for none', () => {
    const codes = ['unlisted-value', 'unstated-attribute', 'no-device'];
    const annotations = codes.map((code) => `fleetwright.dev/silence-${code}: it is new`).join(', ');
    fleet(misspelt().replace('namespace: ml\n', `namespace: ml\n  annotations: { ${annotations} }\n`));
    const { code, err } = work.run(`${command} ./fleet.yaml --strict`);
    // The replica has no place, which only a plan reports.
    expect([code, err]).toEqual([command === 'plan' ? 3 : 0, '']);
  });
});
