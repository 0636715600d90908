import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { SMALL, Workspace } from './cli';
import { Repository } from './repository';

const NEWER = SMALL.replace('v0.23.0', 'v0.24.0');
const EU = SMALL.split('---\n')[1]!.replace('name: us', 'name: eu');
const FLEET = `apiVersion: fleetwright.dev/v1alpha1
kind: Fleet
metadata: { name: fleet }
spec: { policies: ../rules/policy.yaml, prices: ./prices.yaml }
`;

const SCENARIOS = 'scenarios: [{ name: loss, lose: [us] }]\n';

const outside = new Workspace().write({ 'prices.yaml': 'prices: []\n' });
afterAll(() => outside.remove());

let work: Repository;
beforeEach(() => {
  work = new Repository();
  work.start('a fleet with its files', () => {
    work.write({
      'fleet/fleet.yaml': SMALL,
      'fleet/settings.yaml': FLEET,
      'fleet/prices.yaml': 'prices: []\n',
      'rules/policy.yaml': 'rules: []\n',
      'fleet/README.md': 'x',
      '.gitignore': 'ignored.yaml\n',
      'elsewhere/other.yaml': 'x: 1\n',
    });
    work.init();
    expect(work.run('lock ./fleet --allow-outside')).toMatchObject({ code: 0 });
    work.commit();
  });
});
afterEach(() => work.remove());

const remove = (path: string): void => rmSync(work.path(path), { recursive: true });
const one = (name: string): string =>
  `--against HEAD: ${name} differs from HEAD. Commit it, or add --allow-dirty to include uncommitted changes.\n`;

const refused: Record<string, { change: () => void; want: string }> = {
  'a manifest that is changed': {
    change: () => work.write({ 'fleet/fleet.yaml': NEWER }),
    want: one('fleet/fleet.yaml'),
  },
  'one that is changed in the index alone': {
    change: () => {
      work.write({ 'fleet/fleet.yaml': NEWER });
      work.git('add', '.');
      work.write({ 'fleet/fleet.yaml': SMALL });
    },
    want: one('fleet/fleet.yaml'),
  },
  'one that is new': { change: () => work.write({ 'fleet/a/eu.yaml': EU }), want: one('fleet/a/eu.yaml') },
  'one that is gone': {
    change: () => {
      work.write({ 'fleet/eu.yaml': EU });
      work.commit();
      remove('fleet/eu.yaml');
    },
    want: one('fleet/eu.yaml'),
  },
  'a lock that is changed': {
    change: () => {
      work.write({ 'fleet/fleet.yaml': SMALL.replace('replicas: 1', 'replicas: 2') });
      work.run('lock ./fleet --allow-outside');
      work.git('commit', '-qm', 'x', 'fleet/fleet.yaml');
    },
    want: one('fleet/fleet.lock.yaml'),
  },
  'a lock that is gone': {
    change: () => remove('fleet/fleet.lock.yaml'),
    want: one('fleet/fleet.lock.yaml'),
  },
  'a file that a manifest names, inside or outside of the folder': {
    change: () => work.write({ 'rules/policy.yaml': 'rules: []\n# x\n', 'fleet/prices.yaml': 'prices: [] # x\n' }),
    want: '--against HEAD: fleet/prices.yaml, rules/policy.yaml differ from HEAD. Commit them, or add --allow-dirty to include uncommitted changes.\n',
  },
  'a file that a link in the folder leads to': {
    change: () => {
      symlinkSync('../elsewhere/eu.yaml', work.path('fleet/eu.yaml'));
      work.write({ 'elsewhere/eu.yaml': EU });
      work.commit();
      work.write({ 'elsewhere/eu.yaml': `${EU}# x\n` });
    },
    want: one('elsewhere/eu.yaml'),
  },
  'both names of a file that was moved': {
    change: () => work.git('mv', 'fleet/fleet.yaml', 'fleet/all.yaml'),
    want: '--against HEAD: fleet/all.yaml, fleet/fleet.yaml differ from HEAD. Commit them, or add --allow-dirty to include uncommitted changes.\n',
  },
  'scenarios where a manifest was': {
    change: () => {
      work.write({ 'fleet/eu.yaml': EU });
      work.commit();
      work.write({ 'fleet/eu.yaml': SCENARIOS });
    },
    want: one('fleet/eu.yaml'),
  },
  'scenarios that now stand next to a manifest': {
    change: () => {
      work.write({ 'fleet/eu.yaml': SCENARIOS });
      work.commit();
      work.write({ 'fleet/eu.yaml': `${SCENARIOS}---\n${EU}` });
    },
    want: one('fleet/eu.yaml'),
  },
  'a repository of its own in the folder': {
    change: () => {
      work.write({ 'fleet/own/eu.yaml': EU });
      work.git('init', '-q', 'fleet/own');
    },
    want: one('fleet/own'),
  },
  'a name that git would quote': {
    change: () => work.write({ 'fleet/é "x.yaml': EU }),
    want: one('fleet/é "x.yaml'),
  },
};

