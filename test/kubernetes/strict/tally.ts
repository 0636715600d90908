import type { KubeObject } from '../harness/client';
import type { Report } from '../part';
import { Forms } from './forms';
import type { Faults } from './send';

interface Count {
  emitted: number;
  accepted: number;
}

/** Counts what was sent, by kind, and keeps what was wrong. */
export class Tally {
  readonly forms = new Forms();
  readonly #kinds = new Map<string, Count>();
  readonly #updates = new Map<string, Count>();
  readonly #faults: string[] = [];
  readonly #warnings = new Map<string, number>();

  readonly #unknown = new Map<string, number>();
  readonly #levels = new Map<string, number>();

  constructor(private readonly crds: number) {}

  /** An object whose kind the API server does not know. */
  unknown({ apiVersion, kind }: KubeObject): void {
    increase(this.#unknown, `${kind} (${apiVersion})`);
  }

  sent(kind: string, faults: Faults): void {
    this.#count(this.#kinds, kind, 1, faults);
  }

  updated(what: string, objects: number, faults: Faults): void {
    this.#count(
      this.#updates,
      what,
      objects,
      faults.map((fault) => `update of ${what}: ${fault}`),
    );
  }

  /** A pod that was tried in a namespace of a level. */
  pod(faults: Faults, warning: string | undefined, level: string): void {
    this.sent('Pod of a template', faults);
    increase(this.#levels, level);
    for (const reason of reasons(warning)) increase(this.#warnings, reason);
  }

  report(): Report {
    const { emitted, accepted } = total(this.#kinds);
    const updates = total(this.#updates);
    const unknown = [...this.#unknown].map(([kind, count]) => `${count} of ${kind} not sent: no CRD is here`);
    const warnings = [...this.#warnings].map(([reason, count]) => `${reason} (${count} pods)`);
    return {
      figures: [
        `objects: ${accepted} accepted of ${emitted} emitted (${listed(this.#kinds)})`,
        `updates: ${updates.accepted} accepted of ${updates.emitted} (${listed(this.#updates)})`,
        `${this.crds} CRDs installed; pods by the level of their namespace: ${[...this.#levels].map((one) => one.join(' ')).join(', ')}`,
        ...(warnings.length > 0 ? [`the level restricted would say: ${warnings.join('; ')}`] : []),
        ...unknown,
      ],
      failures: [...this.#faults, ...this.#untested(), ...unknown],
    };
  }

  /** What the run did not try at all, and so cannot have passed. */
  #untested(): string[] {
    const none = [...this.#updates].filter(([, { emitted }]) => emitted === 0);
    return [
      ...(total(this.#kinds).emitted === 0 ? ['no object was sent'] : []),
      ...(this.#levels.size === 0 ? ['no pod was tried'] : []),
      ...none.map(([what]) => `the update of ${what} changed no object`),
    ];
  }

  #count(counts: Map<string, Count>, key: string, objects: number, faults: Faults): void {
    const count = counts.get(key) ?? { emitted: 0, accepted: 0 };
    counts.set(key, count);
    count.emitted += objects;
    count.accepted += Math.max(0, objects - faults.length);
    this.#faults.push(...faults);
  }
}

function total(counts: ReadonlyMap<string, Count>): Count {
  const all = [...counts.values()];
  return {
    emitted: all.reduce((sum, { emitted }) => sum + emitted, 0),
    accepted: all.reduce((sum, { accepted }) => sum + accepted, 0),
  };
}

/** `Deployment 9/9, Service 3/3` */
function listed(counts: ReadonlyMap<string, Count>): string {
  const sorted = [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
  return sorted.map(([kind, { accepted, emitted }]) => `${kind} ${accepted}/${emitted}`).join(', ');
}

function increase(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** `299 - "would violate PodSecurity ...: a, b"` as its reasons. */
function reasons(warning: string | undefined): string[] {
  const text = /would violate PodSecurity "[^"]*\\?": ([^"]*)/.exec(
    warning?.replaceAll('\\"', "'").replace(/PodSecurity '([^']*)'/, 'PodSecurity "$1"') ?? '',
  )?.[1];
  if (text !== undefined) return text.split(/, (?=\w+ (?:!=|=)|\w+ \()/).map((part) => part.replace(/\(.*/, '').trim());
  return warning === undefined ? [] : [warning];
}
