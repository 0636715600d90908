import { type Diagnostic, errorAt } from '../src/base/diagnostic';

/** What loads what is made with a provider, which only those install who use it. */
export interface ProviderLoader<R> {
  /** The package: `@pulumi/gcp`. */
  readonly provider: string;
  load(): R;
}

/** What was loaded, or what to say where the package is not installed. */
export function loadProvider<R>({
  provider,
  load,
}: ProviderLoader<R>): { made: R } | { missing: Diagnostic<undefined> } {
  try {
    return { made: load() };
  } catch (error) {
    if (!isMissingPackage(error, provider)) throw error;
    const missing = errorAt(
      'no-provider',
      undefined,
      `${provider} is not installed`,
      `Run 'npm install ${provider}'`,
    );
    return { missing };
  }
}

function isMissingPackage(error: unknown, provider: string): boolean {
  return error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND'
    ? error.message.includes(`'${provider}/`)
    : false;
}
