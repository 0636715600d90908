import type { Command } from 'commander';
import { collect, DIR, withFlags, writtenOption } from './command-flags';
import type * as Doctor from './doctor';
import type { ExitCode } from './exit-code';
import type { Io } from './output';
import type * as Smoke from './smoke';
import type * as Status from './status';

/** Receives the exit code of a command, or what will be it. */
export type Done = (code: ExitCode | Promise<ExitCode>) => void;

/** Adds the commands that ask running clusters, and what serves there. What they need is loaded when one of them runs. */
export function addLive(root: Command, io: Io, done: Done): void {
  reaching(
    root
      .command('doctor')
      .argument('<cluster>', 'a cluster of the fleet, or with --write what to call it')
      .argument('[dir]', DIR, '.'),
  )
    .description('compare a running cluster with what is declared of it; changes nothing there')
    .option('--context <context>', 'its context; default: the one it declares, else that of its name')
    .addOption(
      writtenOption(
        '--write [file]',
        'draft manifests of a cluster that is not declared yet; default: its name.yaml',
      ),
    )
    .action((cluster: string, dir: string, flags: Doctor.DoctorFlags) => {
      const { doctor } = require('./doctor') as typeof Doctor;
      done(doctor(cluster, dir, flags, io));
    });
  reaching(root.command('status').argument('[dir]', DIR, '.'))
    .description('compare what runs with the lock; changes nothing on clusters')
    .option('--context <cluster=context>', 'the context of a cluster, where it is not of its name', collect)
    .option('--cluster <cluster>', 'ask this one alone; may be given several times', collect)
    .addOption(writtenOption('--snapshot <folder>', 'write what was recorded there, a file for each cluster'))
    .action((dir: string, flags: Status.StatusFlags) => {
      const { status } = require('./status') as typeof Status;
      done(status(dir, flags, io));
    });
  withFlags(root.command('smoke').argument('[dir]', DIR, '.'))
    .description('ask every service for one completion, at its public URLs')
    .option('--service <namespace/name>', 'ask this one alone; may be given several times', collect)
    .option('--key-env <variable>', 'the variable of the environment that holds a key to show')
    .option('--via <url>', 'connect there instead of to the hosts of the gateways, as to a forwarded port')
    .option('--timeout <seconds>', 'the time limit of each request', '60')
    .action((dir: string, flags: Smoke.SmokeFlags) => {
      const { smoke } = require('./smoke') as typeof Smoke;
      done(smoke(dir, flags, io));
    });
}

/** Adds the flags of commands that ask API servers. */
function reaching(command: Command): Command {
  return withFlags(command)
    .option('--kubeconfig <file>', 'default: the files of KUBECONFIG, else ~/.kube/config')
    .option('--timeout <seconds>', 'the time limit of each request', '15');
}
