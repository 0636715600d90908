import type { CiSystem, StarterAnswers } from './starter-answers';
import { formatCommented, type StarterFile } from './starter-file';
import { SYNTH_COMMAND } from './starter-readme';

interface CiRow {
  readonly path: string;
  readonly comment: string;
  readonly build: (answers: StarterAnswers) => object;
}

const COMMAND = 'npx --no-install fleetwright';

/** Fails when files that `synth` writes are not those in git, and says what to do. */
const CHECK_MANIFESTS = [
  'test -z "$(git status --porcelain manifests)" || {',
  'git status --short manifests;',
  `echo "manifests/ is out of date. Run '${SYNTH_COMMAND}', and commit manifests/.";`,
  'exit 1; }',
].join(' ');

/** The label of a pull request whose removals the gate accepts. */
const ACCEPT_LABEL = 'accept-removals';

const SYSTEMS: Readonly<Record<Exclude<CiSystem, 'none'>, CiRow>> = {
  github: {
    path: '.github/workflows/fleet.yaml',
    comment: [
      'Checks pull requests: comments what a change does, and refuses one that leaves clients without a replica.',
      'It installs with npm ci, which needs package-lock.json: commit what npm install writes.',
      `The label ${ACCEPT_LABEL} on a pull request adds --accept-removals to its plan alone.`,
      'GitHub reads this file at the top of a repository only. Actions are pinned: checkout v5.0.0, setup-node v5.0.0.',
    ].join('\n'),
    build: buildWorkflow,
  },
  gitlab: {
    path: '.gitlab-ci.yml',
    comment: [
      'Checks merge requests: shows what a change does, and refuses one that leaves clients without a replica.',
      `The label ${ACCEPT_LABEL} on a merge request adds --accept-removals to its plan alone, in the next pipeline.`,
    ].join('\n'),
    build: buildPipeline,
  },
};

/** The file by which a CI system checks changes of a fleet. */
export function buildCiFile(ci: Exclude<CiSystem, 'none'>, answers: StarterAnswers): StarterFile {
  const { path, comment, build } = SYSTEMS[ci];
  return { path, text: formatCommented([build(answers)], comment) };
}

function buildWorkflow(answers: StarterAnswers): object {
  const { gitops } = answers;
  const isOwn = 'github.event.pull_request.head.repo.full_name == github.repository';
  const steps = [
    {
      uses: 'actions/checkout@08c6903cd8c0fde910a37f88322edcfb5dd907a8',
      with: { 'fetch-depth': 0, 'persist-credentials': false },
    },
    { uses: 'actions/setup-node@a0853c24544627f65ddf259abe73b1d18a591444', with: { 'node-version': 22 } },
    { run: 'npm ci' },
    { name: 'Plan', id: 'plan', env: { ACCEPT: ACCEPT_OF_LABELS }, run: buildPlanScript(gateOf(answers)) },
    {
      name: 'Comment',
      if: isOwn,
      env: { GH_TOKEN: '${{ github.token }}', PULL_REQUEST: '${{ github.event.pull_request.number }}' },
      run: 'gh pr comment "$PULL_REQUEST" --edit-last --create-if-none --body-file "$RUNNER_TEMP/comment.md"',
    },
    { name: 'Validate', run: `${COMMAND} validate fleet --annotations github` },
    { name: 'Lock', run: `${COMMAND} lock fleet --check` },
    ...(gitops ? [{ name: 'Manifests', run: `${COMMAND} synth fleet --out manifests\n${CHECK_MANIFESTS}\n` }] : []),
    { name: 'Gate', env: { STATUS: '${{ steps.plan.outputs.status }}' }, run: 'exit "$STATUS"' },
  ];
  return {
    name: 'Fleet',
    // The first three are the default. A label is set later.
    on: { pull_request: { types: ['opened', 'synchronize', 'reopened', 'labeled', 'unlabeled'] } },
    permissions: { contents: 'read', 'pull-requests': 'write' },
    jobs: { plan: { 'runs-on': 'ubuntu-latest', steps } },
  };
}

const ACCEPT_OF_LABELS = `\${{ contains(github.event.pull_request.labels.*.name, '${ACCEPT_LABEL}') && '--accept-removals' || '' }}`;

/** Pulumi waits for waves of all clusters, Argo CD for those of each cluster. kubectl and Flux apply all at once. */
function gateOf({ gitops, pulumi }: StarterAnswers): string {
  if (gitops === 'argocd') return '--gate --independent-clusters';
  return pulumi && gitops === undefined ? '--gate' : '--gate --no-waves';
}

/** What the plan refuses or cannot read is shown all the same, so that no earlier comment stays: the last step fails. */
const buildPlanScript = (gate: string): string => `status=0
comment="$RUNNER_TEMP/comment.md"
${COMMAND} plan fleet --against "origin/$GITHUB_BASE_REF" --markdown ${gate} $ACCEPT --annotations github > "$comment" || status=$?
if ! [ -s "$comment" ]; then
  printf '### Fleet: no plan, exit code %s\\n\\nThe log of this run says why.\\n' "$status" > "$comment"
fi
cat "$comment" >> "$GITHUB_STEP_SUMMARY"
echo "status=$status" >> "$GITHUB_OUTPUT"
`;

function buildPipeline(answers: StarterAnswers): object {
  const { gitops } = answers;
  return {
    fleet: {
      image: 'node:22',
      rules: [{ if: '$CI_PIPELINE_SOURCE == "merge_request_event"' }],
      variables: { GIT_DEPTH: '0' },
      script: [
        'npm ci',
        'git fetch origin "$CI_MERGE_REQUEST_TARGET_BRANCH_NAME"',
        `case ",$CI_MERGE_REQUEST_LABELS," in *,${ACCEPT_LABEL},*) ACCEPT=--accept-removals ;; *) ACCEPT= ;; esac`,
        `${COMMAND} plan fleet --against FETCH_HEAD ${gateOf(answers)} $ACCEPT`,
        `${COMMAND} validate fleet`,
        `${COMMAND} lock fleet --check`,
        ...(gitops ? [`${COMMAND} synth fleet --out manifests`, CHECK_MANIFESTS] : []),
      ],
    },
  };
}
