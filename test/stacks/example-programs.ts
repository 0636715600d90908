import programs from './example-programs.json';

/** The Pulumi programs among the examples, with what is set for them. */
export const PROGRAMS: Readonly<Record<string, Readonly<Record<string, string>>>> = programs;
