import type { StarterAnswers } from './starter-answers';
import type { StarterFile } from './starter-file';

/** How to install a release that the registry of npm does not have. The pages of the docs that install say the same. */
export function formatInstallNote(version: string): string {
  return `The package is not on npm yet. Clone its repository, run \`npm ci && npm pack\` in the clone, and use \`npx fleetwright\` there. To install it in another folder, copy the file \`fleetwright-${version}.tgz\` there and run \`npm install ./fleetwright-${version}.tgz\` instead of \`npm install fleetwright\`. Commit the file with \`package-lock.json\`, so that CI finds both.`;
}

/** How to work with a new fleet. It is next to the manifests, because the top of a repository may have a README. */
export function buildReadme({ version }: Pick<StarterAnswers, 'version'>): StarterFile {
  const text = `# The fleet

The manifests in this folder declare clusters and models.

## Install

    npm install

${formatInstallNote(version)}

CI runs \`npm ci\`, which needs \`package-lock.json\`: \`npm install\` writes it.

## Change something

1. Edit the manifests, and run \`npx fleetwright plan fleet\`.
2. Accept the plan with \`npx fleetwright lock fleet\`, and commit \`fleet.lock.yaml\`.
`;
  return { path: 'fleet/README.md', text };
}
