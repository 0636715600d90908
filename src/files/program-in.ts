import { statSync } from 'node:fs';
import { join } from 'node:path';
import { programCommand } from '../manifest/program-file';
import { PROGRAM_FILE } from './program-folder';
import { readFileIfThere } from './read-file';

/** A program that declares a fleet. */
export interface Program {
  /** The directory that holds its cdk8s.yaml, in which it runs. */
  readonly folder: string;

  /** The shell command that runs it. */
  readonly command: string;
}

/** The program of a directory, if its cdk8s.yaml has one. */
export function programIn(target: string): Program | undefined {
  if (!statSync(target, { throwIfNoEntry: false })?.isDirectory()) return undefined;
  const path = join(target, PROGRAM_FILE);
  const text = readFileIfThere(path);
  const command = text === undefined ? undefined : programCommand(text, path);
  return command === undefined ? undefined : { folder: target, command };
}
