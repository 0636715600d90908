import type { JsonObject } from '../../manifest/kubernetes/manifest';

/** A rule that records the result of an expression as a series. */
export interface RecordingRule extends JsonObject {
  readonly record: string;
  readonly expr: string;
  readonly labels?: Readonly<Record<string, string>>;
}

/** A rule that alerts while an expression has a result. */
export interface AlertRule extends JsonObject {
  readonly alert: string;
  readonly expr: string;
  readonly for: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

/** Rules that are evaluated together, in their order. */
export interface RuleGroup extends JsonObject {
  readonly name: string;
  readonly interval?: string;
  readonly rules: readonly (RecordingRule | AlertRule)[];
}
