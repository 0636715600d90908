import { type Command, Option } from 'commander';
import { STEP_KINDS, STEP_SYNTAX } from '../analyze/what-if/scenario';
import { formatCommandArguments } from '../base/text';
import {
  addFleetCommand,
  addFleetFlags,
  addOutputFlags,
  collectValues,
  createOutputOption,
  DIR_ARGUMENT,
} from './command-flags';
import { load } from './command-modules';
import type { CatalogFlags } from './commands/catalog';
import { COMPLETE_COMMAND, runCompletion, SHELLS } from './commands/completion';
import type { DoctorFlags } from './commands/doctor';
import type { ExportFlags } from './commands/export';
import type { InitFlags } from './commands/init-flags';
import type { LockFlags } from './commands/lock';
import type { MigrateFlags } from './commands/migrate';
import type { PlanFlags } from './commands/plan-flags';
import type { PulumiPreviewFlags } from './commands/pulumi-preview';
import type { SchemaFlags } from './commands/schema';
import type { SmokeFlags } from './commands/smoke';
import type { StatusFlags } from './commands/status';
import type { SurviveFlags } from './commands/survive';
import type { SynthFlags } from './commands/synth';
import type { WhatIfFlags } from './commands/what-if';
import type { CommonFlags } from './decide-fleet';
import { type ExitCode, formatExitCodes } from './exit-code';
import { type FlagChecks, FlagCommand } from './flag-command';
import { completeHelp } from './help';
import { addModelCommands } from './model-commands';
import type { Io } from './output';
import type { StrictFlags } from './strict-warnings';

const REBALANCE_HELP = 'move the fewest replicas (of this deployment) so that replicas that do not fit do';
const ONLY_HELP = 'place only these deployments, and keep the placements of all others; can be repeated';

const STRICT_HELP = 'exit with 1 when there are warnings';

const FROM_HELP = 'decide from the lock of this git revision instead of the lock file';

const FLAG_CHECKS: FlagChecks = {
  init: (flags) => load.init().checkInitFlags(flags),
  plan: (flags) => load.plan().checkPlanFlags('plan', flags),
  fit: (flags) => load.fit().checkFitFlags(flags),
};

/** Creates the command line with its commands and flags. `done` receives the exit code. */
export function createCommandLine(io: Io, version: string, done: ExitCodeCallback): Command {
  const root: FlagCommand = new FlagCommand('fleetwright', FLAG_CHECKS)
    .description('Infrastructure as code for fleets of LLM inference clusters')
    .version(version)
    .showHelpAfterError('(--help shows every command and flag)')
    .addHelpText('after', `\n${formatExitCodes()}`)
    .configureOutput({ writeOut: io.out, writeErr: io.err })
    .exitOverride()
    .hook('preAction', (_, command) => nameFleet(command, io));

  addInitCommand(root, io, { version, done });
  addValidateCommand(root, io, done);
  addPlanCommand(root, io, done);
  addFleetCommand(root, 'lock', 'accept the plan and write it to the lock file')
    .option('--accept-unplaced', 'accept replicas that do not fit')
    .option('--accept-removals', 'accept the removal of most replicas of the lock file, or of all of a namespace')
    .option('--rebalance [deployment]', REBALANCE_HELP)
    .option('--finalize', 'remove replicas that were draining already from the lock file')
    .option('--refit', 'choose the layouts of models again, by current prices and classes')
    .option('--only <namespace[/name]>', ONLY_HELP, collectValues)
    .option('--check', 'write nothing; exit with 5 when the lock file is out of date')
    .option('--from <revision>', FROM_HELP)
    .action((dir: string, flags: LockFlags) => done(load.lock().runLock(dir, flags, io)));
  addSynthCommand(root, io, done);
  addFleetCommand(root, 'export', 'print the declarations as manifests, sorted and without defaults')
    .addOption(createOutputOption('-o, --out <file>', 'where to write; default: standard output'))
    .action((dir: string, flags: ExportFlags) => done(load.export().runExport(dir, flags, io)));
  addMigrateCommand(root, io, done);
  addExplainCommand(root, io, done);
  addTrialCommands(root, io, done);
  addModelCommands(root, io, done);
  addLiveCommands(root, io, done);
  addPreviewCommand(root, io, done);
  addToolCommands(root, io, done);
  completeHelp(root);
  return root;
}