describe('a plan against a revision refuses', () => {
  test.each(Object.entries(refused))('%s', (_, { change, want }) => {
    change();
    const before = work.files();
    const { code, out, err } = work.run('plan ./fleet --allow-outside --against HEAD --html ./map.html --save ./saved');
    expect({ code, out, err }).toEqual({ code: 1, out: '', err: want });
    expect(work.files()).toEqual(before);
  });

  test('them unless it is reported to plan what lies there', () => {
    work.write({ 'fleet/fleet.yaml': NEWER });
    const { code, out } = work.run('plan ./fleet --allow-outside --against HEAD --allow-dirty');
    expect({ code, rolled: out.includes('1 rolled in place') }).toEqual({ code: 0, rolled: true });
  });

  test('more files than it names', () => {
    work.write(Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`fleet/c${i}.yaml`, '# nothing\n'])));
    expect(work.run('plan ./fleet --allow-outside --against HEAD').err).toMatch(
      /^--against HEAD: fleet\/c0\.yaml, .* \d more differ/,
    );
  });

  test('a single file that is changed', () => {
    work.write({ 'fleet/fleet.yaml': NEWER, 'fleet/prices.yaml': 'prices: [] # x\n' });
    expect(work.run('plan ./fleet/fleet.yaml --allow-outside --against HEAD').err).toBe(one('fleet/fleet.yaml'));
  });

  test('to be made where git has no working tree', () => {
    work.git('config', 'core.bare', 'true');
    expect(work.run('plan ./fleet --allow-outside --against HEAD').err).toBe(
      "fleet: 'fleet' is not in a working tree of git. Run the command in a checkout.\n",
    );
  });

  test('what git cannot tell', () => {
    writeFileSync(work.path('.git/index'), 'x');
    expect(work.run('plan ./fleet --allow-outside --against HEAD').err).toBe(
      ".: 'git status' fails here. Run it to see why.\n",
    );
  });
});

const planned: Record<string, () => void> = {
  'scenarios that are new': () => work.write({ 'fleet/scenarios.yaml': SCENARIOS }),
  'scenarios that are changed': () => {
    work.write({ 'fleet/scenarios.yaml': SCENARIOS });
    work.commit();
    work.write({ 'fleet/scenarios.yaml': SCENARIOS.replace('[us]', '[eu]') });
  },
  'scenarios that are gone': () => {
    work.write({ 'fleet/scenarios.yaml': SCENARIOS });
    work.commit();
    remove('fleet/scenarios.yaml');
  },
  'files that no one reads': () => work.write({ 'fleet/README.md': 'y', 'elsewhere/other.yaml': 'x: 2\n' }),
  'an ignored file': () => work.write({ 'fleet/ignored.yaml': EU }),
  'what synth wrote, be it changed or gone': () => {
    work.run('synth ./fleet --allow-outside --out ./fleet/out');
    work.commit();
    remove(Object.keys(work.files()).find((path) => /^fleet\/out\/.*\.yaml$/.test(path)) ?? '');
    work.write({ 'fleet/out/more.yaml': 'x: 1\n' });
  },
  'all that synth wrote, gone': () => {
    work.run('synth ./fleet --allow-outside --out ./fleet/out');
    work.commit();
    remove('fleet/out');
  },
  'a repository of which nothing is read': () => {
    work.write({ 'fleet/own/README.md': 'x' });
    work.git('init', '-q', 'fleet/own');
  },
  'what is gone from a folder that is not read': () => {
    work.write({ 'fleet/.hidden/x.yaml': 'x: 1\n', 'fleet/node_modules/x.yaml': 'x: 1\n' });
    work.git('add', '-f', '.');
    work.commit();
    remove('fleet/.hidden');
    remove('fleet/node_modules');
  },
  'a folder without files': () => mkdirSync(work.path('fleet/empty')),
  'a file that is in no repository': () => {
    work.write({ 'fleet/settings.yaml': FLEET.replace('./prices.yaml', outside.path('prices.yaml')) });
    remove('fleet/prices.yaml');
    work.commit();
  },
};

describe('a plan against a revision leaves alone', () => {
  test.each(Object.entries(planned))('%s', (_, change) => {
    change();
    const { code, err } = work.run('plan ./fleet --allow-outside --against HEAD');
    expect({ code, err }).toEqual({ code: 0, err: '' });
  });
});

test('folders and saved plans are compared as they lie', () => {
  expect(work.run('plan ./fleet --allow-outside --save ./saved').code).toBe(0);
  work.write({ 'fleet/fleet.yaml': NEWER });
  expect(work.run('plan ./fleet --allow-outside --against ./saved').code).toBe(0);
  expect(work.run('plan ./fleet --allow-outside --against ./fleet').code).toBe(0);
});
