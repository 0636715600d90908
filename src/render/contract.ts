import { RULES } from './contract-rules';
import type { Renderer } from './renderer';
import type { ComputedReplica } from './replica';

/** One thing that every renderer owes those who apply, prune and review what it makes. */
export interface ContractRule {
  /** A sentence about what a renderer does. */
  readonly name: string;

  /** Where the renderer breaks the rule. Empty: nowhere. */
  violations(): string[];
}

/**
 * What a renderer has to do, tried on some replicas: run it in the tests of every renderer.
 *
 * @param replicas as `decide` computes them: a pod alone, a gang, several replicas on one cluster, some with a cache
 * @example
 * test.each(rendererContract(house, decide(fleet, locate, EMPTY_LOCK).replicas))('$name', (rule) => {
 *   expect(rule.violations()).toEqual([]);
 * });
 */
export function rendererContract(
  renderer: Renderer,
  replicas: readonly ComputedReplica[],
): readonly ContractRule[] {
  return Object.entries(RULES).map(([name, rule]) => ({
    name,
    violations: () => rule(renderer, replicas),
  }));
}
