import { mkdirSync, symlinkSync } from 'node:fs';
import { SMALL, Workspace } from '../cli/cli';

const EU = (SMALL.split('---\n')[1] ?? '').replace('name: us', 'name: eu');
const settings = (field: string): string =>
  `apiVersion: fleetwright.dev/v1alpha1\nkind: Fleet\nmetadata: { name: main }\nspec: { ${field} }\n`;
const PRICES = 'prices: []\n';
const HINT =
  'leads out of the folder of the fleet. Move it into the folder, or add --allow-outside if you trust the declarations.';

let work: Workspace;
beforeEach(() => {
  work = new Workspace().write({ 'fleet/fleet.yaml': SMALL, 'shared/eu.yaml': EU, 'data/prices.yaml': PRICES });
});
afterEach(() => work.remove());

const cases: Record<string, { arrange: () => void; want: string }> = {
  'a link to a file': {
    arrange: () => symlinkSync('../shared/eu.yaml', work.path('fleet/eu.yaml')),
    want: `fleet/eu.yaml: this link ${HINT}\n`,
  },
  'a link to a folder': {
    arrange: () => symlinkSync('../shared', work.path('fleet/more')),
    want: `fleet/more: this link ${HINT}\n`,
  },
  'a file that the fleet names': {
    arrange: () => work.write({ 'fleet/settings.yaml': settings('prices: ../data/prices.yaml') }),
    want: `fleet/settings.yaml:4:17: '../data/prices.yaml' ${HINT}\n`,
  },
  'a named file behind a link': {
    arrange: () => {
      mkdirSync(work.path('fleet/.data'));
      symlinkSync('../../data/prices.yaml', work.path('fleet/.data/prices.yaml'));
      work.write({ 'fleet/settings.yaml': settings('prices: .data/prices.yaml') });
    },
    want: `fleet/settings.yaml:4:17: '.data/prices.yaml' ${HINT}\n`,
  },
};

describe('what leads out of the folder of the fleet is refused, unless --allow-outside is set', () => {
  test.each(Object.entries(cases))('%s', (_, { arrange, want }) => {
    arrange();
    expect(work.run('plan ./fleet')).toEqual({ code: 1, out: '', err: want });
    expect(work.run('plan ./fleet --allow-outside')).toMatchObject({ code: 0, err: '' });
  });

  test('also where it does not exist, so that no one learns what does', () => {
    work.write({ 'fleet/settings.yaml': settings('catalogue: /etc/no-such-file') });
    expect(work.run('plan ./fleet').err).toBe(`fleet/settings.yaml:4:20: '/etc/no-such-file' ${HINT}\n`);
  });

  test('a link within the folder is read', () => {
    work.write({ 'fleet/.data/eu.txt': EU });
    symlinkSync('.data/eu.txt', work.path('fleet/eu.yaml'));
    expect(work.run('plan ./fleet')).toMatchObject({ code: 0, err: '' });
  });
});
