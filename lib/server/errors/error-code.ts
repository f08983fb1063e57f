import 'server-only'

/** The code of an error of the system or the database: `ENOENT`, `40P01`. Undefined: it has none. */
export const errorCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error ? String(error.code) : undefined
