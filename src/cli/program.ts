import { Command } from 'commander';
import { catalog, type CatalogFlags } from './catalog';
import { collect, DIR, onFleet, withFlags, withOutput, writtenOption } from './command-flags';
import { completion, SHELLS } from './completion';
import type { CommonFlags } from './context';
import { explain } from './explain';
import { type ExportFlags, exportManifests } from './export';
import { addLive, type Done } from './live-commands';
import { lock, type LockFlags } from './lock';
import type { Io } from './output';
import { plan } from './plan';
import type { PlanFlags } from './plan-flags';
import { schema, type SchemaFlags } from './schema';
import { survive, type SurviveFlags } from './survive';
import { synth, type SynthFlags } from './synth';
import { STEP_FORMS } from '../what-if/read-step';
import { STEP_KINDS } from '../what-if/scenario';
import { validate } from './validate';
import { whatIf, type WhatIfFlags } from './what-if';

const FROM = 'decide from the lock of this git revision instead of the lock file';

/** The command line: its commands, their flags, and what each runs. `done` receives the exit code. */
export function program(io: Io, version: string, done: Done): Command {
  const root = new Command('fleetwright')
    .description('Infrastructure as code for fleets of LLM inference clusters')
    .version(version)
    .showHelpAfterError('(--help shows every command and flag)')
    .configureOutput({ writeOut: io.out, writeErr: io.err })
    .exitOverride();

  onFleet(root, 'validate', 'check the declarations alone').action((dir: string, flags: CommonFlags) =>
    done(validate(dir, flags, io)),
  );
  addPlan(root, io, done);
  onFleet(root, 'lock', 'accept the plan and write it to the lock file')
    .option('--accept-unplaced', 'also when replicas have no place')
    .option('--settle', 'drop the replicas that were leaving already')
    .option('--check', 'write nothing; exit with 5 when the lock is stale')
    .option('--from <revision>', FROM)
    .action((dir: string, flags: LockFlags) => done(lock(dir, flags, io)));
  onFleet(root, 'synth', 'write the manifests of every cluster')
    .addOption(writtenOption('-o, --out <folder>', 'where to write').default('out'))
    .option('--ephemeral', 'read no lock and decide afresh')
    .action((dir: string, flags: SynthFlags) => done(synth(dir, flags, io)));
  onFleet(root, 'export', 'print the declarations as manifests, sorted and without defaults')
    .addOption(writtenOption('-o, --out <file>', 'where to write; default: standard output'))
    .action((dir: string, flags: ExportFlags) => done(exportManifests(dir, flags, io)));
  withFlags(
    root.command('explain').argument('<namespace/deployment | class/name>').argument('[dir]', DIR, '.'),
  )
    .description(
      'show where the replicas of a deployment are and why not elsewhere, or what a class comes to',
    )
    .action((id: string, dir: string, flags: CommonFlags) => done(explain(id, dir, flags, io)));
  addQuestions(root, io, done);
  addLive(root, io, done);
  addTools(root, io, done);
  return root;
}

function addPlan(root: Command, io: Io, done: Done): void {
  onFleet(root, 'plan', 'show where every replica goes, and why not; writes nothing')
    .option('--detailed-exitcode', 'exit with 2 when the plan changes something')
    .option('--from <revision>', FROM)
    .option('--against <state>', 'compare with a git revision, a folder, or a plan that was saved')
    .option('--allow-dirty', 'with --against a revision: also files that are not committed')
    .option('--graph', 'print clusters and services as a graph in Mermaid')
    .option('--cost', 'print what each cluster, pool, namespace, deployment and replica costs, as tables')
    .option('--markdown', 'with --against: as a comment of a pull request')
    .option('--gate', 'with --against: exit with 4 when a deployment would be without any replica meanwhile')
    .option('--no-waves', 'with --gate: judge as if all replicas were replaced at once')
    .addOption(writtenOption('--save <file>', 'keep the plan, to compare another with it'))
    .addOption(writtenOption('--html <file>', 'also write a map of the fleet, as one page for a browser'))
    .action((dir: string, flags: PlanFlags) => done(plan(dir, flags, io)));
}

/** What asks about a fleet as it is not. */
function addQuestions(root: Command, io: Io, done: Done): void {
  const whatIfCommand = onFleet(
    root,
    'what-if',
    'show what would change if something happened; writes nothing',
  );
  for (const kind of STEP_KINDS) {
    const { form, help } = STEP_FORMS[kind];
    whatIfCommand.option(`--${kind} <${form}>`, help, collect);
  }
  whatIfCommand
    .option('--scenarios <file>', 'a file of scenarios, each on its own')
    .action((dir: string, flags: WhatIfFlags) => done(whatIf(dir, flags, io)));
  onFleet(root, 'survive', 'show what stays when any one cluster is lost; writes nothing')
    .option('--domain <domain>', 'lose failure domains instead: region, or a cluster label')
    .option('--require <n>', 'exit with 4 when a deployment, or a service, keeps fewer replicas at once')
    .action((dir: string, flags: SurviveFlags) => done(survive(dir, flags, io)));
}

function addTools(root: Command, io: Io, done: Done): void {
  withOutput(root.command('catalog').argument('[query]', 'a part of a name: p5, h100, Hopper', ''))
    .description('show the hardware that classes can be made from, with prices')
    .option('--fleet <dir>', 'also the catalogue and the prices of this fleet')
    .option('--yaml', 'print the classes that they stand for')
    .action((query: string, flags: CatalogFlags) => done(catalog(query, flags, io)));
  root
    .command('schema')
    .description('write the JSON Schemas of all kinds, for editors')
    .addOption(writtenOption('-o, --out <folder>', 'where to write').default('schema'))
    .option('--quiet', 'print nothing')
    .action((flags: SchemaFlags) => done(schema(flags, io)));
  root
    .command('completion')
    .description('print a completion script for a shell')
    .argument('<shell>', SHELLS.join(', '))
    .action((shell: string) => done(completion(shell, root, io)));
}
