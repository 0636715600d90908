import { fieldOf, type Recipe } from './read-recipe';

const HEAD = `# Recipes

Fleets for well-known models. Each recipe plans, its model fits by [sizing](sizing.md), and its comment says why the engine has its flags. They were not run on GPUs: try a recipe with your requests before you rely on it.

To use a recipe, copy its folder from [the repository](../recipes), then change the cluster in \`hardware.yaml\` to yours:

    cp -r recipes/qwen3-8b fleet
    fleetwright plan fleet
    fleetwright lock fleet

- \`models.yaml\` has the model, \`hardware.yaml\` a class and a cluster. \`fleetwright catalog\` lists other hardware, \`fleetwright fit MODEL\` says which of it serves a model.
- Recipes of gated models read a token from the key \`HF_TOKEN\` of the Secret \`hugging-face\`. \`plan\` lists everything that must exist.
- Where a cache names \`revision: main\`, name the commit that you tried: the plan warns otherwise.
- Images are pinned by tag. Flags that are not in a recipe but in the manifests are added: see [engines.md](engines.md#what-is-added).
- Routes are not part of a recipe: see [routing.md](routing.md).

\`npm run generate\` writes this page from the comments of the recipes.
`;

/** The sections of the page: what a reader looks for, and the tasks of its recipes. */
const SECTIONS: readonly (readonly [string, readonly string[]])[] = [
  ['Chat', ['chat']],
  ['Reasoning', ['reasoning']],
  ['Agents and tools', ['agents']],
  ['Code', ['code']],
  ['Images', ['vision']],
  ['Adapters (LoRA)', ['adapters']],
  ['Embeddings', ['embeddings']],
  ['Rerankers', ['reranker']],
];

/** The tasks that a recipe may name. */
export const TASKS: readonly string[] = SECTIONS.flatMap(([, tasks]) => tasks);

/** All recipes as Markdown, a table for each task. */
export function recipesPage(recipes: readonly Recipe[]): string {
  const sections = SECTIONS.map(([title, tasks]) => {
    const rows = recipes.filter((recipe) => tasks.includes(fieldOf(recipe, 'Task')));
    return [
      `## ${title}`,
      '',
      '| recipe | engine | layout | memory by sizing |',
      '|---|---|---|---|',
      ...rows.map(formatRow),
      '',
    ];
  });
  return `${[HEAD, ...sections.map((lines) => lines.join('\n'))].join('\n')}`;
}

function formatRow(recipe: Recipe): string {
  const link = `[\`${recipe.name}\`](../${recipe.folder}/models.yaml)`;
  const [engine, layout, memory] = ['Engine', 'Layout', 'Memory'].map((field) => fieldOf(recipe, field));
  const cells = [`${link}<br>${recipe.title}`, engine, layout, shorten(memory ?? '')];
  return `| ${cells.join(' | ')} |`;
}

/** The memory of a recipe without the KV cache: a table has no room for all of it. */
function shorten(memory: string): string {
  return memory.replaceAll(/ on each (\S+) of \S+ GiB(?:, \S+ to \S+ GiB of KV cache: |, )/g, ' on each $1, ');
}
