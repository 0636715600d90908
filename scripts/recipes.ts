// `npm run recipes`: writes what follows from the recipes: their hardware, copied from recipes/hardware so that each
// folder is a whole fleet; the memory in their comments; and docs/recipes.md.
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { decideRecipe } from './recipes/decide-recipe';
import { fieldOf, HARDWARE, HARDWARE_FILE, MODELS_FILE, readRecipes } from './recipes/read-recipe';
import { withMemory } from './recipes/recipe-text';
import { recipesPage } from './recipes/recipes-page';
import { sizeRecipe } from './recipes/size-recipe';

for (const recipe of readRecipes()) {
  copyFileSync(join(HARDWARE, `${fieldOf(recipe, 'Hardware')}.yaml`), join(recipe.folder, HARDWARE_FILE));
  const sized = sizeRecipe(recipe, decideRecipe(recipe.folder));
  writeFileSync(join(recipe.folder, MODELS_FILE), withMemory(recipe, sized));
}
writeFileSync('docs/recipes.md', recipesPage(readRecipes()));
