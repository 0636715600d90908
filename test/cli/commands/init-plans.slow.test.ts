import { CI_SYSTEMS, GITOPS_TOOLS } from '../../../src/analyze/starter/starter-answers';
import { STARTER_CLOUD_NAMES } from '../../../src/analyze/starter/starter-clouds';
import { gpusOfCloud } from '../../../src/analyze/starter/starter-pools';
import { BUILT_IN_MODELS } from '../../../src/fleet/models/model-book';
import { Workspace } from '../cli';

let work: Workspace;
beforeEach(() => {
  work = new Workspace();
});
afterEach(() => work.remove());

/** AKS has no L4, which the rows for all others use. */
const OTHERS = STARTER_CLOUD_NAMES.filter((name) => name !== 'aks');

/** Every choice of one or more other clouds, AKS alone, and all clouds. */
const CLOUD_CHOICES = [
  ...Array.from({ length: 2 ** OTHERS.length - 1 }, (_, i) => OTHERS.filter((_, bit) => ((i + 1) >> bit) & 1)),
  ['aks'],
  STARTER_CLOUD_NAMES,
];

/** A model of one GPU, of a node, and of a gang; and a mixture of experts in four bits. */
const MODELS = ['Qwen/Qwen3-8B', 'Qwen/Qwen3-32B', 'deepseek-ai/DeepSeek-R1', 'openai/gpt-oss-120b'];

/** Every model and every GPU take minutes: FLEETWRIGHT_TIMES=2 asks for them. */
const isLong = Number(process.env['FLEETWRIGHT_TIMES'] ?? 1) > 1;
const STRIDE = isLong ? 1 : 12;

let folders = 0;

/** Writes a fleet and plans it. Undefined where the hardware does not serve the model. */
function planNew(flags: string): string | undefined {
  const folder = `./new-${(folders += 1)}`;
  const wrote = work.run(`init ${folder} ${flags}`);
  if (wrote.code === 1 && /^--(gpus|model): .* serve/.test(wrote.err)) return undefined;
  expect([flags, wrote.code, wrote.err]).toEqual([flags, 0, '']);
  const { code, out, err } = work.run(`plan ${folder}/fleet`);
  expect([flags, code, err]).toEqual([flags, 0, '']);
  expect(out).not.toContain('warning');
  return out;
}

/** How many GPUs each model planned on, over all choices of clouds. */
const plansOf = new Map<string, number>();

/** Each GPU is tried on one of four choices of clouds, with one model: over all rows, each with each model. */
function isDaily(gpu: number, choice: number, model: number): boolean {
  return isLong || (gpu + choice + model) % 4 === 0;
}

describe.each(CLOUD_CHOICES.map((clouds, choice) => [clouds.join(','), choice] as const))('on %s', (clouds, choice) => {
  const gpus = [...new Set(clouds.split(',').flatMap((cloud) => gpusOfCloud(cloud as 'gke')))];

  test.each(MODELS.map((model, i) => [model, i] as const))('%s plans on GPUs that serve it', (model, i) => {
    const tried = gpus.filter((_, gpu) => isDaily(gpu, choice, i));
    const creator = (choice + i) % 2 === 0 ? ' --pulumi' : '';
    const planned = tried.filter((gpu) => planNew(`--clouds ${clouds} --model ${model} --gpus ${gpu}${creator}`));
    plansOf.set(model, (plansOf.get(model) ?? 0) + planned.length);
  });

  test('several GPUs plan together', () => {
    const chosen = clouds === 'aks' ? 'h100-nvl,h100,h200' : 'l4,h100,h200';
    expect(planNew(`--clouds ${clouds} --gpus ${chosen}`)).toContain('3 deployments');
  });
});

test('each model plans on several of them', () => {
  expect([...plansOf].filter(([, plans]) => plans < CLOUD_CHOICES.length)).toEqual([]);
});

test('models plan on the GPUs that init chooses', () => {
  const models = [...BUILT_IN_MODELS.models.keys()].filter((_, i) => i % STRIDE === 0);
  const planned = models.filter((model) => planNew(`--clouds gke,eks,existing --model ${model} --pulumi`));
  expect(planned.length).toBeGreaterThan(models.length * 0.7);
});

test('how manifests are applied and checked changes of the declarations only who creates the clusters', () => {
  const tools = ['', ...GITOPS_TOOLS.map((tool) => `--gitops ${tool}`)];
  const flags = tools.flatMap((tool) => [tool, `${tool} --pulumi`]);
  const choices = flags.flatMap((some) => CI_SYSTEMS.map((ci) => `${some} --ci ${ci}`.trim()));
  const written = choices.map((choice) => {
    const one = new Workspace();
    const { code, err } = one.run(`init ./ --clouds gke,eks,existing ${choice.replaceAll(/ +/g, ' ')}`);
    expect([choice, code, err]).toEqual([choice, 0, '']);
    const planned = one.run('plan ./');
    expect([choice, planned.code, planned.err]).toEqual([choice, 0, '']);
    const fleet = Object.entries(one.files()).filter(([path]) => /^fleet\/.*\.yaml$/.test(path));
    one.remove();
    const clusters = choice.includes('--pulumi') ? /source: EKS/ : /source: Existing\n {4}existing:\n {6}context: eks/;
    expect(new Map(fleet).get('fleet/clusters.yaml')).toMatch(clusters);
    return JSON.stringify(fleet.filter(([path]) => path !== 'fleet/clusters.yaml'));
  });
  expect(choices).toHaveLength(18);
  expect(new Set(written).size).toBe(1);
});
