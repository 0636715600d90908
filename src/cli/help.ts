import type { Command } from 'commander';
import { DOCS_ADDRESS } from '../base/product-address';

type Examples = readonly [string, string];

/** Two examples of each command, without the name of the program. */
export const EXAMPLES: Readonly<Record<string, Examples>> = {
  fleetwright: ['init models', 'plan models/fleet'],
  init: ['init models --clouds gke --gpus l4 --pulumi', 'init models --clouds existing --gitops argocd'],
  validate: ['validate fleet', 'validate fleet --annotations github'],
  plan: ['plan fleet', 'plan fleet --against main --markdown --gate'],
  lock: ['lock fleet', 'lock fleet --check'],
  synth: ['synth fleet --out manifests', 'synth fleet --out preview --ephemeral'],
  export: ['export fleet', 'export fleet --out fleet.yaml'],
  migrate: ['migrate fleet --from modelplane --check', 'migrate fleet --from modelplane --domain models.example.com'],
  explain: ['explain ml/qwen3-8b fleet', 'explain ModelDeployment.spec.rollout'],
  'what-if': ['what-if fleet --lose us-east', 'what-if fleet --scale ml/qwen3-8b=8'],
  survive: ['survive fleet', 'survive fleet --domain region --require 1'],
  fit: ['fit Qwen/Qwen3-32B', 'fit Qwen/Qwen3-32B fleet --context 32k --concurrency 16'],
  model: ['model qwen3', 'model add ./my-model --out models.yaml'],
  'model add': ['model add ./my-model --out models.yaml', 'model add ./tuned --name acme/tuned-32b'],
  doctor: ['doctor us-east fleet', 'doctor new --context new --write new.yaml'],
  status: ['status fleet', 'status fleet --snapshot snapshots'],
  smoke: ['smoke fleet', 'smoke fleet --service ml/chat'],
  'pulumi-preview': [
    'pulumi-preview --stack dev < preview.json',
    'pulumi-preview --stack dev --markdown < preview.json',
  ],
  catalog: ['catalog h100', 'catalog p5.48xlarge --yaml'],
  schema: ['schema', 'schema --out .schemas'],
  completion: ['completion bash', 'completion fish'],
};

/** The least room for descriptions next to names of flags. With less, Commander breaks no lines. */
const LEAST_WIDTH = 20;

/** Ends the help of every command with two examples and the address of the docs, and keeps it within the terminal. */
export function completeHelp(root: Command): void {
  const inner = root.commands.flatMap(({ commands }) => commands);
  for (const command of [root, ...root.commands, ...inner]) {
    command.configureHelp({ ...command.configureHelp(), minWidthToWrap: LEAST_WIDTH });
    const examples = EXAMPLES[nameOfCommand(command, root)] ?? [];
    const lines = examples.map((example) => `  fleetwright ${example}`);
    const shown = lines.length > 0 ? `\nExamples:\n${lines.join('\n')}\n` : '';
    command.addHelpText('after', `${shown}\nDocs: ${DOCS_ADDRESS}/index.md`);
  }
}

/** The name of a command, after that of the command that it belongs to: `model add`. */
function nameOfCommand(command: Command, root: Command): string {
  const { parent } = command;
  return parent && parent !== root ? `${parent.name()} ${command.name()}` : command.name();
}
