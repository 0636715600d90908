import { SMALL, Workspace } from './cli';

let work: Workspace;
beforeEach(() => {
  work = new Workspace();
});
afterEach(() => work.remove());

const hostileFiles: Record<string, string> = {
  'a command': '::stop-commands::x.yaml',
  'a command of the older form': '##[add-mask]x.yaml',
  'a mark of direction': 'a\u202Ex.yaml',
  'a line break': 'a\n::error::x.yaml',
};

test.each(Object.entries(hostileFiles))('%s in the name of a file is shown, not sent', (_, name) => {
  work.write({ [`odd/${name}`]: SMALL.replace('replicas: 1', 'replicas: x') });
  for (const flags of ['', ' --json', ' --annotations github']) {
    const { out, err } = work.run(`plan ./odd${flags}`);
    const lines = `${out}${err}`.split('\n').filter((line) => !/^::error file=[^:]*,title=[^:]*::/.test(line));
    expect(lines.join('\n')).not.toMatch(/^\s*::|##\[|\p{Bidi_Control}/mu);
  }
});