/** Puts the arguments for the fleet of a command into the commands of its messages. */
function nameFleet(command: Command, io: Io): void {
  const at = command.registeredArguments.findIndex((one) => one.description === DIR_ARGUMENT);
  const target: unknown = command.processedArgs[at];
  if (typeof target !== 'string' || target === '-') return;
  const { lock } = command.opts<{ lock?: string }>();
  io.nameFleet(formatCommandArguments(target, lock));
}

function addValidateCommand(root: Command, io: Io, done: ExitCodeCallback): void {
  addFleetCommand(
    root,
    'validate',
    'check the declarations for everything that a plan without a lock file rejects, except a lack of capacity, and taints: a lock file may keep replicas there',
  )
    .option('--strict', STRICT_HELP)
    .action((dir: string, flags: CommonFlags & StrictFlags) => done(load.validate().runValidate(dir, flags, io)));
}

/** Adds the command that writes manifests. */
function addSynthCommand(root: Command, io: Io, done: ExitCodeCallback): void {
  addFleetCommand(root, 'synth', 'write the manifests of every cluster')
    .addOption(createOutputOption('-o, --out <folder>', 'where to write').default('out'))
    .addOption(
      createOutputOption('--dashboards <folder>', 'also write dashboards of Grafana there, as files to import'),
    )
    .option('--ephemeral', 'ignore the lock file and place all replicas from scratch')
    .action((dir: string, flags: SynthFlags) => done(load.synth().runSynth(dir, flags, io)));
}

/** Adds the command that writes a new fleet. Its tables of models and hardware are loaded when it runs. */
function addInitCommand(root: Command, io: Io, { version, done }: { version: string; done: ExitCodeCallback }): void {
  addOutputFlags(root.command('init').argument('[dir]', 'the folder of the new fleet', '.'))
    .description('write a small working fleet: manifests, package.json, checks of pull requests; asks on a terminal')
    .option('--clouds <list>', 'gke, eks, aks and existing, separated by commas; default: existing')
    .option(
      '--gpus <list>',
      'NVIDIA GPUs of the catalog: l4,h100, or by cloud: gke=h100,eks=l4; default: the cheapest that serves the model',
    )
    .option('--model <repository>', "a model that 'fleetwright model' lists; default: Qwen/Qwen3-8B")
    .option('--gitops <tool>', 'also write what Argo CD or Flux needs to apply the manifests from git')
    .option('--pulumi', 'also write a Pulumi program in TypeScript that creates the clusters')
    .option('--existing <list>', 'with --pulumi: the clouds whose cluster another tool creates; default: none')
    .option('--ci <system>', 'the CI that checks changes: github, gitlab or none; default: github')
    .option('-y, --yes', 'do not ask: use the defaults for everything that no flag sets')
    .option('--quiet', 'print nothing')
    .action((dir: string, flags: InitFlags) => done(load.init().runInit(dir, flags, version, io)));
}

function addPlanCommand(root: Command, io: Io, done: ExitCodeCallback): void {
  addFleetCommand(root, 'plan', 'show which replicas are added, move or stop, and why some do not fit; writes nothing')
    .option(
      '--detailed-exitcode',
      'exit with 2 when the lock file would change; with --against, also when replicas, objects or cloud resources change. Without --against, a new image or argument gives 0: it moves no replica',
    )
    .option('--strict', STRICT_HELP)
    .option('--from <revision>', FROM_HELP)
    .option('--rebalance [deployment]', REBALANCE_HELP)
    .option('--only <namespace[/name]>', ONLY_HELP, collectValues)
    .option('--against <state>', 'compare with a git revision, a folder, or a plan that was saved')
    .option('--allow-dirty', 'with --against a revision: include files that are not committed')
    .option('--all', 'also list each of many equal changes, what does not change, and everything that must exist')
    .option('--graph', 'print clusters and services as a graph in Mermaid')
    .option('--cost', 'print what each cluster, pool, namespace, deployment and replica costs, as tables')
    .option('--markdown', 'with --against: as a comment of a pull request')
    .option(
      '--repo-url <url>',
      'with --markdown: the address of the repository, for links to files (default: of the CI)',
    )
    .option('--gate', 'with --against: exit with 4 when a deployment or a service would stop serving its clients')
    .option(
      '--accept-removals',
      'with --gate: accept the removal of most replicas, of all of a namespace, or of served models, and other models under their names',
    )
    .option('--no-waves', 'with --gate: assume that all replicas are replaced at once')
    .option(
      '--independent-clusters',
      'with --gate: assume that clusters are applied independently of each other, as with Argo CD',
    )
    .addOption(createOutputOption('--save <file>', 'save the plan, to compare another plan with it'))
    .addOption(
      createOutputOption(
        '--summary <file>',
        'write what this part of a split fleet uses, for otherParts of the others',
      ),
    )
    .addOption(createOutputOption('--html <file>', 'also write a map of the fleet, as one page for a browser'))
    .action((dir: string, flags: PlanFlags) => done(load.plan().runPlan(dir, flags, io)));
}

