/*
 * The part of zod that the browser's schemas use. The build bundles this file by itself (scripts/build-browser-zod.ts): of
 * zod as a whole Next's bundler keeps 20 kB in every page, of these names alone 9 kB remain.
 */
export {
  _default,
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
  strictObject,
  string,
  tuple,
  union,
} from 'zod/mini'
export { safeParse } from 'zod/v4/core'
