import { type Diagnostic, errorAt } from '../../src/base/diagnostic';

/** Loads code that uses a provider package, which users install only if they need it. */
export interface ProviderLoader<R> {
  /** The name of the package: `@pulumi/gcp`. */
  readonly provider: string;
  /** Loads the code. Throws if the package is not installed. */
  load(): R;
}

/** Loads the code that uses a provider, or returns a problem if its package is not installed. */
export function loadProvider<R>({
  provider,
  load,
}: ProviderLoader<R>): { made: R } | { missing: Diagnostic<undefined> } {
  try {
    return { made: load() };
  } catch (error) {
    if (!isMissingPackage(error, provider)) throw error;
    const missing = errorAt('no-provider', undefined, `${provider} is not installed`, `Run 'npm install ${provider}'`);
    return { missing };
  }
}

function isMissingPackage(error: unknown, provider: string): boolean {
  return error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND'
    ? error.message.includes(`'${provider}/`)
    : false;
}
