import type { Report } from '../part';
import type { Faults } from './send';

interface Count {
  emitted: number;
  accepted: number;
}

/** Counts what was sent, by kind, and keeps what was wrong. */
export class Tally {
  readonly #kinds = new Map<string, Count>();
  readonly #updates = new Map<string, Count>();
  readonly #faults: string[] = [];
  readonly #warnings = new Map<string, number>();

  constructor(private readonly crds: number) {}

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

  pod(faults: Faults, warning: string | undefined): void {
    this.sent('Pod of a template', faults);
    for (const reason of reasons(warning)) this.#warnings.set(reason, (this.#warnings.get(reason) ?? 0) + 1);
  }

  report(skipped: readonly string[]): Report {
    const kinds = [...this.#kinds].sort(([a], [b]) => (a < b ? -1 : 1));
    const [emitted, accepted] = total(this.#kinds);
    const [changes, taken] = total(this.#updates);
    const warnings = [...this.#warnings].map(([reason, count]) => `${reason} (${count} pods)`);
    return {
      figures: [
        `objects: ${accepted} accepted of ${emitted} emitted (${kinds.map(([kind, { accepted, emitted }]) => `${kind} ${accepted}/${emitted}`).join(', ')})`,
        `updates: ${taken} accepted of ${changes} (${[...this.#updates].map(([what, { accepted, emitted }]) => `${what} ${accepted}/${emitted}`).join(', ')})`,
        `${this.crds} CRDs installed; pods judged by the level baseline, as namespaces have no level of ours yet`,
        ...(warnings.length > 0 ? [`the level restricted would say: ${warnings.join('; ')}`] : []),
        ...skipped,
      ],
      failures: this.#faults,
    };
  }

  #count(counts: Map<string, Count>, key: string, objects: number, faults: Faults): void {
    const count = counts.get(key) ?? { emitted: 0, accepted: 0 };
    counts.set(key, count);
    count.emitted += objects;
    count.accepted += Math.max(0, objects - faults.length);
    if (objects === 1 && faults.length > 1) count.accepted = Math.max(0, count.accepted);
    this.#faults.push(...faults);
  }
}

function total(counts: ReadonlyMap<string, Count>): [number, number] {
  const all = [...counts.values()];
  return [
    all.reduce((sum, { emitted }) => sum + emitted, 0),
    all.reduce((sum, { accepted }) => sum + accepted, 0),
  ];
}

/** `299 - "would violate PodSecurity ...: a, b"` as its reasons. */
function reasons(warning: string | undefined): string[] {
  const text = /would violate PodSecurity "[^"]*\\?": ([^"]*)/.exec(
    warning?.replaceAll('\\"', "'").replace(/PodSecurity '([^']*)'/, 'PodSecurity "$1"') ?? '',
  )?.[1];
  if (text !== undefined)
    return text.split(/, (?=\w+ (?:!=|=)|\w+ \()/).map((part) => part.replace(/\(.*/, '').trim());
  return warning === undefined ? [] : [warning];
}
