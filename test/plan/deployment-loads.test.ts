import { formatDiagnostic } from '../../src/base/diagnostic';
import type { MeasuredRow } from '../../src/catalog/models/measured-row';
import { assemble } from '../../src/fleet/fleet';
import { BUILT_IN_MODELS } from '../../src/fleet/models/model-book';
import { decide } from '../../src/plan/decide';
import { EMPTY_LOCK } from '../../src/scheduler/lock/lock';
import type { Load } from '../../src/sizing/carried-load';
import { aClass, aCluster, aDeployment, aMember, byPath, gpus, request } from '../api/build';
import { aMeasuredRow } from '../sizing/build';

const H100 = { memory: '81559Mi' };
const H200 = { memory: '143771Mi' };
const ANY = 'device.driver == "gpu.nvidia.com"';

const eight = aMeasuredRow({ repository: 'Qwen/Qwen3-8B', gpu: 'h100', tp: 1 });
const many: MeasuredRow = { ...eight, concurrency: 32, requestsPerSecond: 5, source: 'many.json' };
const other: MeasuredRow = { ...many, gpu: 'h200', requestsPerSecond: 8, source: 'other.json' };

interface Row {
  readonly replicas?: number;
  readonly copies?: number;
  readonly concurrency?: number;
  readonly load?: Partial<Load>;
  readonly rows?: readonly MeasuredRow[];
  readonly nodes?: { readonly h100?: number; readonly h200?: number };
  readonly warnings?: readonly string[];
  readonly notes?: readonly (string | RegExp)[];
}

const cases: Record<string, Row> = {
  'replicas that carry it are stated with the measurements': {
    replicas: 4,
    notes: [
      'ml/chat: 4 replicas carry 20 requests a second, and the load is 20 requests a second of 1,000 + 200 tokens: on 1 x h100, 1 GPU, 4 replicas carry it, since one carries 5 requests a second (many.json at 32 requests at once).',
    ],
  },
  'too few replicas are warned of, with the number that carries it': {
    replicas: 3,
    warnings: [
      'spec.model.load: 3 replicas carry at most 15 requests a second, and the load is 20 requests a second of 1,000 + 200 tokens: on 1 x h100, 1 GPU, 4 replicas carry it, since one carries 5 requests a second (many.json at 32 requests at once). Set spec.replicas to 4',
    ],
  },
  'replicas inside the range are warned of with both ends': {
    replicas: 5,
    concurrency: 20,
    warnings: [
      'spec.model.load: 5 replicas carry 17.5 to 25 requests a second, and the load is 20 requests a second of 1,000 + 200 tokens: on 1 x h100, 1 GPU, 4 to 6 replicas carry it, since one carries 3.5 to 5 requests a second (eight.json at 8 and many.json at 32 requests at once). Set spec.replicas to 6, or at least to 4',
    ],
  },
  'copies of the engine carry their part': {
    replicas: 2,
    copies: 2,
    notes: [/^ml\/chat: 2 replicas carry 20 requests/],
  },
  'replicas on two kinds of GPU carry it together': {
    replicas: 3,
    nodes: { h100: 1, h200: 2 },
    rows: [eight, many, other],
    notes: [
      /^ml\/chat: 3 replicas carry 21 requests a second.*: on 1 x h100, 1 GPU, 4 replicas carry it,.*; on 1 x h200, 1 GPU, 3 replicas carry it, since one carries 8 requests a second \(other\.json at 32 requests at once\)\.$/,
    ],
  },
  'without measurements it says what to measure, with the command': {
    rows: [],
    concurrency: 16,
    notes: [
      "How many replicas of ml/chat carry 20 requests a second of 1,000 + 200 tokens cannot be known: the model catalog of the fleet has no measurement of Qwen/Qwen3-8B with such requests on 1 x h100, 1 GPU. Measure one replica: 'vllm bench serve --base-url http://localhost:8000 --model Qwen/Qwen3-8B --dataset-name random --random-input-len 1000 --random-output-len 200 --ignore-eos --num-prompts 160 --max-concurrency 16 --save-result --result-dir /tmp --result-filename run-16.json'. Then add the result: 'fleetwright fit Qwen/Qwen3-8B . --gpu h100 --tp 1 --measured /tmp/run-16.json'.",
    ],
  },
  'where no number of requests is wanted, as many are measured as fit': {
    rows: [],
    notes: [/--max-concurrency 256 /],
  },
  'measurements of one of two kinds of GPU do not say it': {
    replicas: 3,
    nodes: { h100: 1, h200: 2 },
    notes: [/^How many replicas of ml\/chat .* on 1 x h200, 1 GPU\. Measure .* --gpu h200 --tp 1 /],
  },
  'measurements of other prompts do not say it': {
    load: { inputTokens: 8000 },
    notes: [/^How many replicas of ml\/chat .* of 8,000 \+ 200 tokens cannot be known: .* --random-input-len 8000 /],
  },
};

test.each(Object.entries(cases))('the load of a deployment: %s', (_, row) => {
  const { replicas = 1, copies = 1, concurrency = 1, rows = [eight, many], nodes = { h100: 8 } } = row;
  const args = ['Qwen/Qwen3-8B', '--max-model-len=8192'];
  const container = { name: 'engine', image: 'vllm/vllm-openai:v0.23.0', args };
  const member = aMember({ devices: [request('gpu', 1, ANY)], template: { spec: { containers: [container] } } });
  const { spec, ...rest } = aDeployment('ml/chat', {
    replicas,
    engines: [{ name: 'main', copies, members: [member] }],
  });
  const load = { requestsPerSecond: 20, inputTokens: 1000, outputTokens: 200, ...row.load };
  const model = { repository: 'Qwen/Qwen3-8B', context: 8192, concurrency, engine: 'vLLM' as const, load };
  const declared = assemble([
    aClass('h100', { devices: [gpus(1, H100)] }),
    aClass('h200', { devices: [gpus(1, H200)] }),
    aCluster('a', { pools: nodes }),
    { ...rest, spec: { ...spec, model } },
  ]);
  const fleet = { ...declared, models: { ...BUILT_IN_MODELS, measurements: rows } };
  const { plan } = decide(fleet, byPath, EMPTY_LOCK);
  const warnings = plan.warnings.filter(({ code }) => code === 'high-load').map((one) => formatDiagnostic(one));
  expect(warnings).toEqual((row.warnings ?? []).map((want) => expect.stringContaining(want) as unknown));
  const notes = plan.notes.filter((note) => note.includes('ml/chat') && !note.startsWith('No client'));
  expect(notes).toEqual((row.notes ?? []).map(matches));
  expect(plan.loads).toHaveLength(1);
});

function matches(want: string | RegExp): unknown {
  return typeof want === 'string' ? want : expect.stringMatching(want);
}
