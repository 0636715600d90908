import { quoteShellWord, trimTrailing } from '../../base/text';
import { isMade, type StarterAnswers } from './starter-answers';
import { buildCiFile } from './starter-ci';
import type { StarterCloud } from './starter-clouds';
import { formatCommented, type StarterFile } from './starter-file';
import { buildGitopsFile } from './starter-gitops';
import { buildStarterManifests, type StarterDocument } from './starter-manifests';
import { buildPackageFile, buildProgramFiles } from './starter-program';
import { buildReadme, formatInstallCommand, SYNTH_COMMAND } from './starter-readme';

/** The folder of the manifests in a new folder, and that of what `synth` writes. */
const FLEET_FOLDER = 'fleet';
const OUTPUT_FOLDER = 'manifests';

/**
 * The files of a new fleet, sorted by path.
 *
 * @throws FleetwrightError when the hardware does not serve the model
 */
export function buildStarterFiles(answers: StarterAnswers): StarterFile[] {
  const manifests = [...buildStarterManifests(answers)].map(([name, documents]) => ({
    path: `${FLEET_FOLDER}/${name}`,
    text: formatManifests(documents),
  }));
  const others = [
    buildPackageFile(answers),
    buildReadme(answers),
    { path: '.gitignore', text: 'node_modules/\n' },
    ...(answers.pulumi ? buildProgramFiles(answers) : []),
    ...(answers.gitops ? [buildGitopsFile(answers.gitops, answers)] : []),
    ...(answers.ci === 'none' ? [] : [buildCiFile(answers.ci, answers)]),
  ];
  return [...manifests, ...others].sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** The schema of manifests, from their folder. Editors complete and check by it. */
const SCHEMA_LINE = '# yaml-language-server: $schema=../node_modules/fleetwright/schema/fleetwright.json\n';

function formatManifests(documents: readonly StarterDocument[]): string {
  const texts = documents.map(({ document, comment }) => formatCommented([document], comment));
  return SCHEMA_LINE + texts.join('---\n');
}

type Step = readonly [command: string, what: string];

/** What to do next in a new folder: commands, each with what it does. */
export function listNextSteps(answers: StarterAnswers, folder: string): readonly Step[] {
  const { version, clouds, pulumi, gitops } = answers;
  const makes = (cloud: StarterCloud): boolean => clouds.includes(cloud) && isMade(answers, cloud);
  const short = trimTrailing(folder, '/');
  const given: readonly (readonly [given: boolean, step: Step])[] = [
    [short !== '.' && short !== '', [`cd ${quoteShellWord(short)}`, '']],
    [true, [formatInstallCommand(version), 'fleet/README.md says where the file comes from']],
    [true, [`npx fleetwright plan ${FLEET_FOLDER}`, 'shows where every replica goes']],
    [true, [`npx fleetwright lock ${FLEET_FOLDER}`, 'accepts the plan; commit the lock file']],
    [pulumi, ['pulumi stack init dev', 'creates a stack']],
    [makes('gke'), ['pulumi config set gcp:project PROJECT', 'your project']],
    [makes('eks'), ['pulumi config set aws:region us-east-1', 'your region']],
    [makes('aks'), ['az login', 'your Azure account, also for kubelogin']],
    [pulumi, ['pulumi preview', 'shows what pulumi up would make']],
    [!pulumi, [SYNTH_COMMAND, gitops ? 'writes the manifests; commit them' : 'writes the manifests']],
    [gitops !== undefined, [`kubectl apply -f gitops/${gitops}.yaml`, 'once you replaced its placeholders']],
    [!pulumi && !gitops, [`kubectl apply --server-side -f ${OUTPUT_FOLDER}/CLUSTER`, 'for each cluster']],
  ];
  return given.filter(([isGiven]) => isGiven).map(([, step]) => step);
}
