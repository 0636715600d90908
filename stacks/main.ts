import './setup';
import './setup-main';
import { setFlagsFromString } from 'node:v8';
import { Config, getRootDirectory } from '@pulumi/pulumi';
import { enterFolder } from '../src/files/fleet-paths';
import { dropDebugMessages } from './runtime/debug-messages';
import { FleetStack } from './fleet/fleet-stack';
import { printMessageOnly } from './runtime/run-error';
import { readStackSettings } from './fleet/stack-settings';

// V8 lets the heap grow to several times of what is in use before it collects garbage.
setFlagsFromString('--heap-growing-percent=40');
printMessageOnly();
dropDebugMessages(process.env);

const stack = run();

// From here on only the SDK runs. It captures a stack trace for every message to the engine, which takes more time
// than everything else in a stack with thousands of resources.
Error.stackTraceLimit = 0;

/** The outputs by cluster of the program that Pulumi.yaml runs for a folder of manifests. */
export const clusters = stack.outputs;

/**
 * Objects that must exist on the clusters before their manifests: the same as `mustExist` of `fleetwright plan
 * --json`.
 */
export const mustExist = stack.mustExist;

/** What stays on the clusters when the stack is destroyed, by cluster, with the command that removes it. */
export const retained = stack.retained;

/** The routes of requests to engines: the same as `routing.json` of `fleetwright synth`. */
export const routing = stack.routing;

function run(): FleetStack {
  // The host starts programs in the folder of their file.
  enterFolder(getRootDirectory());
  return new FleetStack('fleet', readStackSettings(new Config('fleetwright')));
}
