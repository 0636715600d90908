import { spawnSync } from 'node:child_process';

const cases: Record<string, () => void> = {
  'jest.mock': () => jest.doMock('../src/base/order', () => ({})),
  'jest.isolateModules': () => jest.isolateModules(() => undefined),
  'jest.resetModules': () => jest.resetModules(),
};

test.each(Object.entries(cases))('%s is refused where modules are shared with other files', (name, action) => {
  expect(action).toThrow(`${name} takes modules of one's own`);
});

describe('a process that a test starts', () => {
  const sh = (script: string, options = {}) => spawnSync('sh', ['-c', script], { encoding: 'utf8', ...options });

  test('is forked by a small process, not by the worker', () => {
    expect(Number(sh('echo $PPID').stdout)).not.toBe(process.pid);
  });

  test('starts in the folder that the worker is in by then', () => {
    const before = process.cwd();
    try {
      process.chdir('/');
      expect(sh('pwd').stdout).toBe('/\n');
    } finally {
      process.chdir(before);
    }
  });

  test('has its input, and an end as if the worker had started it', () => {
    expect(sh('cat', { input: 'text' }).stdout).toBe('text');
    expect(sh('exit 3').status).toBe(3);
    expect(sh('kill -TERM $$').signal).toBe('SIGTERM');
    expect(sh('sleep 9', { timeout: 1 }).error).toMatchObject({ code: 'ETIMEDOUT' });
    expect(spawnSync('no-such-program').error).toMatchObject({ code: 'ENOENT' });
  });
});
