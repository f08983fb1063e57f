import 'server-only'
import { type ParserOptions, type SerializerOptions, types } from '@electric-sql/pglite'

/**
 * Sends bytea as the bytes that they are. PGlite's own way is hex, made digit by digit: 100 kB take 20 ms instead of 0.1.
 * Its protocol takes a view of bytes where the types say text.
 */
export const BINARY_BYTES: SerializerOptions = {
  [types.BYTEA]: (bytes: Uint8Array) => bytes as unknown as string,
}

/** Reads bytea at once. PGlite's own way reads its hex digit by digit too: 150 kB, a chart's roll-ups, took 60 ms in place of 0.3. */
export const READ_BYTES: ParserOptions = {
  [types.BYTEA]: (hex) => Buffer.from(hex.slice('\\x'.length), 'hex'),
}
