import { Workspace } from '../cli';

let work: Workspace;
beforeEach(() => {
  work = new Workspace();
});
afterEach(() => work.remove());

const CONFIG = JSON.stringify({
  architectures: ['LlamaForCausalLM'],
  hidden_size: 4096,
  intermediate_size: 14_336,
  num_attention_heads: 32,
  num_hidden_layers: 32,
  num_key_value_heads: 8,
  max_position_embeddings: 131_072,
  vocab_size: 128_256,
});
const INDEX = JSON.stringify({ metadata: { total_size: 16_060_522_496 } });
const SNAPSHOT = 'hub/models--meta-llama--Tuned-8B/snapshots/0e9e39f249a16976918f6564b8830bc894c89659';

/** The last two lines that a list of models ends with. */
function notes(query: string): string[] {
  return work.run(`model ${query}`).out.trimEnd().split('\n').slice(-2);
}

describe('fleetwright model', () => {
  test('lists the rows that contain a text', () => {
    expect(work.run('model qwen3-32b').out).toBe(
      `MODEL                                PARAMETERS  ACTIVE  ATTENTION  LAYERS  POSITIONS  STORED  WEIGHTS GiB
Qwen/Qwen3-32B                            32.76   32.76  gqa            64     40,960  bf16    61.0
Qwen/Qwen3-32B-FP8                        32.76   32.76  gqa            64     40,960  fp8     ~ 32.6
Qwen/Qwen3-32B-FP8-Static-PerTensor       32.76   32.76  gqa            64     40,960  fp8     ~ 32.6

3 models. PARAMETERS: billions. ~ computed from the parameters. --yaml prints the rows with their sources.
`,
    );
  });

  test('says what a dash means, and attention that is unknown', () => {
    expect(notes('ministral')[1]).toMatch(/^-: no source states it\. WEIGHTS is the size of the files then/);
    expect(notes('DeepSeek-V4-Pro')[1]).toMatch(/^ATTENTION unknown: fit cannot compute the KV cache/);
    expect(notes('qwen3-32b')[1]).toMatch(/^3 models\./);
  });

  test('prints rows that a model catalog takes', () => {
    const { out } = work.run('model openai/gpt-oss-20b --yaml');
    work.write({ 'models.yaml': out });
    expect(work.run('fit openai/gpt-oss-20b --model-config ./models.yaml --gpu h100 --tp 1').code).toBe(0);
    expect(out).toContain('slidingWindow: 128');
  });

  test('--yaml prints one row for the name of a repository, and that name first', () => {
    const { out } = work.run('model Qwen/Qwen3-32B --yaml');
    expect(out.match(/repository: .*/g)).toEqual(['repository: Qwen/Qwen3-32B']);
    expect(out).toContain('models:\n  - repository: Qwen/Qwen3-32B\n');
  });

  test('a query without a match names the nearest', () => {
    const { code, err } = work.run('model qwen-33b');
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringMatching(/^model: no model matches 'qwen-33b'\. (Did you mean|The nearest are) /) as string,
    });
  });

  test('add makes the row of a folder of the cache of Hugging Face, with the exact bytes', () => {
    work.write({ [`${SNAPSHOT}/config.json`]: CONFIG, [`${SNAPSHOT}/model.safetensors.index.json`]: INDEX });
    expect(work.run(`model add ./${SNAPSHOT} -o ./models.yaml`).code).toBe(0);
    const text = work.read('models.yaml');
    expect(text).toContain('repository: meta-llama/Tuned-8B');
    expect(text).toContain('revision: 0e9e39f249a16976918f6564b8830bc894c89659');
    const [, gib = ''] = /weightsGiB: (\S+)/.exec(text) ?? [];
    expect(Number(gib) * 2 ** 30).toBe(16_060_522_496);
    expect(work.run('fit meta-llama/Tuned-8B --model-config ./models.yaml --gpu h100 --tp 1').code).toBe(0);
  });

  test('add replaces the row of the same model, and keeps all else', () => {
    work.write({ 'm/config.json': CONFIG, 'models.yaml': '# ours\nmeasurements: []\n' });
    work.run('model add ./m --name house/a -o ./models.yaml');
    const first = work.read('models.yaml');
    work.run('model add ./m/config.json --name house/a -o ./models.yaml');
    expect(work.read('models.yaml')).toBe(first);
    expect(first).toMatch(/^# ours\nmeasurements: \[\]\nmodels:/);
    expect(first.match(/repository:/g)).toHaveLength(1);
  });

  const bad: Record<string, [files: Record<string, string>, want: RegExp]> = {
    'a folder without a config.json': [{ 'm/other': '' }, /m\/config\.json: /],
    'a file that is no JSON': [{ 'm/config.json': 'x' }, /m\/config\.json: this is not a JSON object/],
    'an architecture that is not known': [
      { 'm/config.json': CONFIG.replace('LlamaFor', 'NewFor') },
      /the attention of architecture 'NewForCausalLM' is not known\. Add a row with its attention, layers/,
    ],
    'a configuration without a figure': [
      { 'm/config.json': CONFIG.replace('num_hidden_layers', 'x') },
      /m\/config\.json: the row lacks num_hidden_layers/,
    ],
    'a file that is no model catalog': [
      { 'm/config.json': CONFIG, 'models.yaml': 'rules: []\n' },
      /models\.yaml:1:1: unknown field 'rules'/,
    ],
  };

  test.each(Object.entries(bad))('add refuses %s and writes nothing', (_, [files, want]) => {
    work.write(files);
    const { code, err } = work.run('model add ./m -o ./models.yaml');
    expect({ code, err }).toEqual({ code: 1, err: expect.stringMatching(want) as string });
    expect(work.files()['models.yaml']).toBe(files['models.yaml']);
  });
});
