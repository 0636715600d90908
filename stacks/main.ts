import { Config, getRootDirectory, RunError } from '@pulumi/pulumi';
import { FleetwrightError } from '../src/errors';
import { enterFolder } from '../src/files/program-folder';
import { type ClusterOutputs, FleetStack } from './fleet-stack';
import { stackSettings } from './stack-settings';

/** The outputs of the program that Pulumi.yaml runs, by cluster: the fleet of a folder, without a line of TypeScript. */
export const clusters = run();

function run(): Readonly<Record<string, ClusterOutputs>> {
  // The host starts programs in the folder of their file.
  enterFolder(getRootDirectory());
  try {
    return new FleetStack('fleet', stackSettings(new Config('fleetwright'))).outputs;
  } catch (error) {
    // Shown without its stack trace, which is of no use to those who wrote manifests.
    throw error instanceof FleetwrightError ? new RunError(error.message, { cause: error }) : error;
  }
}
