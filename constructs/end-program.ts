/**
 * Ends a program that the command line runs, as a success. Pulumi fails programs that end with resources under way, but
 * without its engine nothing comes of those.
 */
export function endProgram(): never {
  // The listener of Pulumi is there already, and the last one decides.
  process.on('exit', () => {
    process.exitCode = 0;
  });
  process.exit(0);
}
