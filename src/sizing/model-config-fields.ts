/** Reads fields of a `config.json`, and notes those that are missing. */
export class ConfigFields {
  readonly #missing = new Set<string>();

  constructor(private readonly config: Readonly<Record<string, unknown>>) {}

  /** The names of required fields that were read and are not there. */
  get missing(): readonly string[] {
    return [...this.#missing];
  }

  /** A number that must be there: the first of some names. */
  number(...names: readonly string[]): number {
    const found = this.optional(...names);
    if (found === undefined) this.#missing.add(names.join(' or '));
    return found ?? 1;
  }

  optional(...names: readonly string[]): number | undefined {
    const values = names.map((name) => this.config[name]);
    return values.find((value): value is number => typeof value === 'number' && Number.isFinite(value) && value > 0);
  }

  text(name: string): string | undefined {
    const value = this.config[name];
    return typeof value === 'string' ? value : undefined;
  }

  flag(name: string): boolean {
    return this.config[name] === true;
  }

  texts(name: string): readonly string[] | undefined {
    const value = this.config[name];
    return Array.isArray(value) && value.every((one) => typeof one === 'string') ? value : undefined;
  }

  /** Notes a field as missing. */
  addMissing(name: string): void {
    this.#missing.add(name);
  }
}

/** The configuration of the language model: multimodal ones nest it. */
export function textConfigOf(config: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const nested = ['text_config', 'language_config', 'llm_config'].map((name) => config[name]).find(isRecord);
  return nested ? { ...config, ...nested } : config;
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
