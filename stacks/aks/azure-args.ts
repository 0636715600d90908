/**
 * The arguments of a resource of `@pulumi/azure-native`, by name. They have no narrower type here: the types of that
 * package have 600,000 lines, which every program would read. Check yours with `satisfies` and its type.
 *
 * @example
 * const upgrades: AzureArgs = { autoUpgradeProfile: { upgradeChannel: 'patch' } };
 */
export type AzureArgs = Readonly<Record<string, unknown>>;

/** Applies a change of the user to arguments. The provider reports arguments that it does not know. */
export function tuneAzureArgs<A extends object>(args: A, tune: ((args: AzureArgs) => AzureArgs) | undefined): A {
  return tune ? (tune({ ...args } as AzureArgs) as A) : args;
}
