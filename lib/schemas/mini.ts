/*
 * The part of zod that the schemas of answers use. In the browser browser-mini.ts stands for it, which has the same names:
 * of zod as a whole Next's bundler keeps 20 kB in every page, of these names alone 9 kB would remain.
 */
export {
  array,
  boolean,
  config,
  custom,
  discriminatedUnion,
  enum,
  extend,
  type infer,
  int,
  literal,
  maxLength,
  meta,
  minLength,
  nullable,
  number,
  object,
  optional,
  pick,
  refine,
  string,
  tuple,
  union,
  unknown,
} from 'zod/mini'
export { safeParse } from 'zod/v4/core'
