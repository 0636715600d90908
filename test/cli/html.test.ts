import { basename } from 'node:path';
import { SMALL, Workspace } from './cli';

let work: Workspace;
beforeEach(() => {
  work = new Workspace().write({ 'fleet.yaml': SMALL });
});
afterEach(() => work.remove());

/** The data of the map that was written. */
function map(): { title: string; states: { name: string }[] } {
  const [, json = ''] = /id="data">(.*?)<\/script>/s.exec(work.read('map.html')) ?? [];
  return JSON.parse(json) as ReturnType<typeof map>;
}

test('--html writes a map next to what is printed', () => {
  const plain = work.run('plan ./');
  const { code, out } = work.run('plan ./ --html ./map.html');
  expect({ code, out }).toEqual({ code: plain.code, out: `${plain.out}Wrote the map to map.html.\n` });
  expect(map()).toMatchObject({ title: basename(work.root), states: [{ name: 'plan' }] });
});

test('a plan names each file that it writes, but not next to a document or the total alone', () => {
  expect(work.run('plan ./ --save ./saved --html ./map.html').out).toMatch(
    /\nWrote the map to map\.html\.\nWrote the plan to saved\.\n$/,
  );
  for (const flag of ['--json', '--quiet', '--graph']) {
    expect(work.run(`plan ./ --html ./map.html ${flag}`).out).not.toContain('Wrote');
  }
});

const SETTINGS = 'apiVersion: fleetwright.dev/v1alpha1\nkind: Fleet\nmetadata: { name: nordwind }\nspec: {}\n';

test.each([
  [
    'a folder that is called fleet is named after the one around it',
    { 'models/fleet/a.yaml': SMALL },
    'models/fleet',
    'models',
  ],
  ['a declared name comes first', { 'x/a.yaml': SMALL, 'x/settings.yaml': SETTINGS }, 'x', 'nordwind'],
])('%s', (_, files, folder, title) => {
  work.write(files);
  expect(work.run(`plan ./${folder} --html ./map.html`).code).toBe(0);
  expect(map().title).toBe(title);
});

test('with --against the map has both states', () => {
  work.write({ 'was/fleet.yaml': SMALL, 'now/fleet.yaml': SMALL.replace('replicas: 1', 'replicas: 2') });
  const { code, err } = work.run('plan ./now --html ./map.html --against ./was');
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(map().states.map(({ name }) => name)).toEqual([work.path('was'), 'plan']);
});

test('a plan that is not sound writes no map', () => {
  work.write({ 'fleet.yaml': SMALL.replace('className: h100', 'className: h10') });
  expect(work.run('plan ./ --html ./map.html').code).toBe(1);
  expect(work.files()).not.toHaveProperty('map.html');
});

test('a map that cannot be written is a problem, not a crash', () => {
  const { code, err } = work.run('plan ./ --html ./nowhere/map.html');
  expect({ code, named: err.includes('nowhere/map.html') }).toEqual({ code: 1, named: true });
});