function addExplainCommand(root: Command, io: Io, done: ExitCodeCallback): void {
  addFleetFlags(
    root
      .command('explain')
      .argument(
        '<what>',
        'namespace/deployment, service/namespace/name, cache/namespace/name, cluster, gateway/name, class/name or kind.field',
      )
      .argument('[dir]', DIR_ARGUMENT, '.'),
  )
    .description(
      'show where the replicas of a deployment are, why, and why not elsewhere; the shares of a service; where a cache is; what is on a cluster; the resolved fields of a class; or the meaning of a field',
    )
    .action((id: string, dir: string, flags: CommonFlags) => done(load.explain().runExplain(id, dir, flags, io)));
}

function addMigrateCommand(root: Command, io: Io, done: ExitCodeCallback): void {
  addFleetCommand(root, 'migrate', 'add what manifests of another tool lack, and convert older spellings')
    .addOption(
      new Option('--from <tool>', 'the tool whose manifests these are (required)')
        .choices(['modelplane'])
        .makeOptionMandatory(),
    )
    .option('--domain <zone>', 'the DNS zone of host names; default: that of other clusters, else a placeholder')
    .option('--issuer <name>', 'the ClusterIssuer of certificates; default: that of other clusters, else fleetwright')
    .option('--authority <name>', 'the ConfigMap with its authority; default: as other clusters, else fleetwright-ca')
    .option('--check', 'write nothing; exit with 2 when there is something to write')
    .action((dir: string, flags: MigrateFlags) => done(load.migrate().runMigrate(dir, flags, io)));
}

function addTrialCommands(root: Command, io: Io, done: ExitCodeCallback): void {
  const whatIfCommand = addFleetCommand(
    root,
    'what-if',
    'show what an event or a change would do to the fleet; writes nothing',
  );
  for (const kind of STEP_KINDS) {
    const { form, help } = STEP_SYNTAX[kind];
    whatIfCommand.option(`--${kind} <${form}>`, help, collectValues);
  }
  whatIfCommand
    .option('--scenarios <file>', 'a file of scenarios, each on its own')
    .action((dir: string, flags: WhatIfFlags) => done(load.whatIf().runWhatIf(dir, flags, io)));
  addFleetCommand(
    root,
    'survive',
    'show what still serves when any one cluster or failure domain fails; writes nothing',
  )
    .option('--domain <domain>', 'lose failure domains instead: region, or a cluster label')
    .option('--all', 'also list deployments that keep serving where there are many losses')
    .option(
      '--require <n>',
      'exit with 4 when a deployment or a service keeps fewer serving replicas; minAvailable: when a deployment keeps fewer than it declares',
    )
    .action((dir: string, flags: SurviveFlags) => done(load.survive().runSurvive(dir, flags, io)));
}

