import { Config, output, unknown } from '@pulumi/pulumi';
import { CHARTS_VARIABLE } from '../../src/manifest/program-charts';
import { EMIT_VARIABLE } from '../../src/manifest/program-output';

/**
 * Makes secrets that a program requires of its configuration unknown if they are not set and the command line runs the
 * program: only Pulumi passes them, and declarations do not depend on outputs.
 */
export function makeMissingSecretsUnknown(env: NodeJS.ProcessEnv): void {
  if (!env[EMIT_VARIABLE] && !env[CHARTS_VARIABLE]) return;
  const { prototype } = Config;
  Object.assign(prototype, {
    requireSecret: orUnknown(prototype.getSecret),
    requireSecretBoolean: orUnknown(prototype.getSecretBoolean),
    requireSecretNumber: orUnknown(prototype.getSecretNumber),
    requireSecretObject: orUnknown(prototype.getSecretObject),
  });
}

function orUnknown<A extends unknown[]>(read: (this: Config, ...args: A) => unknown) {
  return function (this: Config, ...args: A): unknown {
    return read.apply(this, args) ?? output(unknown);
  };
}
