import { rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { SMALL, Workspace } from './cli';
import { Repository } from './repository';

const EU = SMALL.split('---\n')[1]!.replace('name: us', 'name: eu');

const outside = new Workspace().write({ 'eu.yaml': EU, 'clusters/eu.yaml': EU });
afterAll(() => outside.remove());

let work: Repository;
beforeEach(() => {
  work = new Repository();
  work.write({ 'fleet/fleet.yaml': SMALL });
  work.init();
});
afterEach(() => work.remove());

const link = (path: string, target: string): void => symlinkSync(target, work.path(path));

/** Commits what is there, locked, and plans the same against it. */
function planUnchanged(): ReturnType<Workspace['run']> {
  expect(work.run('lock ./fleet --allow-outside')).toMatchObject({ code: 0 });
  work.commit();
  return work.run('plan ./fleet --against HEAD --allow-outside');
}

describe('of a revision is read through a link', () => {
  const cases: Record<string, () => void> = {
    'a manifest': () => {
      work.write({ 'shared/eu.yaml': EU });
      link('fleet/eu.yaml', '../shared/eu.yaml');
    },
    'a folder': () => {
      work.write({ 'shared/eu.yaml': EU });
      link('fleet/more', '../shared');
    },
    'a file whose own name is of no manifest': () => {
      work.write({ 'shared/eu.txt': EU });
      link('fleet/eu.yaml', '../shared/eu.txt');
    },
    'what another link leads to': () => {
      work.write({ 'shared/eu.txt': EU });
      link('shared/other', 'eu.txt');
      link('fleet/eu.yaml', '../shared/other');
    },
    'a file behind a folder that is a link': () => {
      work.write({ 'a/b/eu.txt': EU });
      link('to', 'a/b');
      link('fleet/eu.yaml', '../to/./eu.txt');
    },
    'a file that is there under its own name too': () => {
      work.write({ 'fleet/eu.yaml': EU });
      link('fleet/same.yaml', 'eu.yaml');
    },
    'the folder of the fleet': () => {
      work.write({ 'real/fleet.yaml': SMALL });
      rmSync(work.path('fleet'), { recursive: true });
      link('fleet', 'real');
    },
  };
  test.each(Object.entries(cases))('%s', (_, arrange) => {
    arrange();
    const { code, out, err } = planUnchanged();
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain('Against HEAD: 0 declarations changed\n');
    expect(out).toMatch(/Total: no replica changes, 1 unchanged\.\n/);
  });

  test('nothing that is not where the fleet is', () => {
    work.write({ 'shared/eu.yaml': EU });
    link('to.yaml', 'shared/eu.yaml');
    link('nowhere.yaml', '/nowhere');
    link('fleet/README', '/nowhere');
    link('fleet/none', '/nowhere/none');
    work.write({ 'fleet/.hidden/x': '' });
    link('fleet/.hidden/eu.yaml', '/nowhere/eu.yaml');
    link('fleet/.more', outside.path('clusters'));
    const { code, out } = planUnchanged();
    expect({ code, same: out.includes('Against HEAD: 0 declarations changed\n') }).toEqual({
      code: 0,
      same: true,
    });
  });

  test('and one that leads elsewhere now', () => {
    work.write({ 'shared/1.yaml': EU, 'shared/2.yaml': EU.replace('nodeCount: 2', 'nodeCount: 3') });
    link('fleet/eu.yaml', '../shared/1.yaml');
    planUnchanged();
    rmSync(work.path('fleet/eu.yaml'));
    link('fleet/eu.yaml', '../shared/2.yaml');
    work.run('lock ./fleet --allow-outside');
    work.commit();
    expect(work.run('plan ./fleet --against HEAD~1 --allow-outside').out).toContain(
      'spec.nodePools[h100].nodeCount: 2 -> 3   fleet/eu.yaml:',
    );
  });
});

describe('a revision is refused that has', () => {
  const hint = 'Compare with a folder that has the files, such as a checkout, or with a saved plan.\n';
  const linked = (path: string, target: string): string =>
    `HEAD:${path}: it is a link to '${target}', which is outside the repository. ${hint}`;
  const cases: Record<string, { arrange: () => void; want: () => string }> = {
    'a manifest that is a link out of the repository': {
      arrange: () => link('fleet/eu.yaml', outside.path('eu.yaml')),
      want: () => linked('fleet/eu.yaml', outside.path('eu.yaml')),
    },
    'a link that climbs out of it': {
      arrange: () => link('fleet/eu.yaml', `../..${outside.path('eu.yaml').slice(tmpdir().length)}`),
      want: () => linked('fleet/eu.yaml', `../..${outside.path('eu.yaml').slice(tmpdir().length)}`),
    },
    'a folder that is one': {
      arrange: () => link('fleet/more', outside.path('clusters')),
      want: () => linked('fleet/more', outside.path('clusters')),
    },
    'one in a folder that a link leads to': {
      arrange: () => {
        work.write({ 'shared/x': '' });
        link('shared/eu.yaml', outside.path('eu.yaml'));
        link('fleet/more', '../shared');
      },
      want: () => linked('shared/eu.yaml', outside.path('eu.yaml')),
    },
    'a submodule with manifests': {
      arrange: () => {
        const other = new Repository();
        other.write({ 'eu.yaml': EU });
        other.init();
        other.commit();
        work.git('-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', other.root, 'fleet/more');
        other.remove();
      },
      want: () => `HEAD:fleet/more: it is a submodule, with files in another repository. ${hint}`,
    },
  };
  test.each(Object.entries(cases))('%s', (_, { arrange, want }) => {
    arrange();
    const { code, out, err } = planUnchanged();
    expect({ code, out, err }).toEqual({ code: 1, out: '', err: want().replaceAll(`${work.root}/`, '') });
  });

  test('a submodule into which a link leads', () => {
    const other = new Repository();
    other.write({ 'clusters/eu.yaml': EU });
    other.init();
    other.commit();
    work.git('-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', other.root, 'vendor');
    other.remove();
    link('fleet/more', '../vendor/clusters');
    expect(planUnchanged().err).toBe(`HEAD:vendor: it is a submodule, with files in another repository. ${hint}`);
  });

  test('no submodule that is hidden', () => {
    planUnchanged();
    work.git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},fleet/.more`);
    work.git('commit', '-qm', 'x');
    expect(work.run('plan ./fleet --against HEAD --allow-outside')).toMatchObject({ code: 0, err: '' });
  });

  test('a submodule that is gone now, but not one without manifests', () => {
    const other = new Repository();
    other.write({ README: '' });
    other.init();
    other.commit();
    work.git('-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', other.root, 'fleet/more');
    other.remove();
    expect(planUnchanged()).toMatchObject({ code: 0, err: '' });
    work.git('rm', '-qf', 'fleet/more');
    work.commit();
    expect(work.run('plan ./fleet --against HEAD~1 --allow-outside').err).toBe(
      `HEAD~1:fleet/more: it is a submodule, with files in another repository. ${hint}`,
    );
  });
});

test('engines of a deployment are found through a link where they changed since the lock', () => {
  work.write({ 'shared/fleet.yaml': SMALL });
  rmSync(work.path('fleet/fleet.yaml'));
  link('fleet/fleet.yaml', '../shared/fleet.yaml');
  planUnchanged();
  work.write({
    'shared/fleet.yaml': SMALL.replace(
      'count: 8\n                    selectors',
      'count: 4\n                    selectors',
    ).replace('-tp=8', '-tp=4'),
  });
  expect(work.run('plan ./fleet --allow-outside').out).not.toContain('their earlier declaration is unknown');
});
