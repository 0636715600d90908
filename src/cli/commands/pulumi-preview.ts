import { readTextFile } from '../../files/read-file';
import { formatPreviewComment } from '../../report/preview/preview-comment';
import { formatPreview } from '../../report/preview/preview-text';
import { readStackPreview } from '../../report/preview/read-preview';
import { commandError } from '../command-error';
import { EXIT, type ExitCode } from '../exit-code';
import { formatBlocks, type Io } from '../output';

export interface PulumiPreviewFlags {
  readonly stack: string;
  readonly status: string;
  readonly stderr?: string;
  readonly markdown?: boolean;
  readonly log?: string;
  readonly page?: string;
  readonly color?: boolean;
}

/**
 * `fleetwright pulumi-preview --stack STACK < FILE`: says what `pulumi preview --json` printed, for a log or as a
 * comment on a pull request.
 */
export function runPulumiPreview(flags: PulumiPreviewFlags, io: Io): ExitCode {
  if (!/^\d{1,3}$/.test(flags.status)) {
    throw commandError(
      'bad-flag',
      '--status',
      `'${flags.status}' is not an exit code`,
      "Use the exit code of 'pulumi preview'",
    );
  }
  const links = { log: parseUrl('--log', flags.log), page: parseUrl('--page', flags.page) };
  const preview = readStackPreview(io.stdin());
  const stderr = flags.stderr === undefined ? '' : readTextFile(flags.stderr);
  const run = { stack: flags.stack, succeeded: Number(flags.status) === 0, stderr };
  if (flags.markdown) io.out(formatPreviewComment(preview, run, links));
  else io.out(formatBlocks(formatPreview(preview, run), { flags, io }));
  // A comment has to be posted all the same, so only the log fails.
  return preview.understood || flags.markdown || !run.succeeded ? EXIT.ok : EXIT.badInput;
}

function parseUrl(flag: string, url: string | undefined): string | undefined {
  if (!url) return undefined;
  if (URL.canParse(url) && /^https?:\/\//i.test(url)) return url;
  throw commandError(
    'bad-flag',
    flag,
    `'${url}' is not the address of a page`,
    "Use an address that starts with 'https://'",
  );
}
