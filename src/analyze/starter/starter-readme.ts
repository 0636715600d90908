import type { StarterAnswers } from './starter-answers';
import type { StarterFile } from './starter-file';

/** How to install a release that the registry of npm does not have. The pages of the docs that install say the same. */
export function formatInstallNote(version: string): string {
  return `The package is not on npm yet. To install it from a clone:

1. Clone the repository, and run \`npm ci && npm pack\` in the clone. \`npx fleetwright\` runs there already.
2. For another folder, copy the file \`fleetwright-${version}.tgz\` there. Run \`${formatInstallCommand(version)}\` where a page says \`npm install\` or \`npm install fleetwright\`.
3. Commit the file with \`package-lock.json\`, so that CI finds both.
4. Run \`npx fleetwright\` where a page or a message says \`fleetwright\`.`;
}

/** The command that installs the file of a release in the folder of a new fleet. */
export function formatInstallCommand(version: string): string {
  return `npm install ./fleetwright-${version}.tgz`;
}

/** The command that writes the manifests of a new fleet. */
export const SYNTH_COMMAND = 'npx fleetwright synth fleet --out manifests';

/** How to work with a new fleet. It is next to the manifests, because the top of a repository may have a README. */
export function buildReadme({ version, gitops }: Pick<StarterAnswers, 'version' | 'gitops'>): StarterFile {
  const text = `# The fleet

The manifests in this folder declare clusters and models.

## Install

${formatInstallNote(version)}

In the folder of \`package.json\`, run:

    ${formatInstallCommand(version)}

Once the package is on npm, \`npm install\` is enough. CI runs \`npm ci\`, which needs \`package-lock.json\`: \`npm install\` writes it.

## Change something

1. Edit the manifests, and run \`npx fleetwright plan fleet\`.
2. Accept the plan with \`npx fleetwright lock fleet\`, and commit \`fleet.lock.yaml\`.
${gitops ? `3. Write the manifests with \`${SYNTH_COMMAND}\`, and commit \`manifests/\`: that folder is applied.\n` : ''}`;
  return { path: 'fleet/README.md', text };
}
