import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decideRecipe } from '../../scripts/recipes/decide-recipe';
import { fieldOf, HARDWARE, HARDWARE_FILE, type Recipe, readRecipes } from '../../scripts/recipes/read-recipe';
import { withMemory } from '../../scripts/recipes/recipe-text';
import { recipesPage, TASKS } from '../../scripts/recipes/recipes-page';
import { sizeRecipe } from '../../scripts/recipes/size-recipe';
import type { ModelDeployment } from '../../src/api/model-deployment';
import { findPodSpecs, type JsonObject } from '../../src/manifest/kubernetes/manifest';
import type { Decision } from '../../src/plan/decision';
import { formatFleetFiles, renderFleetFiles } from '../../src/render/fleet';

const RECIPES = readRecipes();
const DECISIONS = new Map<Recipe, Decision>();

function decisionOf(recipe: Recipe): Decision {
  const decision = DECISIONS.get(recipe) ?? decideRecipe(recipe.folder);
  DECISIONS.set(recipe, decision);
  return decision;
}

/** The engine containers of a recipe, with their arguments. */
function enginesOf(recipe: Recipe): { readonly image: string; readonly args: readonly string[] }[] {
  return decisionOf(recipe).fleet.deployments.flatMap(({ spec }) =>
    spec.template.spec.engines.flatMap(({ members }) =>
      members.flatMap(({ template }) =>
        template.spec.containers.map(({ image, args = [] }) => ({ image: image ?? '', args })),
      ),
    ),
  );
}

function deploymentOf(recipe: Recipe): ModelDeployment {
  const [deployment, ...others] = decisionOf(recipe).fleet.deployments;
  if (!deployment || others.length > 0) throw new Error(`${recipe.folder} has ${others.length + 1} deployments`);
  return deployment;
}

/** The objects of a recipe, by file. */
function filesOf(recipe: Recipe) {
  const { fleet, replicas, renderers, routing } = decisionOf(recipe);
  return [...renderFleetFiles(fleet, replicas, { renderers, routing })];
}

/** The amounts that a container requests. */
function requestsOf({ resources }: JsonObject): string[] {
  return Object.keys((resources as { readonly requests?: object } | undefined)?.requests ?? {});
}

describe.each(RECIPES.map((recipe) => [recipe.name, recipe] as const))('recipes/%s', (_, recipe) => {
  test('places its model without a warning, and renders it', () => {
    const { plan } = decisionOf(recipe);
    expect(plan.totals.unplaced).toBe(0);
    expect(plan.warnings).toEqual([]);
    expect(formatFleetFiles(filesOf(recipe)).size).toBeGreaterThan(0);
  });

  test('fits by sizing, and its comment states the memory', () => {
    const sized = sizeRecipe(recipe, decisionOf(recipe));
    expect(sized.map(({ verdict, reason }) => `${verdict}: ${reason}`)).toEqual(
      sized.map(({ reason }) => `fits: ${reason}`),
    );
    expect(sized.length).toBeGreaterThan(0);
    expect(withMemory(recipe, sized)).toBe(recipe.text);
  });

  test('says why it has each of its flags, and where they come from', () => {
    const used = enginesOf(recipe).flatMap(({ args }) => args.filter((arg) => arg.startsWith('-')));
    expect([...recipe.flags.keys()].sort()).toEqual([...new Set(used.map((arg) => arg.replace(/=.*/, '')))].sort());
    expect(fieldOf(recipe, 'Sources').split(' ')).toEqual(
      fieldOf(recipe, 'Sources').match(/https:\/\/[a-z0-9.-]+\/\S*/gi),
    );
    expect(TASKS).toContain(fieldOf(recipe, 'Task'));
  });

  test('pins its images by tag, and its pods request CPU and memory', () => {
    const images = enginesOf(recipe).map(({ image }) => image);
    expect(images.filter((image) => !/:[\w.-]*\d[\w.-]*$/.test(image))).toEqual([]);
    const pods = filesOf(recipe).flatMap(({ manifests }) => manifests.flatMap((manifest) => findPodSpecs(manifest)));
    const engines = pods.flatMap(({ containers }) => containers.filter(({ name }) => name === 'engine'));
    expect(engines.length).toBeGreaterThan(0);
    expect(engines.map(requestsOf)).toEqual(engines.map(() => ['cpu', 'memory']));
    expect(pods.filter(({ containers }) => containers.flatMap(requestsOf).length === 0)).toEqual([]);
  });

  test('has the hardware that it names, and fits on a screen', () => {
    const hardware = readFileSync(join(HARDWARE, `${fieldOf(recipe, 'Hardware')}.yaml`), 'utf8');
    expect(readFileSync(join(recipe.folder, HARDWARE_FILE), 'utf8')).toBe(hardware);
    expect(recipe.text.split('\n').length).toBeLessThan(80);
    expect(recipe.text.split('\n').filter((line) => line.length > 120)).toEqual([]);
  });
});

/** What the recipes show, and how to tell. */
const SHOWN: Record<string, (recipe: Recipe) => boolean> = {
  vLLM: (recipe) => fieldOf(recipe, 'Engine') === 'vLLM',
  SGLang: (recipe) => fieldOf(recipe, 'Engine') === 'SGLang',
  'TensorRT-LLM': (recipe) => fieldOf(recipe, 'Engine') === 'TensorRT-LLM',
  'llama.cpp': (recipe) => fieldOf(recipe, 'Engine') === 'llama.cpp',
  'one GPU': (recipe) => fieldOf(recipe, 'Layout') === 'one GPU',
  'tensor parallelism': (recipe) => fieldOf(recipe, 'Layout').startsWith('tensor parallel'),
  'a gang over nodes': (recipe) =>
    deploymentOf(recipe).spec.template.spec.engines.some(({ members }) => members.length > 1),
  'prefill and decode': (recipe) => deploymentOf(recipe).spec.template.spec.serving.mode === 'PrefillDecode',
  'LoRA adapters': (recipe) => deploymentOf(recipe).spec.template.spec.loraAdapters.length > 0,
  embeddings: (recipe) => fieldOf(recipe, 'Task') === 'embeddings',
  'a reranker': (recipe) => fieldOf(recipe, 'Task') === 'reranker',
  vision: (recipe) => fieldOf(recipe, 'Task') === 'vision',
  'a billion parameters': ({ title }) => title.includes('1B'),
  'a trillion parameters': ({ title }) => title.includes('a trillion parameters'),
};

test.each(Object.entries(SHOWN))('recipes show %s', (_, shows) => {
  expect(RECIPES.filter(shows)).not.toEqual([]);
});

test('there are at least 25 recipes', () => {
  expect(RECIPES.length).toBeGreaterThanOrEqual(25);
});

test('docs/recipes.md is what the recipes say; `npm run generate` writes a change of them', () => {
  expect(readFileSync('docs/recipes.md', 'utf8')).toBe(recipesPage(RECIPES));
});