function addToolCommands(root: Command, io: Io, done: ExitCodeCallback): void {
  addOutputFlags(root.command('catalog').argument('[query]', 'a part of a name: p5, h100, Hopper', ''))
    .description('show the hardware of the catalog, with prices')
    .option('--fleet <dir>', 'include the catalog and the prices of this fleet')
    .option('--yaml', 'print the rows as InferenceClasses')
    .action((query: string, flags: CatalogFlags) => done(load.catalog().runCatalog(query, flags, io)));
  root
    .command('schema')
    .description('write the JSON Schemas of all kinds, for editors')
    .addOption(createOutputOption('-o, --out <folder>', 'where to write').default('schema'))
    .option('--quiet', 'print nothing')
    .action((flags: SchemaFlags) => done(load.schema().runSchema(flags, io)));
  root
    .command('completion')
    .description('print a completion script for a shell')
    .argument('<shell>', SHELLS.join(', '))
    .action((shell: string) => done(runCompletion(shell, root, io)));
  root
    .command(COMPLETE_COMMAND, { hidden: true })
    .argument('[words...]')
    .action((words: string[]) => done(load.complete().runComplete(words, root, io)));
}

function addPreviewCommand(root: Command, io: Io, done: ExitCodeCallback): void {
  root
    .command('pulumi-preview')
    .description("summarize the output of 'pulumi preview --json' on standard input, and why it failed")
    .requiredOption('--stack <stack>', 'the name of the stack (required)')
    .option('--status <code>', 'the exit code of the preview', '0')
    .option('--stderr <file>', 'what the preview printed on standard error')
    .option('--markdown', 'as a comment of a pull request')
    .option('--log <url>', 'with --markdown: the log of the run, which the comment leads to')
    .option('--page <url>', 'with --markdown: the page of the stack, which the comment leads to')
    .option('--no-color', 'print no colors')
    .action((flags: PulumiPreviewFlags) => done(load.pulumiPreview().runPulumiPreview(flags, io)));
}

type ExitCodeCallback = (code: ExitCode | Promise<ExitCode>) => void;

/** Adds the commands that connect to running clusters and services. Their code is loaded when one of them runs. */
function addLiveCommands(root: Command, io: Io, done: ExitCodeCallback): void {
  addConnectionFlags(
    root
      .command('doctor')
      .argument('<cluster>', 'a cluster of the fleet, or with --write the name of a new one')
      .argument('[dir]', DIR_ARGUMENT, '.'),
  )
    .description('compare a running cluster with its declaration; read-only')
    .option('--context <context>', 'its context; default: the declared one, else its name')
    .addOption(createOutputOption('--write [file]', 'draft the manifests of a new cluster; default: NAME.yaml'))
    .action((cluster: string, dir: string, flags: DoctorFlags) =>
      done(load.doctor().runDoctor(cluster, dir, flags, io)),
    );
  addConnectionFlags(root.command('status').argument('[dir]', DIR_ARGUMENT, '.'))
    .description('compare running clusters with the lock file; read-only')
    .option('--context <cluster=context>', 'the context of a cluster, if not its name', collectValues)
    .option('--cluster <cluster>', 'check only this one; can be repeated', collectValues)
    .addOption(
      createOutputOption(
        '--snapshot <folder>',
        'write the recorded nodes, pods and devices to this folder, one file for each cluster',
      ),
    )
    .option('--force', 'also write snapshots that show less than the ones that they replace')
    .action((dir: string, flags: StatusFlags) => done(load.status().runStatus(dir, flags, io)));
  addSmokeCommand(root, io, done);
}

function addSmokeCommand(root: Command, io: Io, done: ExitCodeCallback): void {
  addFleetFlags(root.command('smoke').argument('[dir]', DIR_ARGUMENT, '.'))
    .description('request one completion from every service, at its public URLs')
    .option('--service <namespace/name>', 'check only this one; can be repeated', collectValues)
    .option('--models', 'instead list the models of the providers of endpoints, and what is new and removed')
    .option('--endpoint <namespace/name>', 'with --models, check only this one; can be repeated', collectValues)
    .option('--write', 'with --models, update the models in the declarations')
    .option('--key-env <variable>', 'the environment variable with the API key to send')
    .option('--via <url>', 'connect to this address instead of the hosts of the gateways, for example a forwarded port')
    .option('--timeout <seconds>', 'the time limit of each request', '60')
    .action((dir: string, flags: SmokeFlags) => done(load.smoke().runSmoke(dir, flags, io)));
}

/** Adds the flags of commands that connect to API servers. */
function addConnectionFlags(command: Command): Command {
  return addFleetFlags(command)
    .option('--kubeconfig <file>', 'default: the files of KUBECONFIG, else ~/.kube/config')
    .option('--timeout <seconds>', 'the time limit of each request', '15');
}
