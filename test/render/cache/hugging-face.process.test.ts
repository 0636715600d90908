import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { FACTS_FILE, HUGGING_FACE_SCRIPT } from '../../../src/render/cache/staging-scripts';
import { Sandbox } from './shell';

// Each row starts an interpreter, which takes its time where many tests run at once.
jest.setTimeout(60_000);

/** A hub of one repository, in place of the library: it writes down what it is asked, and obeys the environment. */
const HUB = `import fnmatch, json, os, pathlib, types
def log(*entry):
    with open(os.environ["LOG"], "a") as file: file.write(json.dumps(entry) + "\\n")
class HfApi:
    def model_info(self, repo, revision=None, files_metadata=False):
        log("info", repo, revision)
        files = json.loads(os.environ["FILES"])
        found = [types.SimpleNamespace(rfilename=name, size=size) for name, size in files.items()]
        return types.SimpleNamespace(sha=os.environ["SHA"] if revision in (None, "main") else revision, siblings=found)
def snapshot_download(repo, revision, local_dir, allow_patterns=None, ignore_patterns=None):
    log("download", repo, revision, local_dir, allow_patterns, ignore_patterns)
    if os.environ.get("BREAK"): raise OSError("interrupted")
    for name, size in json.loads(os.environ.get("SERVED", os.environ["FILES"])).items():
        path = pathlib.Path(local_dir, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"x" * size)
    pathlib.Path(local_dir, ".cache/huggingface").mkdir(parents=True, exist_ok=True)
    pathlib.Path(local_dir, ".cache/huggingface/lock").write_text("")
`;
const UTILS = `import fnmatch
def filter_repo_objects(items, allow_patterns=None, ignore_patterns=None, key=None):
    for item in items:
        if allow_patterns and not any(fnmatch.fnmatch(key(item), one) for one in allow_patterns): continue
        if ignore_patterns and any(fnmatch.fnmatch(key(item), one) for one in ignore_patterns): continue
        yield item
`;

const python = spawnSync('python3', ['--version']).status === 0;
(python ? describe : describe.skip)('copying a repository (needs python3)', () => {
  let box: Sandbox;
  beforeEach(() => {
    box = new Sandbox();
    for (const folder of ['folder', 'lib', 'lib/huggingface_hub']) mkdirSync(box.path(folder));
    writeFileSync(box.path('lib/huggingface_hub/__init__.py'), HUB);
    writeFileSync(box.path('lib/huggingface_hub/utils.py'), UTILS);
  });
  afterEach(() => box.remove());

  const copied = (env: Record<string, string> = {}) =>
    box.run('python3', HUGGING_FACE_SCRIPT, {
      cwd: box.path('folder'),
      env: {
        PYTHONPATH: box.path('lib'),
        PYTHONDONTWRITEBYTECODE: '1',
        LOG: box.path('log'),
        FILES: '{"config.json": 3, "deep/weights": 5}',
        SHA: 'a'.repeat(40),
        REPO: 'Qwen/Qwen3-8B',
        INCLUDE: '[]',
        EXCLUDE: '[]',
        ...env,
      },
    });
  const log = (): unknown[] =>
    readFileSync(box.path('log'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));

  test('takes the commit that the branch has, and says so', async () => {
    const { code, out } = await copied({ REVISION: 'main' });
    expect({ code, out }).toEqual({ code: 0, out: `2 files, 8 bytes at ${'a'.repeat(40)}\n` });
    expect(log()).toEqual([
      ['info', 'Qwen/Qwen3-8B', 'main'],
      ['download', 'Qwen/Qwen3-8B', 'a'.repeat(40), '.', null, null],
    ]);
    expect(readFileSync(box.path('folder', FACTS_FILE), 'utf8')).toBe(`revision=${'a'.repeat(40)}\n`);
    expect(existsSync(box.path('folder/.cache/huggingface'))).toBe(false);
  });

  test('keeps to that commit when the branch moves between attempts', async () => {
    expect((await copied({ BREAK: '1' })).code).toBe(1);
    expect((await copied({ SHA: 'b'.repeat(40) })).code).toBe(0);
    expect(log().at(-1)).toEqual(['download', 'Qwen/Qwen3-8B', 'a'.repeat(40), '.', null, null]);
  });

  test.each([
    ['smaller', '{"config.json": 3, "deep/weights": 4}'],
    ['not there', '{"config.json": 3}'],
  ])('fails where a file is %s', async (_, SERVED) => {
    const { code, out } = await copied({ SERVED });
    expect(code).toBe(1);
    expect(out).toContain("Not of the size that the repository says: ['deep/weights']");
  });

  test('passes patterns on, and expects no file that they leave out', async () => {
    const INCLUDE = JSON.stringify(['*.json', `it's "quoted"\n`]);
    expect(await copied({ INCLUDE, EXCLUDE: '["original/*"]', SERVED: '{"config.json": 3}' })).toMatchObject({
      code: 0,
      out: expect.stringContaining('1 files, 3 bytes'),
    });
    expect(log().at(-1)).toMatchObject({ 4: ['*.json', `it's "quoted"\n`], 5: ['original/*'] });
  });

  test.each(['a b/c', `it's "quoted"`, 'two\nlines', '$(touch pwned)', '"""'])(
    'asks for a repository called %j as it is',
    async (REPO) => {
      expect((await copied({ REPO })).code).toBe(0);
      expect(log()[0]).toEqual(['info', REPO, null]);
    },
  );
});
