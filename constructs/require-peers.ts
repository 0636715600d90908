import { errorAt } from '../src/base/diagnostic';
import { FleetwrightError } from '../src/base/errors';
import { printUncaughtMessages } from '../src/files/print-uncaught';

/**
 * Checks that the packages that an entry point needs are installed. They are optional, so that users of the command
 * line do not get them.
 *
 * @throws FleetwrightError with the command that installs what is missing
 */
export function requirePeers(entry: string, peers: readonly string[]): void {
  const missing = peers.filter((peer) => !isInstalled(peer));
  if (missing.length === 0) return;
  printUncaughtMessages();
  const names = new Intl.ListFormat('en').format(missing);
  const what = `${names} ${missing.length === 1 ? 'is' : 'are'} not installed`;
  const error = new FleetwrightError([errorAt('no-peer', entry, what, `Run 'npm install ${missing.join(' ')}'`)]);
  // Pulumi prints the message alone of what has this member. Its own class may be what is missing.
  throw Object.assign(error, { __pulumiRunError: true });
}

function isInstalled(peer: string): boolean {
  try {
    return require.resolve(peer) !== '';
  } catch (error) {
    // A package that is there and cannot be resolved fails where it is loaded, with its own error.
    return !(error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND');
  }
}
