import { clipText } from '../base/text';

/** What is wrong with a program that ran, and what to do about it. */
export interface ProgramFailure {
  readonly what: string;
  readonly hint: string;
}

const MISSING_CONFIGURATION = /Missing required configuration variable '(?<key>[^'\n]+)'/;

/** A folder of Pulumi, in a line of a stack trace. */
const PULUMI_FOLDER = /[\\/]@pulumi[\\/]/;

/**
 * Explains the output of a program that failed because it needs Pulumi, which is not there when the command line runs
 * it. Undefined if nothing in the output says so.
 */
export function explainPulumiFailure(output: string): ProgramFailure | undefined {
  const key = MISSING_CONFIGURATION.exec(output)?.groups?.['key'];
  if (key !== undefined) {
    const example = JSON.stringify({ [clipText(key)]: 'VALUE' });
    return {
      what: `requires '${clipText(key)}' of the configuration, which only Pulumi passes`,
      hint: `Read it with get() and a default, or set the variable PULUMI_CONFIG='${example}' for this command`,
    };
  }
  if (!output.split('\n').some(isCallInPulumi)) return undefined;
  return {
    what: 'failed in Pulumi, whose engine does not run here',
    hint: 'Its output is above. If it asks a provider or a stack for something, let it do so after its FleetStack',
  };
}

function isCallInPulumi(line: string): boolean {
  return line.trimStart().startsWith('at ') && PULUMI_FOLDER.test(line);
}
