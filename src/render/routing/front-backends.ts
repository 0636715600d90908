import { sortedBy } from '../../order';
import { type Bundle, bundlesOf } from '../../routing/bundles';
import type { Member, RoutedService, Rule } from '../../routing/routing';
import type { JsonObject } from '../manifest';
import { bundleName, memberName } from '../names';
import { toBackend } from './kinds';

/** What one Backend at the fronts of a cluster stands for. */
export interface FrontBackend {
  readonly name: string;
  readonly members: readonly Member[];

  /** Whether it gets requests only while others serve nothing. */
  readonly fallback: boolean;

  /** Whether fronts ask it for WebSockets. */
  readonly webSocket: boolean;
}

/** What the rules of a service are for. */
export type RuleUse = 'Requests' | 'WebSockets';

/** The rules of a service for one use. */
export function rulesFor(service: RoutedService, use: RuleUse): readonly Rule[] {
  return use === 'Requests' ? service.rules : (service.webSockets ?? []);
}

/** All Backends of a service at the fronts of a cluster, by name. */
export function frontBackends(service: RoutedService): FrontBackend[] {
  const all = USES.flatMap((use) =>
    rulesFor(service, use).flatMap((rule) =>
      bundlesOf(rule).map((bundle): FrontBackend => {
        const name = nameOf(service, { use, rule, bundle });
        const { members } = bundle;
        const fallback = members.some((member) => comesSecond(rulesFor(service, use), member));
        return { name, members, fallback, webSocket: use === 'WebSockets' };
      }),
    ),
  );
  const distinct = new Map(all.map((backend) => [backend.name, backend]));
  return sortedBy(distinct, ([name]) => name).map(([, backend]) => backend);
}

const USES: readonly RuleUse[] = ['Requests', 'WebSockets'];

/** The Backends of a rule, with their shares. */
export function backendRefs(service: RoutedService, rule: Rule, use: RuleUse): JsonObject[] {
  return bundlesOf(rule).map((bundle) => {
    return { ...toBackend(nameOf(service, { use, rule, bundle })), weight: bundle.weight };
  });
}

interface Part {
  readonly use: RuleUse;
  readonly rule: Rule;
  readonly bundle: Bundle;
}

/** A Backend for WebSockets is one of its own: it speaks HTTP/1.1, over which edges let connections become one. */
function nameOf(service: RoutedService, { use, rule: { headers, model }, bundle }: Part): string {
  const suffix = use === 'WebSockets' ? '-ws' : '';
  const { key, members } = bundle;
  const [{ tier = 0, cluster = 'egress', target, hostname } = NOBODY] = members;
  if (key === undefined && target && hostname !== undefined) {
    return memberName(service, { tier, target: target.name, hostname }, cluster) + suffix;
  }
  return bundleName(service, { tier, identity: JSON.stringify([headers, model, key]) }) + suffix;
}

const NOBODY: Partial<Member> = {};

/** With nothing before it in any rule, the second tier is the only one. */
function comesSecond(rules: readonly Rule[], { tier, hostname }: Member): boolean {
  const beside = rules.filter(({ members }) => members.some((one) => one.hostname === hostname));
  return tier === 1 && beside.some(({ members }) => members.some((one) => one.tier === 0));
}
