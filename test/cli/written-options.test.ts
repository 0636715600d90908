import { SMALL, Workspace } from './cli';

let work: Workspace;
beforeEach(() => {
  work = new Workspace().write({ 'fleet.yaml': SMALL });
});
afterEach(() => work.remove());

const cases: Record<string, string> = {
  'plan ./ --save': '--save',
  'plan ./ --html': '--html',
  'lock ./ --lock': '--lock',
  'synth ./ --ephemeral --out': '--out',
  'synth ./ --ephemeral -o': '--out',
  'export ./ --out': '--out',
  'schema --out': '--out',
  'status ./ --snapshot': '--snapshot',
  'doctor us --write': '--write',
};

test.each(Object.entries(cases))('%s - writes nothing, and says so', (args, flag) => {
  const before = work.files();
  const { code, out, err } = work.run(`${args} -`);
  expect({ code, out, err }).toEqual({
    code: 1,
    out: '',
    err: `${flag}: '-' is not a file or folder to write to. Use a path, or './-' for a file of that name.\n`,
  });
  expect(work.files()).toEqual(before);
});

test('a file of that name is written where it is meant', () => {
  expect(work.run('export ./ --out ./-')).toMatchObject({ code: 0, out: 'Wrote 3 resources to -.\n' });
  expect(work.read('-')).toMatch(/^# Written by fleetwright export/);
});
