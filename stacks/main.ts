import { Config, getRootDirectory, RunError } from '@pulumi/pulumi';
import { FleetwrightError } from '../src/base/errors';
import { enterFolder } from '../src/files/fleet-paths';
import { FleetStack } from './fleet-stack';
import { readStackSettings } from './stack-settings';

const stack = run();

// From here on only the SDK runs, which takes a stack trace of itself for every message to the engine. With thousands of
// resources these take more time than all the rest.
Error.stackTraceLimit = 0;

/** The outputs of the program that Pulumi.yaml runs, by cluster: the fleet of a folder, without a line of TypeScript. */
export const clusters = stack.outputs;

/** What has to be on the clusters before their manifests: what `fleetwright plan --json` has under this name. */
export const mustExist = stack.mustExist;

/** How requests reach what serves: the same that `fleetwright synth` writes as `routing.json`. */
export const routing = stack.routing;

function run(): FleetStack {
  // The host starts programs in the folder of their file.
  enterFolder(getRootDirectory());
  try {
    return new FleetStack('fleet', readStackSettings(new Config('fleetwright')));
  } catch (error) {
    // Shown without its stack trace, which is of no use to those who wrote manifests.
    throw error instanceof FleetwrightError ? new RunError(error.message, { cause: error }) : error;
  }
}
